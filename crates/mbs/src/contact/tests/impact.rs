use super::*;
use crate::math::Vec3;

/// Outcome of an impact of a point mass.
pub(super) struct Impact {
    /// Speed afterwards over speed before.
    pub restitution: f64,
    pub duration: f64,
    pub peak_force: f64,
    /// Largest increase of kinetic and stored elastic energy within a step, relative to the initial energy.
    pub gained: f64,
}

/// Position along the normal (= signed distance) and velocity.
pub(super) type Motion = [f64; 2];

/// One step of the classical Runge-Kutta method for a mass above a contact, pulled down by `gravity`.
pub(super) fn step(law: &ContactConstants, mass: f64, gravity: f64, y: Motion, h: f64) -> Motion {
    let rate = |[s, v]: Motion| {
        let state = ContactState::from_motion(Vec3::z(), s, Vec3::z() * v, Vec3::zeros());
        [v, law.response(&state).f_n / mass - gravity]
    };
    let plus = |[s, v]: Motion, [ds, dv]: Motion, h: f64| [s + h * ds, v + h * dv];
    let a = rate(y);
    let b = rate(plus(y, a, h / 2.0));
    let c = rate(plus(y, b, h / 2.0));
    let d = rate(plus(y, c, h));
    let mean = |k: usize| (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]) / 6.0;
    plus(y, [mean(0), mean(1)], h)
}

/// Kinetic and stored elastic energy.
fn energy(law: &ContactConstants, mass: f64, [s, v]: Motion) -> f64 {
    mass * v * v / 2.0 + law.stiffness / (law.n_geo + 1.0) * (-s).max(0.0).powf(law.n_geo + 1.0)
}

/// Lets a mass hit with the given speed, in about 2000 steps.
fn impact(law: &ContactConstants, mass: f64, speed: f64) -> Impact {
    let h = hertz_duration(law, mass, speed) / 2000.0;
    let before = energy(law, mass, [0.0, -speed]);
    let (mut y, mut result) = ([0.0, -speed], Impact { restitution: 0.0, duration: 0.0, peak_force: 0.0, gained: 0.0 });
    loop {
        let next = step(law, mass, 0.0, y, h);
        let gained = (energy(law, mass, next) - energy(law, mass, y)) / before;
        result.gained = result.gained.max(gained);
        if next[0] >= 0.0 {
            result.duration += h * y[0] / (y[0] - next[0]);
            result.restitution = next[1] / speed;
            return result;
        }
        result.peak_force = result.peak_force.max(mass * (next[1] - y[1]) / h);
        result.duration += h;
        y = next;
    }
}

/// Johnson, "Contact Mechanics" (1985), eq. 11.24, from the modulus and the radius.
fn hertz_duration(law: &ContactConstants, mass: f64, speed: f64) -> f64 {
    2.87 * (mass * mass / (law.mu_geo * law.c_res.powi(2) * speed)).powf(0.2)
}

/// Effective restitution `e` of `f = k delta^n (1 + d delta_dot)` in closed form: with `x = d v`, loading and unloading
/// store the same elastic energy, so `x - ln(1 + x) = -e x - ln(1 - e x)`. It does not depend on mass, stiffness and
/// `n`.
pub(super) fn exact_restitution(x: f64) -> f64 {
    let stored = x - x.ln_1p();
    let (mut low, mut high) = (0.0, 1.0f64.min((1.0 - 1e-15) / x));
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if -middle * x - (-middle * x).ln_1p() > stored { high = middle } else { low = middle }
    }
    low
}

#[test]
fn effective_restitution_is_that_of_the_reference_and_of_the_closed_form() {
    let known = [(0.98, 0.979), (0.9, 0.894), (0.8, 0.789), (0.7, 0.683), (0.5, 0.470), (0.3, 0.256)];
    for (cor, effective) in known {
        for (mass, speed) in [(1e-3, 0.7), (0.2, 4.0)] {
            let law = steel_on_steel(MaterialPair::new(cor, 0.0, 0.0)).freeze(speed);
            let impact = impact(&law, mass, speed);
            assert!((impact.restitution - effective).abs() < 6e-4, "{cor}: {}", impact.restitution);
            assert_close(impact.restitution, exact_restitution(law.d * speed), 1e-6);
        }
    }
}

