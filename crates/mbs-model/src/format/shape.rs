//! Shapes, solids, visuals, colours.

use super::pose::{POSITION, ROTATION};
use super::{BOOL, CONSTANT, EXPR, Key, Kind, MANY, TEXT, TableFormat, VECTOR, Variant, Variants};

static AXIS: Kind = Kind::Choice(&["x", "y", "z"]);
static COLOR: Kind = Kind::Any(&[&TEXT, &Kind::List(&CONSTANT, 3, 4)]);
static NAMES: Kind = Kind::List(&TEXT, 0, MANY);
static COPIES: Kind = Kind::List(&Kind::Copies, 0, MANY);
static PLANAR: Kind = Kind::List(&EXPR, 2, 2);
static HEIGHTS: Kind = Kind::List(&Kind::List(&CONSTANT, 2, MANY), 2, MANY);
static PARTS_WITHIN: TableFormat = TableFormat::new(
    "convex_parts",
    "Convex parts that keep the surface of a mesh within a given distance: planes cut it at concave edges.",
    &[Key::new(
        "max_deviation",
        &CONSTANT,
        "Largest distance of the surface of the parts from that of the mesh, with its scale.",
    )
    .unit("m")
    .required()],
);
static CONVEX_PARTS: Kind = Kind::Any(&[&CONSTANT, &Kind::Table(&PARTS_WITHIN)]);
static SCALE: Kind = Kind::Any(&[&EXPR, &VECTOR]);

pub(crate) const SHAPE_AXIS: Key = Key::new("axis", &AXIS, "Axis of the shape.").or_word("z");
const DIAMETER: Key = Key::new("diameter", &EXPR, "Diameter.").unit("m").required();
const LENGTH: Key = Key::new("length", &EXPR, "Length along the axis.").unit("m").required();
const LENGTHS: Key = Key::new("lengths", &VECTOR, "Full lengths along x, y and z.").unit("m").required();

const COLOR_KEY: Key = Key::new(
    "color",
    &COLOR,
    "Colour in pictures: `\"#rrggbb\"`, `\"#rrggbbaa\"`, a CSS name, or `[red, green, blue, opacity]` between 0 and 1.",
);

pub(crate) const INNER_DIAMETER: Key =
    Key::new("inner_diameter", &EXPR, "Diameter of the bore.").unit("m").or_number(0.0);
pub(crate) const TOP_DIAMETER: Key = Key::new("top_diameter", &EXPR, "Diameter at the top.").unit("m").or_number(0.0);
pub(crate) const SIZE: Key =
    Key::new("size", &EXPR, "Edge length of the piece that pictures show.").unit("m").or_number(10.0);
pub(crate) const VISIBLE: Key = Key::new("visible", &BOOL, "Whether pictures show it.").or_bool(true);
pub(crate) const NORMAL: Key = Key::new("axis", &AXIS, "Outward normal of the plane.").or_word("z");
pub(crate) const BEAM_AXIS: Key = Key::new(
    "axis",
    &AXIS,
    "Direction of the length; width and thickness follow along the next axes in the order x, y, z, x.",
)
.or_word("x");
pub(crate) const HEIGHT_SCALE: Key = Key::new("scale", &EXPR, "Factor on the heights.").unit("m").or_number(1.0);
pub(crate) const MESH_SCALE: Key =
    Key::new("scale", &SCALE, "Factor, or factors along x, y and z; 0.001 for files in millimetres.").or_number(1.0);
pub(crate) const GROUND_THICKNESS: Key =
    Key::new("thickness", &EXPR, "Distance from the lowest height to the plane that closes it below.")
        .unit("m")
        .or_number(1.0);

