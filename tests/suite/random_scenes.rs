//! Heaps, rooms, slopes and walls at random: they run to their end, nothing sinks, and nothing gains energy.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;

use crate::support::started;

/// Scenes that are tried unless the environment variable `SCENES` says how many: 520 take two minutes.
const SCENES: u64 = 48;

/// Energy that may be gained, relative to the largest kinetic energy, over the tolerance.
const GAIN: f64 = 200.0;

/// Numbers between 0 and 1 (D. E. Knuth's MMIX generator).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.next()
    }

    fn one_of<const N: usize, T: Copy>(&mut self, choices: [T; N]) -> T {
        choices[(self.next() * N as f64) as usize]
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        [0; 3].map(|_| self.within(-size, size))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Room,
    Heap,
    Slope,
    Wall,
}

struct Scene {
    text: String,
    place: Place,
    tolerance: f64,
}

fn fixed(text: &mut String, name: &str, r: [f64; 3], lengths: [f64; 3], tilt: f64) {
    let solid = format!("shape = \"box\", lengths = {lengths:?}, material = \"M\", massless = true, collides = true");
    writeln!(text, "[objects.{name}]\nfixed = true\nr = {r:?}\nrotation = [0, {tilt:?}, 0]\nsolid = {{ {solid} }}")
        .unwrap();
}

/// A shape as text, and the radius of a sphere around it \[m\].
fn shape(random: &mut Random, place: Place) -> (String, f64) {
    let size = random.within(0.04, 0.12);
    let long = random.within(0.05, 0.2);
    let brick = ("shape = \"box\", lengths = [0.24, 0.115, 0.071]".to_owned(), 0.14);
    let others = [
        (format!("shape = \"box\", lengths = {:?}", [2.0 * size; 3]), 1.75 * size),
        (format!("shape = \"cylinder\", diameter = {:?}, length = {long:?}", 2.0 * size), size.hypot(long / 2.0)),
        (format!("shape = \"sphere\", diameter = {:?}", 2.0 * size), size),
        (format!("shape = \"capsule\", diameter = {size:?}, length = {long:?}"), size + long / 2.0),
    ];
    let k = (random.next() * 5.0) as usize;
    if place == Place::Wall || k == 4 { brick } else { others[k].clone() }
}

fn scene(seed: u64) -> Scene {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..8 {
        random.next();
    }
    let place = random.one_of([Place::Room, Place::Heap, Place::Slope, Place::Wall]);
    let [modulus, tolerance] = [(7.0, 9.0), (-6.0, -4.0)].map(|(least, most)| 10_f64.powf(random.within(least, most)));
    let (cor, mu) = (random.one_of([0.0, 0.3, 0.7]), random.one_of([0.0, 0.3, 0.6]));
    let stiction = mu > 0.0 && random.next() < 0.3;
    let mut text = format!(
        "name = \"Scene\"\ngravity = [0, 0, -9.81]\n[materials]\nM = {{ density = 1500, youngs_modulus = {modulus:?}, \
         poissons_ratio = 0.3 }}\n[[material_pairs]]\nmaterials = [\"M\", \"M\"]\ncor = {cor:?}\nmu_k = {mu:?}\nstiction = {stiction}\n"
    );
    let tilt = if place == Place::Slope { random.within(0.05, 0.5) } else { 0.0 };
    fixed(&mut text, "floor", [0.0, 0.0, -0.2], [6.0, 6.0, 0.4], tilt);
    if place == Place::Room {
        for (k, [x, y]) in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].into_iter().enumerate() {
            let lengths = if x == 0.0 { [2.0, 0.2, 1.4] } else { [0.2, 2.0, 1.4] };
            fixed(&mut text, &format!("side{k}"), [0.75 * x, 0.75 * y, 0.7], lengths, 0.0);
        }
    }
    let mut z = 0.02 + tilt;
    for k in 0..(2.0 + 7.0 * random.next()) as usize {
        let (shape, radius) = shape(&mut random, place);
        let turned = if random.next() < 0.6 { random.vector(3.0) } else { [0.0; 3] };
        let side = random.vector(0.3);
        let (r, rotation, v, w) = match place {
            Place::Wall => {
                let r = [0.1 * side[0], 0.06 * side[1], 0.0355 + 0.071 * k as f64];
                (r, [0.0, 0.0, random.one_of([0.0, 0.0, 0.2])], [0.0; 3], [0.0; 3])
            }
            Place::Room => ([side[0], side[1], z + radius], turned, random.vector(2.0), random.vector(5.0)),
            Place::Heap => ([side[0], side[1], z + radius], turned, [0.0, 0.0, -random.next()], random.vector(5.0)),
            Place::Slope => ([side[0], side[1], z + radius], turned, [0.0; 3], [0.0; 3]),
        };
        z += 2.0 * radius + 0.01;
        writeln!(
            text,
            "[objects.b{k}]\nfree = {{ v = {v:?}, w = {w:?} }}\nr = {r:?}\nrotation = {rotation:?}\nsolid = {{ {shape}, material = \
             \"M\", collides = true }}"
        )
        .unwrap();
    }
    if place == Place::Wall {
        let shot = "shape = \"sphere\", diameter = 0.1, material = \"M\", collides = true";
        let (speed, z) = (random.within(2.0, 8.0), random.within(0.1, 0.15));
        writeln!(
            text,
            "[objects.shot]\nfree = {{ v = [{speed:?}, 0, 0] }}\nr = [-0.6, 0.01, {z:?}]\nsolid = {{ {shot} }}"
        )
        .unwrap();
    }
    Scene { text, place, tolerance }
}

