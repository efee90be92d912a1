//! Units: name, meaning in base units, display units.

use super::base_unit::BaseUnit;
use super::unit_error::UnitError;
use super::unit_expression::parse_expression;
use super::{DescriptionError, RealType, ScalarVariable, VariableType};

/// Another unit for the same quantity: value in it = `factor` * value + `offset`.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayUnit {
    /// Name, e.g. "deg".
    pub name: String,
    /// Factor from the unit to the display unit.
    pub factor: f64,
    /// Offset in the display unit.
    pub offset: f64,
}

/// A unit definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Name, e.g. "N.m.s/rad".
    pub name: String,
    /// What it means in base units.
    pub base: BaseUnit,
    /// Units to show values in.
    pub display_units: Vec<DisplayUnit>,
}

impl Unit {
    /// Reads an expression such as "N.m", "kg.m2", "m/s2", "N.m.s/rad", "J/(kg.K)", "1", "deg", "degC".
    ///
    /// # Errors
    /// A symbol is unknown, or the expression does not follow the grammar; the error names it.
    pub fn parse(name: &str) -> Result<Self, UnitError> {
        let base = parse_expression(name)?;
        Ok(Self { name: name.to_owned(), base, display_units: Vec::new() })
    }

    /// Adds a display unit unless it is there already.
    ///
    /// # Errors
    /// The display unit cannot be parsed or measures another quantity.
    pub fn add_display_unit(&mut self, name: &str) -> Result<(), UnitError> {
        if self.display_units.iter().any(|present| present.name == name) {
            return Ok(());
        }
        let other = parse_expression(name)?;
        if other.exponents != self.base.exponents {
            return Err(UnitError::Incompatible { unit: self.name.clone(), display_unit: name.to_owned() });
        }
        let factor = self.base.factor / other.factor;
        let offset = (self.base.offset - other.offset) / other.factor;
        self.display_units.push(DisplayUnit { name: name.to_owned(), factor, offset });
        Ok(())
    }
}

/// Declares the units and display units in use; keeps `units` sorted by name.
pub(super) fn define_used(variables: &[ScalarVariable], units: &mut Vec<Unit>) -> Result<(), DescriptionError> {
    for variable in variables {
        if let VariableType::Real(real) = &variable.kind {
            define_one(real, units).map_err(|error| DescriptionError::of_unit(&variable.name, &error))?;
        }
    }
    units.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

fn define_one(real: &RealType, units: &mut Vec<Unit>) -> Result<(), UnitError> {
    let Some(name) = &real.unit else { return Ok(()) };
    let known = units.iter().position(|unit| unit.name == *name);
    let position = match known {
        Some(position) => position,
        None => {
            units.push(Unit::parse(name)?);
            units.len() - 1
        }
    };
    match &real.display_unit {
        Some(display) => units[position].add_display_unit(display),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn degrees_show_radians() {
        let mut unit = Unit::parse("rad").unwrap();
        unit.add_display_unit("deg").unwrap();
        assert_eq!(unit.display_units[0].factor, 180.0 / std::f64::consts::PI);
        assert_eq!(unit.display_units[0].offset, 0.0);
    }

    #[test]
    fn degrees_celsius_are_kelvin_less_an_offset() {
        let mut unit = Unit::parse("K").unwrap();
        unit.add_display_unit("degC").unwrap();
        assert_eq!(unit.display_units[0], DisplayUnit { name: "degC".into(), factor: 1.0, offset: -273.15 });
    }

    #[test]
    fn metres_do_not_show_angles() {
        let error = Unit::parse("rad").unwrap().add_display_unit("mm").unwrap_err();
        assert!(error.to_string().contains("\"mm\""), "{error}");
    }

    #[test]
    fn used_units_are_declared_once_and_in_order_of_name() {
        let variables = [
            ScalarVariable::real("b").unit("rad").display_unit("deg"),
            ScalarVariable::real("a").unit("m"),
            ScalarVariable::real("c").unit("rad"),
        ];
        let mut units = Vec::new();
        define_used(&variables, &mut units).unwrap();
        let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        assert_eq!(names, ["m", "rad"]);
        assert_eq!(units[1].display_units.len(), 1);
    }
}
