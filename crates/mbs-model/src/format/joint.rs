//! Joints and what acts on their degrees of freedom.

use mbs::declaration::Friction;

use super::object::DESCRIPTION;
use super::pose::{DIRECTION, ROTATION};
use super::{BOOL, EXPR, Key, Kind, REFERENCE, TableFormat, VECTOR, Variant, Variants};

pub(crate) const REST: Key = Key::new("rest", &EXPR, "Coordinate without force.").or_number(0.0);
pub(crate) const V_REG: Key =
    Key::new("v_reg", &EXPR, "Velocity over which friction changes its sign.").or_number(Friction::V_REG);
pub(crate) const DISSIPATION: Key = Key::new("dissipation", &EXPR, "Dissipation.").or_number(0.0);

static SPRING_ROTATION: TableFormat = TableFormat::new(
    "spring (rotation)",
    "Torque `-stiffness (phi - rest)`.",
    &[
        Key::new("stiffness", &EXPR, "Stiffness.").unit("N·m/rad").required(),
        Key { doc: "Angle without torque.", unit: "rad", ..REST },
    ],
);
static SPRING_TRANSLATION: TableFormat = TableFormat::new(
    "spring (translation)",
    "Force `-stiffness (s - rest)`.",
    &[
        Key::new("stiffness", &EXPR, "Stiffness.").unit("N/m").required(),
        Key { doc: "Position without force.", unit: "m", ..REST },
    ],
);
static FRICTION_ROTATION: TableFormat = TableFormat::new(
    "friction (rotation)",
    "Dry friction `-torque tanh(w / v_reg)`.",
    &[
        Key::new("torque", &EXPR, "Torque when it slides.").unit("N·m").required(),
        Key { doc: "Angular velocity over which the torque changes its sign.", unit: "rad/s", ..V_REG },
    ],
);
static FRICTION_TRANSLATION: TableFormat = TableFormat::new(
    "friction (translation)",
    "Dry friction `-force tanh(v / v_reg)`.",
    &[
        Key::new("force", &EXPR, "Force when it slides.").unit("N").required(),
        Key { doc: "Velocity over which the force changes its sign.", unit: "m/s", ..V_REG },
    ],
);
static STOPS_ROTATION: TableFormat = TableFormat::new(
    "stops (rotation)",
    "Compliant end stops: beyond a limit the torque `stiffness delta (1 + dissipation delta')` pushes back and never pulls.",
    &[
        Key::new("lower", &EXPR, "Lower limit.").unit("rad").or_described("none"),
        Key::new("upper", &EXPR, "Upper limit.").unit("rad").or_described("none"),
        Key::new("stiffness", &EXPR, "Stiffness.").unit("N·m/rad").required(),
        Key { unit: "s/rad", ..DISSIPATION },
    ],
);
static STOPS_TRANSLATION: TableFormat = TableFormat::new(
    "stops (translation)",
    "Compliant end stops: beyond a limit the force `stiffness delta (1 + dissipation delta')` pushes back and never pulls.",
    &[
        Key::new("lower", &EXPR, "Lower limit.").unit("m").or_described("none"),
        Key::new("upper", &EXPR, "Upper limit.").unit("m").or_described("none"),
        Key::new("stiffness", &EXPR, "Stiffness.").unit("N/m").required(),
        Key { unit: "s/m", ..DISSIPATION },
    ],
);

const TORQUE: Key = Key::new(
    "torque",
    &EXPR,
    "Driving torque: an expression in time, inputs, parameters and the joint's own coordinates.",
)
.unit("N·m");
const FORCE: Key = Key::new(
    "force",
    &EXPR,
    "Driving force: an expression in time, inputs, parameters and the joint's own coordinates.",
)
.unit("N");
const DAMPING_ROTATION: Key = Key::new("damping", &EXPR, "Viscous damping.").unit("N·m·s/rad");
static FRICTION_ROTATION_KIND: Kind = Kind::Table(&FRICTION_ROTATION);
const FRICTION_R: Key = Key::new("friction", &FRICTION_ROTATION_KIND, "Dry friction.");
const FLANGE_ROTATION: Key =
    Key::new("flange", &BOOL, "Whether the FMU gets an input (`JOINT.tau`) for a torque from outside.").or_bool(false);
const MOTION_DOC: &str = "Prescribed coordinate: an expression in time, parameters, inputs or a reference path, twice differentiable; or a table with a filter of the inputs. It takes the freedom away.";
static FILTERED_MOTION: TableFormat = TableFormat::new(
    "motion",
    "A prescribed coordinate that follows inputs without jumps: every input passes a critically damped filter of third order, `1/(1 + T s)^3`.",
    &[
        Key::new("input", &EXPR, "The coordinate: the name of an input, or an expression with inputs.").required(),
        Key::new(
            "filter",
            &EXPR,
            "Time constant `T` of the filter. What moves evenly is followed `3 T` later, a jump is followed to 1 % after `8.4 T`. What shall follow without a filter is written alone: `motion = \"ref\"`.",
        )
        .unit("s")
        .required(),
    ],
);
static MOTION: Kind = Kind::Any(&[&EXPR, &Kind::Table(&FILTERED_MOTION)]);

