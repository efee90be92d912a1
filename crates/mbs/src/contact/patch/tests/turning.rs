//! Round bodies against boxes and each other, in any pose.

use super::*;

/// A generator of numbers from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn rotation(&mut self) -> Mat3 {
        rotation_about(&self.vector().normalize(), PI * self.next())
    }

    fn cone(&mut self) -> ConvexShape {
        let (diameter, length) = (0.06 + 0.02 * self.next(), 0.06 + 0.03 * self.next());
        let top_diameter = if self.next() > 0.0 { diameter } else { 0.5 * diameter };
        ConvexShape::new(&Shape::Cone { axis: Axis::Z, diameter, top_diameter, length }, 0.0).unwrap()
    }

    fn cuboid(&mut self) -> ConvexShape {
        cuboid([0.06 + 0.02 * self.next(), 0.05 + 0.02 * self.next(), 0.04 + 0.02 * self.next()])
    }
}

/// Two shapes and a pose of the second one in which its distance from the first one, along a random line, is the given
/// one \[m\].
fn scene(seed: u64, away: f64) -> (ConvexShape, ConvexShape, Pose) {
    let mut random = Random(seed * 7919 + 1);
    let a = random.cone();
    let b = if seed.is_multiple_of(2) { random.cuboid() } else { random.cone() };
    let (rotation, direction) = (random.rotation(), random.vector().normalize());
    let at = |s: f64| Pose { rotation, translation: s * direction };
    let distance = |s: f64| distance(a.sharp(), &Pose::IDENTITY, b.sharp(), &at(s), &mut PairCache::default()).distance;
    let (mut near, mut far) = (0.0, 0.5);
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        (near, far) = if distance(middle) > away { (near, middle) } else { (middle, far) };
    }
    let pose = at(near);
    (a, b, pose)
}

fn press(a: &ConvexShape, x_a: Pose, b: &ConvexShape, x_b: Pose) -> Patch {
    let fields = [MODULUS; 2];
    let (mut cache, mut directions) = (PairCache::default(), Directions::default());
    let [on_a, on_b] = patch_bodies([(a, x_a), (b, x_b)], fields, &mut cache, &mut directions).unwrap();
    patch(&on_a, &on_b)
}

#[test]
fn no_torque_acts_about_the_axis_of_a_round_body() {
    for seed in 0..200 {
        for depth in [1e-6, 1e-4, 1e-3] {
            let (a, b, x_b) = scene(seed, -depth);
            let at = press(&a, Pose::IDENTITY, &b, x_b);
            let f = at.elastic_force().norm();
            assert!(f > 0.0, "{seed} {depth}");
            // Damping takes a part of the force along the normal.
            let damped = PatchMotion::from(Twist { v: 0.3 * at.normal(), w: Vec3::zeros() });
            let dry = at.response(&law(1.0, 0.0), &damped);
            let wrenches = [elastic(&at, &at.origin()), (dry.f, dry.tau)];
            for (round, (f_b, tau)) in at.axes().into_iter().flatten().flat_map(|round| wrenches.map(|w| (round, w))) {
                let torque = (tau - round.through.cross(&f_b)).dot(&round.axis);
                assert!(torque.abs() < 1e-9 * f * round.radius, "{seed} {depth}: {:e}", torque / (f * round.radius));
            }
        }
    }
}

