//! Action programs.

use mbs::scene::program::Tolerances;

use super::object::DESCRIPTION;
use super::pose::{POSITION, ROTATION};
use super::{BOOL, EXPR, Key, Kind, MANY, TEXT, TableFormat, VECTOR};

const TOLERANCES: Tolerances = Tolerances::STANDARD;

static PARTNERS: Kind = Kind::List(&TEXT, 1, MANY);
static PARTNER: Kind = Kind::Any(&[&TEXT, &PARTNERS]);
static ATTACH: Kind = Kind::List(&PARTNER, 2, 2);
static STEPS: Kind = Kind::List(&STEP_KIND, 0, MANY);
static STEP_KIND: Kind = Kind::Table(&STEP);
static POINT: Kind = Kind::List(&EXPR, 1, MANY);
static POINTS: Kind = Kind::List(&POINT, 1, MANY);
static FOR_EVER: Kind = Kind::Any(&[&BOOL, &EXPR]);

pub(crate) const OTHERWISE: Key = Key::new("otherwise", &Kind::Choice(&["skip", "retry", "error"]), "What happens, after a warning with the measured values, when the step is not possible: go on with the next one, try again (frames to be attached as soon as they are near and slow enough, other steps at every event), or end the simulation.").or_word("skip");

/// One step.
pub(crate) static STEP: TableFormat = TableFormat::new(
    "steps",
    "A step either changes the structure (`attach`, `release`, `delete`, `insert`; several in one step happen at once), or waits, or repeats or chooses other steps. \
     A pattern `part[*]` stands for all copies of an array.",
    &[
        Key::new("attach", &ATTACH, "Two lockable frames that are rigidly connected from now on, `[\"hand.lock\", \"part.grip\"]`. The second may be a list or a pattern: the nearest one that is not attached yet is taken. Parts that still move relative to each other are stopped by an impact that keeps the momentum of all that is connected. A joint between them rests until they are released."),
        Key::new("release", &TEXT, "Lockable frame whose connections are removed. What was attached goes on with its pose, velocity and angular velocity."),
        Key::new("delete", &TEXT, "Root of an assembly that is removed; of a pattern, the first that exists."),
        Key::new("insert", &TEXT, "Root of an absent assembly that is put into the scene with its start values; of a pattern, the first absent one."),
        Key::new("at", &TEXT, "Frame that pose and velocity of the inserted assembly refer to, for example `world`; without it, the assembly starts as declared.").or_described("as declared"),
        Key { doc: "Position of the inserted assembly in `at`.", ..POSITION },
        Key { doc: "Orientation of the inserted assembly in `at`.", ..ROTATION },
        Key::new("v", &VECTOR, "Velocity of the inserted assembly relative to `at`, in its axes.").unit("m/s").or_zeros(3),
        Key::new("w", &VECTOR, "Angular velocity of the inserted assembly relative to `at`, in its axes.").unit("rad/s").or_zeros(3),
        Key::new("choice", &EXPR, "Which object of a list or pattern is meant, counted from 1: an expression in inputs, parameters and variables; 0 for none in particular. Or the name of an input or a parameter that is a String: its value names the object, or the assembly that it is the only possible part of; nothing for none in particular.").or_described("the nearest partner, the first copy"),
        Key::new("snap", &BOOL, "Whether attached frames are brought to coincide; else they keep their relative pose. A free part is moved to what hangs on a joint or stands in the world; of two free parts the one whose root is declared later moves.").or_bool(false),
        Key::new("distance", &EXPR, "Largest distance of frames to be attached.").unit("m").or_number(TOLERANCES.distance),
        Key::new("angle", &EXPR, "Largest angle between frames to be attached.").unit("rad").or_described("any"),
        Key::new("velocity", &EXPR, "Largest relative velocity of frames to be attached.").unit("m/s").or_number(TOLERANCES.velocity),
        Key::new("angular_velocity", &EXPR, "Largest relative angular velocity of frames to be attached.").unit("rad/s").or_number(TOLERANCES.angular_velocity),
        OTHERWISE,
        Key::new("wait", &EXPR, "Waits for a time.").unit("s"),
        Key::new("until", &TEXT, "Waits until a condition is true: an expression in time, inputs, parameters and variables, e.g. `\"part.r_abs[3] < 0.1\"`, `\"contact.part_table.f_n > 5\"`. It is located as an event."),
        Key::new("move", &TEXT, "Moves a path through the points `to`, stopping at each, and waits for its end."),
        Key::new("line", &TEXT, "Moves the tool of a path along straight lines through the points `to`, stopping at each, and waits for its end. The axes follow by inverse kinematics; what the joints cannot do ends the simulation with an error that names the joint and the place."),
        Key::new("to", &POINTS, "Points of `move`: a list of lists with one position per axis. Points of `line`: positions of the tool in its base, three numbers; with three Cardan angles behind them where it turns."),
        Key::new("repeat", &FOR_EVER, "Does `steps` so many times; for ever with `true`."),
        Key::new("while", &TEXT, "Does `steps` as long as a condition is true before each round."),
        Key::new("if", &TEXT, "Does `steps` if a condition is true, else those of `else`."),
        Key::new("steps", &STEPS, "Steps of `repeat`, `while` and `if`."),
        Key::new("else", &STEPS, "Steps of `if` when the condition is false."),
    ],
);

