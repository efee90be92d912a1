//! Heat: conduction in a rod of a variable number of volumes, heat capacity.

use std::sync::Arc;

use crate::component::{Arguments, Component, Event, Factory, Layout, Point, START_VOLUMES, Sparsity, default_input};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("heat-rod", HeatRod::make), ("heat-capacity", HeatCapacity::make)];

/// Conduction along a rod of equal volumes with the temperatures `x`:
/// `rho c A dx T_i' = lambda A ((T_{i-1} - T_i) + (T_{i+1} - T_i)) / dx`. At each end either the temperature or the
/// heat flow is given. The wanted number of volumes is an input; where it changes, the temperature profile is
/// transferred so that the energy stays the same.
#[derive(Debug)]
struct HeatRod {
    length: f64,
    area: f64,
    conductivity: f64,
    /// Heat capacity per volume \[J/(m³ K)\].
    capacity: f64,
    start: f64,
    /// Whether the temperature of each end is given.
    holds: [bool; 2],
    /// Places of the temperature outputs \[m\].
    places: Vec<f64>,
    /// Number of volumes if it is given as a number, which holds for the whole run.
    volumes: Option<usize>,
}

impl HeatRod {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let holds = [("T_a", "Q_a"), ("T_b", "Q_b")].map(|(t, q)| (arguments.has(t), arguments.has(q)));
        if holds.iter().any(|(t, q)| *t && *q) {
            return Err("an end cannot have both a temperature and a heat flow".to_owned());
        }
        let length = arguments.positive("length")?;
        let places = if arguments.has("places") { arguments.list("places")? } else { Vec::new() };
        if let Some(place) = places.iter().find(|place| !(0.0..=length).contains(*place)) {
            return Err(format!("`places` contains {place} m, but must be within the rod, 0 to {length} m"));
        }
        let volumes = match arguments.maybe("volumes").ok().flatten() {
            Some(count) if whole(count).is_none_or(|whole| whole as f64 != count) => {
                return Err(format!("`volumes` is {count}, but must be a whole number from 1 to {MOST_VOLUMES}"));
            }
            None if !arguments.has("volumes") => Some(START_VOLUMES),
            count => count.and_then(whole),
        };
        Ok(Arc::new(Self {
            length,
            volumes,
            area: arguments.positive("area")?,
            conductivity: arguments.positive("conductivity")?,
            capacity: arguments.positive("density")? * arguments.positive("specific_heat")?,
            start: arguments.optional("T")?,
            holds: holds.map(|(t, _)| t),
            places,
        }))
    }

    /// Heat flows into the rod at both ends \[W\].
    fn flows(&self, x: &[f64], inputs: &[f64]) -> [f64; 2] {
        let half = 2.0 * self.conductivity * self.area * x.len() as f64 / self.length;
        let ends = [x[0], x[x.len() - 1]];
        [0, 1].map(|k| if self.holds[k] { half * (inputs[k] - ends[k]) } else { inputs[k] })
    }

    /// Temperatures of the ends: as given, or those that drive the given flow through half a volume.
    fn ends(&self, x: &[f64], inputs: &[f64]) -> [f64; 2] {
        let half = 2.0 * self.conductivity * self.area * x.len() as f64 / self.length;
        let outer = [x[0], x[x.len() - 1]];
        [0, 1].map(|k| if self.holds[k] { inputs[k] } else { outer[k] + inputs[k] / half })
    }

    /// Temperature at a place, interpolated between the middles of the volumes and the ends.
    fn temperature(&self, x: &[f64], ends: [f64; 2], place: f64) -> f64 {
        let at = place / self.length * x.len() as f64;
        let last = x.len() - 1;
        if at < 0.5 {
            return ends[0] + 2.0 * at * (x[0] - ends[0]);
        }
        let behind = at - 0.5 - last as f64;
        if behind >= 0.0 {
            return x[last] + 2.0 * behind * (ends[1] - x[last]);
        }
        let k = (at - 0.5) as usize;
        x[k] + (at - 0.5 - k as f64) * (x[k + 1] - x[k])
    }

    /// Whether the temperature at a place may depend on what is given at an end.
    fn is_outer(&self, place: f64) -> bool {
        let half = 0.5 * self.length / self.volumes.unwrap_or(1) as f64;
        place <= half || place >= self.length - half
    }
}

/// Mean temperatures of `count` volumes from those of another division of the same rod. Within each old volume the
/// profile is a straight line whose slope is the smaller one of both sides (B. van Leer, J. Comput. Phys. 32, 1979), so
/// that the integral is the same and no new extremes appear.
fn transfer(x: &[f64], count: usize) -> Vec<f64> {
    let n = x.len();
    let slope = |k: usize| {
        if k == 0 || k + 1 == n {
            return 0.0;
        }
        let (left, right) = (x[k] - x[k - 1], x[k + 1] - x[k]);
        if left * right <= 0.0 { 0.0 } else { left.signum() * left.abs().min(right.abs()) }
    };
    // Lengths in old volumes.
    let width = n as f64 / count as f64;
    let part = |new: usize| {
        let (from, to) = (new as f64 * width, (new + 1) as f64 * width);
        let (first, last) = (from.floor() as usize, (to.ceil() as usize).min(n));
        let integral = |k: usize| {
            let (a, b) = (from.max(k as f64), to.min((k + 1) as f64));
            let middle = 0.5 * (a + b) - (k as f64 + 0.5);
            (b - a).max(0.0) * (x[k] + slope(k) * middle)
        };
        (first..last).map(integral).sum::<f64>() / width
    };
    (0..count).map(part).collect()
}