/// Polygons reach beyond their circles by half a percent of the radius.
#[test]
fn force_begins_where_the_distance_of_faces_ends() {
    for seed in 0..300 {
        let (a, b, x_b) = scene(seed, 1e-3);
        let away = x_b.translation.normalize();
        let at = |s: f64| Pose { translation: x_b.translation + s * away, ..x_b };
        let presses = |s: f64| press(&a, Pose::IDENTITY, &b, at(s)).elastic_force().norm() > 0.0;
        let (mut inside, mut outside) = (-0.05, 0.0);
        for _ in 0..50 {
            let middle = 0.5 * (inside + outside);
            (inside, outside) = if presses(middle) { (middle, outside) } else { (inside, middle) };
        }
        let (mut cache, mut directions) = (PairCache::default(), Directions::default());
        let mut gap = |s: f64| {
            let (x_a, x_b) = (Pose::IDENTITY, at(s));
            let bodies = patch_bodies([(&a, x_a), (&b, x_b)], [MODULUS; 2], &mut cache, &mut directions).unwrap();
            distance_of_faces([(&a, &x_a), (&b, &x_b)], &bodies, &mut PairCache::default()).distance
        };
        assert!(gap(outside + 1e-12) < 1e-11, "{seed}: {:e}", gap(outside + 1e-12));
        let (near, far) = (gap(outside + 1e-6), gap(outside + 2e-6));
        // The polygon turns a little on its way.
        assert!(0.0 < near && near < far && far < 2.2e-6, "{seed}: {near:e} {far:e}");
        let round = distance(a.sharp(), &Pose::IDENTITY, b.sharp(), &at(outside), &mut PairCache::default()).distance;
        assert!((-1e-12..0.0049 * 2.0 * 0.04).contains(&round), "{seed}: {round:e}");
    }
}

#[test]
fn next_to_a_half_space_the_distance_is_that_to_a_plane_wherever_the_body_is() {
    let cylinder =
        ConvexShape::new(&Shape::Cylinder { axis: Axis::Y, diameter: 0.6, inner_diameter: 0.0, length: 0.2 }, 0.0);
    let (ground, block, cylinder) = (ConvexShape::half_space(Axis::Z), cuboid([20.0, 20.0, 1.0]), cylinder.unwrap());
    let x_block = Pose { rotation: Mat3::identity(), translation: Vec3::new(0.0, 0.0, -0.5) };
    for k in 0..200 {
        let k = f64::from(k);
        let tilt = if k % 2.0 < 1.0 { 0.0 } else { (0.7 * k).sin() };
        let rotation = rotation_about(&Vec3::x(), tilt) * rotation_about(&Vec3::y(), 0.37 * k);
        let at = |z: f64| Pose { rotation, translation: Vec3::new(6.0 * (0.9 * k).sin(), 4.0 * k.cos(), z) };
        let above = distance(&ground, &Pose::IDENTITY, &cylinder, &at(1.0), &mut PairCache::default()).distance;
        let x_b = at(1.0 - above + 1e-6 * (1.0 + k));
        let gap = |other: (&ConvexShape, Pose)| {
            let (mut cache, mut directions) = (PairCache::default(), Directions::default());
            let bodies = patch_bodies([other, (&cylinder, x_b)], [MODULUS; 2], &mut cache, &mut directions).unwrap();
            distance_of_faces([(other.0, &other.1), (&cylinder, &x_b)], &bodies, &mut PairCache::default())
        };
        let (on_ground, on_block) = (gap((&ground, Pose::IDENTITY)), gap((&block, x_block)));
        let difference = (on_ground.distance - on_block.distance).abs();
        assert!(difference < 1e-12 && on_ground.distance < 1e-3, "{k}: {} {}", on_ground.distance, on_block.distance);
        assert!((on_ground.normal - Vec3::z()).norm() < 1e-12);
    }
}

#[test]
fn no_work_is_done_round_a_closed_motion_of_round_bodies() {
    let mut all = Vec::new();
    for seed in 0..24 {
        let (a, b, x_b) = scene(seed, -1e-3);
        let steps = 1000;
        let (mut work, mut gross, mut before) = (0.0, 0.0, None);
        for k in 0..=steps {
            let s = 2.0 * PI * f64::from(k) / f64::from(steps);
            let shift = 0.0007 * Vec3::new(s.sin(), s.cos() - 1.0, (2.0 * s).sin());
            let shift_rate = 0.0007 * Vec3::new(s.cos(), -s.sin(), 2.0 * (2.0 * s).cos());
            let (axis, angle) = (Vec3::new(0.6, 0.0, 0.8), 0.05 * s.sin());
            let rotation = rotation_about(&axis, angle) * x_b.rotation;
            let translation = x_b.translation + shift;
            let at = press(&a, Pose::IDENTITY, &b, Pose { rotation, translation });
            let (f, tau) = elastic(&at, &translation);
            let power = f.dot(&shift_rate) + tau.dot(&axis) * 0.05 * s.cos();
            if let Some(last) = before {
                let part: f64 = 0.5 * (power + last) * 2.0 * PI / f64::from(steps);
                work += part;
                gross += part.abs();
            }
            before = Some(power);
        }
        assert!(gross > 0.0);
        let part = (work / gross).abs();
        all.push(part);
    }
    all.sort_by(f64::total_cmp);
    assert!(all[12] < 1e-8 && all[23] < 2e-5, "{all:?}");
}