static ROTATION_ELEMENTS: &[Key] = &[
    Key::new("spring", &Kind::Any(&[&EXPR, &Kind::Table(&SPRING_ROTATION)]), "Spring; a number is its stiffness.")
        .unit("N·m/rad"),
    DAMPING_ROTATION,
    FRICTION_R,
    Key::new("stops", &Kind::Table(&STOPS_ROTATION), "End stops."),
    TORQUE,
    Key::new("motion", &MOTION, MOTION_DOC).unit("rad"),
    FLANGE_ROTATION,
];
static TRANSLATION_ELEMENTS: &[Key] = &[
    Key::new("spring", &Kind::Any(&[&EXPR, &Kind::Table(&SPRING_TRANSLATION)]), "Spring; a number is its stiffness.")
        .unit("N/m"),
    Key::new("damping", &EXPR, "Viscous damping.").unit("N·s/m"),
    Key::new("friction", &Kind::Table(&FRICTION_TRANSLATION), "Dry friction."),
    Key::new("stops", &Kind::Table(&STOPS_TRANSLATION), "End stops."),
    FORCE,
    Key::new("motion", &MOTION, MOTION_DOC).unit("m"),
    Key::new("flange", &BOOL, "Whether the FMU gets an input (`JOINT.f`) for a force from outside.").or_bool(false),
];
/// Rotations without a coordinate of their own.
static SPIN_ELEMENTS: &[Key] = &[DAMPING_ROTATION, FRICTION_R, TORQUE, FLANGE_ROTATION];

static ROTATION_DOF: TableFormat = TableFormat::new(
    "dof (rotation)",
    "What acts on one rotation of a joint with several degrees of freedom.",
    ROTATION_ELEMENTS,
);
static TRANSLATION_DOF: TableFormat = TableFormat::new(
    "dof (translation)",
    "What acts on one translation of a joint with several degrees of freedom.",
    TRANSLATION_ELEMENTS,
);
static SPIN_DOF: TableFormat = TableFormat::new(
    "dof (angular velocity)",
    "What acts on one component of the angular velocity of a spherical or free joint.",
    SPIN_ELEMENTS,
);

static ROTATING: Kind = Kind::Table(&ROTATION_DOF);
static SLIDING: Kind = Kind::Table(&TRANSLATION_DOF);
static SPINNING: Kind = Kind::Table(&SPIN_DOF);

const PHI1: Key = Key::new("phi1", &ROTATING, "On the first rotation.");
const PHI2: Key = Key::new("phi2", &ROTATING, "On the second rotation.");
const W1: Key = Key::new("w1", &SPINNING, "On the rotation about x of `from`.");
const W2: Key = Key::new("w2", &SPINNING, "On the rotation about y of `from`.");
const W3: Key = Key::new("w3", &SPINNING, "On the rotation about z of `from`.");

static UNIVERSAL_DOFS: TableFormat = TableFormat::new("dof of a universal joint", "", &[PHI1, PHI2]);
static CYLINDRICAL_DOFS: TableFormat = TableFormat::new(
    "dof of a cylindrical joint",
    "",
    &[Key::new("s", &SLIDING, "On the translation."), Key::new("phi", &ROTATING, "On the rotation.")],
);
static PLANAR_DOFS: TableFormat = TableFormat::new(
    "dof of a planar joint",
    "",
    &[
        Key::new("s1", &SLIDING, "On the first translation."),
        Key::new("s2", &SLIDING, "On the second translation."),
        Key::new("phi", &ROTATING, "On the rotation."),
    ],
);
static SPHERICAL_DOFS: TableFormat = TableFormat::new("dof of a spherical joint", "", &[W1, W2, W3]);
static FREE_DOFS: TableFormat = TableFormat::new(
    "dof of a free joint",
    "",
    &[
        W1,
        W2,
        W3,
        Key::new("r1", &SLIDING, "On the translation along x of `from`."),
        Key::new("r2", &SLIDING, "On the translation along y of `from`."),
        Key::new("r3", &SLIDING, "On the translation along z of `from`."),
    ],
);

static TWO: Kind = Kind::List(&EXPR, 2, 2);
static AXES: Kind = Kind::List(&DIRECTION, 2, 2);

const AXIS: Key = Key::new(
    "axis",
    &DIRECTION,
    "Axis: `\"x\"`, `\"-z\"`, … or a vector, in the frame of `from`; at coordinate zero the same in `to`.",
)
.required();
static GUESS: TableFormat = TableFormat::new(
    "start value",
    "A start value that loops may change.",
    &[Key::new("guess", &EXPR, "Where the search for a closed mechanism begins.").required()],
);
/// A number, `"free"`, or a guess.
static START: Kind = Kind::Any(&[&EXPR, &Kind::Table(&GUESS)]);

