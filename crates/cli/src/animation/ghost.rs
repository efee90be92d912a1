//! A second run beside the first, as translucent bodies.

use mbs_present::view::{AnimatedBody, Animation, Layer, Pose, Poses};

/// Opacity of ghosts.
const OPACITY: f32 = 0.3;

/// Adds the bodies of `other` that move or come and go to `animation`, at the times of this one; before its first and
/// after its last frame they stay where they are. Those of a run that ended early vanish after its last frame.
pub fn add_ghosts(animation: &mut Animation, other: Animation, is_complete: bool) {
    let Animation { times, bodies, .. } = other;
    let moving = bodies.into_iter().filter(|body| matches!(body.poses, Poses::Moving(_)) || body.exists.is_some());
    let places: Vec<(usize, f64)> = animation.times.iter().map(|t| place(&times, *t)).collect();
    let end = times.last().filter(|_| !is_complete);
    let lasts: Vec<bool> = animation.times.iter().map(|t| end.is_none_or(|end| t <= end)).collect();
    animation.bodies.extend(moving.map(|body| ghost(body, &places, &lasts)));
}

/// The frame before a time, and the fraction of the time to the next one.
fn place(times: &[f64], t: f64) -> (usize, f64) {
    let before = times.partition_point(|time| *time <= t).saturating_sub(1);
    let fraction = times.get(before + 1).map_or(0.0, |next| (t - times[before]) / (next - times[before]));
    (before, fraction.clamp(0.0, 1.0))
}

fn ghost(mut body: AnimatedBody, places: &[(usize, f64)], lasts: &[bool]) -> AnimatedBody {
    body.name = format!("ghost of {}", body.name);
    body.shapes.retain(|shape| shape.layer == Layer::Picture);
    for shape in &mut body.shapes {
        shape.color[3] *= OPACITY;
    }
    if let Poses::Moving(poses) = &body.poses {
        let at = |(before, fraction): &(usize, f64)| match poses.get(before + 1) {
            Some(next) if *fraction > 0.0 => between(&poses[*before], next, *fraction),
            _ => poses[*before],
        };
        body.poses = Poses::Moving(places.iter().map(at).collect());
    }
    let own = |k: usize| body.exists.as_ref().is_none_or(|exists| exists[places[k].0]);
    let exists: Vec<bool> = lasts.iter().enumerate().map(|(k, lasts)| *lasts && own(k)).collect();
    body.exists = (body.exists.is_some() || exists.contains(&false)).then_some(exists);
    body
}

/// A pose on the way between two that are close to each other.
fn between(a: &Pose, b: &Pose, fraction: f64) -> Pose {
    let mix = |a: f64, b: f64| a + fraction * (b - a);
    let q: [f64; 4] = std::array::from_fn(|k| mix(a.q[k], b.q[k]));
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm == 0.0 {
        return *a;
    }
    Pose { p: std::array::from_fn(|k| mix(a.p[k], b.p[k])), q: q.map(|x| x / norm) }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;
    use mbs_present::view::{AnimatedShape, Axis, Details, Geometry};

    fn animation(times: &[f64], places: &[f64]) -> Animation {
        let shape = AnimatedShape {
            name: "s".into(),
            pose: Pose::IDENTITY,
            color: [1.0; 4],
            geometry: Geometry::Sphere { diameter: 1.0 },
            layer: Layer::Picture,
        };
        let poses = places.iter().map(|x| Pose { p: [*x, 0.0, 0.0], ..Pose::IDENTITY }).collect();
        let body =
            |name: &str, poses| AnimatedBody { name: name.into(), poses, exists: None, shapes: vec![shape.clone()] };
        let bodies = vec![body("table", Poses::Static(Pose::IDENTITY)), body("ball", Poses::Moving(poses))];
        Animation {
            title: "t".into(),
            up: Axis::Z,
            times: times.to_vec(),
            bodies,
            details: Details::default(),
            chapters: Vec::new(),
        }
    }

    #[test]
    fn ghosts_follow_the_times_of_the_first_run() {
        let mut first = animation(&[0.0, 0.5, 1.0, 1.0, 2.0], &[0.0; 5]);
        add_ghosts(&mut first, animation(&[0.0, 1.0, 1.0, 1.5], &[0.0, 4.0, 8.0, 10.0]), true);
        assert_eq!(first.bodies.len(), 3, "the table is no ghost");
        let ghost = &first.bodies[2];
        assert_eq!(ghost.name, "ghost of ball");
        assert_eq!(ghost.shapes[0].color[3], OPACITY);
        let Poses::Moving(poses) = &ghost.poses else { panic!("the ghost stands still") };
        let places: Vec<f64> = poses.iter().map(|pose| pose.p[0]).collect();
        assert_eq!(places, [0.0, 2.0, 8.0, 8.0, 10.0]);
        assert_eq!(ghost.exists, None);
        assert!(mbs_present::view::render_html(&first).is_ok());
    }

    #[test]
    fn ghosts_of_a_run_that_ended_early_vanish_at_its_end() {
        let mut first = animation(&[0.0, 0.5, 1.0, 1.5, 2.0], &[0.0; 5]);
        add_ghosts(&mut first, animation(&[0.0, 1.0], &[0.0, 4.0]), false);
        assert_eq!(first.bodies[2].exists, Some(vec![true, true, true, false, false]));
        assert!(mbs_present::view::render_html(&first).is_ok());
    }
}
