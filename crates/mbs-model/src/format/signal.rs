//! Parameters, inputs, outputs, tables, materials.

use mbs::material::MaterialPair;

use super::object::DESCRIPTION;
use super::{BOOL, CONSTANT, EXPR, Key, Kind, MANY, TEXT, TableFormat};

const UNIT: Key = Key::new(
    "unit",
    &TEXT,
    "Unit of the value in the FMU, e.g. `\"kg.m2\"`, `\"N.m/rad\"`; values are SI, nothing is converted.",
)
.or_word("1");
const MIN: Key = Key::new("min", &CONSTANT, "Smallest allowed value.");
const MAX: Key = Key::new("max", &CONSTANT, "Largest allowed value.");

static KIND: Kind = Kind::Choice(&["real", "integer", "boolean", "string"]);

static PARAMETER_TABLE: TableFormat = TableFormat::new(
    "[parameters] NAME = {…}",
    "A parameter with its properties.",
    &[
        Key::new(
            "value",
            &Kind::Any(&[&BOOL, &EXPR]),
            "Default; an expression makes it a calculated parameter, which may use the parameters above it. For a String the name of a \
             lockable frame or of the root of an assembly, or `\"\"`.",
        )
        .required(),
        UNIT,
        Key::new("display_unit", &TEXT, "Unit that a host may show instead, e.g. `\"deg\"`."),
        DESCRIPTION,
        MIN,
        MAX,
        Key::new("kind", &KIND, "Type of the FMU variable; `choice` in steps of action programs can use a String, nothing else can.")
            .or_described("real; boolean for `true` and `false`"),
        Key::new(
            "tunable",
            &BOOL,
            "Whether a host may change it between steps. Gains, damping, gravity and masses may be; what changes the number of \
             bodies or variables may not.",
        )
        .or_bool(false),
    ],
);

/// Value of a parameter.
pub(super) static PARAMETER: Kind = Kind::Any(&[&BOOL, &EXPR, &Kind::Table(&PARAMETER_TABLE)]);

pub(crate) const INPUT_KIND: Key = Key::new(
    "kind",
    &KIND,
    "Type of the FMU variable; `choice` in steps of action programs can use a String, nothing else can.",
)
.or_word("real");
static START: Kind = Kind::Any(&[&BOOL, &CONSTANT, &TEXT]);
pub(crate) const INPUT_START: Key = Key::new(
            "start",
            &START,
            "Value until the host sets one; `true` or `false` for a Boolean input; for a String the name of a lockable frame or of the \
             root of an assembly, or `\"\"`.",
        )
        .or_number(0.0);

static INPUT_TABLE: TableFormat = TableFormat::new(
    "[inputs] NAME = {…}",
    "An input of the FMU.",
    &[INPUT_KIND, UNIT, INPUT_START, MIN, MAX, Key::new("nominal", &CONSTANT, "Typical magnitude."), DESCRIPTION],
);

/// Value of an input.
pub(super) static INPUT: Kind = Kind::Table(&INPUT_TABLE);

const OUTPUT_VALUE: Key = Key::new("value", &EXPR, "Expression in variables, inputs, parameters and time.").required();
const OUTPUT_UNIT: Key = Key { doc: "Unit of the value.", ..UNIT };

static OUTPUT_TABLE: TableFormat = TableFormat::new(
    "[outputs] NAME = {…}",
    "An output that is calculated.",
    &[OUTPUT_VALUE, OUTPUT_UNIT, DESCRIPTION],
);
static OUTPUT_ELEMENT: TableFormat = TableFormat::new(
    "outputs = [{…}]",
    "An output that is calculated, in a list of outputs.",
    &[Key::new("name", &TEXT, "Name of the output.").required(), OUTPUT_VALUE, OUTPUT_UNIT, DESCRIPTION],
);

/// Outputs: a list of names and calculated ones, or a table of calculated ones.
pub(super) static OUTPUTS: Kind = Kind::Any(&[
    &Kind::List(&Kind::Any(&[&Kind::Variables, &Kind::Table(&OUTPUT_ELEMENT)]), 0, MANY),
    &Kind::Map(&Kind::Any(&[&EXPR, &Kind::Table(&OUTPUT_TABLE)])),
]);

static POINTS: Kind = Kind::List(&Kind::List(&EXPR, 2, 2), 2, MANY);

pub(crate) const INTERPOLATION: Key = Key::new(
    "interpolation",
    &Kind::Choice(&["linear", "cubic", "step"]),
    "How values between points are found; cubic is smooth and does not overshoot.",
)
.or_word("linear");
pub(crate) const EXTRAPOLATION: Key = Key::new(
    "extrapolation",
    &Kind::Choice(&["hold", "linear", "error"]),
    "Values beyond the first and last point: the last value, the last slope, or an error.",
)
.or_word("hold");

static TABLE_TABLE: TableFormat = TableFormat::new(
    "[tables] NAME = {…}",
    "A function of one argument, called in expressions as `NAME(time)`, its derivatives as `NAME'(time)`. Either `points` or `file`.",
    &[
        Key::new("points", &POINTS, "Points `[x, y]`, x ascending."),
        Key::new(
            "file",
            &TEXT,
            "File of two columns, separated by commas, semicolons or blanks, relative to the model file; one line of headings is allowed.",
        ),
        INTERPOLATION,
        EXTRAPOLATION,
    ],
);