impl Component for HeatRod {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for (k, (temperature, flow)) in [("T_a", "Q_a"), ("T_b", "Q_b")].into_iter().enumerate() {
            layout = match self.holds[k] {
                true => layout.input(temperature),
                false => layout.input_or(flow, default_input("heat-rod", flow)),
            };
        }
        layout = layout
            .input_or("volumes", default_input("heat-rod", "volumes"))
            .output("energy", "J", "thermal energy above 0 K")
            .output("mean", "K", "mean temperature")
            .held_output("num_volumes", "1", "number of volumes")
            .direct_output("flow_a", "W", "heat flow into end a")
            .direct_output("flow_b", "W", "heat flow into end b")
            .indicators(2);
        for k in 0..self.places.len() {
            let (name, text) = (format!("T[{}]", k + 1), format!("temperature at {} m", self.places[k]));
            layout = match self.is_outer(self.places[k]) {
                true => layout.direct_output(&name, "K", &text),
                false => layout.output(&name, "K", &text),
            };
        }
        for k in 0..self.volumes.unwrap_or(START_VOLUMES) {
            layout = layout.state(&format!("x[{}]", k + 1), self.start, 100.0).in_unit("K");
        }
        layout.sparsity = Sparsity::Banded(1);
        layout
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let mean = at.x.iter().sum::<f64>() / at.x.len() as f64;
        let flows = self.flows(at.x, at.inputs);
        let energy = mean * self.capacity * self.area * self.length;
        out[..5].copy_from_slice(&[energy, mean, at.x.len() as f64, flows[0], flows[1]]);
        let ends = self.ends(at.x, at.inputs);
        for (out, place) in out[5..].iter_mut().zip(&self.places) {
            *out = self.temperature(at.x, ends, *place);
        }
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        let n = at.x.len();
        let step = self.length / n as f64;
        let conductance = self.conductivity * self.area / step;
        let capacity = self.capacity * self.area * step;
        let flows = self.flows(at.x, at.inputs);
        for k in 0..n {
            let from_left = if k == 0 { flows[0] } else { conductance * (at.x[k - 1] - at.x[k]) };
            let from_right = if k + 1 == n { flows[1] } else { conductance * (at.x[k + 1] - at.x[k]) };
            out[k] = (from_left + from_right) / capacity;
        }
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        let difference = at.inputs[2] - at.x.len() as f64;
        out.copy_from_slice(&[difference - 0.5, -difference - 0.5]);
    }

    fn is_resizable(&self) -> bool {
        true
    }

    fn event(&self, event: &mut Event<'_>) {
        let Some(wanted) = whole(event.inputs[2]) else { return };
        if !(0.5..MOST_VOLUMES + 0.5).contains(&event.inputs[2]) {
            *event.warning = Some(format!(
                "`volumes` is {} at t = {} s, but must be from 1 to {MOST_VOLUMES}; the rod has {wanted} now",
                event.inputs[2], event.time
            ));
        }
        if wanted != event.x.len() {
            *event.remark = Some(format!("{} volumes become {wanted} at t = {} s", event.x.len(), event.time));
            *event.x = transfer(event.x, wanted);
        }
    }
}

/// The nearest possible number of volumes for the value of an input; none if the value is not a number.
fn whole(volumes: f64) -> Option<usize> {
    (!volumes.is_nan()).then(|| volumes.round().clamp(1.0, MOST_VOLUMES) as usize)
}

/// Volumes that a rod may have.
const MOST_VOLUMES: f64 = 1e6;

/// `C T' = Q + G (T_ambient - T)`: a body of one temperature.
#[derive(Debug)]
struct HeatCapacity {
    capacity: f64,
    conductance: f64,
    ambient: f64,
    start: f64,
}

impl HeatCapacity {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let ambient = arguments.optional("T_ambient")?;
        Ok(Arc::new(Self {
            capacity: arguments.positive("C")?,
            conductance: arguments.optional_not_negative("G")?,
            ambient,
            start: arguments.number_or("T", ambient)?,
        }))
    }
}

impl Component for HeatCapacity {
    fn layout(&self) -> Layout {
        Layout::default()
            .input_or("Q", default_input("heat-capacity", "Q"))
            .output("T", "K", "temperature")
            .state("T", self.start, 100.0)
            .in_unit("K")
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.x[0];
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = (at.inputs[0] + self.conductance * (self.ambient - at.x[0])) / self.capacity;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transferred_profile_keeps_its_energy_and_its_range() {
        let profile: Vec<f64> = (0..37).map(|k| 300.0 + 80.0 * (0.3 * f64::from(k)).sin()).collect();
        for count in [1, 2, 10, 36, 37, 38, 100, 1000] {
            let new = transfer(&profile, count);
            let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
            assert!((mean(&new) - mean(&profile)).abs() < 1e-10, "{count} volumes");
            assert!(new.iter().all(|t| (220.0 - 1e-9..=380.0 + 1e-9).contains(t)));
        }
        assert_eq!(transfer(&profile, 37), profile);
    }

    #[test]
    fn a_straight_profile_stays_straight_inside() {
        let profile: Vec<f64> = (0..10).map(|k| f64::from(k) + 0.5).collect();
        for (k, t) in transfer(&profile, 40).iter().enumerate().skip(4).take(32) {
            assert!((t - (k as f64 + 0.5) / 4.0).abs() < 1e-12, "volume {k}: {t}");
        }
    }
}
