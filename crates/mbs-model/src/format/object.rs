//! Objects, poses, instances of assemblies.

use super::pose::{POSITION, ROTATION};
use super::shape::{SOLID, VISUAL};
use super::{BOOL, EXPR, Key, Kind, MANY, REFERENCE, TEXT, TableFormat, VECTOR};

pub(super) const DESCRIPTION: Key = Key::new("description", &TEXT, "One-line description.");

static FREE_TABLE: TableFormat = TableFormat::new(
    "free",
    "Start velocity of a free object.",
    &[
        Key::new("v", &VECTOR, "Velocity of the origin relative to the parent, in the axes of the parent.")
            .unit("m/s")
            .or_zeros(3),
        Key::new("w", &VECTOR, "Angular velocity relative to the parent, in the axes of the parent.")
            .unit("rad/s")
            .or_zeros(3),
    ],
);

static FREE_KIND: Kind = Kind::Any(&[&BOOL, &Kind::Table(&FREE_TABLE)]);

const ASSEMBLY_ROOT: Key = Key::new(
    "assembly_root",
    &BOOL,
    "Root of an assembly, which is everything that is placed on it or carried by its joints: it can be attached, released, deleted and inserted as a whole while the simulation runs.",
)
.or_bool(false);
pub(crate) const EXISTS: Key =
    Key::new("exists", &BOOL, "Whether the assembly exists from the start; else until it is inserted it does not.")
        .or_bool(true);

const PARENT: Key = Key::new("parent", &REFERENCE, "Object it is placed on, rigidly unless `free` is given.");
const FREE: Key = Key::new(
    "free",
    &FREE_KIND,
    "Moves freely relative to the parent (the world when there is none); a table gives the start velocity.",
)
.or_bool(false);

static INERTIA: Kind = Kind::List(&EXPR, 3, 6);

static MASS_TABLE: TableFormat = TableFormat::new(
    "mass",
    "Mass properties as numbers.",
    &[
        Key::new("m", &EXPR, "Mass.").unit("kg").required(),
        Key::new("center", &VECTOR, "Centre of mass in the object.").unit("m").or_zeros(3),
        Key::new(
            "inertia",
            &INERTIA,
            "Rotational inertia about the centre of mass in the axes of the object: `[Ixx, Iyy, Izz]` or `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]`.",
        )
        .unit("kg·m²")
        .or_described("0, a point mass"),
    ],
);

static MASS_KIND: Kind = Kind::Any(&[&EXPR, &Kind::Table(&MASS_TABLE)]);
static SOLID_KIND: Kind = Kind::Table(&SOLID);
static VISUAL_KIND: Kind = Kind::Table(&VISUAL);
static VISUALS_KIND: Kind = Kind::List(&VISUAL_KIND, 0, MANY);

pub(super) static OBJECT: TableFormat = TableFormat::new(
    "[objects.NAME]",
    "A frame with features. With `parent` or `fixed` it is rigidly placed, with `free` it moves freely, with none of them a joint moves it.",
    &[
        DESCRIPTION,
        PARENT,
        Key::new("fixed", &BOOL, "Rigidly placed on the parent; without parent, on the world (in an assembly: on its `origin`).")
            .or_described("true with `parent`"),
        FREE,
        Key { doc: "Position of the origin in the parent; at the start when the object is free.", ..POSITION },
        Key { doc: "Orientation in the parent: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a table.", ..ROTATION },
        Key::new("solid", &SOLID_KIND, "Shape with mass."),
        Key::new("visual", &VISUAL_KIND, "Shape that is only drawn."),
        Key::new("visuals", &VISUALS_KIND, "Several shapes that are only drawn."),
        Key::new("mass", &MASS_KIND, "Mass properties without a shape, or instead of those of the solid. A number is a point mass at the origin.")
            .unit("kg"),
        Key::new("expose", &BOOL, "Whether pose and velocity are variables of the FMU.").or_described("true for bodies"),
        Key::new("lockable", &BOOL, "Whether it is a frame at which assemblies can be attached to each other.").or_bool(false),
        ASSEMBLY_ROOT,
        EXISTS,
    ],
);

pub(crate) const INDEX: Key =
    Key::new("index", &TEXT, "Name of the index (from 1) that pose and arguments of an array may use.").or_word("i");

static ARGUMENTS: Kind = Kind::Map(&EXPR);

pub(super) static INSTANCE: TableFormat = TableFormat::new(
    "[instances.NAME]",
    "An assembly put into the model, once or as an array. The instance is a frame that its members call `origin`; they are addressed as `NAME.member`, in an array as `NAME[2].member`, counted from 1.",
    &[
        Key::new("assembly", &TEXT, "Name of the assembly.").required(),
        Key::new("arguments", &ARGUMENTS, "Values for parameters of the assembly; in an array they may use the index."),
        Key::new("count", &EXPR, "Number of copies; makes it an array. May depend on parameters."),
        Key::new(
            "chain",
            &REFERENCE,
            "Makes an array a chain: every copy but the first is placed on this member of the copy before it.",
        ),
        INDEX,
        PARENT,
        FREE,
        Key::new("moved_by_joint", &BOOL, "Whether a joint moves the frame.").or_bool(false),
        ASSEMBLY_ROOT,
        EXISTS,
        Key { doc: "Position of the frame in the parent; at the start when it is free.", ..POSITION },
        Key {
            doc: "Orientation of the frame in the parent: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a table.",
            ..ROTATION
        },
    ],
);
