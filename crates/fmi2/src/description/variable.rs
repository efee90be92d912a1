//! One scalar variable of the model description.

use super::attributes::{Causality, Initial, Variability};
use super::rules::default_initial;

/// Position of a variable in [`ModelDescription::variables`](super::ModelDescription::variables), counted from zero.
/// (The XML counts from one; only the writer converts.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableIndex(pub usize);

/// Base types as the C interface distinguishes them (an enumeration travels as an integer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseType {
    /// `fmi2Real`
    Real,
    /// `fmi2Integer`, also of enumerations
    Integer,
    /// `fmi2Boolean`
    Boolean,
    /// `fmi2String`
    String,
}

impl BaseType {
    /// All base types in the order in which value references are given out.
    pub const ALL: [BaseType; 4] = [BaseType::Real, BaseType::Integer, BaseType::Boolean, BaseType::String];

    /// The word the standard uses.
    pub fn name(self) -> &'static str {
        ["Real", "Integer", "Boolean", "String"][self as usize]
    }
}

/// Attributes of a Real. All values are in `unit`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RealType {
    /// Name of a [`SimpleType`](super::SimpleType).
    pub declared_type: Option<String>,
    /// Physical quantity, e.g. "Angle".
    pub quantity: Option<String>,
    /// Name of the unit, e.g. "N.m"; see [`Unit::parse`](super::Unit::parse).
    pub unit: Option<String>,
    /// Unit to show the value in, e.g. "deg".
    pub display_unit: Option<String>,
    /// Smallest permitted value.
    pub min: Option<f64>,
    /// Largest permitted value.
    pub max: Option<f64>,
    /// Typical magnitude, positive.
    pub nominal: Option<f64>,
    /// Value before initialisation.
    pub start: Option<f64>,
    /// The variable whose time derivative this one is.
    pub derivative: Option<VariableIndex>,
}

/// Attributes of an Integer or Enumeration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IntegerType {
    /// Name of a [`SimpleType`](super::SimpleType); required for enumerations.
    pub declared_type: Option<String>,
    /// Physical quantity.
    pub quantity: Option<String>,
    /// Smallest permitted value.
    pub min: Option<i32>,
    /// Largest permitted value.
    pub max: Option<i32>,
    /// Value before initialisation.
    pub start: Option<i32>,
}

/// Type-specific part of a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum VariableType {
    /// Floating-point number with a unit.
    Real(RealType),
    /// Whole number.
    Integer(IntegerType),
    /// Truth value with its start.
    Boolean(Option<bool>),
    /// Text with its start.
    String(Option<String>),
    /// One of the items of its declared type.
    Enumeration(IntegerType),
}

impl VariableType {
    /// Type at the C interface.
    pub fn base(&self) -> BaseType {
        match self {
            VariableType::Real(_) => BaseType::Real,
            VariableType::Integer(_) | VariableType::Enumeration(_) => BaseType::Integer,
            VariableType::Boolean(_) => BaseType::Boolean,
            VariableType::String(_) => BaseType::String,
        }
    }

    /// Whether a start value is given.
    pub fn has_start(&self) -> bool {
        match self {
            VariableType::Real(real) => real.start.is_some(),
            VariableType::Integer(integer) | VariableType::Enumeration(integer) => integer.start.is_some(),
            VariableType::Boolean(start) => start.is_some(),
            VariableType::String(start) => start.is_some(),
        }
    }
}

/// One variable. Start with [`real`](Self::real) and friends (a local variable, continuous if Real, else discrete),
/// then refine with the methods that follow; [`ModelDescription::validate`](super::ModelDescription::validate) checks
/// the result.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarVariable {
    /// Unique structured name, e.g. `arm.rev1.phi`, `ball.r_abs(1)`, `der(arm.rev1.w)`.
    pub name: String,
    /// One-sentence description.
    pub description: Option<String>,
    /// How the value is determined.
    pub causality: Causality,
    /// When the value may change.
    pub variability: Variability,
    /// How the start comes about; `None` means the standard's default, see
    /// [`effective_initial`](Self::effective_initial).
    pub initial: Option<Initial>,
    /// Type, unit, limits, start.
    pub kind: VariableType,
}

impl ScalarVariable {
    /// A local variable of the given type.
    pub fn new(name: impl Into<String>, kind: VariableType) -> Self {
        let variability = match kind {
            VariableType::Real(_) => Variability::Continuous,
            _ => Variability::Discrete,
        };
        Self { name: name.into(), description: None, causality: Causality::Local, variability, initial: None, kind }
    }

    /// A continuous Real.
    pub fn real(name: impl Into<String>) -> Self {
        Self::new(name, VariableType::Real(RealType::default()))
    }

    /// A discrete Integer.
    pub fn integer(name: impl Into<String>) -> Self {
        Self::new(name, VariableType::Integer(IntegerType::default()))
    }

