//! The model itself and assemblies.

use mbs::declaration::{ContactSettings, Experiment};

use super::action::{ACTIONS, PATH};
use super::component::COMPONENT;
use super::element::{FORCE, SENSOR};
use super::joint::JOINT;
use super::object::{DESCRIPTION, INSTANCE, OBJECT};
use super::signal::{INPUT, MATERIAL, OUTPUTS, PAIRS, PARAMETER, TABLE};
use super::{CONSTANT, DefaultValue, EXPR, Key, Kind, MANY, TEXT, TableFormat, VECTOR};

static POINT_GRAVITY: TableFormat = TableFormat::new(
    "gravity",
    "Attraction `mu / d²` towards a point.",
    &[
        Key::new("mu", &EXPR, "Standard gravitational parameter.").unit("m³/s²").required(),
        Key::new("center", &VECTOR, "Position of the centre in the world.").unit("m").or_zeros(3),
    ],
);
static GRAVITY: Kind = Kind::Any(&[&Kind::Choice(&["none"]), &VECTOR, &Kind::Table(&POINT_GRAVITY)]);

static START: Kind = Kind::Any(&[&Kind::Choice(&["equilibrium"]), &CONSTANT]);

pub(crate) const ANALYSIS: Key = Key::new(
    "analysis",
    &Kind::Choice(&["dynamic", "kinematic"]),
    "Solve the equations of motion, or only follow the prescribed motions of a mechanism that they determine.",
)
.or_word("dynamic");

const STANDARD: Experiment = Experiment::STANDARD;

static EXPERIMENT: TableFormat = TableFormat::new(
    "[experiment]",
    "Defaults of a simulation.",
    &[
        Key::new(
            "start",
            &START,
            "Start time; or `\"equilibrium\"`, for a run that starts at time 0 at rest in the equilibrium near the start values.",
        )
        .unit("s")
        .or_number(STANDARD.start),
        Key::new("stop", &CONSTANT, "Stop time.").unit("s").or_number(STANDARD.stop),
        Key::new("step", &CONSTANT, "Communication step.").unit("s").or(DefaultValue::FractionOf(Experiment::STEPS, "of the duration")),
        Key::new("tolerance", &CONSTANT, "Relative tolerance of the integration.").or_number(STANDARD.tolerance),
        Key::new("max_step", &CONSTANT, "Largest internal step.").unit("s").or_described("unlimited"),
        Key::new(
            "max_work",
            &CONSTANT,
            "Work that one communication step may need before it is given up, about in evaluations of one variable; also a parameter of the FMU.",
        )
        .or_number(Experiment::MAX_WORK),
        ANALYSIS,
    ],
);

static ASSEMBLIES_KIND: Kind = Kind::Map(&Kind::Table(&ASSEMBLY));
static PARAMETERS_KIND: Kind = Kind::Map(&PARAMETER);
static INCLUDE: Kind = Kind::List(&TEXT, 0, MANY);

static OBJECTS_KIND: Kind = Kind::Map(&Kind::Table(&OBJECT));
static JOINTS_KIND: Kind = Kind::Map(&Kind::Table(&JOINT));
static FORCES_KIND: Kind = Kind::Map(&Kind::Table(&FORCE));
static SENSORS_KIND: Kind = Kind::Map(&Kind::Table(&SENSOR));
static COMPONENTS_KIND: Kind = Kind::Map(&Kind::Table(&COMPONENT));
static INSTANCES_KIND: Kind = Kind::Map(&Kind::Table(&INSTANCE));

const PARAMETERS: Key = Key::new(
    "parameters",
    &PARAMETERS_KIND,
    "Constants of a run that the host may set, in the order in which they are evaluated.",
);
const OBJECTS: Key = Key::new("objects", &OBJECTS_KIND, "Frames with features: bodies, points, the ground.");
const JOINTS: Key = Key::new("joints", &JOINTS_KIND, "Connections of objects, in any order; they may close loops.");
const FORCES: Key = Key::new("forces", &FORCES_KIND, "Force elements.");
const SENSORS: Key = Key::new("sensors", &SENSORS_KIND, "Groups of variables derived from the motion.");
const COMPONENTS: Key = Key::new("components", &COMPONENTS_KIND, "Controllers, sources, drives and other equations.");
const INSTANCES: Key = Key::new("instances", &INSTANCES_KIND, "Assemblies put into place, once or as arrays.");

static PATHS_KIND: Kind = Kind::Map(&Kind::Table(&PATH));
const PATHS_KEY: Key = Key::new("paths", &PATHS_KIND, "Reference paths for drives, moved by action programs.");
static ACTIONS_KIND: Kind = Kind::Map(&Kind::Table(&ACTIONS));
const ACTIONS_KEY: Key = Key::new(
    "actions",
    &ACTIONS_KIND,
    "Action programs: what is attached, released, deleted and inserted while the simulation runs, and when.",
);

static START_VALUE: Kind = Kind::Any(&[&CONSTANT, &Kind::List(&CONSTANT, 1, MANY)]);
static START_VALUES: Kind = Kind::Map(&START_VALUE);