#[test]
fn derivatives_of_round_bodies_in_any_pose_equal_differences() {
    for seed in 0..60 {
        let (a, b, x_b) = scene(seed, -3e-4);
        let base = press(&a, Pose::IDENTITY, &b, x_b);
        let (origin, slopes) = (base.origin(), base.slopes(&law(0.0, 0.0), &STILL));
        let stiffness = slopes.by_pose[1].f[1].norm();
        for (side, k) in (0..2).flat_map(|side| (0..6).map(move |k| (side, k))) {
            let mut unit = Vec3::zeros();
            unit[k % 3] = 1.0;
            let is_turn = k < 3;
            let moved = |h: f64| {
                let (turn, shift) =
                    if is_turn { (rotation_about(&unit, h), Vec3::zeros()) } else { (Mat3::identity(), unit * h) };
                let place = |at: Pose| Pose {
                    rotation: turn * at.rotation,
                    translation: origin + turn * (at.translation - origin) + shift,
                };
                let at = match side {
                    0 => press(&a, place(Pose::IDENTITY), &b, x_b),
                    _ => press(&a, Pose::IDENTITY, &b, place(x_b)),
                };
                elastic(&at, &origin)
            };
            let h = 1e-8;
            let (up, down) = (moved(h), moved(-h));
            let (f, tau) = ((up.0 - down.0) / (2.0 * h), (up.1 - down.1) / (2.0 * h));
            let (block, column, by) = (&slopes.by_pose[side], k % 3, usize::from(!is_turn));
            let scale = stiffness * if is_turn { 0.03 } else { 1.0 };
            let error = (block.f[by].column(column) - f).norm().max((block.tau[by].column(column) - tau).norm() / 0.03);
            assert!(error < 2e-3 * scale, "scene {seed}, {side} {k}: {:e}", error / scale);
        }
    }
}

#[test]
fn derivatives_of_damping_and_friction_of_round_bodies_equal_differences() {
    for seed in 0..60 {
        let (a, b, x_b) = scene(seed, -3e-4);
        let (at, law) = (press(&a, Pose::IDENTITY, &b, x_b), law(20.0, 0.3));
        let motion = |w: Vec3, v: Vec3| {
            let mut motion = PatchMotion::from(Twist { v, w });
            for ((round, rates), sign) in at.axes().into_iter().zip(at.rates_of_surfaces()).zip([-1.0, 1.0]) {
                if let (Some(round), Some([_, [by_rotation, by_shift]])) = (round, rates) {
                    let turn = sign * (by_rotation.dot(&w) + by_shift.dot(&v)) * round.axis;
                    motion.surface.w += turn;
                    motion.surface.v -= turn.cross(&round.through);
                }
            }
            motion
        };
        let start = [Vec3::new(0.01, 0.02, -0.01), -0.01 * at.normal() + Vec3::new(0.003, -0.002, 0.001)];
        let slopes = at.slopes(&law, &motion(start[0], start[1])).by_velocity[1];
        let scale = slopes.f[1].norm();
        for (by, column) in (0..2).flat_map(|by| (0..3).map(move |column| (by, column))) {
            let h = 1e-7;
            let moved = |h: f64| {
                let mut twist = start;
                twist[by][column] += h;
                at.response(&law, &motion(twist[0], twist[1]))
            };
            let (up, down) = (moved(h), moved(-h));
            let (f, tau) = ((up.f - down.f) / (2.0 * h), (up.tau - down.tau) / (2.0 * h));
            let error = (slopes.f[by].column(column) - f).norm() + (slopes.tau[by].column(column) - tau).norm() / 0.03;
            assert!(error < 1e-7 * scale, "scene {seed}, {by} {column}: {:e}", error / scale);
        }
    }
}