const PHI: Key = Key::new("phi", &START, "Angle at the start; `\"free\"` or a guess where loops decide.")
    .unit("rad")
    .or_described("0, in loops free");
const W: Key =
    Key::new("w", &START, "Angular velocity at the start; likewise.").unit("rad/s").or_described("0, in loops free");
const S: Key = Key::new("s", &START, "Position at the start; `\"free\"` or a guess where loops decide.")
    .unit("m")
    .or_described("0, in loops free");
const V: Key = Key::new("v", &START, "Velocity at the start; likewise.").unit("m/s").or_described("0, in loops free");
const SPIN: Key =
    Key::new("w", &VECTOR, "Angular velocity at the start, of `to` relative to `from` in the axes of `from`.")
        .unit("rad/s")
        .or_zeros(3);
const START_ROTATION: Key = Key {
    doc: "Orientation of `to` in `from` at the start: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a table.",
    ..ROTATION
};
const DOF_DOC: &str = "What acts on single degrees of freedom, by their names.";

static JOINTS: Variants = Variants {
    tag: "type",
    doc: "The type of the joint: which motions of `to` relative to `from` it leaves free.",
    list: &[
        Variant { name: "fixed", doc: "No motion.", groups: &[] },
        Variant {
            name: "revolute",
            doc: "Rotation `phi` about an axis.",
            groups: &[&[AXIS, PHI, W], ROTATION_ELEMENTS],
        },
        Variant {
            name: "prismatic",
            doc: "Translation `s` along an axis.",
            groups: &[&[AXIS, S, V], TRANSLATION_ELEMENTS],
        },
        Variant {
            name: "screw",
            doc: "Rotation `phi` about an axis and translation `pitch·phi/2π` along it.",
            groups: &[
                &[AXIS, Key::new("pitch", &EXPR, "Translation per revolution.").unit("m").required(), PHI, W],
                ROTATION_ELEMENTS,
            ],
        },
        Variant {
            name: "universal",
            doc: "Rotation `phi[1]` about the first axis, fixed in `from`, then `phi[2]` about the second, fixed in `to`.",
            groups: &[&[
                Key::new("axes", &AXES, "Both axes; they must not be parallel.").required(),
                Key::new("phi", &TWO, "Angles at the start.").unit("rad").or_zeros(2),
                Key::new("w", &TWO, "Their rates at the start.").unit("rad/s").or_zeros(2),
                Key::new("dof", &Kind::Table(&UNIVERSAL_DOFS), DOF_DOC),
            ]],
        },
        Variant {
            name: "cylindrical",
            doc: "Translation `s` along and rotation `phi` about one axis.",
            groups: &[&[AXIS, S, V, PHI, W, Key::new("dof", &Kind::Table(&CYLINDRICAL_DOFS), DOF_DOC)]],
        },
        Variant {
            name: "planar",
            doc: "Translations `s[1]` and `s[2]` in a plane, rotation `phi` about its normal.",
            groups: &[&[
                Key::new("normal", &DIRECTION, "Normal of the plane.").required(),
                Key::new("axis", &DIRECTION, "Direction of `s[1]`; that of `s[2]` is `normal × axis`.").required(),
                Key::new("s", &TWO, "Positions at the start.").unit("m").or_zeros(2),
                Key::new("v", &TWO, "Velocities at the start.").unit("m/s").or_zeros(2),
                PHI,
                W,
                Key::new("dof", &Kind::Table(&PLANAR_DOFS), DOF_DOC),
            ]],
        },
        Variant {
            name: "spherical",
            doc: "All rotations about a point.",
            groups: &[&[START_ROTATION, SPIN, Key::new("dof", &Kind::Table(&SPHERICAL_DOFS), DOF_DOC)]],
        },
        Variant {
            name: "free",
            doc: "All motions.",
            groups: &[&[
                Key::new("r", &VECTOR, "Position of `to` in `from` at the start.").unit("m").or_zeros(3),
                START_ROTATION,
                Key::new("v", &VECTOR, "Velocity at the start, in the axes of `from`.").unit("m/s").or_zeros(3),
                SPIN,
                Key::new("dof", &Kind::Table(&FREE_DOFS), DOF_DOC),
            ]],
        },
    ],
};

pub(crate) static JOINT: TableFormat = TableFormat::new(
    "[joints.NAME]",
    "A connection of two objects. Its frames are those of the two objects; its coordinates describe the motion of `to` relative to `from`.",
    &[
        DESCRIPTION,
        Key::new("from", &REFERENCE, "First object, e.g. `\"world\"`.").required(),
        Key::new("to", &REFERENCE, "Second object.").required(),
        Key::new("collides", &BOOL, "Whether the bodies it connects may collide with each other.").or_bool(false),
    ],
)
.with(&JOINTS);
