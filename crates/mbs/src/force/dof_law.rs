//! One-dimensional elements that act on a degree of freedom of a joint.

use super::signals::{Local, Signal, Signals};

/// Applied force (or torque) of a degree of freedom with its slopes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JointForce {
    /// Force \[N\] or torque \[N m\], positive along the coordinate.
    pub tau: f64,
    /// Derivative with respect to the position.
    pub per_position: f64,
    /// Derivative with respect to the velocity.
    pub per_velocity: f64,
    /// Derivative with respect to the acceleration: minus the inertia of drives that turn with the coordinate.
    pub per_acceleration: f64,
}

/// Linear spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringLaw {
    /// Stiffness (N m/rad or N/m).
    pub stiffness: f64,
    /// Position without force.
    pub rest: f64,
}

/// Regularised dry friction `-force * tanh(v / v_reg)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionLaw {
    /// Sliding force or torque.
    pub force: f64,
    /// Velocity scale.
    pub v_reg: f64,
}

/// Compliant end stops; the force never pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopLaw {
    /// Lower limit (minus infinity when absent).
    pub lower: f64,
    /// Upper limit (infinity when absent).
    pub upper: f64,
    /// Stiffness.
    pub stiffness: f64,
    /// Dissipation \[s/m or s/rad\].
    pub dissipation: f64,
}

/// Everything that acts on one degree of freedom.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DofLaw {
    /// Spring.
    pub spring: Option<SpringLaw>,
    /// Viscous damping (N m s/rad or N s/m).
    pub damping: f64,
    /// Friction.
    pub friction: Option<FrictionLaw>,
    /// Stops.
    pub stops: Option<StopLaw>,
    /// Driving force as a signal of time, inputs and the coordinate.
    pub drive: Option<Signal>,
    /// Input acting through the flange.
    pub flange: Option<usize>,
}

impl DofLaw {
    /// Force and slopes at position `q` and velocity `v`.
    pub fn evaluate(&self, q: f64, v: f64, signals: &mut Signals) -> JointForce {
        let mut force = JointForce { tau: -self.damping * v, per_velocity: -self.damping, ..JointForce::default() };
        if let Some(spring) = &self.spring {
            force.tau -= spring.stiffness * (q - spring.rest);
            force.per_position -= spring.stiffness;
        }
        if let Some(friction) = &self.friction {
            let t = elementary::tanh(v / friction.v_reg);
            force.tau -= friction.force * t;
            force.per_velocity -= friction.force * (1.0 - t * t) / friction.v_reg;
        }
        if let Some(stops) = &self.stops {
            stops.add(q, v, &mut force);
        }
        if let Some(drive) = &self.drive {
            let [value, slope_q, slope_v] = signals.gradient(drive, Local { position: q, velocity: v });
            force.tau += value;
            force.per_position += slope_q;
            force.per_velocity += slope_v;
        }
        if let Some(input) = self.flange {
            force.tau += signals.input(input);
        }
        force
    }

    /// Energy stored in spring and stops \[J\].
    #[must_use]
    pub fn potential_energy(&self, q: f64) -> f64 {
        let spring = self.spring.map_or(0.0, |s| 0.5 * s.stiffness * (q - s.rest).powi(2));
        let stop = self.stops.map_or(0.0, |s| {
            let delta = (q - s.upper).max(s.lower - q).max(0.0);
            0.5 * s.stiffness * delta * delta
        });
        spring + stop
    }
}

impl StopLaw {
    fn add(&self, q: f64, v: f64, force: &mut JointForce) {
        let (delta, delta_dot, sign) = if q > self.upper {
            (q - self.upper, v, -1.0)
        } else if q < self.lower {
            (self.lower - q, -v, 1.0)
        } else {
            return;
        };
        let factor = 1.0 + self.dissipation * delta_dot;
        if factor > 0.0 {
            force.tau += sign * self.stiffness * delta * factor;
            force.per_position -= self.stiffness * factor;
            force.per_velocity -= self.stiffness * delta * self.dissipation;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_a_law_equal_finite_differences_and_stops_never_pull() {
        let law = DofLaw {
            spring: Some(SpringLaw { stiffness: 3.0, rest: 0.2 }),
            damping: 0.4,
            friction: Some(FrictionLaw { force: 2.0, v_reg: 0.1 }),
            stops: Some(StopLaw { lower: -1.0, upper: 1.0, stiffness: 1e3, dissipation: 0.3 }),
            ..DofLaw::default()
        };
        let mut signals = Signals::default();
        for (q, v) in [(0.3, 0.05), (1.2, -0.4), (1.2, 0.7), (-1.5, 0.1)] {
            let at = law.evaluate(q, v, &mut signals);
            let mut tau = |dq: f64, dv: f64| law.evaluate(q + dq, v + dv, &mut signals).tau;
            let h = 1e-6;
            assert!(((tau(h, 0.0) - tau(-h, 0.0)) / (2.0 * h) - at.per_position).abs() < 1e-4);
            assert!(((tau(0.0, h) - tau(0.0, -h)) / (2.0 * h) - at.per_velocity).abs() < 1e-4);
        }
        let stop = DofLaw { stops: law.stops, ..DofLaw::default() };
        assert_eq!(stop.evaluate(1.1, -1e3, &mut signals).tau, 0.0);
    }
}
