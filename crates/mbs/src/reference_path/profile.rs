//! Speed along a piece of a path, from rest to rest.

use serde::{Deserialize, Serialize};

/// Which of the two motions that meet at a corner counts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that ends: for steps that lead to the corner.
    Before,
    /// The one that begins: once the event at the corner is handled.
    After,
}

impl Side {
    /// Whether a corner lies behind at time `t` \[s\].
    pub(super) fn has_passed(self, corner: f64, t: f64) -> bool {
        match self {
            Self::Before => t > corner,
            Self::After => t >= corner,
        }
    }
}

/// Speed profile over the path parameter `s` from 0 to 1: a trapezoid, or a triangle when the largest speed is not
/// reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Profile {
    acceleration: f64,
    /// Time of acceleration, and of braking \[s\].
    ramp: f64,
    /// Time at constant speed \[s\].
    cruise: f64,
}

impl Profile {
    /// The fastest profile with a largest speed \[1/s\] and acceleration \[1/s²\]. A piece without length, whose
    /// limits are infinite, takes no time.
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

    /// The path parameter and its two derivatives at time `t` \[s\], with the start at `start`.
    pub fn at(&self, start: f64, t: f64, side: Side) -> [f64; 3] {
        let (a, ramp, since) = (self.acceleration, self.ramp, t - start);
        // As sums, corners are the same numbers as the times of the events there.
        let has_passed = |corner: f64| side.has_passed(start + corner, t);
        if has_passed(self.duration()) {
            [1.0, 0.0, 0.0]
        } else if has_passed(ramp + self.cruise) {
            let rest = self.duration() - since;
            [1.0 - 0.5 * a * rest * rest, a * rest, -a]
        } else if has_passed(ramp) {
            [0.5 * a * ramp * ramp + a * ramp * (since - ramp), a * ramp, 0.0]
        } else if has_passed(0.0) {
            [0.5 * a * since * since, a * since, a]
        } else {
            [0.0, 0.0, 0.0]
        }
    }
}
