//! The history of a contact, and how its constants follow when it calms down.

use std::f64::consts::PI;

use super::{ContactConstants, ContactMaterial, DampingBound};
use crate::material::ConstantsRule;
use serde::{Deserialize, Serialize};

/// A contact has calmed down when its fastest motion over a while is below this fraction of the speed its constants are
/// for.
const CALM_SPEED_RATIO: f64 = 0.5;

/// Fraction of the fastest motion over a while above which bodies that have collided and depart may be about to leave
/// each other.
const LEAVING: f64 = 0.5;

/// Fraction of `v_min` below which all speeds are the same to the law.
const SLOWEST_SPEED_RATIO: f64 = 0.1;

/// Fraction of an impact's speed below which the approach is over.
const TURNING_SPEED_RATIO: f64 = 0.1;

/// Duration of an impact, as a multiple of that of its approach; 2 without losses.
const IMPACT_OVER_APPROACH: f64 = 4.0;

/// Half periods under a load after which a contact rings.
const RINGING: u16 = 48;

/// Time after which a half period must have been noticed to count as resolved, over that.
const RESOLVED: f64 = 1.5;

/// Critical damping coefficient times speed above which the depth can result from an impact at that speed: at the
/// deepest point of an undamped impact it is `2 sqrt(2 n/(n + 1))`, 2 for a linear spring.
const IMPACT_DEPTH_RATIO: f64 = 1.8;

/// The same while the impact may still last, for any shapes.
const ONGOING_IMPACT_DEPTH_RATIO: f64 = 0.7;

/// Ratio of successive speeds whose constants a contact takes that is struck.
const STRIKE_RATIO: f64 = 2.0;

/// Angle of a vibration of the contact in which its constants follow a strike \[rad\], and the least that is left of it
/// when the strike is noticed.
const FOLLOWING_ANGLE: f64 = 0.1;
const LEAST_FOLLOWING_ANGLE: f64 = 0.03;

/// Change of the force, relative to the force, from which on constants follow a strike.
const FOLLOWED_CHANGE: f64 = 1e-3;

/// History of a contact since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactHistory {
    impact: Impact,
    history: LoadHistory,
    ringing: Ringing,
    approach: Approach,
}

/// The approach at the end of the last step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Approach {
    /// Time \[s\] and velocity \[m/s\].
    last: Option<[f64; 2]>,
}

impl Approach {
    /// About when \[s\] it became as fast as `level` \[m/s\], which it is now.
    fn reached(&self, level: f64, [t, delta_dot]: [f64; 2]) -> f64 {
        match self.last {
            Some([last, slower]) if slower < level => last + (t - last) * (level - slower) / (delta_dot - slower),
            _ => t,
        }
    }
}

/// A contact at the end of a step.
#[derive(Debug, Clone, Copy)]
pub struct ContactSample {
    /// Time \[s\].
    pub t: f64,
    /// Penetration \[m\].
    pub depth: f64,
    /// Approach velocity \[m/s\].
    pub delta_dot: f64,
    /// Elastic force of a patch \[N\]; that of other contacts follows from the depth.
    pub load: f64,
    /// Effective mass along the normal \[kg\]; infinite when neither body has one.
    pub mass: f64,
    /// Half period below which a vibration is faster than what is of interest \[s\].
    pub fast: f64,
}

/// The impact with which a contact began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Impact {
    /// When it began \[s\].
    begun: Option<f64>,
    /// When the bodies no longer approached each other \[s\].
    turned: Option<f64>,
}

impl Impact {
    /// The impact that goes on, or another one that has begun at a time \[s\] if the bodies no longer approached each
    /// other.
    fn struck(&self, since: f64) -> Self {
        if self.begun.is_some() && self.turned.is_none() { *self } else { Self { begun: Some(since), turned: None } }
    }

    /// Whether the bodies would have parted again, at time `t` \[s\] with an approach velocity \[m/s\], in an impact
    /// with the given speed \[m/s\].
    fn is_over(&mut self, t: f64, delta_dot: f64, speed: f64) -> bool {
        let begun = *self.begun.get_or_insert(t);
        if self.turned.is_none() && delta_dot < TURNING_SPEED_RATIO * speed {
            self.turned = Some(t);
        }
        self.turned.is_some_and(|turned| t - begun >= IMPACT_OVER_APPROACH * (turned - begun))
    }
}

/// How long a contact has vibrated under its load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Ringing {
    /// Half periods in a row that the integrator has resolved.
    resolved: u16,
    /// Whether they were shorter than what is of interest.
    is_fast: bool,
}

impl Ringing {
    /// Counts a half period \[s\] that was noticed after the time `elapsed` \[s\].
    fn advance(&mut self, half_period: f64, elapsed: f64, fast: f64) {
        self.resolved = if elapsed < RESOLVED * half_period { self.resolved.saturating_add(1) } else { 0 };
        self.is_fast = half_period < fast;
    }
}