#[test]
fn scenes_at_random_run_to_their_end_and_gain_no_energy() {
    run_all(|_| "");
}

/// The same with impacts of rigid bodies.
#[test]
fn scenes_of_rigid_bodies_at_random_run_to_their_end_and_gain_no_energy() {
    run_all(|seed| match seed % 2 {
        0 => "contact = { law = \"rigid\", impacts = \"simultaneous\" }\n",
        _ => "contact = { law = \"rigid\", impacts = \"sequential\" }\n",
    });
}

/// The same with contact hinges.
#[test]
fn scenes_on_hinges_at_random_run_to_their_end_and_gain_no_energy() {
    run_all(|_| "contact = { law = \"rigid\", resting = \"hinges\" }\n");
}

/// Balls and boxes with much friction that fall on each other.
fn rough_heap(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = "contact = { law = \"rigid\", resting = \"hinges\" }\nname = \"Rough\"\ngravity = [0, 0, -9.81]\n\
        [materials]\nM = { density = 700, youngs_modulus = 1e10, poissons_ratio = 0.3 }\n\
        [[material_pairs]]\nmaterials = [\"M\", \"M\"]\ncor = 0.5\nmu_k = 1.0\n"
        .to_owned();
    fixed(&mut text, "floor", [0.0, 0.0, -0.05], [6.0, 6.0, 0.1], 0.0);
    let bodies = 5 + (4.0 * random.next()) as u32;
    for k in 0..bodies {
        let is_ball = random.next() < 0.6;
        let [x, y, z] = [k % 2, k / 2 % 2, k / 4].map(f64::from);
        let r = [0.15 * x + random.within(-0.01, 0.01), 0.15 * y + random.within(-0.01, 0.01), 0.08 + 0.15 * z];
        let turn = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), 0.0];
        let shape =
            if is_ball { "shape = \"sphere\", diameter = 0.1" } else { "shape = \"box\", lengths = [0.1, 0.08, 0.06]" };
        writeln!(
            text,
            "[objects.b{k}]\nfree = true\nr = {r:?}\nrotation = {turn:?}\n\
             solid = {{ {shape}, material = \"M\", collides = true }}"
        )
        .unwrap();
    }
    text
}

/// Where bodies almost jam, errors of rounding are not made velocities: heaps that have gained a percent of their
/// energy at one instant, and others.
#[test]
fn rough_heaps_that_almost_jam_gain_no_energy() {
    let heaps = [(72, 1e-5), (78, 1e-5), (78, 1e-4), (234, 1e-4), (3, 1e-5), (4, 1e-5)];
    for (seed, tolerance) in heaps {
        let text = rough_heap(seed);
        let (interface, mut session) = started(&text, Some(tolerance));
        let total = interface.find("energy.total").unwrap();
        let first = session.get(total).unwrap();
        let mut least = first;
        for k in 0..=70 {
            session.do_step(0.01 * f64::from(k)).unwrap();
            let energy = session.get(total).unwrap();
            let gain = (energy - least) / first;
            assert!(
                gain < 3.0 * tolerance,
                "heap {seed} at {tolerance:e}: {gain:e} at {} s\n{text}",
                0.01 * f64::from(k)
            );
            least = least.min(energy);
        }
        assert!(least < 0.8 * first, "heap {seed} has not fallen");
    }
}

/// Runs all scenes with a first line that follows from the number of the scene.
fn run_all(law: impl Fn(u64) -> &'static str) {
    let scenes = std::env::var("SCENES").map_or(SCENES, |text| text.parse().unwrap());
    for seed in 0..scenes {
        let Scene { text, place, tolerance } = scene(seed);
        let text = format!("{}{text}", law(seed));
        let (interface, mut session) = started(&text, Some(tolerance));
        let [total, kinetic] = ["energy.total", "energy.kinetic"].map(|name| interface.find(name).unwrap());
        let (mut least, mut gain, mut largest) = (f64::INFINITY, 0.0_f64, 1e-9_f64);
        for k in 0..=50 {
            let what = |error| panic!("{place:?} {seed} at {tolerance:e}: {error}\n{text}");
            session.do_step(0.01 * f64::from(k)).unwrap_or_else(what);
            let energy = session.get(total).unwrap();
            least = least.min(energy);
            gain = gain.max(energy - least);
            largest = largest.max(session.get(kinetic).unwrap());
        }
        assert!(
            gain <= GAIN * tolerance * largest,
            "{place:?} {seed}: {gain:e} J of {largest} J at {tolerance:e}\n{text}"
        );
    }
}
