//! Conservative advancement against known times of impact.

use super::*;

fn search(end: f64, speed_bound: f64) -> Search {
    Search { start: 0.0, end, tolerance: 1e-9, speed_bound }
}

#[test]
fn a_falling_sphere_reaches_the_ground_in_time() {
    let (ball, ground) = (sharp(&Shape::Sphere { diameter: 0.2 }), ConvexShape::half_space(Axis::Z));
    let fall = |t: f64| at(0.0, 0.0, 1.1 - 0.5 * 9.81 * t * t);
    let expected = (2.0 / 9.81_f64).sqrt();
    let found = time_of_impact(&ball, fall, &ground, |_| Pose::identity(), &search(1.0, 9.81));
    assert!(matches!(found, MeetingTime::At(t) if t <= expected && expected - t < 1e-9), "{found:?} {expected}");
}

#[test]
fn a_bullet_does_not_pass_through_a_thin_wall() {
    let bullet = sharp(&Shape::Capsule { axis: Axis::X, diameter: 0.01, length: 0.02 });
    let wall = sharp(&Shape::Box { lengths: [1e-3, 2.0, 2.0] });
    let fly = |t: f64| at(-500.0 + 1000.0 * t, 0.3, 0.1);
    let expected = (500.0 - 0.5e-3 - 0.015) / 1000.0;
    let found = time_of_impact(&bullet, fly, &wall, |_| Pose::identity(), &search(1.0, 1000.0));
    assert!(matches!(found, MeetingTime::At(t) if (t - expected).abs() < 1e-11), "{found:?} {expected}");
}

#[test]
fn a_spinning_blade_meets_a_post() {
    let blade = sharp(&Shape::Box { lengths: [2.0, 0.02, 0.02] });
    let post = sharp(&Shape::Cylinder { axis: Axis::Z, diameter: 0.1, length: 1.0, inner_diameter: 0.0 });
    let spin = |t: f64| Pose::new(rotation_about(&Vec3::z(), 10.0 * t), Vec3::zeros());
    // The flat side y = 0.01 of the blade touches the post where the post's axis is 0.06 above the blade's middle line.
    let expected = (std::f64::consts::FRAC_PI_2 - (0.06_f64 / 0.8).asin()) / 10.0;
    let bound = approach_speed(0.0, 10.0, &blade, 0.0, &post);
    let found = time_of_impact(&blade, spin, &post, |_| at(0.0, 0.8, 0.0), &search(1.0, bound));
    assert!(matches!(found, MeetingTime::At(t) if (t - expected).abs() < 1e-8), "{found:?} {expected}");
}

#[test]
fn bodies_that_pass_each_other_never_meet() {
    let ball = sharp(&Shape::Sphere { diameter: 0.2 });
    let fly = |t: f64| at(-1.0 + 2.0 * t, 0.201, 0.0);
    assert_eq!(time_of_impact(&ball, fly, &ball, |_| Pose::identity(), &search(1.0, 2.0)), MeetingTime::Never);
    assert_eq!(
        time_of_impact(&ball, |_| at(1.0, 0.0, 0.0), &ball, |_| Pose::identity(), &search(1.0, 0.0)),
        MeetingTime::Never
    );
}

#[test]
fn bodies_that_meet_at_the_start_are_found_there() {
    let ball = sharp(&Shape::Sphere { diameter: 0.2 });
    let found = time_of_impact(&ball, |_| at(0.1, 0.0, 0.0), &ball, |_| Pose::identity(), &search(1.0, 0.0));
    assert_eq!(found, MeetingTime::At(0.0));
}

#[test]
fn a_search_that_would_take_for_ever_says_how_far_it_came() {
    let ball = sharp(&Shape::Sphere { diameter: 0.2 });
    let graze = |_: f64| at(0.0, 0.2 + 2e-9, 0.0);
    let found = time_of_impact(&ball, graze, &ball, |_| Pose::identity(), &search(1.0, 1.0));
    assert!(matches!(found, MeetingTime::Unresolved(t) if t > 0.0 && t < 1.0), "{found:?}");
}