/// Recent speed and load of a contact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct LoadHistory {
    /// Since when, and the end of the last step \[s\].
    times: Option<[f64; 2]>,
    /// Greatest speed along the normal since then \[m/s\].
    fastest: f64,
    /// Normal force at the end of the last step \[N\].
    force: f64,
    /// Impulse since then \[N s\].
    impulse: f64,
    /// Mean force of the time judged before \[N\].
    mean_before: Option<f64>,
}

impl LoadHistory {
    fn advance(&mut self, t: f64, speed: f64, force: f64) {
        let [_, last] = self.times.get_or_insert([t, t]);
        self.impulse += 0.5 * (self.force + force) * (t - *last);
        *last = t;
        self.force = force;
        self.fastest = self.fastest.max(speed);
    }

    /// A new record since a time \[s\] within the last step, for the speed \[m/s\] and the force \[N\] at its end `t`
    /// \[s\].
    fn struck(&self, since: f64, t: f64, speed: f64, force: f64) -> Self {
        let before = match self.times {
            Some([_, last]) if last < t => self.force + (force - self.force) * ((since - last) / (t - last)).max(0.0),
            _ => force,
        };
        let impulse = 0.5 * (before + force) * (t - since);
        Self { times: Some([since, t]), fastest: speed, force, impulse, mean_before: None }
    }

    /// Length of the recorded time \[s\].
    fn elapsed(&self) -> f64 {
        self.times.map_or(0.0, |[since, last]| last - since)
    }

    /// Mean force \[N\] of the times judged now and before: of a whole period, if both are halves of one.
    fn mean_force(&self) -> f64 {
        let now = if self.elapsed() > 0.0 { self.impulse / self.elapsed() } else { self.force };
        self.mean_before.map_or(now, |before| 0.5 * (before + now))
    }

    fn start_window(&mut self, speed: f64) {
        let mean = if self.elapsed() > 0.0 { self.impulse / self.elapsed() } else { self.force };
        let times = self.times.map(|[_, last]| [last, last]);
        *self = Self { times, fastest: speed, force: self.force, impulse: 0.0, mean_before: Some(mean) };
    }
}

impl ContactMaterial {
    /// Critical damping as a bound of a contact that no impact explains, for an approach velocity \[m/s\] at a
    /// penetration \[m\] and an effective mass \[kg\]. The force of a patch is taken for that of a point as deep.
    #[must_use]
    pub fn bound_of_load(&self, delta_dot: f64, depth: f64, mass: f64) -> Option<DampingBound> {
        let is_adaptive = self.options.constants == ConstantsRule::Adaptive && self.pair.damping.is_none();
        if !is_adaptive || depth <= 0.0 || !mass.is_finite() {
            return None;
        }
        let constants = self.freeze(delta_dot);
        let critical = constants.critical_damping(constants.elastic_force(depth), depth, mass);
        let is_loaded = constants.d > critical && critical * delta_dot.abs() < ONGOING_IMPACT_DEPTH_RATIO;
        is_loaded.then_some(DampingBound { mass, weight: 1.0 })
    }

    /// Whether the constants of a contact follow its motion, for an effective mass \[kg\].
    #[must_use]
    pub fn lets_constants_follow(&self, mass: f64) -> bool {
        self.options.constants == ConstantsRule::Adaptive && mass.is_finite()
    }

    /// Whether they follow strikes, too, without a restart. Those of a law with a relaxation time do not: the depth over
    /// which damping sets in changes only at a restart. Nor do those of patches, whose loads change more suddenly: the
    /// integrator's error could exceed the energy of a light vibration.
    #[must_use]
    pub fn lets_constants_follow_strikes(&self, constants: &ContactConstants, mass: f64) -> bool {
        self.lets_constants_follow(mass) && constants.relaxation.is_none() && constants.fields.is_none()
    }

    /// The speed \[m/s\] that the constants of a contact for `speed` \[m/s\] follow to when it approaches with `delta_dot`
    /// \[m/s\]: `speed` in multiples of [`STRIKE_RATIO`] until it is the nearest in ratio; none if the force stays about
    /// the same.
    ///
    /// Unlike speeds at the ends of steps, such multiples do not depend on the steps. The nearest one rather than the
    /// last one that the contact has passed, because damping for slower motion takes too much of the energy: in an
    /// impact of shapes that were apart it is that for the greatest speed from the beginning.
    fn followed_speed(&self, constants: &ContactConstants, speed: f64, delta_dot: f64) -> Option<f64> {
        // What rests is struck from twice the speed on below which the law is regularised.
        let rests = 2.0 / STRIKE_RATIO.sqrt() * constants.v_min;
        let (mut multiple, mut followed) = (speed.max(rests), None);
        while delta_dot > STRIKE_RATIO.sqrt() * multiple {
            multiple *= STRIKE_RATIO;
            if self.change_of_force(constants, multiple, delta_dot) > FOLLOWED_CHANGE {
                followed = Some(multiple);
            }
        }
        followed
    }