#[test]
fn restitution_grows_with_the_nominal_one_and_stays_below_it() {
    let mut last = 0.0;
    for k in 1..=10 {
        let cor = f64::from(k) / 10.0;
        let law = steel_on_steel(MaterialPair::new(cor, 0.0, 0.0)).freeze(2.0);
        let restitution = impact(&law, 0.05, 2.0).restitution;
        assert!(restitution > last && restitution <= cor + 1e-6, "{cor}: {restitution}");
        last = restitution;
    }
    assert_close(last, 1.0, 1e-6);
}

#[test]
fn slow_impacts_lose_almost_everything() {
    let law = steel_on_steel(MaterialPair::new(0.9, 0.0, 0.0));
    let restitution = |speed: f64| impact(&law.freeze(speed), 1e-3, speed).restitution;
    assert!((restitution(1.0) - 0.894).abs() < 1e-3);
    assert!(restitution(0.005) < restitution(0.02) && restitution(0.02) < restitution(1.0));
    // Without the limit d_max this were 0.001; d v is at most 1.
    assert_close(restitution(1e-3), exact_restitution(law.damping(1e-3) * 1e-3), 1e-5);
}

#[test]
fn elastic_impacts_last_and_push_as_hertz_says() {
    let (mass, speed, radius) = (0.17, 3.0, 0.03);
    let ball = Curvature::Round { radius };
    let pair = MaterialPair::new(1.0, 0.0, 0.0);
    let law = material(("BilliardBall", ball), ("Steel", Curvature::FLAT), pair, paper()).freeze(speed);
    assert!(law.d < 1e-12);
    let impact = impact(&law, mass, speed);
    let modulus = 1.0 / ((1.0 - 0.34f64.powi(2)) / 5.4e9 + 0.91 / 2.0e11);
    let duration = 2.87 * (mass.powi(2) / (radius * modulus.powi(2) * speed)).powf(0.2);
    assert_close(impact.duration / duration, 1.0, 1e-3);
    // Deepest penetration from the energy, then F = 4/3 E* sqrt(R) delta^1.5.
    let deepest = (15.0 * mass * speed.powi(2) / (16.0 * radius.sqrt() * modulus)).powf(0.4);
    let force = 4.0 / 3.0 * modulus * radius.sqrt() * deepest.powf(1.5);
    assert_close(impact.peak_force / force, 1.0, 1e-5);
    assert_close(impact.restitution, 1.0, 1e-9);
}

#[test]
fn impacts_never_create_energy() {
    for cor in [0.0, 0.1, 0.5, 0.9, 1.0] {
        for speed in [1e-3, 0.01, 0.3, 20.0] {
            let law = steel_on_steel(MaterialPair::new(cor, 0.0, 0.0)).freeze(speed);
            if law.d * speed > 5.0 {
                continue; // Takes very long to come back: see the next test.
            }
            let impact = impact(&law, 0.01, speed);
            assert!(impact.gained < 1e-8 && impact.restitution <= 1.0 + 1e-9, "{cor} {speed}: {}", impact.gained);
        }
    }
}

#[test]
fn plastic_impacts_creep_back_slowly() {
    let law = steel_on_steel(MaterialPair::new(0.0, 0.0, 0.0)).freeze(1.0);
    assert_eq!(law.d, 1000.0);
    // Rebound speed 1/d is where the force is cut off.
    assert!(exact_restitution(1000.0) <= 1e-3);
    let mut y = [0.0, -1.0];
    let h = hertz_duration(&law, 0.01, 1.0) / 20_000.0;
    for _ in 0..40_000 {
        let next = step(&law, 0.01, 0.0, y, h);
        assert!(energy(&law, 0.01, next) <= energy(&law, 0.01, y) + 1e-12, "{y:?}");
        y = next;
    }
    assert!(y[1] > 0.0 && y[1] <= 1e-3, "{y:?}");
}
