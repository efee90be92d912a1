//! The units in which the quantities of a model are neither large nor small.

/// Length, time and mass of a model, each a power of 1024 of its SI unit: about mm, m, km; ms, s, ks; g, kg, t. Lengths
/// from 30 mm to 30 m count in metres.
///
/// Every threshold of the engine that has a dimension is a number times a product of these. The numbers hold for
/// machines of metres, seconds and kilograms, whose scales are 1, and stay the same while parameters of such a machine
/// change. A model whose lengths, times and masses are multiplied by powers of 1024 gives the same results; these are
/// powers of two, so that most rounding is the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scales {
    /// Length \[m\].
    pub length: f64,
    /// Time \[s\].
    pub time: f64,
    /// Mass \[kg\].
    pub mass: f64,
}

/// Smallest size of a model whose scale of length is 1 m, as a fraction of that; the largest is 1024 times of it.
const SMALLEST_LENGTH: f64 = 0.03;

/// The same for times, in units of the scale of time.
const SMALLEST_TIME: f64 = 5e-3;

/// The same for masses, in units of the scale of mass.
const SMALLEST_MASS: f64 = 0.03;

/// Largest power of 1024 of a scale.
const LARGEST_POWER: i32 = 6;

impl Scales {
    /// Metres, seconds, kilograms.
    pub const SI: Self = Self { length: 1.0, time: 1.0, mass: 1.0 };

    /// The scales of a model whose parts have lengths \[m\] from the smallest to the largest one given, with a typical
    /// time \[s\] and mass \[kg\]; what is not positive is unknown. Of the scales of both lengths and those between
    /// them, that nearest to 1 counts: small parts of a large machine touch as small parts do.
    #[must_use]
    pub fn of_sizes(lengths: [f64; 2], time: f64, mass: f64) -> Self {
        let [smallest, largest] = lengths.map(|length| power_of_1024(length / SMALLEST_LENGTH));
        Self {
            length: largest.min(1.0).max(smallest),
            time: power_of_1024(time / SMALLEST_TIME),
            mass: power_of_1024(mass / SMALLEST_MASS),
        }
    }

    /// Angular velocity \[rad/s\].
    #[must_use]
    pub fn angular_velocity(&self) -> f64 {
        1.0 / self.time
    }

    /// Velocity \[m/s\].
    #[must_use]
    pub fn velocity(&self) -> f64 {
        self.length / self.time
    }

    /// Energy or torque \[J\].
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.mass * self.velocity() * self.velocity()
    }

    /// Position \[m\] or angle \[rad\].
    #[must_use]
    pub fn position_of(&self, translates: bool) -> f64 {
        if translates { self.length } else { 1.0 }
    }

    /// Velocity \[m/s\] or angular velocity \[rad/s\].
    #[must_use]
    pub fn velocity_of(&self, translates: bool) -> f64 {
        self.position_of(translates) / self.time
    }

    /// Acceleration \[m/s²\] or angular acceleration \[rad/s²\].
    #[must_use]
    pub fn acceleration_of(&self, translates: bool) -> f64 {
        self.velocity_of(translates) / self.time
    }

    /// Force \[N\] or torque \[N m\].
    #[must_use]
    pub fn effort_of(&self, translates: bool) -> f64 {
        self.energy() / self.position_of(translates)
    }

    /// Scale of a mechanical unit, as expressions and components name it; 1 for any other unit.
    #[must_use]
    pub fn of_unit(&self, unit: &str) -> f64 {
        let (turns, translates) = (false, true);
        match unit {
            "m" => self.length,
            "m/s" => self.velocity(),
            "m/s2" => self.acceleration_of(translates),
            "s" => self.time,
            "kg" => self.mass,
            "N" => self.effort_of(translates),
            "rad/s" => self.angular_velocity(),
            "rad/s2" => self.acceleration_of(turns),
            "J" | "N.m" => self.energy(),
            "W" => self.energy() / self.time,
            _ => 1.0,
        }
    }
}

impl Default for Scales {
    fn default() -> Self {
        Self::SI
    }
}

/// The largest power of 1024 that does not exceed a ratio; 1 if the ratio is not a size.
fn power_of_1024(ratio: f64) -> f64 {
    if !(ratio > 0.0 && ratio.is_finite()) {
        return 1.0;
    }
    let power = |k: i32| if k < 0 { 1.0 / 1024_f64.powi(-k) } else { 1024_f64.powi(k) };
    let largest = (-LARGEST_POWER..=LARGEST_POWER).rev().find(|k| power(*k) <= ratio);
    power(largest.unwrap_or(-LARGEST_POWER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_of_metres_seconds_and_kilograms_have_scales_of_1() {
        for size in [0.05, 0.3, 1.0, 2.9] {
            assert_eq!(Scales::of_sizes([size; 2], size, size), Scales::SI);
        }
        assert_eq!(Scales::of_sizes([0.0; 2], f64::NAN, f64::INFINITY), Scales::SI);
        assert_eq!(Scales::of_sizes([0.1, 50.0], 1.0, 1.0), Scales::SI);
        assert_eq!(Scales::of_sizes([1e-4, 0.1], 1.0, 1.0), Scales::SI);
    }

    #[test]
    fn a_size_multiplied_by_1024_multiplies_its_scale_by_1024() {
        for size in [0.06, 0.2, 2.0] {
            for power in -4_i32..=4 {
                let factor = 1024_f64.powi(power);
                let scales = Scales::of_sizes([size * factor; 2], size * factor, 10.0 * size * factor);
                for scale in [scales.length, scales.time, scales.mass] {
                    assert_eq!(scale, factor, "for {size}");
                }
            }
        }
    }

    #[test]
    fn derived_scales_have_their_dimensions() {
        let scales = Scales { length: 2.0, time: 4.0, mass: 8.0 };
        assert_eq!([scales.velocity(), scales.angular_velocity(), scales.energy()], [0.5, 0.25, 2.0]);
        assert_eq!([true, false].map(|translates| scales.acceleration_of(translates)), [0.125, 0.0625]);
        assert_eq!([true, false].map(|translates| scales.effort_of(translates)), [1.0, 2.0]);
    }
}
