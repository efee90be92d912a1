use super::impact::{exact_restitution, step};
use super::*;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 1e-3;

/// A bounce: time and duration of the contact, and speeds before and after it.
struct Bounce {
    t: f64,
    duration: f64,
    before: f64,
    after: f64,
}

/// Bounces of a steel ball (radius 0.1 m, 1 g) that falls from 1 m: free flights in closed form, contacts integrated.
/// Also returns height and velocity at the time `stop`.
fn bounces(law: impl Fn(f64) -> ContactConstants, stop: f64) -> (Vec<Bounce>, [f64; 2]) {
    let (mut t, mut y, mut bounces) = (0.0, [1.0f64, 0.0f64], Vec::new());
    loop {
        let flight = (y[1] + (y[1] * y[1] + 2.0 * GRAVITY * y[0]).sqrt()) / GRAVITY;
        if t + flight > stop {
            let rest = stop - t;
            return (bounces, [y[0] + (y[1] - GRAVITY / 2.0 * rest) * rest, y[1] - GRAVITY * rest]);
        }
        t += flight;
        let before = GRAVITY * flight - y[1];
        let (duration, after) = contact(&law(before), before);
        bounces.push(Bounce { t, duration, before, after });
        t += duration;
        y = [0.0, after];
    }
}

/// Duration of a contact and speed after it.
fn contact(law: &ContactConstants, speed: f64) -> (f64, f64) {
    let (mut t, mut y, h) = (0.0, [0.0, -speed], 5e-9);
    loop {
        let next = step(law, MASS, GRAVITY, y, h);
        if next[0] >= 0.0 {
            // The last step: its length by regula falsi.
            let (mut low, mut high, mut at) = (0.0, h, next);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                at = step(law, MASS, GRAVITY, y, middle);
                if at[0] >= 0.0 { high = middle } else { low = middle }
            }
            return (t + high, at[1]);
        }
        (t, y) = (t + h, next);
    }
}

#[test]
fn a_bouncing_ball_hits_the_ground_at_the_known_times() {
    let law = steel_on_steel(MaterialPair::new(0.7, 0.5, 0.001));
    let (bounces, [s, v]) = bounces(|speed| law.freeze(speed), 2.2);
    let known = [0.45152, 1.06848, 1.48997, 1.77792, 1.97465, 2.10905];
    assert_eq!(bounces.len(), known.len());
    for (bounce, t) in bounces.iter().zip(known) {
        assert!((bounce.t - t).abs() < 5e-6, "{} s, not {t} s", bounce.t);
        assert!((8.6e-6 - 1e-7..12.6e-6 + 1e-7).contains(&bounce.duration), "{} s", bounce.duration);
        let restitution = bounce.after / bounce.before;
        assert_close(restitution, exact_restitution(law.damping(bounce.before) * bounce.before), 1e-4);
    }
    // The known state is that of an integration with finite tolerance.
    assert!((v + 0.44180).abs() < 2e-5 && (s - 3.869e-4).abs() < 2e-6, "{s} m, {v} m/s");
}

#[test]
fn bounce_times_are_those_of_the_unregularised_law_too() {
    // At 0.6 m/s and more, 60 times v_min, regularisation of velocity and restitution changes nothing.
    let law = steel_on_steel(MaterialPair::new(0.7, 0.5, 0.001));
    let plain = |speed: f64| ContactConstants { d: 8.0 * 0.3 / (5.0 * 0.7 * speed), ..law.freeze(speed) };
    let (a, b) = (bounces(|speed| law.freeze(speed), 2.2).0, bounces(plain, 2.2).0);
    assert!(a.iter().zip(&b).all(|(a, b)| (a.t - b.t).abs() < 1e-12));
}

#[test]
fn bouncing_comes_to_an_end() {
    // The last bounces: restitution falls with the speed, so that their number stays small.
    let law = steel_on_steel(MaterialPair::new(0.7, 0.5, 0.001));
    let (mut speed, mut num) = (0.6, 0);
    while speed > 1e-3 && num < 100 {
        speed *= exact_restitution(law.damping(speed) * speed);
        num += 1;
    }
    assert!(num < 25, "{num} bounces, then {speed} m/s");
}