    /// By how much constants frozen for `speed` \[m/s\] would change the force at an approach velocity \[m/s\], relative to
    /// the force.
    #[must_use]
    pub fn change_of_force(&self, constants: &ContactConstants, speed: f64, delta_dot: f64) -> f64 {
        (self.damping(speed) - constants.d).abs() * delta_dot / (1.0 + constants.d * delta_dot)
    }
}

impl ContactHistory {
    /// Whether the contact carries a load and vibrates on, faster than what is of interest.
    #[must_use]
    pub fn rings(&self) -> bool {
        self.ringing.resolved >= RINGING && self.ringing.is_fast
    }

    /// The constants that follow at the end of a step, and the speed \[m/s\] that they are for, when the contact has
    /// calmed down, carries a load that no impact explains, or is struck again. `constants` are the present ones, for
    /// `speed`.
    ///
    /// Whether it has calmed down is asked whenever half a period of the loaded contact has passed, when the bodies do
    /// not leave each other. The new constants are those for the fastest motion in that time, with critical damping as a
    /// bound where the mean load requires it. They are reached by a smooth transition, so that the integrator continues
    /// without a restart; so are those for a strike, within a part of a vibration of the contact.
    pub fn follow(
        &mut self,
        constants: &ContactConstants,
        speed: f64,
        law: &ContactMaterial,
        at: &ContactSample,
    ) -> Option<(ContactConstants, f64)> {
        let ContactSample { t, depth, delta_dot, load, mass, fast } = *at;
        if depth <= 0.0 || !law.lets_constants_follow(mass) {
            return None;
        }
        let elastic = if constants.fields.is_some() { load } else { constants.elastic_force(depth) };
        if law.lets_constants_follow_strikes(constants, mass)
            && let Some(followed) = law.followed_speed(constants, speed, delta_dot)
        {
            let since = self.approach.reached(followed / STRIKE_RATIO.sqrt(), [t, delta_dot]);
            let force = elastic * (1.0 + constants.damping_at_time(t, elastic, depth) * delta_dot);
            *self = Self {
                impact: self.impact.struck(since),
                history: self.history.struck(since, t, delta_dot, force),
                ringing: Ringing::default(),
                approach: Approach { last: Some([t, delta_dot]) },
            };
            let wanted = ContactConstants { bristle: constants.bristle, ..law.freeze(followed) };
            let rate = (constants.n_geo * elastic / (mass * depth)).sqrt();
            let duration = (since + FOLLOWING_ANGLE / rate - t).max(LEAST_FOLLOWING_ANGLE / rate);
            return Some((wanted.reached_from(constants, t, duration), followed));
        }
        self.approach.last = Some([t, delta_dot]);
        let force = elastic * (1.0 + constants.damping_at_time(t, elastic, depth) * delta_dot).max(0.0);
        self.history.advance(t, delta_dot.abs(), force);
        let load = self.history.mean_force();
        if elastic <= 0.0 || load <= 0.0 {
            return None;
        }
        let half_period = |rest: f64| PI * (mass * rest / (constants.n_geo * load)).sqrt();
        let is_over = self.impact.is_over(t, delta_dot, law.regularized_speed(speed));
        // A part `x` to the power of 1/n is at least as large as `x` and 1 allow: a test without the power.
        if self.history.elapsed() < half_period(depth * (load / elastic).min(1.0)) {
            return None;
        }
        // Where the load would rest.
        let rest = depth * elementary::pow(load / elastic, 1.0 / constants.n_geo);
        let half_period = half_period(rest);
        if self.history.elapsed() < half_period {
            return None;
        }
        let is_impact = constants.fields.is_none() && speed > 2.0 * law.pair.v_min;
        if is_impact && delta_dot < -LEAVING * self.history.fastest {
            return None;
        }
        if is_over {
            self.ringing.advance(half_period, self.history.elapsed(), fast);
        }
        let is_calm =
            is_over && self.history.fastest < CALM_SPEED_RATIO * speed && speed > SLOWEST_SPEED_RATIO * law.pair.v_min;
        let speed = if is_calm { self.history.fastest } else { speed };
        self.history.start_window(delta_dot.abs());
        let ContactConstants { relaxation, bound, bristle, .. } = *constants;
        let critical = constants.critical_damping(load, rest, mass);
        let explained = if is_over { IMPACT_DEPTH_RATIO } else { ONGOING_IMPACT_DEPTH_RATIO };
        let is_unexplained = bound.is_none() && critical * law.regularized_speed(speed) < explained;
        let is_loaded = is_unexplained && law.pair.damping.is_none() && law.damping(speed) > critical;
        (is_calm || is_loaded).then(|| {
            let bound = if is_loaded { Some(DampingBound { mass, weight: 1.0 }) } else { bound };
            let wanted = ContactConstants { relaxation, bound, bristle, ..law.freeze(speed) };
            (wanted.reached_from(constants, t, half_period), speed)
        })
    }
}
