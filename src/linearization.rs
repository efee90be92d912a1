//! Linearised models: `x' = A x + B u`, `y = C x + D u` in deviations from the present point.

use mbs::scene::Quantity;
use mbs::simulation::{LinearState, LinearStateKind, Perturbation};

use crate::derivatives::DISPLACEMENT;
use crate::modes::{Mode, modes};
use crate::session::{Session, SessionError};
use crate::slopes::{FEW_HALVINGS, Function, Slope, four_points, power_of_two, slopes, slopes_from};
use crate::variable::{Role, VariableKind};

/// Displacement relative to the smallest penetration of contacts.
const PART_OF_PENETRATION: f64 = 0.02;
/// Derivatives with both displacements that agree this well, or differ by rounding errors, count as the same.
const COEFFICIENT_AGREEMENT: f64 = 1e-6;
/// Rounding errors of values, relative to the larger of 1 and their size.
const ROUNDING: f64 = 1e-14;
/// Estimated error of a coefficient that deserves a note, relative to the largest one of its row: five digits are
/// known.
const NOTEWORTHY_ERROR: f64 = 1e-5;
/// Change of a value that no note is worth, relative to its size.
const NEGLIGIBLE_CHANGE: f64 = 1e-8;

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
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// Derivatives in a direction.
struct Column {
    slopes: Vec<Slope>,
    /// Size of the direction: the inverse of a change that counts.
    size: f64,
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
        let functions = self.functions(states, outputs)?;
        let mut found_columns = Vec::new();
        for state in states {
            found_columns.push(self.column(&state.direction, states, outputs, &functions)?);
        }
        for &input in inputs {
            let direction = self.direction_of_input(input, &found.independent)?;
            found_columns.push(self.column(&direction, states, outputs, &functions)?);
        }
        let names = |k: usize| self.interface().variables[k].name.as_str();
        let rows: Vec<&str> =
            states.iter().map(|state| state.name.as_str()).chain(outputs.iter().map(|&k| names(k))).collect();
        let by: Vec<&str> =
            states.iter().map(|state| state.name.as_str()).chain(inputs.iter().map(|&k| names(k))).collect();
        let poor = poor(&functions, &found_columns, &rows, &by);
        let remarks = self.describe_sampled().into_iter().chain(poor).collect();
        let mut columns: Vec<Vec<f64>> =
            found_columns.iter().map(|column| column.slopes.iter().map(|slope| slope.value).collect()).collect();
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
            remarks,
            eliminated: found.eliminated,
        })
    }

    /// What a linear model does not have: the ticks of sampled components.
    fn describe_sampled(&mut self) -> Option<String> {
        let sampled = self.running().ok()?.sampled_components().join("`, `");
        (!sampled.is_empty()).then(|| {
            format!(
                "sampled components (`{sampled}`) are held in the linear model, as between two samples (zero-order hold), and \
                 the loops that they close are open"
            )
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

    fn direction_of_input(&mut self, variable: usize, independent: &[usize]) -> Result<Perturbation, SessionError> {
        match self.quantity(variable) {
            Some(Quantity::Input(input)) => Ok(self.running()?.direction_of_input(input, independent)?),
            _ => {
                let name = &self.interface().variables[variable].name;
                Err(SessionError::Refused(format!("`{name}` is no input of the model as it is now")))
            }
        }
    }

    /// Rates and outputs at the present point, with their sizes.
    fn functions(&mut self, states: &[LinearState], outputs: &[usize]) -> Result<Vec<Function>, SessionError> {
        let simulation = self.running()?;
        let rates = simulation.rates_of(states)?;
        let scales = simulation.topology().scales;
        let is_acceleration = |state: &LinearState| matches!(state.kind, LinearStateKind::Velocity(_));
        let accelerations = states.iter().zip(&rates).filter(|(state, _)| is_acceleration(state));
        let largest = accelerations.fold(scales.acceleration_of(true), |largest, (_, rate)| largest.max(rate.abs()));
        let of_states = states.iter().zip(&rates).map(|(state, &now)| match state.kind {
            // Not by differences.
            LinearStateKind::Position(_) => Function { now, size: f64::INFINITY, is_sized: true },
            LinearStateKind::Velocity(_) => Function { now, size: largest, is_sized: true },
            LinearStateKind::Component(_) | LinearStateKind::Filter(..) => Function { now, size: 1.0, is_sized: false },
        });
        let mut functions: Vec<Function> = of_states.collect();
        for &output in outputs {
            functions.push(Function { now: self.value(output)?, size: 1.0, is_sized: false });
        }
        Ok(functions)
    }

    /// Derivatives of rates and outputs in a direction.
    fn column(
        &mut self,
        direction: &Perturbation,
        states: &[LinearState],
        outputs: &[usize],
        functions: &[Function],
    ) -> Result<Column, SessionError> {
        let size = self.running()?.size_by_values(direction);
        if size == 0.0 {
            return Ok(Column { slopes: vec![Slope { value: 0.0, error: 0.0 }; functions.len()], size });
        }
        let slopes = self.slopes_along(direction, size, functions, &mut |session| {
            let mut values = session.running()?.rates_of(states)?;
            for &output in outputs {
                values.push(session.value(output)?);
            }
            Ok(values)
        })?;
        Ok(Column { slopes, size })
    }

    /// Directional derivatives of the values read. The displacement follows from their curvature and from the smallest
    /// penetration. `size` is that of the direction by values, above zero.
    pub(crate) fn slopes_along(
        &mut self,
        direction: &Perturbation,
        size: f64,
        functions: &[Function],
        read: &mut dyn FnMut(&mut Self) -> Result<Vec<f64>, SessionError>,
    ) -> Result<Vec<Slope>, SessionError> {
        self.running()?.check_stop()?;
        let depth = self.running()?.smallest_penetration()?;
        let (coarse, fine) = (power_of_two(DISPLACEMENT / size), power_of_two(PART_OF_PENETRATION * depth / size));
        let mut values_at = |by: f64| -> Result<Vec<f64>, SessionError> {
            let unperturbed = self.running()?.perturb(direction, by)?;
            let values = read(self);
            self.running()?.restore_point(unperturbed);
            values
        };
        if fine >= coarse {
            return slopes(functions, coarse, &mut values_at);
        }
        // What contacts do not change is known better with the larger displacement.
        let largest = functions.iter().fold(1.0_f64, |largest, function| largest.max(function.now.abs()));
        let far = four_points(functions, coarse, &mut values_at);
        let near = slopes_from(functions, fine, FEW_HALVINGS, &mut values_at)?;
        let choose = |(&far, near): (&f64, Slope)| {
            let difference = (far - near.value).abs();
            let is_same = difference <= COEFFICIENT_AGREEMENT * near.value.abs() + ROUNDING * largest / fine;
            if is_same { Slope { value: far, error: near.error.min(difference) } } else { near }
        };
        Ok(match &far {
            Ok(far) => far.iter().zip(near).map(choose).collect(),
            Err(_) => near,
        })
    }
}

/// The remark on coefficients that no displacement determines well: the worst one, relative to the largest of its row.
fn poor(functions: &[Function], columns: &[Column], rows: &[&str], by: &[&str]) -> Option<String> {
    let mut worst: Option<(f64, usize, usize)> = None;
    let mut count = 0;
    let counts = |column: &&Column| column.size > 0.0;
    for (row, function) in functions.iter().enumerate().filter(|(_, function)| function.size.is_finite()) {
        let largest = columns.iter().filter(counts).map(|of| of.slopes[row].value.abs() / of.size).fold(0.0, f64::max);
        for (k, column) in columns.iter().enumerate().filter(|(_, column)| column.size > 0.0) {
            let error = column.slopes[row].error / column.size;
            if error > NOTEWORTHY_ERROR * largest && error > NEGLIGIBLE_CHANGE * function.size.max(function.now.abs()) {
                count += 1;
                if worst.is_none_or(|(other, ..)| error / largest > other) {
                    worst = Some((error / largest, row, k));
                }
            }
        }
    }
    let (error, row, k) = worst?;
    let others = match count {
        1 => String::new(),
        _ => format!(", and {} more", count - 1),
    };
    let [row, by] = [&rows[row], &by[k]];
    if !error.is_finite() {
        return Some(format!(
            "no displacement tells the derivative of `{row}` by `{by}`{others}: it jumps, or bends on too small a scale"
        ));
    }
    Some(format!(
        "no displacement tells the derivative of `{row}` by `{by}` to better than {error:.0e} of the largest coefficient in its \
         row{others}: it bends on too small a scale, or rounding errors hide it"
    ))
}

impl LinearVariable {
    fn of_state(state: &LinearState) -> Self {
        Self { name: state.name.clone(), unit: state.unit.clone(), value: state.value }
    }
}