/// A table.
pub(super) static TABLE: Kind = Kind::Table(&TABLE_TABLE);

static MATERIAL_TABLE: TableFormat = TableFormat::new(
    "[materials] NAME = {…}",
    "A material, in addition to the built-in ones.",
    &[
        Key::new("density", &CONSTANT, "Density.").unit("kg/m³").required(),
        Key::new("youngs_modulus", &CONSTANT, "Young's modulus.").unit("Pa").required(),
        Key::new("poissons_ratio", &CONSTANT, "Poisson's ratio.").required(),
        Key::new("melting_temperature", &CONSTANT, "Melting temperature.").unit("K"),
        Key::new("specific_heat", &CONSTANT, "Specific heat capacity.").unit("J/(kg·K)"),
        Key::new("conductivity", &CONSTANT, "Thermal conductivity.").unit("W/(m·K)"),
        Key::new("expansion", &CONSTANT, "Linear thermal expansion.").unit("1/K"),
    ],
);

/// A material.
pub(super) static MATERIAL: Kind = Kind::Table(&MATERIAL_TABLE);

pub(crate) const MU_R: Key = Key::new("mu_r", &CONSTANT, "Rolling resistance, of contacts at one point: of balls, and of round bodies and capsules on half-spaces. Faces, edges and corners that press on each other in a patch have none besides their own damping; a note tells cylinders and cones that roll on faces.").or_number(0.0);
pub(crate) const RESTITUTION: Key = Key::new("restitution", &Kind::Choice(&["newton", "poisson"]), "What `cor` relates in a rigid impact. `newton`: the normal velocities after and before. `poisson`: the normal impulses of expansion and compression.")
            .or_word("newton");
pub(crate) const PAIR_K_RED: Key =
    Key::new("k_red", &CONSTANT, "Factor on the stiffness of contacts of this pair, besides that of all contacts.")
        .or_number(1.0);
pub(crate) const V_MIN: Key = Key::new("v_min", &CONSTANT, "Velocity below which restitution and sliding friction are regularised. Without `stiction` a body at rest on a slope of angle `a` creeps, for `tan a` well below `mu_k` with about `v_min * tan(a) / (3 * mu_k)`, and with `v_min` where `tan a` reaches `mu_k`; a smaller value creeps less and costs more steps.")
            .unit("m/s")
            .or_number(MaterialPair::DEFAULT_MINIMUM);
pub(crate) const W_MIN: Key = Key::new("w_min", &CONSTANT, "Angular velocity below which rolling resistance is regularised; below what it can hold a body rolls on slowly, as with `v_min`.")
            .unit("rad/s")
            .or_number(MaterialPair::DEFAULT_MINIMUM);

static PAIR_TABLE: TableFormat = TableFormat::new(
    "[[material_pairs]]",
    "Contact properties of two materials, or of a material with itself.",
    &[
        Key::new("materials", &Kind::List(&TEXT, 2, 2), "Names of both materials.").required(),
        Key::new("cor", &CONSTANT, "Coefficient of restitution, 0 to 1; needed unless `d` or `relaxation` is given."),
        Key::new("d", &CONSTANT, "Damping coefficient instead of `cor`: the normal force is the elastic one times `1 + d * velocity`.")
            .unit("s/m"),
        Key::new("relaxation", &CONSTANT, "Relaxation time instead of `cor`: the normal force is the elastic one and its rate of change times this time, e.g. the ratio of viscosity and modulus of a rubber. With the exponent n of the law and the speed v of the impact, the second part is multiplied by `δ/(δ + n·relaxation·v)` at the depth δ, so that it is no larger than the elastic one at the beginning.")
            .unit("s"),
        Key::new("mu_k", &CONSTANT, "Coefficient of sliding friction.").required(),
        MU_R,
        Key::new("mu_spin", &CONSTANT, "Resistance against spinning about the normal.").or_described("that of rolling"),
        Key::new(
            "mu_s",
            &CONSTANT,
            "Coefficient of friction at rest, from which friction falls to `mu_k` when sliding; needs `v_s`.",
        )
        .or_described("`mu_k`"),
        Key::new(
            "v_s",
            &CONSTANT,
            "Sliding velocity at which 37 % of the excess of `mu_s` over `mu_k` are left; much above `v_min`.",
        )
        .unit("m/s"),
        Key::new("stiction", &BOOL, "Whether bodies at rest stick to each other without creep: an elastic bristle carries what friction bears. The mean of two pairs has it if one of them has. Rigid pairs that rest on the elastic law beside contact hinges always do.")
            .or_bool(false),
        Key::new("law", &Kind::Choice(&["elastic", "rigid"]), "Law of this pair. `rigid`: what approaches faster than `v_min` collides by impulses at an instant; what stays in contact rests as `resting` of the model says.")
            .or_described("that of all contacts"),
        RESTITUTION,
        PAIR_K_RED,
        V_MIN,
        W_MIN,
    ],
);

/// Pairs of materials.
pub(super) static PAIRS: Kind = Kind::List(&Kind::Table(&PAIR_TABLE), 0, MANY);
