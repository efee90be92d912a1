//! Directions, positions and rotations.

use super::{EXPR, Key, Kind, TableFormat, VECTOR};

pub(super) static DIRECTION: Kind = Kind::Any(&[&Kind::Choice(&["x", "y", "z", "-x", "-y", "-z"]), &VECTOR]);

static QUATERNION: Kind = Kind::List(&EXPR, 4, 4);

static ROTATION_TABLE: TableFormat = TableFormat::new(
    "rotation",
    "A rotation: either `axis` and `angle`, or `quaternion`.",
    &[
        Key::new("axis", &DIRECTION, "Axis of the rotation; need not have unit length."),
        Key::new("angle", &EXPR, "Angle about the axis, e.g. `\"deg(30)\"`.").unit("rad"),
        Key::new("quaternion", &QUATERNION, "Quaternion `[w, x, y, z]`; is normalised."),
    ],
);

static ROTATION_KIND: Kind = Kind::Any(&[&VECTOR, &Kind::Table(&ROTATION_TABLE)]);

pub(super) const POSITION: Key = Key::new("r", &VECTOR, "Position of the origin.").unit("m").or_zeros(3);
pub(super) const ROTATION: Key = Key::new(
    "rotation",
    &ROTATION_KIND,
    "Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a table.",
)
.unit("rad")
.or_described("none");
