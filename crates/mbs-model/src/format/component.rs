//! Components: controllers, sources, drives, one-dimensional mechanics.

use mbs::component::{DEFAULT_INTERPOLATION, DEFAULT_MOTION};

use super::object::DESCRIPTION;
use super::{DefaultValue, EXPR, Key, Kind, MANY, NUMBERED, REFERENCE, TEXT, TableFormat, Variant, Variants};

static NUMBERS: Kind = Kind::List(&EXPR, 1, MANY);
static ROWS: Kind = Kind::List(&NUMBERS, 1, MANY);
static MATRIX: Kind = Kind::Any(&[&ROWS, &TEXT]);
static MOTION_WORDS: Kind = Kind::Choice(&["rotation", "translation"]);
static TABLE_WORDS: Kind = Kind::Choice(&["linear", "cubic"]);
static ANYTHING: Kind = Kind::Map(&Kind::Any(&[&EXPR, &NUMBERS]));

const U: Key = Key::new("u", &EXPR, "Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).").required();
const MAX: Key = Key::new("max", &EXPR, "Upper limit of the output.").or_described("none");
const MIN: Key = Key::new("min", &EXPR, "Lower limit of the output.").or_described("-max");
const TRACKING: Key =
    Key::new("T_t", &EXPR, "Time constant of the anti-windup.").unit("s").or_described("the integral time");
const OFFSET: Key = Key::new("offset", &EXPR, "Added to the signal.").or_library();
const START: Key = Key::new("start", &EXPR, "Time at which the signal begins.").unit("s").or_library();
const HEIGHT: Key = Key::new("height", &EXPR, "Height above `offset`.").or_library();
const PERIOD: Key =
    Key::new("period", &EXPR, "Time between two ticks; tuned during a run it counts from the last tick.")
        .unit("s")
        .required();
const TICK_OFFSET: Key =
    Key::new("offset", &EXPR, "Time of the first tick, or of any before the start.").unit("s").or_library();
const FLANGE: Key = Key::new(
    "flange",
    &REFERENCE,
    "What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`, or `ground`.",
);
const A: Key = Key::new("a", &REFERENCE, "First flange: a joint, a flange of a component, or `ground`.");
const B: Key = Key::new("b", &REFERENCE, "Second flange.");
const B_OR_GROUND: Key = Key { default: DefaultValue::Word("ground"), ..B };
const MOTION: Key = Key::new("motion", &MOTION_WORDS, "Whether the flanges turn or slide.").or_word(DEFAULT_MOTION);
const STIFFNESS: Key = Key::new("stiffness", &EXPR, "Stiffness.").unit("N·m/rad or N/m").required();
const DAMPING: Key = Key::new("damping", &EXPR, "Damping.").unit("N·m·s/rad or N·s/m").required();
const REST: Key =
    Key::new("rest", &EXPR, "Position of `a` minus that of `b` without force.").unit("rad or m").or_library();
const PHI: Key = Key::new("phi", &EXPR, "Angle at the start, if it turns on its own.").unit("rad").or_number(0.0);
const W: Key =
    Key::new("w", &EXPR, "Angular velocity at the start, if it turns on its own.").unit("rad/s").or_number(0.0);

const BRAKE_U: Key = Key::new(
    "u",
    &EXPR,
    "Factor on all efforts, viscous ones included: an expression as `u` of other components; below 0 it counts as 0.",
)
.required();
static FRICTION: [Key; 6] = [
    Key::new("sliding", &EXPR, "Sliding friction.").unit("N·m or N").required(),
    Key::new("static", &EXPR, "Static friction.").unit("N·m or N").or_described("the sliding one"),
    Key::new("stribeck", &EXPR, "Velocity scale of the fall from static to sliding friction: at the velocity `w` the effort is `sliding + (static - sliding) exp(-(w/stribeck)²)`; 0 is a jump.")
        .or_library(),
    Key::new("viscous", &EXPR, "Additional viscous friction.").unit("N·m·s/rad or N·s/m").or_library(),
    A,
    MOTION,
];
static TWO: [Key; 2] = [
    Key::new("u1", &EXPR, "A signal that is 0 or 1.").required(),
    Key::new("u2", &EXPR, "A signal that is 0 or 1.").required(),
];

