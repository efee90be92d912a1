//! Attributes of variables in the model description besides their unit: the unit of display, limits, and the nominal
//! value, to which the tolerance of the integrator is relative.

use fmi2::description::Unit;
use mbs::scene::{ContactPart, EnergyKind, MotionPart, ObjectContactPart, Quantity, StructureQuantity};

use crate::variable::{InterfaceVariable, Role};

/// The unit in which values of a unit are displayed, if it is another one.
pub(crate) fn preferred_display_unit(unit: &str) -> Option<String> {
    let shown = match unit {
        "rad" => "deg",
        "rad/s" => "deg/s",
        "rad/s2" => "deg/s2",
        _ => return None,
    };
    Some(shown.to_owned())
}

/// The remark on a parameter or input whose unit differs from the unit of the engine.
pub(crate) fn remark_on_unit(variable: &InterfaceVariable) -> Option<String> {
    let kind = match variable.role {
        Role::Parameter => "parameter",
        Role::Input => "input",
        _ => return None,
    };
    let base = Unit::parse(&variable.unit).ok()?.base;
    let (name, unit) = (&variable.name, &variable.unit);
    (base.factor != 1.0 || base.offset != 0.0).then(|| {
        format!(
            "{kind} `{name}` is a number of {unit}, which expressions take as it is: they count in kg, m, s, K and rad and convert \
             nothing; declare it in those, with `display_unit = \"{unit}\"` for people"
        )
    })
}

/// Least and largest value that a result can have, in its unit.
pub(crate) fn limits(quantity: &Quantity) -> (Option<f64>, Option<f64>) {
    match quantity {
        Quantity::Motion { part: MotionPart::Quaternion, .. } => (Some(-1.0), Some(1.0)),
        Quantity::Energy(EnergyKind::Kinetic)
        | Quantity::EventCount
        | Quantity::ImpactCount
        | Quantity::Impacts(_)
        | Quantity::NumStates
        | Quantity::NumContacts
        | Quantity::ObjectContact { part: ObjectContactPart::Count, .. }
        | Quantity::Structure(StructureQuantity::AttachedTo(_)) => (Some(0.0), None),
        Quantity::Contact { part: ContactPart::Carriers, .. } => (Some(0.0), Some(3.0)),
        Quantity::Structure(StructureQuantity::Segment) => (Some(1.0), None),
        _ => (None, None),
    }
}

/// The magnitude to which the integrator's tolerance is relative, if it is not one: lengths are measured by the typical
/// `length` of the model \[m\], rates in addition by its scale of `time` \[s\].
pub(crate) fn nominal(quantity: &Quantity, unit: &str, [length, time]: [f64; 2]) -> Option<f64> {
    let is_integrated = match quantity {
        Quantity::Coordinate { order, .. } => *order < 2,
        Quantity::Motion { part, .. } => matches!(part, MotionPart::Position | MotionPart::Velocity),
        _ => false,
    };
    let size = match unit {
        "m" => length,
        "m/s" => length / time,
        "rad/s" => 1.0 / time,
        _ => 1.0,
    };
    (is_integrated && size != 1.0).then_some(size)
}