static SHAPES: Variants = Variants {
    tag: "shape",
    doc: "The shape.",
    list: &[
        Variant { name: "sphere", doc: "Sphere.", groups: &[&[DIAMETER]] },
        Variant { name: "ellipsoid", doc: "Ellipsoid.", groups: &[&[LENGTHS]] },
        Variant { name: "box", doc: "Box.", groups: &[&[LENGTHS]] },
        Variant {
            name: "cylinder",
            doc: "Cylinder, hollow when an inner diameter is given. In contacts a hollow one is exactly round for spheres smaller than its bore. For everything else it is a ring of convex sectors, whose bore is a polygon of at least 32 sides, round within 0.25 % of its radius: small bodies roll over its flats, not with the period of a round bore. Its outside turns with the contact like that of a full cylinder, on polygons of at least 128 sides: it rolls as on a circle.",
            groups: &[&[
                SHAPE_AXIS,
                DIAMETER,
                LENGTH,
                INNER_DIAMETER,
            ]],
        },
        Variant {
            name: "cone",
            doc: "Cone or, with a top diameter, frustum. The centre of its base is the origin of its frame; it grows along the axis.",
            groups: &[&[
                SHAPE_AXIS,
                DIAMETER,
                TOP_DIAMETER,
                LENGTH,
            ]],
        },
        Variant {
            name: "capsule",
            doc: "Cylinder with half spheres at both ends.",
            groups: &[&[
                SHAPE_AXIS,
                DIAMETER,
                Key::new("length", &EXPR, "Length of the cylindrical part.").unit("m").required(),
            ]],
        },
        Variant {
            name: "beam",
            doc: "Flat link: a box with a half cylinder at both ends, whose axes may be those of two hinges.",
            groups: &[&[
                BEAM_AXIS,
                Key::new("length", &EXPR, "Distance of the axes of the half cylinders.").unit("m").required(),
                Key::new("width", &EXPR, "Width, the diameter of the half cylinders.").unit("m").required(),
                Key::new("thickness", &EXPR, "Thickness.").unit("m").required(),
            ]],
        },
        Variant {
            name: "mesh",
            doc: "Triangle mesh, in the coordinates of its file. It must be closed to have a volume. In contacts its convex hull stands for it, or convex parts.",
            groups: &[&[
                Key::new("file", &TEXT, "File `.stl` (binary or text) or `.obj`, relative to the model file.")
                    .required(),
                MESH_SCALE,
                Key::new(
                    "convex_parts",
                    &CONVEX_PARTS,
                    "What stands for the mesh in contacts: its convex hull (1), at most so many convex parts, or as many as keep its surface.",
                )
                .or_number(1.0),
            ]],
        },
        Variant {
            name: "half_space",
            doc: "Ground without end: everything on the negative side of a plane through its origin. It has no mass.",
            groups: &[&[
                NORMAL,
                SIZE,
            ]],
        },
        Variant {
            name: "height_field",
            doc: "Ground with heights over a grid, centred at its origin. Either `heights` or `file`. It has no mass.",
            groups: &[&[
                Key::new("lengths", &PLANAR, "Full lengths of the grid along x and y.").unit("m").required(),
                Key::new(
                    "heights",
                    &HEIGHTS,
                    "Heights along z: rows in the direction of y, each with values in the direction of x.",
                ),
                Key::new(
                    "file",
                    &TEXT,
                    "File `.csv` with such rows, or `.png` with a grey picture (black is 0, white 1, its lower edge at the smallest y), relative to the model file.",
                ),
                HEIGHT_SCALE,
                GROUND_THICKNESS,
            ]],
        },
    ],
};

pub(crate) static SOLID: TableFormat = TableFormat::new(
    "solid",
    "Shape with mass. All shapes but the cone and meshes have their centre at the origin of their frame. Exactly one source of mass: the density of the material, `mass`, `density`, `massless`, or the mass of the object.",
    &[
        Key::new("material", &TEXT, "Name of a built-in material or of one in `[materials]`: density, contact, colour."),
        Key::new("mass", &EXPR, "Mass, spread evenly over the volume; replaces the density of the material.").unit("kg"),
        Key::new("density", &EXPR, "Density; replaces that of the material.").unit("kg/m³"),
        Key::new("massless", &BOOL, "No mass: the shape is for pictures and contacts only.").or_bool(false),
        POSITION,
        ROTATION,
        COLOR_KEY,
        VISIBLE,
        Key::new("collides", &BOOL, "Whether it collides with other colliding solids; needs a material.").or_bool(false),
        Key::new("smoothing", &EXPR, "Radius that rounds edges and corners for contacts, inside the outer dimensions.").unit("m").or_described("a tenth of the smallest dimension, at most 1 mm"),
        Key::new("group", &TEXT, "Collision group it belongs to; a model may have at most 32, `default` included.").or_described("`default`"),
        Key::new("collides_with", &NAMES, "Collision groups it collides with, if they also collide with its own; an empty list: none.").or_described("all"),
        Key::new("ignores", &COPIES, "Objects, or instances with all their members, that it does not collide with; `a` or `a[*]` for all copies of an instance with `count`, `a[2]` for one.").or_described("none"),
        Key::new("rigid_with", &COPIES, "Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or the pair of materials says.").or_described("none"),
        Key::new("elastic_with", &COPIES, "Objects, likewise, with which its contacts follow the law `elastic`.").or_described("none"),
    ],
)
.with(&SHAPES);

pub(super) static VISUAL: TableFormat =
    TableFormat::new("visual", "Shape that is only drawn.", &[POSITION, ROTATION, COLOR_KEY]).with(&SHAPES);