static NUMBERS: Kind = Kind::List(&EXPR, 1, MANY);
static NAMES: Kind = Kind::List(&TEXT, 1, MANY);

/// A reference path.
pub(super) static PATH: TableFormat = TableFormat::new(
    "[paths.NAME]",
    "A reference path of several axes that action programs move from point to point, as fast as the limits of all axes allow. Expressions of forces use it as `NAME.position[1]`, `NAME.velocity[1]`, `NAME.acceleration[1]`; the position is also a `motion` of a joint.",
    &[
        DESCRIPTION,
        Key::new("start", &NUMBERS, "Position of every axis at the start.").required(),
        Key::new("v_max", &NUMBERS, "Largest speed of every axis.").required(),
        Key::new("a_max", &NUMBERS, "Largest acceleration of every axis.").required(),
        Key::new("line", &Kind::Table(&LINE), "The tool that steps with `line` move along straight lines."),
    ],
);

/// The tool of a path.
static LINE: TableFormat = TableFormat::new(
    "line of a path",
    "A tool that moves along straight lines, as fast as its limits and those of the axes allow; the axes follow by inverse kinematics.",
    &[
        Key::new("tool", &TEXT, "Frame of the tool.").required(),
        Key::new("base", &TEXT, "Frame in which the lines are given and straight.").or_word("world"),
        Key::new("joints", &NAMES, "Joints with one degree of freedom that follow the first axes of the path, in the same order: all joints between base and tool, at most eight.").required(),
        Key::new("v_max", &EXPR, "Largest speed of the tool.").unit("m/s").required(),
        Key::new("a_max", &EXPR, "Largest acceleration of the tool.").unit("m/s²").required(),
        Key::new("w_max", &EXPR, "Largest angular speed of the tool.").unit("rad/s").or_described("any"),
        Key::new("dw_max", &EXPR, "Largest angular acceleration of the tool.").unit("rad/s²").or_described("any"),
        Key::new("turns_freely", &BOOL, "Whether the tool may turn as it likes along a line; else it keeps its orientation, or turns evenly to a given one.").or_bool(false),
    ],
);

/// An action program.
pub(super) static ACTIONS: TableFormat = TableFormat::new(
    "[actions.NAME]",
    "An action program: steps one after the other, that change the structure of the model or wait. Programs run side by side. A program with neither `when` nor `input` starts with the simulation.",
    &[
        DESCRIPTION,
        Key::new(
            "when",
            &TEXT,
            "Starts the program whenever this condition becomes true while the program is not running, also when it is true at the start.",
        ),
        Key::new(
            "input",
            &BOOL,
            "Whether the FMU has a Boolean input with the name of the program that starts it whenever it becomes true while the program is not running.",
        )
        .or_bool(false),
        Key::new("steps", &STEPS, "The steps.").required(),
    ],
);
