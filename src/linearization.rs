//! Linearised models: `x' = A x + B u`, `y = C x + D u` in deviations from the present point.

use mbs::scene::Quantity;
use mbs::simulation::{Direction, LinearState, LinearStateKind};

use crate::derivatives::DISPLACEMENT;
use crate::modes::{Mode, modes};
use crate::session::{Session, SessionError};
use crate::variable::{Role, VariableKind};

/// Displacement relative to the smallest penetration of contacts.
const PART_OF_PENETRATION: f64 = 0.02;
/// Derivatives with both displacements that agree this well, or differ by rounding errors, count as the same.
const AGREES: f64 = 1e-6;
/// Rounding errors of values, relative to the larger of 1 and their size.
const ROUNDING: f64 = 1e-14;

/// A variable of a linearised model.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearVariable {
    /// Name.
    pub name: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// Value at the point of linearisation; none for small rotations.
    pub value: Option<f64>,
}

/// A linearised model in minimal coordinates. Matrices are lists of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    /// Time of the point of linearisation \[s\].
    pub time: f64,
    /// States: positions, velocities in the same order, states of components.
    pub states: Vec<LinearVariable>,
    /// Inputs.
    pub inputs: Vec<LinearVariable>,
    /// Outputs.
    pub outputs: Vec<LinearVariable>,
    /// Coordinates that closed loops, and components that tie joints to each other, have eliminated.
    pub eliminated: Vec<String>,
    /// Rates of the states at the point of linearisation: zero at an equilibrium.
    pub rates: Vec<f64>,
    /// States by states.
    pub a: Vec<Vec<f64>>,
    /// States by inputs.
    pub b: Vec<Vec<f64>>,
    /// Outputs by states.
    pub c: Vec<Vec<f64>>,
    /// Outputs by inputs.
    pub d: Vec<Vec<f64>>,
    /// Eigenvalues of A, slow ones first.
    pub modes: Vec<Mode>,
}

impl Session {
    /// Linearises at the present point. `outputs` and `inputs` are variables.
    ///
    /// # Errors
    /// Before initialization, for inputs that cannot be varied, and when the model cannot be evaluated.
    pub fn linearize(&mut self, inputs: &[usize], outputs: &[usize]) -> Result<LinearModel, SessionError> {
        self.require_run("a linearised model")?;
        let found = self.running()?.linear_states()?;
        let states = &found.states;
        let mut columns = Vec::new();
        for state in states {
            columns.push(self.column(&state.direction, states, outputs)?);
        }
        for &input in inputs {
            let direction = self.direction_of_input(input, &found.independent)?;
            columns.push(self.column(&direction, states, outputs)?);
        }
        // The rates of positions are velocities, without differences.
        let num_q = self.running()?.topology().num_q;
        for (row, state) in states.iter().enumerate() {
            let LinearStateKind::Position(v) = state.kind else { continue };
            let (of_states, of_inputs) = columns.split_at_mut(states.len());
            of_states.iter_mut().zip(states).for_each(|(column, other)| column[row] = other.direction.y[num_q + v]);
            of_inputs.iter_mut().for_each(|column| column[row] = 0.0);
        }
        for &(row, column, value) in &found.turning {
            columns[column][row] += value;
        }
        let n = states.len();
        let block = |rows: std::ops::Range<usize>, of: &[Vec<f64>]| -> Vec<Vec<f64>> {
            rows.map(|row| of.iter().map(|column| column[row]).collect()).collect()
        };
        let (of_states, of_inputs) = columns.split_at(n);
        let a = block(0..n, of_states);
        let variable = |session: &mut Self, &k: &usize| -> Result<LinearVariable, SessionError> {
            let (name, unit) =
                (session.interface().variables[k].name.clone(), session.interface().variables[k].unit.clone());
            Ok(LinearVariable { name, unit, value: Some(session.get(k)?) })
        };
        Ok(LinearModel {
            time: self.running()?.time(),
            rates: self.running()?.rates_of(states)?,
            inputs: inputs.iter().map(|k| variable(self, k)).collect::<Result<_, _>>()?,
            outputs: outputs.iter().map(|k| variable(self, k)).collect::<Result<_, _>>()?,
            modes: modes(&a),
            b: block(0..n, of_inputs),
            c: block(n..n + outputs.len(), of_states),
            d: block(n..n + outputs.len(), of_inputs),
            a,
            states: states.iter().map(LinearVariable::of_state).collect(),
            eliminated: found.eliminated,
        })
    }

    /// Inputs and outputs that a linearised model has by default: all real ones.
    #[must_use]
    pub fn linear_interface(&self) -> (Vec<usize>, Vec<usize>) {
        let of = |role: Role| {
            let variables = self.interface().variables.iter().enumerate();
            let chosen = variables.filter(move |(_, v)| v.role == role && v.kind == VariableKind::Real);
            chosen.map(|(k, _)| k).collect()
        };
        (of(Role::Input), of(Role::Output))
    }

    fn direction_of_input(&mut self, variable: usize, independent: &[usize]) -> Result<Direction, SessionError> {
        match self.quantity(variable) {
            Some(Quantity::Input(input)) => Ok(self.running()?.direction_of_input(input, independent)?),
            _ => {
                let name = &self.interface().variables[variable].name;
                Err(SessionError::Refused(format!("`{name}` is no input of the model as it is now")))
            }
        }
    }

    /// Derivatives of rates and outputs in a direction.
    fn column(
        &mut self,
        direction: &Direction,
        states: &[LinearState],
        outputs: &[usize],
    ) -> Result<Vec<f64>, SessionError> {
        let mut read = |session: &mut Self| -> Result<Vec<f64>, SessionError> {
            let mut values = session.running()?.rates_of(states)?;
            for &output in outputs {
                values.push(session.value(output)?);
            }
            Ok(values)
        };
        let size = self.running()?.size_of(direction);
        if size == 0.0 {
            return Ok(vec![0.0; states.len() + outputs.len()]);
        }
        let depth = self.running()?.smallest_penetration()?;
        let (coarse, fine) = (DISPLACEMENT / size, PART_OF_PENETRATION * depth / size);
        if fine >= coarse {
            return self.difference_of(direction, coarse, &mut read);
        }
        // What contacts do not change is known better with the larger displacement.
        let now = read(self)?;
        let largest = now.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        let far = self.difference_of(direction, coarse, &mut read)?;
        let near = self.difference_of(direction, fine, &mut read)?;
        let choose = |(far, near): (f64, f64)| {
            let is_same = (far - near).abs() <= AGREES * near.abs() + ROUNDING * largest / fine;
            if is_same { far } else { near }
        };
        Ok(far.into_iter().zip(near).map(choose).collect())
    }
}

impl LinearVariable {
    fn of_state(state: &LinearState) -> Self {
        Self { name: state.name.clone(), unit: state.unit.clone(), value: state.value }
    }
}
