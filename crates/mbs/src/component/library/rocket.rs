//! A rocket of two point masses whose states vanish at separation.

use std::sync::Arc;

use crate::component::{Arguments, Component, Event, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("point-mass-rocket", Rocket::make)];

/// Two stages that rise vertically. Together they have two states, height and velocity; from `separation` on each has
/// its own, four states; from `drop` on the lower stage is no longer of interest and its states vanish.
///
/// The thrust of a stage falls linearly from its start to zero while it burns: the lower one from t = 0 on, the upper
/// one from the separation on. Discrete values: phase, and the last height and velocity of the lower stage.
#[derive(Debug)]
struct Rocket {
    masses: [f64; 2],
    thrusts: [f64; 2],
    burns: [f64; 2],
    gravity: f64,
    separation: f64,
    drop: f64,
    /// Heights at the start.
    heights: [f64; 2],
}

impl Rocket {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let separation = arguments.optional_not_negative("separation")?;
        let drop = arguments.optional_not_negative("drop")?;
        if drop < separation {
            return Err(format!("`drop` is {drop} s, but must not be before `separation` = {separation} s"));
        }
        Ok(Arc::new(Self {
            masses: [arguments.positive("m1")?, arguments.positive("m2")?],
            thrusts: [arguments.number("thrust1")?, arguments.number("thrust2")?],
            burns: [arguments.positive("burn1")?, arguments.positive("burn2")?],
            gravity: arguments.optional("gravity")?,
            separation,
            drop,
            heights: [arguments.optional("h1")?, arguments.optional("h2")?],
        }))
    }

    fn thrust(&self, stage: usize, time: f64) -> f64 {
        let since = time - if stage == 0 { 0.0 } else { self.separation };
        if (0.0..=self.burns[stage]).contains(&since) {
            self.thrusts[stage] * (1.0 - since / self.burns[stage])
        } else {
            0.0
        }
    }

    /// Times at which something happens, ascending.
    fn times(&self) -> [f64; 4] {
        let mut times = [self.burns[0], self.separation, self.drop, self.separation + self.burns[1]];
        times.sort_by(f64::total_cmp);
        times
    }
}

impl Component for Rocket {
    fn layout(&self) -> Layout {
        Layout::default()
            .output("h1", "m", "height of the lower stage")
            .output("v1", "m/s", "velocity of the lower stage")
            .output("h2", "m", "height of the upper stage")
            .output("v2", "m/s", "velocity of the upper stage")
            .held_output("stages", "1", "stages that are part of the simulation, each with states of its own")
            .state("h", self.heights[1], 1.0)
            .in_scale("m")
            .state("v", 0.0, 1.0)
            .in_scale("m/s")
            .discrete(&[0.0, 0.0, self.heights[0], 0.0])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let [h2, v2] = [at.x[0], at.x[1]];
        let (lower, stages) = match at.x.len() {
            4 => ([at.x[2], at.x[3]], 2.0),
            _ if at.discrete[0] == 0.0 => ([h2 - self.heights[1] + self.heights[0], v2], 1.0),
            _ => ([at.discrete[2], at.discrete[3]], 1.0),
        };
        out.copy_from_slice(&[lower[0], lower[1], h2, v2, stages]);
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        // At the end of a phase the thrust is still that of the phase: it is continuous but for the separation.
        let joined = at.discrete[0] == 0.0;
        let upper = if joined {
            self.thrust(0, at.time) / (self.masses[0] + self.masses[1])
        } else {
            self.thrust(1, at.time) / self.masses[1]
        };
        out[..2].copy_from_slice(&[at.x[1], upper - self.gravity]);
        if let [_, _, rate, acceleration] = out {
            *rate = at.x[3];
            *acceleration = self.thrust(0, at.time) / self.masses[0] - self.gravity;
        }
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        self.times().get(discrete[1] as usize).copied().unwrap_or(f64::INFINITY)
    }

    fn is_resizable(&self) -> bool {
        true
    }

    fn event(&self, event: &mut Event<'_>) {
        while self.next_time(event.discrete) <= event.time {
            event.discrete[1] += 1.0;
        }
        if event.discrete[0] == 0.0 && event.time >= self.separation {
            let [h, v] = [event.x[0], event.x[1]];
            event.x.extend([h - self.heights[1] + self.heights[0], v]);
            event.discrete[0] = 1.0;
        }
        if event.discrete[0] == 1.0 && event.time >= self.drop {
            event.discrete[2] = event.x[2];
            event.discrete[3] = event.x[3];
            event.x.truncate(2);
            event.discrete[0] = 2.0;
        }
    }
}
