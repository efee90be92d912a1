//! Force elements and sensors.

use super::object::DESCRIPTION;
use super::{DefaultValue, EXPR, Key, Kind, MANY, REFERENCE, TEXT, TableFormat, VECTOR, Variant, Variants};

const FROM: Key = Key::new("from", &REFERENCE, "First object; the line starts at its origin.").required();
const TO: Key = Key::new("to", &REFERENCE, "Second object; the line ends at its origin.").required();
const STIFFNESS: Key = Key::new("stiffness", &EXPR, "Stiffness.").unit("N/m");
const REST_LENGTH: Key =
    Key::new("rest_length", &EXPR, "Length without force.").unit("m").or_described("the distance at the start");
const DAMPING: Key = Key::new("damping", &EXPR, "Damping.").unit("N·s/m");

static THREE: Kind = Kind::Any(&[&EXPR, &VECTOR]);
static LAWS: Kind = Kind::List(&TEXT, 3, 3);

static FORCES: Variants = Variants {
    tag: "type",
    doc: "The type of the force element.",
    list: &[
        Variant {
            name: "world",
            doc: "Force and torque from outside at the origin of an object. At least one of `force` and `torque`.",
            groups: &[&[
                Key::new("at", &REFERENCE, "Object acted on.").required(),
                Key::new("force", &VECTOR, "Force: expressions in time, inputs and parameters.").unit("N").or_zeros(3),
                Key::new("torque", &VECTOR, "Torque: expressions in time, inputs and parameters.").unit("N·m").or_zeros(3),
                Key::new("resolved_in", &REFERENCE, "Object in whose axes they are given.").or_word("world"),
            ]],
        },
        Variant {
            name: "spring",
            doc: "Spring between two points: pulls with `stiffness (s - rest_length)`, where `s` is the distance.",
            groups: &[&[FROM, TO, STIFFNESS.required(), REST_LENGTH]],
        },
        Variant {
            name: "damper",
            doc: "Damper between two points: pulls with `damping v`, where `v` is the rate of the distance.",
            groups: &[&[FROM, TO, DAMPING.required()]],
        },
        Variant {
            name: "spring-damper",
            doc: "Spring and damper in parallel.",
            groups: &[&[FROM, TO, STIFFNESS.required(), REST_LENGTH, DAMPING.required()]],
        },
        Variant {
            name: "actuator",
            doc: "Force along the line between two points, e.g. of a cylinder, a rope or a nonlinear spring, if wanted with spring and damper in parallel.",
            groups: &[&[
                FROM,
                TO,
                Key::new(
                    "force",
                    &EXPR,
                    "Pulling force: an expression in time, inputs, parameters, the distance `s` and its rate `v`.",
                )
                .unit("N")
                .required(),
                STIFFNESS,
                REST_LENGTH,
                DAMPING,
            ]],
        },
        Variant {
            name: "bushing",
            doc: "Elastic connection in six directions, resolved in `from`; rotations by the rotation vector, below 180 degrees. One number stands for all three directions.",
            groups: &[&[
                Key::new("from", &REFERENCE, "First object.").required(),
                Key::new("to", &REFERENCE, "Second object.").required(),
                Key::new("stiffness", &THREE, "Stiffness along x, y, z.").unit("N/m").or_number(0.0),
                Key::new("damping", &THREE, "Damping along x, y, z.").unit("N·s/m").or_number(0.0),
                Key::new("law", &LAWS, "Additional forces along x, y, z: expressions in the displacement `s` \\[m\\], its rate `v`, time, inputs and parameters; `\"\"` for none.").unit("N"),
                Key::new("rotational_stiffness", &THREE, "Stiffness about x, y, z.").unit("N·m/rad").or_number(0.0),
                Key::new("rotational_damping", &THREE, "Damping about x, y, z.").unit("N·m·s/rad").or_number(0.0),
                Key::new("rotational_law", &LAWS, "Additional torques about x, y, z, as `law`, with the angle `s` \\[rad\\].").unit("N·m"),
            ]],
        },
    ],
};

pub(crate) static FORCE: TableFormat =
    TableFormat::new("[forces.NAME]", "A force element.", &[DESCRIPTION]).with(&FORCES);

/// Quantities that a sensor of a motion can measure; all by default.
const MEASURED: &[&str] = &["pose", "velocity", "acceleration"];
static MEASURES: Kind = Kind::List(&Kind::Choice(MEASURED), 1, MANY);

static SENSORS: Variants = Variants {
    tag: "type",
    doc: "What the sensor measures.",
    list: &[
        Variant {
            name: "motion",
            doc: "Motion of an object relative to another one, as an observer fixed there sees it: variables `r`, `quaternion`, `v`, `w`, `a`, `alpha`.",
            groups: &[&[
                Key::new("frame", &REFERENCE, "Measured object.").required(),
                Key::new("relative_to", &REFERENCE, "Observer.").or_word("world"),
                Key::new("resolved_in", &REFERENCE, "Object in whose axes vectors are given.")
                    .or_described("the observer"),
                Key::new("measure", &MEASURES, "What is measured.").or(DefaultValue::Words(MEASURED)),
            ]],
        },
        Variant {
            name: "cut-force",
            doc: "Force `f` and torque `t` that a joint transmits from its `from` to its `to` side, at the origin of `to`. While attached frames lock the joint, they carry the load and both are 0.",
            groups: &[&[
                Key::new("joint", &REFERENCE, "Name of the joint.").required(),
                Key::new("resolved_in", &REFERENCE, "Object in whose axes they are given.")
                    .or_described("the joint's `from`"),
            ]],
        },
    ],
};

pub(crate) static SENSOR: TableFormat = TableFormat::new(
    "[sensors.NAME]",
    "A group of variables derived from the motion, called `NAME.r[1]` and so on.",
    &[DESCRIPTION],
)
.with(&SENSORS);