static TYPES: Variants = Variants {
    tag: "type",
    doc: "The type of the component.",
    list: &[
        Variant { name: "gain", doc: "`y = k u`.", groups: &[&[U, Key::new("k", &EXPR, "Gain.").required()]] },
        Variant {
            name: "sum",
            doc: "`y = k[1] u1 + k[2] u2 + …`.",
            groups: &[&[
                Key::new("k", &NUMBERS, "Factors; as many as there are inputs.").or_described("[1, 1]"),
                Key::new("u1", &EXPR, "First input.").required(),
                Key::new(NUMBERED, &EXPR, "Further inputs: `u2`, `u3`, …, as many as there are factors."),
            ]],
        },
        Variant { name: "limiter", doc: "`y` is `u` between `min` and `max`.", groups: &[&[U, MAX.required(), MIN]] },
        Variant {
            name: "integrator",
            doc: "`y' = k u`.",
            groups: &[&[
                U,
                Key::new("k", &EXPR, "Gain.").or_library(),
                Key::new("y", &EXPR, "Start value.").or_library(),
            ]],
        },
        Variant {
            name: "first-order",
            doc: "`T y' + y = k u`.",
            groups: &[&[
                U,
                Key::new("T", &EXPR, "Time constant.").unit("s").required(),
                Key::new("k", &EXPR, "Gain.").or_library(),
                Key::new("y", &EXPR, "Start value.").or_library(),
            ]],
        },
        Variant {
            name: "transfer-function",
            doc: "`y(s)/u(s)` as quotient of two polynomials, highest power first.",
            groups: &[&[
                U,
                Key::new("b", &NUMBERS, "Numerator.").required(),
                Key::new("a", &NUMBERS, "Denominator.").required(),
            ]],
        },
        Variant {
            name: "state-space",
            doc: "`x' = A x + B u`, `y = C x + D u`. Inputs are `u1`, `u2`, … (`u` if there is one), outputs `y1`, `y2`, … (`y`).",
            groups: &[&[
                Key::new("A", &MATRIX, "Rows of A, or a CSV file with them, relative to the model file.").required(),
                Key::new("B", &MATRIX, "Rows of B, or a file.").required(),
                Key::new("C", &MATRIX, "Rows of C, or a file.").required(),
                Key::new("D", &MATRIX, "Rows of D, or a file.").or_number(0.0),
                Key::new("x", &NUMBERS, "States at the start.").or_number(0.0),
                Key::new(
                    "order",
                    &EXPR,
                    "Number of states that are used, the first ones: a parameter changes it at the start.",
                )
                .or_described("all"),
                Key { required: false, ..U },
                Key::new(NUMBERED, &EXPR, "Several inputs: `u1`, `u2`, …, as many as `B` has columns."),
            ]],
        },
        Variant {
            name: "pi",
            doc: "`y = k (u + x)`, `x' = u/T`, limited with anti-windup.",
            groups: &[&[
                U,
                Key::new("k", &EXPR, "Gain.").required(),
                Key::new("T", &EXPR, "Integral time.").unit("s").required(),
                Key::new("x", &EXPR, "State at the start.").or_library(),
                MAX,
                MIN,
                TRACKING,
            ]],
        },
        Variant {
            name: "pid",
            doc: "As `pi`, with the filtered derivative `T_d s/(1 + T_d s/N)` of `u`.",
            groups: &[&[
                U,
                Key::new("k", &EXPR, "Gain.").required(),
                Key::new("T_i", &EXPR, "Integral time.").unit("s").required(),
                Key::new("T_d", &EXPR, "Derivative time.").unit("s").or_library(),
                Key::new("N", &EXPR, "Filter of the derivative.").or_library(),
                Key::new("x", &EXPR, "State at the start.").or_library(),
                MAX,
                MIN,
                TRACKING,
            ]],
        },
        Variant {
            name: "p-pi",
            doc: "Cascade of servo drives: `y = k2 (e + x)`, `x' = e/T2`, `e = k1 (reference - phi) + w_reference - w`.",
            groups: &[&[
                Key::new("reference", &EXPR, "Wanted position.").required(),
                Key::new("phi", &EXPR, "Position.").required(),
                Key::new("w", &EXPR, "Velocity.").required(),
                Key::new("w_reference", &EXPR, "Wanted velocity, fed forward.").or_library(),
                Key::new("k1", &EXPR, "Gain of the position.").unit("1/s").required(),
                Key::new("k2", &EXPR, "Gain of the velocity.").required(),
                Key::new("T2", &EXPR, "Integral time of the velocity.").unit("s").required(),
                MAX,
                MIN,
                TRACKING,
            ]],
        },
        Variant { name: "constant", doc: "`y = k`.", groups: &[&[Key::new("k", &EXPR, "Value.").required()]] },
        Variant { name: "step", doc: "Jumps at `start`.", groups: &[&[HEIGHT, OFFSET, START]] },
        Variant {
            name: "ramp",
            doc: "Rises from `start` on for `duration`.",
            groups: &[&[HEIGHT, OFFSET, START, Key::new("duration", &EXPR, "Time of the rise.").unit("s").required()]],
        },
        Variant {
            name: "trapezoid",
            doc: "Rises, stays, falls; if wanted again and again.",
            groups: &[&[
                HEIGHT,
                OFFSET,
                START,
                Key::new("rising", &EXPR, "Time of the rise.").unit("s").required(),
                Key::new("width", &EXPR, "Time at the top.").unit("s").or_library(),
                Key::new("falling", &EXPR, "Time of the fall.").unit("s").or_described("that of the rise"),
                Key::new("period", &EXPR, "Time after which it begins again.").unit("s").or_described("once"),
            ]],
        },
        Variant {
            name: "pulse",
            doc: "Jumps up and down again and again.",
            groups: &[&[
                HEIGHT,
                OFFSET,
                START,
                Key::new("period", &EXPR, "Period.").unit("s").required(),
                Key::new("width", &EXPR, "Part of the period at the top.").or_library(),
            ]],
        },
        Variant {
            name: "sine",
            doc: "`offset + amplitude sin(2 pi frequency (t - start) + phase)` from `start` on.",
            groups: &[&[
                Key::new("amplitude", &EXPR, "Amplitude.").or_library(),
                Key::new("frequency", &EXPR, "Frequency.").unit("Hz").required(),
                Key::new("phase", &EXPR, "Phase.").unit("rad").or_library(),
                OFFSET,
                START,
            ]],
        },
        Variant {
            name: "sample-hold",
            doc: "`y` is the value of `u` at the last tick of a clock, after everything else that happens at that instant.",
            groups: &[&[U, PERIOD, TICK_OFFSET, Key::new("y", &EXPR, "Value before the first tick.").or_library()]],
        },
        Variant {
            name: "sampled-pid",
            doc: "PID controller that computes at the ticks of a clock and holds its output in between. While the output is limited it stops integrating what would drive it further.",
            groups: &[&[
                U,
                PERIOD,
                TICK_OFFSET,
                Key::new("k", &EXPR, "Gain.").required(),
                Key::new("T_i", &EXPR, "Integral time.").unit("s").or_described("no integral part"),
                Key::new("T_d", &EXPR, "Derivative time.").unit("s").or_library(),
                MAX,
                MIN,
            ]],
        },
        Variant {
            name: "inertia",
            doc: "An inertia that turns with its flange. Geared to a joint it adds `ratio² J` to the joint's own inertia.",
            groups: &[&[Key::new("J", &EXPR, "Moment of inertia.").unit("kg·m²").required(), FLANGE, PHI, W]],
        },
        Variant {
            name: "mass",
            doc: "A mass that slides with its flange.",
            groups: &[&[
                Key::new("m", &EXPR, "Mass.").unit("kg").required(),
                FLANGE,
                Key::new("s", &EXPR, "Position at the start, if it slides on its own.").unit("m").or_number(0.0),
                Key::new("v", &EXPR, "Velocity at the start, if it slides on its own.").unit("m/s").or_number(0.0),
            ]],
        },
        Variant {
            name: "gear",
            doc: "Rigid gear: the position of `a` is `ratio` times that of `b`.",
            groups: &[&[
                Key::new("ratio", &EXPR, "Ratio.").required(),
                Key::new(
                    "efficiency",
                    &EXPR,
                    "Part of the power that the driven side receives; below 1 both sides need an inertia.",
                )
                .or_library(),
                Key::new("w_reg", &EXPR, "Velocity of `a` within which the loss fades out around standstill.")
                    .unit("rad/s")
                    .or_library(),
                A,
                B,
            ]],
        },
        Variant {
            name: "elastic-gear",
            doc: "Elastic gear with backlash; stiffness, damping and backlash are those on the side of `b`.",
            groups: &[&[
                Key::new("ratio", &EXPR, "Position of `a` per position of `b`.").or_library(),
                STIFFNESS,
                Key { required: false, default: DefaultValue::Library, ..DAMPING },
                Key::new("backlash", &EXPR, "Play, from one side to the other.").unit("rad or m").or_library(),
                A,
                B,
                MOTION,
            ]],
        },
        Variant {
            name: "end-stop",
            doc: "Elastic stops of the position of `a` relative to `b`; they never pull.",
            groups: &[&[
                Key::new("lower", &EXPR, "Lower limit.").unit("rad or m").or_described("none"),
                Key::new("upper", &EXPR, "Upper limit.").unit("rad or m").or_described("none"),
                STIFFNESS,
                Key { required: false, default: DefaultValue::Library, ..DAMPING },
                A,
                B_OR_GROUND,
                MOTION,
            ]],
        },
        Variant {
            name: "friction",
            doc: "Dry friction that sticks: stuck it holds with whatever effort that takes, up to `static`; sliding it falls to `sliding` along the Stribeck curve. Outputs `effort` and `mode`.",
            groups: &[&FRICTION, &[B_OR_GROUND]],
        },
        Variant {
            name: "brake",
            doc: "Friction whose efforts are multiplied by `u` (0 released, 1 applied).",
            groups: &[&[BRAKE_U], &FRICTION, &[B_OR_GROUND]],
        },
        Variant { name: "clutch", doc: "As `brake`, between two flanges.", groups: &[&[BRAKE_U], &FRICTION, &[B]] },
        Variant { name: "and", doc: "`y` is 1 when `u1` and `u2` are true (above 0.5), else 0.", groups: &[&TWO] },
        Variant { name: "or", doc: "`y` is 1 when `u1` or `u2` is true (above 0.5), else 0.", groups: &[&TWO] },
        Variant { name: "not", doc: "`y` is 0 when `u` is true (above 0.5), else 1.", groups: &[&[U]] },
        Variant {
            name: "hysteresis",
            doc: "`y` becomes 1 where `u` rises above `high` and 0 where it falls below `low`.",
            groups: &[&[
                U,
                Key::new("low", &EXPR, "Lower threshold.").required(),
                Key::new("high", &EXPR, "Upper threshold.").required(),
                Key::new("y", &EXPR, "Value at the start between the thresholds.").or_library(),
            ]],
        },
        Variant {
            name: "latch",
            doc: "`y` becomes 1 when `set` does and 0 when `reset` does; `reset` wins.",
            groups: &[&[
                Key::new("set", &EXPR, "A signal that is 0 or 1.").required(),
                Key::new("reset", &EXPR, "A signal that is 0 or 1.").or_library(),
                Key::new("y", &EXPR, "Value at the start.").or_library(),
            ]],
        },
        Variant {
            name: "table-2d",
            doc: "Interpolation of `z` at `u1`, `u2`. Functions of one signal are `[tables]`, called in any expression.",
            groups: &[&[
                Key::new("u1", &EXPR, "First input, along `x`.").required(),
                Key::new("u2", &EXPR, "Second input, along `y`.").required(),
                Key::new("x", &NUMBERS, "Grid of `u1`, ascending.").required(),
                Key::new("y", &NUMBERS, "Grid of `u2`, ascending.").required(),
                Key::new("z", &MATRIX, "Values: one row per element of `x`, or a CSV file with them, relative to the model file.").required(),
                Key::new(
                    "interpolation",
                    &TABLE_WORDS,
                    "Bilinear, or cubic pieces that are smooth and do not overshoot.",
                )
                .or_word(DEFAULT_INTERPOLATION),
            ]],
        },
        Variant {
            name: "spring",
            doc: "Spring between two flanges.",
            groups: &[&[STIFFNESS, REST, A, B_OR_GROUND, MOTION]],
        },
        Variant { name: "damper", doc: "Damper between two flanges.", groups: &[&[DAMPING, A, B_OR_GROUND, MOTION]] },
        Variant {
            name: "spring-damper",
            doc: "Spring and damper in parallel between two flanges.",
            groups: &[&[STIFFNESS, DAMPING, REST, A, B_OR_GROUND, MOTION]],
        },
        Variant {
            name: "torque",
            doc: "Torque on a flange.",
            groups: &[&[
                Key::new("tau", &EXPR, "Torque: an expression as `u` of other components.").unit("N·m").required(),
                FLANGE,
            ]],
        },
        Variant {
            name: "force",
            doc: "Force on a flange.",
            groups: &[&[
                Key::new("f", &EXPR, "Force: an expression as `u` of other components.").unit("N").required(),
                FLANGE,
            ]],
        },
        Variant {
            name: "speed",
            doc: "Moves a flange with a given velocity, whatever force that takes.",
            groups: &[&[
                Key::new("velocity", &EXPR, "Velocity: an expression as `u` of other components.")
                    .unit("rad/s or m/s")
                    .required(),
                Key::new("position", &EXPR, "Position at the start.").unit("rad or m").or_number(0.0),
                FLANGE,
                MOTION,
            ]],
        },
        Variant {
            name: "dc-motor",
            doc: "Permanent-magnet DC motor: `v = R i + L i' + k w`, torque `k i`.",
            groups: &[&[
                Key::new("v", &EXPR, "Voltage: an expression as `u` of other components.").unit("V").required(),
                Key::new("R", &EXPR, "Resistance.").unit("Ω").required(),
                Key::new("L", &EXPR, "Inductance.").unit("H").or_library(),
                Key::new("k", &EXPR, "Torque per current.").unit("N·m/A").required(),
                Key::new("J", &EXPR, "Moment of inertia of the rotor.").unit("kg·m²").or_library(),
                FLANGE,
                PHI,
                W,
            ]],
        },
        Variant {
            name: "heat-rod",
            doc: "Heat conduction along a rod of equal volumes. At each end either the temperature or the heat flow is given. Outputs `energy`, `mean`, `num_volumes`, `flow_a`, `flow_b` and the temperatures `T[1]`, `T[2]`, … at `places`.",
            groups: &[&[
                Key::new("length", &EXPR, "Length.").unit("m").required(),
                Key::new("area", &EXPR, "Area of the cross section.").unit("m²").required(),
                Key::new("conductivity", &EXPR, "Thermal conductivity.").unit("W/(m·K)").required(),
                Key::new("density", &EXPR, "Density.").unit("kg/m³").required(),
                Key::new("specific_heat", &EXPR, "Specific heat capacity.").unit("J/(kg·K)").required(),
                Key::new("T", &EXPR, "Temperature at the start.").unit("K").or_library(),
                Key::new("T_a", &EXPR, "Temperature of end a: an expression as `u` of other components.").unit("K"),
                Key::new("T_b", &EXPR, "Temperature of end b.").unit("K"),
                Key::new("Q_a", &EXPR, "Heat flow into end a.").unit("W").or_library(),
                Key::new("Q_b", &EXPR, "Heat flow into end b.").unit("W").or_library(),
                Key::new(
                    "volumes",
                    &EXPR,
                    "Number of volumes, a whole number from 1 to 1000000 or a signal that is rounded to one; where it changes, the temperature profile is transferred with its energy.",
                )
                .or_library(),
                Key::new("places", &NUMBERS, "Distances from end a at which the temperature is an output.").unit("m"),
            ]],
        },
        Variant {
            name: "heat-capacity",
            doc: "A body of one temperature: `C T' = Q + G (T_ambient - T)`.",
            groups: &[&[
                Key::new("C", &EXPR, "Heat capacity.").unit("J/K").required(),
                Key::new("Q", &EXPR, "Heat flow into it: an expression as `u` of other components.")
                    .unit("W")
                    .or_library(),
                Key::new("G", &EXPR, "Heat conductance to the surroundings.").unit("W/K").or_library(),
                Key::new("T_ambient", &EXPR, "Temperature of the surroundings.").unit("K").or_library(),
                Key::new("T", &EXPR, "Temperature at the start.").unit("K").or_described("that of the surroundings"),
            ]],
        },
        Variant {
            name: "point-mass-rocket",
            doc: "Two stages that rise vertically, with two states while joined, four after the separation and two when the lower one is dropped.",
            groups: &[&[
                Key::new("m1", &EXPR, "Mass of the lower stage.").unit("kg").required(),
                Key::new("m2", &EXPR, "Mass of the upper stage.").unit("kg").required(),
                Key::new("thrust1", &EXPR, "Thrust of the lower stage at t = 0; falls linearly to zero.")
                    .unit("N")
                    .required(),
                Key::new("thrust2", &EXPR, "Thrust of the upper stage at the separation.").unit("N").required(),
                Key::new("burn1", &EXPR, "Time until the lower stage is burnt out.").unit("s").required(),
                Key::new("burn2", &EXPR, "Time until the upper stage is burnt out.").unit("s").required(),
                Key::new("gravity", &EXPR, "Gravity.").unit("m/s²").or_library(),
                Key::new("separation", &EXPR, "Time of the separation.").unit("s").or_library(),
                Key::new("drop", &EXPR, "Time from which on the lower stage is no longer simulated.")
                    .unit("s")
                    .or_library(),
                Key::new("h1", &EXPR, "Height of the lower stage at the start.").unit("m").or_library(),
                Key::new("h2", &EXPR, "Height of the upper stage at the start.").unit("m").or_library(),
            ]],
        },
        Variant {
            name: "custom",
            doc: "A component from the library the FMU is built with.",
            groups: &[&[
                Key::new("component", &TEXT, "Its type in that library.").required(),
                Key::new("values", &ANYTHING, "Parameters, inputs and connections by name."),
            ]],
        },
    ],
};

pub(crate) static COMPONENT: TableFormat = TableFormat::new(
    "[components.NAME]",
    "A component: equations around the mechanics. Its outputs `NAME.y` may be used in expressions of other components and of forces.",
    &[DESCRIPTION],
)
.with(&TYPES);

/// Whether a key of a type is an expression: a parameter or an input, in contrast to a name.
pub(crate) fn is_expression(type_name: &str, key: &str) -> bool {
    let variant = TYPES.find(type_name);
    variant.is_some_and(|variant| variant.keys().any(|k| k.is(key) && matches!(k.kind, Kind::Expr)))
}