    /// A discrete Boolean.
    pub fn boolean(name: impl Into<String>) -> Self {
        Self::new(name, VariableType::Boolean(None))
    }

    /// A discrete String.
    pub fn string(name: impl Into<String>) -> Self {
        Self::new(name, VariableType::String(None))
    }

    /// A discrete Enumeration whose items are those of `declared_type`.
    pub fn enumeration(name: impl Into<String>, declared_type: impl Into<String>) -> Self {
        let kind = IntegerType { declared_type: Some(declared_type.into()), ..IntegerType::default() };
        Self::new(name, VariableType::Enumeration(kind))
    }

    /// The variable that stands for time (s).
    pub fn time() -> Self {
        let mut time = Self::real("time").unit("s").describe("Simulation time");
        time.causality = Causality::Independent;
        time
    }

    /// Makes it a parameter that is fixed after initialisation.
    pub fn fixed_parameter(self) -> Self {
        self.roles(Causality::Parameter, Variability::Fixed)
    }

    /// Makes it a parameter that may change between steps.
    pub fn tunable_parameter(self) -> Self {
        self.roles(Causality::Parameter, Variability::Tunable)
    }

    /// Makes it an input, continuous if Real, else discrete.
    pub fn input(mut self) -> Self {
        self.causality = Causality::Input;
        self
    }

    /// Makes it an output, continuous if Real, else discrete.
    pub fn output(mut self) -> Self {
        self.causality = Causality::Output;
        self
    }

    /// Sets causality and variability.
    pub fn roles(mut self, causality: Causality, variability: Variability) -> Self {
        self.causality = causality;
        self.variability = variability;
        self
    }

    /// Sets `initial`.
    pub fn initial(mut self, initial: Initial) -> Self {
        self.initial = Some(initial);
        self
    }

    /// Sets the description.
    pub fn describe(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the unit; no effect unless Real.
    pub fn unit(self, unit: impl Into<String>) -> Self {
        self.with_real(|real| real.unit = Some(unit.into()))
    }

    /// Sets the unit to show the value in; no effect unless Real.
    pub fn display_unit(self, unit: impl Into<String>) -> Self {
        self.with_real(|real| real.display_unit = Some(unit.into()))
    }

    /// Sets the physical quantity; no effect unless Real.
    pub fn quantity(self, quantity: impl Into<String>) -> Self {
        self.with_real(|real| real.quantity = Some(quantity.into()))
    }

    /// Sets the typical magnitude (unit); no effect unless Real.
    pub fn nominal(self, nominal: f64) -> Self {
        self.with_real(|real| real.nominal = Some(nominal))
    }

    /// Marks this Real as the time derivative of `state`.
    pub fn derivative_of(self, state: VariableIndex) -> Self {
        self.with_real(|real| real.derivative = Some(state))
    }

    /// Sets the limits of a Real (unit); infinite limits mean none.
    pub fn real_range(self, min: f64, max: f64) -> Self {
        self.with_real(|real| {
            real.min = (min != f64::NEG_INFINITY).then_some(min);
            real.max = (max != f64::INFINITY).then_some(max);
        })
    }

    /// Sets the limits of an Integer or Enumeration.
    pub fn integer_range(mut self, min: i32, max: i32) -> Self {
        if let VariableType::Integer(integer) | VariableType::Enumeration(integer) = &mut self.kind {
            integer.min = Some(min);
            integer.max = Some(max);
        }
        self
    }

    /// Sets the start of a Real (unit).
    pub fn start_real(self, start: f64) -> Self {
        self.with_real(|real| real.start = Some(start))
    }

    /// Sets the start of an Integer or Enumeration.
    pub fn start_integer(mut self, start: i32) -> Self {
        if let VariableType::Integer(integer) | VariableType::Enumeration(integer) = &mut self.kind {
            integer.start = Some(start);
        }
        self
    }

    /// Sets the start of a Boolean.
    pub fn start_boolean(mut self, start: bool) -> Self {
        if let VariableType::Boolean(slot) = &mut self.kind {
            *slot = Some(start);
        }
        self
    }

    /// Sets the start of a String.
    pub fn start_string(mut self, start: impl Into<String>) -> Self {
        if let VariableType::String(slot) = &mut self.kind {
            *slot = Some(start.into());
        }
        self
    }

    /// `initial` as given, else the default that the standard attaches to causality and variability.
    pub fn effective_initial(&self) -> Option<Initial> {
        self.initial.or_else(|| default_initial(self.causality, self.variability))
    }

    /// Whether initialisation computes or improves the value.
    pub fn is_computed_initially(&self) -> bool {
        matches!(self.effective_initial(), Some(Initial::Calculated | Initial::Approx))
    }

    fn with_real(mut self, change: impl FnOnce(&mut RealType)) -> Self {
        if let VariableType::Real(real) = &mut self.kind {
            change(real);
        }
        self
    }
}