pub(crate) const K_RED: Key = Key::new(
    "k_red",
    &EXPR,
    "Factor on the stiffness of contacts; below one they are softer and the simulation is faster.",
)
.or_number(ContactSettings::K_RED);
pub(crate) const CONSTANTS: Key = Key::new(
            "constants",
            &Kind::Choice(&["adaptive", "paper"]),
            "How damping and friction of a contact follow its motion. `adaptive`: damping gives the coefficient of restitution exactly; a contact that has calmed down, or carries a load that no impact explains, takes the constants of its slower motion and is damped critically at most; friction is regularised below a tenth of the impact's velocity while an impact lasts, below `v_min` at rest. `paper`: the constants of Neumayr and Otter (2019), frozen at the beginning of a contact, with their approximate relation of damping and restitution.",
        )
        .or_word("adaptive");
pub(crate) const LAW: Key = Key::new(
            "law",
            &Kind::Choice(&["elastic", "rigid"]),
            "Law of all contacts whose pair of materials does not say. `elastic`: by the forces of elastic bodies. `rigid`: what approaches faster than `v_min` of its pair collides by impulses at an instant; what stays in contact rests as `resting` says.",
        )
        .or_word("elastic");
pub(crate) const IMPACTS: Key = Key::new(
            "impacts",
            &Kind::Choice(&["simultaneous", "sequential"]),
            "How a rigid impact passes through bodies that touch each other. `simultaneous`: all impulses act at once. `sequential`: one after the other, the fastest approach first, as in Newton's cradle.",
        )
        .or_word("simultaneous");

pub(crate) const RESTING: Key = Key::new(
            "resting",
            &Kind::Choice(&["elastic", "hinges"]),
            "What rigid bodies that stay together rest on. `elastic`: the elastic law of the same materials. `hinges`: where both are boxes, convex meshes, balls, cylinders, cones or ground, hinges that press and do not pull, with friction that holds or slides; others rest elastically.",
        )
        .or_word("elastic");

/// Settings of contacts.
static CONTACT: TableFormat =
    TableFormat::new("contact", "Settings of all contacts.", &[K_RED, CONSTANTS, LAW, IMPACTS, RESTING]);

/// The head of the model description.
static ABOUT: TableFormat = TableFormat::new(
    "[about]",
    "Who made the model, and who may use it.",
    &[
        Key::new("version", &TEXT, "Version of the model; instead of `version` of the model."),
        Key::new("author", &TEXT, "Author; instead of `author` of the model."),
        Key::new("license", &TEXT, "Licence of the model, e.g. an SPDX identifier."),
        Key::new("copyright", &TEXT, "Copyright notice."),
    ],
);

/// A model file.
pub(crate) static MODEL: TableFormat = TableFormat::new(
    "model",
    "A 3D multibody model.",
    &[
        Key::new("name", &TEXT, "Name, a C identifier; also the `modelIdentifier` of the FMU.").or_described("name of the folder or file"),
        DESCRIPTION,
        Key::new("version", &TEXT, "Version of the model."),
        Key::new("author", &TEXT, "Author."),
        Key::new("about", &Kind::Table(&ABOUT), "Who made the model, and who may use it; for the head of the model description."),
        Key::new("include", &INCLUDE, "Files whose parameters, inputs, outputs, tables, materials, assemblies and content are added before those of this file. Paths are relative to this file; a file is included once."),
        Key::new("gravity", &GRAVITY, "Acceleration `[x, y, z]` in the world, `\"none\"`, or a table for the field of a point.").unit("m/s²").or_described("none"),
        Key::new("contact", &Kind::Table(&CONTACT), "Settings of all contacts."),
        Key::new("experiment", &Kind::Table(&EXPERIMENT), "Defaults of a simulation."),
        PARAMETERS,
        Key::new("inputs", &Kind::Map(&INPUT), "Real inputs of the FMU, for use in expressions of forces."),
        Key::new(
            "start",
            &START_VALUES,
            "Start values by name, in place of those declared elsewhere: `\"hinge.phi\" = 0.3`, `\"ball.r\" = [0, 0, 0.1]`, `\"servo.x\" = 2`; as `mbfmu equilibrium -o` writes them.",
        ),
        Key::new("outputs", &OUTPUTS, "Outputs of the FMU: a list of variables, groups of them (`\"ball.r_abs\"`) or patterns (`\"m[*].ball.r_abs\"`, with `*` for any text and `?` for one character), or a table of calculated ones.").or_described("joint coordinates and poses of bodies"),
        Key::new("tables", &Kind::Map(&TABLE), "Functions of one argument for expressions."),
        Key::new("materials", &Kind::Map(&MATERIAL), "Materials, in addition to the built-in ones."),
        Key::new("material_pairs", &PAIRS, "Contact properties of pairs of materials."),
        Key::new("assemblies", &ASSEMBLIES_KIND, "Reusable groups of objects with parameters of their own."),
        OBJECTS,
        JOINTS,
        FORCES,
        SENSORS,
        COMPONENTS,
        INSTANCES,
        PATHS_KEY,
        ACTIONS_KEY,
    ],
);

/// An assembly.
static ASSEMBLY: TableFormat = TableFormat::new(
    "[assemblies.NAME]",
    "A reusable group of objects. Inside, `origin` is the frame of the instance and `world` the inertial frame.",
    &[DESCRIPTION, PARAMETERS, OBJECTS, JOINTS, FORCES, SENSORS, COMPONENTS, INSTANCES, PATHS_KEY, ACTIONS_KEY],
);
