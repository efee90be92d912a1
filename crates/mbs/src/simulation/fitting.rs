//! Whether frames are near and slow enough to be attached to each other, and to which one of several.

use super::observe::RelativeMotion;
use super::view::View;
use crate::actions::{AttachCommand, Tolerances};
use crate::dynamics::BodyMotion;
use crate::scene::ObjectId;

/// Relative excess of a tolerance that counts as none: the rounding of a located event.
const ROUNDING: f64 = 1e-9;

/// Tolerances below this are zero, relative to 1 m, 1 rad and their rates.
const SMALLEST: f64 = 1e-12;

/// A partner and how far away it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// The partner.
    pub partner: ObjectId,
    /// Measured values.
    found: Tolerances,
}

impl Fit {
    /// The partner that a command means: the chosen one, else the nearest one that exists. `choice` counts from 1; 0
    /// chooses none.
    pub fn find(view: &View<'_>, attach: &AttachCommand, choice: usize) -> Result<Self, String> {
        let own = view.object_motion(attach.a).p;
        let distance = |id: &ObjectId| (view.object_motion(*id).p - own).norm();
        let chosen = match choice.checked_sub(1) {
            None => &attach.candidates[..],
            Some(k) => &attach.candidates[k..=k],
        };
        let present = chosen.iter().filter(|id| view.scene.exists(**id) && **id != attach.a);
        let nearest = present.min_by(|x, y| distance(x).total_cmp(&distance(y)));
        let Some(&partner) = nearest else {
            let what = match chosen {
                [one] => format!("`{}` does not exist at present", view.scene.objects[*one].path),
                _ => "there is nothing to attach it to".to_owned(),
            };
            return Err(format!("cannot attach `{}`: {what}", view.scene.objects[attach.a].path));
        };
        Ok(Self { partner, found: measure(view, attach.a, partner) })
    }

    /// By how much the worst value exceeds its tolerance, relative to it; not positive when all fit.
    pub fn excess(&self, allowed: &Tolerances) -> f64 {
        ratios(&self.found, allowed).into_iter().fold(0.0, f64::max) - 1.0
    }

    /// Why the frames are not attached, if they do not fit.
    pub fn check(&self, view: &View<'_>, attach: &AttachCommand) -> Result<(), String> {
        let beyond = values(&self.found, &attach.tolerances)
            .into_iter()
            .filter(|(_, found, allowed, _)| found / allowed.max(SMALLEST) > 1.0 + ROUNDING);
        let misfits: Vec<String> = beyond
            .map(|(what, found, allowed, unit)| format!("the {what} is {found:.6} {unit}, allowed is {allowed} {unit}"))
            .collect();
        if misfits.is_empty() {
            return Ok(());
        }
        let [a, b] = [attach.a, self.partner].map(|id| &view.scene.objects[id].path);
        Err(format!("cannot attach `{a}` to `{b}`: {}", misfits.join(", ")))
    }
}

fn measure(view: &View<'_>, a: ObjectId, b: ObjectId) -> Tolerances {
    let [own, other] = [a, b].map(|id| view.object_motion(id));
    differences(&own, &other)
}

/// Differences of two frames.
pub(super) fn differences(own: &BodyMotion, other: &BodyMotion) -> Tolerances {
    let relative = RelativeMotion::between(other, own);
    Tolerances {
        distance: (own.p - other.p).norm(),
        angle: crate::math::rotation_vector(&(other.rotation.transpose() * own.rotation)).norm(),
        velocity: relative.v.norm(),
        angular_velocity: relative.w.norm(),
    }
}

/// Differences divided by what is allowed of them, all at most 1 where frames fit.
pub(super) fn ratios(found: &Tolerances, allowed: &Tolerances) -> [f64; 4] {
    values(found, allowed).map(|(_, found, allowed, _)| found / allowed.max(SMALLEST))
}

/// What is compared: name, measured value, tolerance, unit.
fn values(found: &Tolerances, allowed: &Tolerances) -> [(&'static str, f64, f64, &'static str); 4] {
    [
        ("distance", found.distance, allowed.distance, "m"),
        ("angle", found.angle, allowed.angle, "rad"),
        ("relative velocity", found.velocity, allowed.velocity, "m/s"),
        ("relative angular velocity", found.angular_velocity, allowed.angular_velocity, "rad/s"),
    ]
}
