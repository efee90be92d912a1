//! Whether frames are near and slow enough to be attached to each other, and to which one of several.

use super::view::View;
use crate::math::Scales;
use crate::scene::program::{AttachCommand, ChangeCommand, Tolerances};
use crate::scene::{Link, ObjectId, Scene};
use crate::spatial::{BodyMotion, RelativeMotion};

/// Relative excess of a tolerance that counts as none: the rounding of a located event.
const ROUNDING: f64 = 1e-9;

/// Tolerances below this are zero, relative to 1 rad, the scale of length and their rates.
const SMALLEST: f64 = 1e-12;

/// Frames that a step names for its frame to be attached to: the chosen one, or all.
fn candidates(attach: &AttachCommand, choice: usize) -> &[ObjectId] {
    match choice.checked_sub(1) {
        None => &attach.candidates,
        Some(k) => &attach.candidates[k..=k],
    }
}

/// The frame that a frame is attached to and that a step does not release.
fn attached_frame(scene: &Scene, change: &ChangeCommand, frame: ObjectId) -> Option<ObjectId> {
    let stays = |link: &&Link| change.release.is_none_or(|released| link.partner(released).is_none());
    scene.structure.links.iter().filter(stays).find_map(|link| link.partner(frame))
}

/// Frames that a step can attach its frame to at present: those that exist. Where several are named, only frames that
/// are not attached yet are attached to each other.
pub(in crate::simulation) fn partners<'a>(
    scene: &'a Scene,
    change: &'a ChangeCommand,
    attach: &'a AttachCommand,
    choice: usize,
) -> impl Iterator<Item = ObjectId> + 'a {
    let named = candidates(attach, choice);
    let is_free = |id: ObjectId| attached_frame(scene, change, id).is_none();
    let any = named.len() == 1;
    let takes_one = any || is_free(attach.a);
    let present = named.iter().copied().filter(move |id| takes_one && *id != attach.a && scene.exists(*id));
    present.filter(move |id| any || is_free(*id))
}

/// A partner and how far away it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct Fit {
    /// The partner.
    pub partner: ObjectId,
    /// Measured values.
    found: Tolerances,
}

impl Fit {
    /// The partner that a step means: the chosen one, else the nearest one that it can be attached to. `choice` counts
    /// from 1; 0 chooses none.
    pub fn find(
        view: &View<'_>,
        change: &ChangeCommand,
        attach: &AttachCommand,
        choice: usize,
    ) -> Result<Self, String> {
        let own = view.object_motion(attach.a).p;
        let distance = |id: &ObjectId| (view.object_motion(*id).p - own).norm();
        let nearest = partners(view.scene, change, attach, choice).min_by(|x, y| distance(x).total_cmp(&distance(y)));
        let Some(partner) = nearest else { return Err(nothing_to_attach(view.scene, change, attach, choice)) };
        Ok(Self { partner, found: measure(view, attach.a, partner) })
    }

    /// By how much the worst value exceeds its tolerance, relative to it; not positive when all fit.
    pub fn excess(&self, allowed: &Tolerances, scales: &Scales) -> f64 {
        ratios(&self.found, allowed, scales).into_iter().fold(0.0, f64::max) - 1.0
    }

    /// Why the frames are not attached, if they do not fit.
    pub fn check(&self, view: &View<'_>, attach: &AttachCommand) -> Result<(), String> {
        let differences = Difference::all(&self.found, &attach.tolerances, &view.scene.scales);
        let beyond = differences.iter().filter(|difference| difference.ratio() > 1.0 + ROUNDING);
        let misfits: Vec<String> = beyond
            .map(|Difference { what, found, allowed, unit, .. }| {
                format!("the {what} is {found:.6} {unit}, allowed is {allowed} {unit}")
            })
            .collect();
        if misfits.is_empty() {
            return Ok(());
        }
        let [a, b] = [attach.a, self.partner].map(|id| &view.scene.objects[id].path);
        Err(format!("cannot attach `{a}` to `{b}`: {}", misfits.join(", ")))
    }
}

/// Why there is no frame that a step can attach its frame to.
fn nothing_to_attach(scene: &Scene, change: &ChangeCommand, attach: &AttachCommand, choice: usize) -> String {
    let path = |id: ObjectId| &scene.objects[id].path;
    let present = |id: &ObjectId| scene.exists(*id) && *id != attach.a;
    let what = match (candidates(attach, choice), attached_frame(scene, change, attach.a)) {
        ([one], _) if *one == attach.a => "a frame cannot be attached to itself".to_owned(),
        ([one], _) => format!("`{}` does not exist at present", path(*one)),
        (_, Some(other)) => format!("it is attached to `{}`; release it first", path(other)),
        (several, None) if several.iter().any(present) => {
            "all frames it could be attached to are attached to others".to_owned()
        }
        _ => "there is nothing to attach it to".to_owned(),
    };
    format!("cannot attach `{}`: {what}", path(attach.a))
}

fn measure(view: &View<'_>, a: ObjectId, b: ObjectId) -> Tolerances {
    let [own, other] = [a, b].map(|id| view.object_motion(id));
    differences(&own, &other)
}

/// Differences of two frames.
pub(in crate::simulation) fn differences(own: &BodyMotion, other: &BodyMotion) -> Tolerances {
    let relative = RelativeMotion::between(other, own);
    Tolerances {
        distance: (own.p - other.p).norm(),
        angle: crate::math::rotation_vector(&(other.rotation.transpose() * own.rotation)).norm(),
        velocity: relative.v.norm(),
        angular_velocity: relative.w.norm(),
    }
}

/// Differences divided by their tolerances, all at most 1 if frames fit.
pub(in crate::simulation) fn ratios(found: &Tolerances, allowed: &Tolerances, scales: &Scales) -> [f64; 4] {
    Difference::all(found, allowed, scales).map(|difference| difference.ratio())
}

/// A difference of two frames, with its tolerance.
struct Difference {
    what: &'static str,
    found: f64,
    allowed: f64,
    unit: &'static str,
    /// Unit of the model.
    scale: f64,
}

impl Difference {
    fn all(found: &Tolerances, allowed: &Tolerances, scales: &Scales) -> [Self; 4] {
        let [length, velocity] = [scales.length, scales.velocity()];
        [
            Self { what: "distance", found: found.distance, allowed: allowed.distance, unit: "m", scale: length },
            Self { what: "angle", found: found.angle, allowed: allowed.angle, unit: "rad", scale: 1.0 },
            Self {
                what: "relative velocity",
                found: found.velocity,
                allowed: allowed.velocity,
                unit: "m/s",
                scale: velocity,
            },
            Self {
                what: "relative angular velocity",
                found: found.angular_velocity,
                allowed: allowed.angular_velocity,
                unit: "rad/s",
                scale: scales.angular_velocity(),
            },
        ]
    }

    /// At most 1 where it is allowed.
    fn ratio(&self) -> f64 {
        self.found / self.allowed.max(SMALLEST * self.scale)
    }
}
