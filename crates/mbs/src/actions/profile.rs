//! Speed along a segment of a path, from rest to rest.

use serde::{Deserialize, Serialize};

/// Speed profile over the path parameter `s` from 0 to 1: a trapezoid, or a triangle when the largest speed is not reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Profile {
    acceleration: f64,
    /// Time of acceleration, and of braking \[s\].
    ramp: f64,
    /// Time at constant speed \[s\].
    cruise: f64,
}

impl Profile {
    /// The fastest profile with a largest speed \[1/s\] and acceleration \[1/s²\]. A segment without length, whose limits are
    /// infinite, takes no time.
    pub fn within(speed: f64, acceleration: f64) -> Self {
        if acceleration.is_infinite() {
            return Self { acceleration: 0.0, ramp: 0.0, cruise: 0.0 };
        }
        if speed * speed >= acceleration {
            return Self { acceleration, ramp: (1.0 / acceleration).sqrt(), cruise: 0.0 };
        }
        Self { acceleration, ramp: speed / acceleration, cruise: 1.0 / speed - speed / acceleration }
    }

    pub fn duration(&self) -> f64 {
        2.0 * self.ramp + self.cruise
    }

    /// Times since the start at which the acceleration jumps \[s\].
    pub fn corners(&self) -> [f64; 4] {
        [0.0, self.ramp, self.ramp + self.cruise, self.duration()]
    }

    /// The path parameter and its two derivatives at a time since the start.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let (a, ramp) = (self.acceleration, self.ramp);
        if t <= 0.0 {
            [0.0, 0.0, 0.0]
        } else if t < ramp {
            [0.5 * a * t * t, a * t, a]
        } else if t < ramp + self.cruise {
            [0.5 * a * ramp * ramp + a * ramp * (t - ramp), a * ramp, 0.0]
        } else if t < self.duration() {
            let rest = self.duration() - t;
            [1.0 - 0.5 * a * rest * rest, a * rest, -a]
        } else {
            [1.0, 0.0, 0.0]
        }
    }
}
