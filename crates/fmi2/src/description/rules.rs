//! The standard's table of legal combinations of causality, variability and initial (FMI 2.0.4, section 2.2.7).

use super::attributes::{Causality, Initial, Variability};

/// What a combination of causality and variability demands of `initial`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialRule {
    /// The combination does not exist.
    Forbidden,
    /// `initial` must not be given.
    Absent,
    /// The permitted values, the default first.
    OneOf(&'static [Initial]),
}

const EXACT: InitialRule = InitialRule::OneOf(&[Initial::Exact]);
const COMPUTED: InitialRule = InitialRule::OneOf(&[Initial::Calculated, Initial::Approx]);
const ANY: InitialRule = InitialRule::OneOf(&[Initial::Calculated, Initial::Exact, Initial::Approx]);

/// Looks the combination up in the standard's table.
pub fn initial_rule(causality: Causality, variability: Variability) -> InitialRule {
    use Causality as C;
    use Variability as V;
    match (causality, variability) {
        (C::Parameter, V::Fixed | V::Tunable) => EXACT,
        (C::CalculatedParameter, V::Fixed | V::Tunable) => COMPUTED,
        (C::Input, V::Discrete | V::Continuous) => InitialRule::Absent,
        (C::Output | C::Local, V::Constant) => EXACT,
        (C::Output | C::Local, V::Discrete | V::Continuous) => ANY,
        (C::Local, V::Fixed | V::Tunable) => COMPUTED,
        (C::Independent, V::Continuous) => InitialRule::Absent,
        _ => InitialRule::Forbidden,
    }
}

/// The default of `initial`, `None` where it must be absent.
pub fn default_initial(causality: Causality, variability: Variability) -> Option<Initial> {
    match initial_rule(causality, variability) {
        InitialRule::OneOf(permitted) => permitted.first().copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAUSALITIES: [Causality; 6] = [
        Causality::Parameter,
        Causality::CalculatedParameter,
        Causality::Input,
        Causality::Output,
        Causality::Local,
        Causality::Independent,
    ];
    const VARIABILITIES: [Variability; 5] = [
        Variability::Constant,
        Variability::Fixed,
        Variability::Tunable,
        Variability::Discrete,
        Variability::Continuous,
    ];

    #[test]
    fn fifteen_of_the_thirty_combinations_exist() {
        let legal = CAUSALITIES
            .iter()
            .flat_map(|c| VARIABILITIES.iter().map(move |v| initial_rule(*c, *v)))
            .filter(|rule| *rule != InitialRule::Forbidden)
            .count();
        assert_eq!(legal, 15);
    }

    #[test]
    fn defaults_are_those_of_the_standard() {
        assert_eq!(default_initial(Causality::Parameter, Variability::Tunable), Some(Initial::Exact));
        assert_eq!(default_initial(Causality::Output, Variability::Continuous), Some(Initial::Calculated));
        assert_eq!(default_initial(Causality::Local, Variability::Constant), Some(Initial::Exact));
        assert_eq!(default_initial(Causality::Input, Variability::Continuous), None);
    }
}
