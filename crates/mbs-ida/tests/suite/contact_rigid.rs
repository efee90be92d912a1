//! Rigid contacts: impulses at located instants, against closed forms and conservation laws.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, assert_vector, error_message, four_bar, hard, momentum, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, ShapeBuilder, cuboid, object, prismatic, revolute, sphere, spherical,
};
use mbs::material::{ContactLaw, ImpactOrder, MaterialPair, Resting, Restitution};
use mbs::math::Vec3;

/// Density \[kg/m³\] of everything.
const RHO: f64 = 1000.0;

fn rigid(order: ImpactOrder, pair: MaterialPair) -> ModelBuilder {
    ModelBuilder::new("Rigid")
        .contact_law(ContactLaw::Rigid, order)
        .material(hard())
        .material_pair("Hard", "Hard", pair)
}

fn ball(name: &str, d: f64, r: [f64; 3], v: [f64; 3], w: [f64; 3]) -> ObjectBuilder {
    object(name).r(r).free_with(v, w).solid(sphere(d).material("Hard").collides())
}

fn floor() -> ObjectBuilder {
    let slab = cuboid([4.0, 4.0, 0.2]).material("Hard").massless().collides();
    object("floor").fixed().r([0.0, 0.0, -0.1]).solid(slab)
}

/// Energy that is there and that impacts have taken \[J\].
fn balance(run: &mut Run) -> f64 {
    run.value("energy.total") + run.value("energy.dissipated_by_impacts")
}

/// After the time of the last of n impacts, each bounce lasts `2 e^k v/g`.
#[test]
fn a_bouncing_ball_follows_the_closed_form() {
    let (g, h, e, r) = (10.0, 1.0, 0.8, 0.1);
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(e, 0.0, 0.0))
        .gravity([0.0, 0.0, -g])
        .object(floor())
        .object(ball("ball", 2.0 * r, [0.2, 0.1, h + r], [0.0; 3], [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-9);
    let energy = balance(&mut run);
    let (mut t, mut v) = ((2.0 * h / g).sqrt(), (2.0 * g * h).sqrt());
    for k in 1..=12 {
        v *= e;
        run.to(t + v / g);
        assert_near(run.value("ball.r_abs[3]") - r, v * v / (2.0 * g), 1e-8, &format!("height after impact {k}"));
        assert_near(run.value("ball.v_abs[3]"), 0.0, 1e-7, &format!("velocity at the top after impact {k}"));
        assert_near(run.value("impact_count"), f64::from(k), 0.1, "number of impacts");
        assert_near(run.value("contact.floor_ball.impacts"), f64::from(k), 0.1, "number of impacts of the pair");
        t += 2.0 * v / g;
    }
    assert_near(balance(&mut run) / energy, 1.0, 1e-8, "relative balance of energy");
}

/// What touches exactly at the start and approaches collides there: a ball sticks or slides as Coulomb says, a box comes
/// back flat.
#[test]
fn what_touches_at_the_start_collides_there() {
    let (cor, v) = (0.5, [1.0, 0.0, -2.0]);
    for resting in [Resting::Elastic, Resting::Hinges] {
        for mu in [0.0, 0.05, 0.3] {
            let scene = rigid(ImpactOrder::Simultaneous, MaterialPair::new(cor, mu, 0.0))
                .resting(resting)
                .gravity([0.0, 0.0, -10.0])
                .object(floor());
            let model = scene.object(ball("ball", 0.2, [0.0, 0.0, 0.1], v, [0.0; 3]));
            let mut run = start(&model.build().unwrap(), 1e-8);
            let energy_before = 0.5 * RHO * 4.0 / 3.0 * std::f64::consts::PI * 0.001 * 5.0;
            let along = f64::max(5.0 / 7.0 * v[0], v[0] - mu * (1.0 + cor) * -v[2]);
            let after = [along, 0.0, cor * -v[2]];
            let found: [f64; 3] = std::array::from_fn(|k| run.value(&format!("ball.v_abs[{}]", k + 1)));
            assert_vector(found.into(), after, 1e-12, "velocity at the start");
            assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
            let kinetic = run.value("energy.kinetic") + run.value("energy.dissipated_by_impacts");
            assert_near(kinetic / energy_before, 1.0, 1e-12, "relative balance of energy");
            run.to(0.1);
            assert_near(run.value("ball.v_abs[3]"), after[2] - 1.0, 1e-6, "velocity a little later");
        }
    }
    // Slides on while its corners stop.
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(0.0, 0.1, 0.0))
        .resting(Resting::Hinges)
        .gravity([0.0, 0.0, -10.0])
        .object(floor())
        .object(
            object("box")
                .r([0.0, 0.0, 0.05])
                .free_with(v, [0.0; 3])
                .solid(cuboid([0.4, 0.4, 0.1]).material("Hard").collides()),
        );
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(0.2);
    assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
    assert_near(run.value("box.v_abs[1]"), v[0] - 0.1 * 2.0 - 0.1 * 10.0 * 0.2, 1e-7, "velocity of the box");
    assert_near(run.value("box.r_abs[3]"), 0.05, 1e-9, "height of the box");
}

/// Below `v_min` it rests on the elastic law, and stays at rest.
#[test]
fn a_ball_that_has_bounced_out_rests_with_its_weight() {
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(0.4, 0.2, 0.0))
        .gravity([0.0, 0.0, -10.0])
        .object(floor())
        .object(ball("ball", 0.2, [0.0, 0.0, 0.3], [0.0; 3], [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-7);
    run.to(3.0);
    let impacts = run.value("impact_count");
    let weight = RHO * 4.0 / 3.0 * std::f64::consts::PI * 0.001 * 10.0;
    assert_near(run.value("contact.floor_ball.f_n") / weight, 1.0, 1e-5, "relative normal force");
    run.to(6.0);
    assert_near(run.value("impact_count"), impacts, 0.1, "impacts while it rests");
    assert!((4.0..9.0).contains(&impacts), "{impacts} impacts");
}

#[test]
fn an_oblique_impact_of_spinning_balls_keeps_momenta_and_slips_as_coulomb_says() {
    for (mu, restitution) in [(0.1, Restitution::Newton), (0.1, Restitution::Poisson), (2.0, Restitution::Newton)] {
        let pair = MaterialPair { restitution, ..MaterialPair::new(0.7, mu, 0.0) };
        let model = rigid(ImpactOrder::Simultaneous, pair)
            .object(ball("a", 0.2, [0.0; 3], [0.0; 3], [3.0, -2.0, 7.0]))
            .object(ball("b", 0.1, [0.5, 0.04, -0.03], [-2.0, 0.1, 0.0], [0.0, 20.0, 1.0]));
        let mut run = start(&model.build().unwrap(), 1e-9);
        let ((p, l), energy) = (momentum(&mut run), balance(&mut run));
        run.to(0.4);
        assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
        let (p_after, l_after) = momentum(&mut run);
        assert_vector(p_after, p.into(), 1e-13, "linear momentum");
        assert_vector(l_after, l.into(), 1e-9, "angular momentum");
        assert_near(balance(&mut run), energy, 1e-9 * energy, "balance of energy");
    }
}

/// Rods that hang together by ball joints, struck in the middle: the impulses of all joints and of the contact from the
/// equations of every rod, `m dv = sum p`, `I dw = sum r x p`, with the joints' conditions.
#[test]
fn a_chain_with_ball_joints_answers_as_its_equations_say() {
    let (n, pitch, d) = (5, 0.3, 0.1);
    let mut model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(1.0, 0.0, 0.0)).object(ball(
        "hit",
        d,
        [-0.3, 0.0, 0.0],
        [3.0, 0.0, 0.0],
        [0.0; 3],
    ));
    for k in 0..n {
        let link = object(format!("c{k}")).solid(sphere(d).material("Hard").collides());
        let link = if k == 0 { link.r([0.0, -pitch * 2.0, 0.0]).free() } else { link };
        model = model.object(link);
    }
    for k in 1..n {
        let (end, begin) = (format!("end{k}"), format!("begin{k}"));
        model = model
            .object(object(end.clone()).on(format!("c{}", k - 1)).r([0.0, pitch / 2.0, 0.0]))
            .object(object(begin.clone()).on(format!("c{k}")).r([0.0, -pitch / 2.0, 0.0]))
            .joint(spherical(&format!("j{k}"), &end, &begin));
    }
    let mut run = start(&model.build().unwrap(), 1e-9);
    let (before, energy) = (momentum(&mut run).0, run.value("energy.kinetic"));
    run.to(0.0668);
    assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
    let after = transverse_impact(n, pitch / 2.0, d / 2.0, 3.0);
    // The links have turned a little since the impact, by 2e-3 rad.
    for (k, v) in after.iter().enumerate() {
        assert_near(run.value(&format!("c{k}.v_abs[1]")), *v, 2e-4, &format!("velocity of link {k}"));
    }
    assert_vector(momentum(&mut run).0, before.into(), 1e-9, "momentum");
    assert_near(run.value("energy.kinetic") / energy, 1.0, 1e-9, "relative energy");
}

/// Velocities of n equal links after a ball of their mass hits the middle one at right angles with velocity `v`,
/// without losses. The conditions of the joints are solved for their impulses by relaxation.
fn transverse_impact(n: usize, half: f64, radius: f64, v: f64) -> Vec<f64> {
    let inertia = 0.4 * radius * radius;
    let answer = |push: f64| {
        let mut joint = vec![0.0; n + 1];
        let motion = |joint: &[f64], k: usize| {
            let outer = if k == n / 2 { push } else { 0.0 };
            // Impulses of the joint before a link act on it, those of the joint behind it against it.
            (joint[k] - joint[k + 1] + outer, -half * (joint[k] + joint[k + 1]) / inertia)
        };
        for _ in 0..200_000 {
            for k in 1..n {
                let ((u, spin), (u_next, spin_next)) = (motion(&joint, k - 1), motion(&joint, k));
                let gap = (u_next - half * spin_next) - (u + half * spin);
                joint[k] -= gap / (2.0 + 2.0 * half * half / inertia);
            }
        }
        (0..n).map(|k| motion(&joint, k).0).collect::<Vec<f64>>()
    };
    let unit = answer(1.0);
    let push = 2.0 * v / (1.0 + unit[n / 2]);
    unit.iter().map(|u| u * push).collect()
}

/// A box that falls flat does not turn, whatever its four corners share; one that falls askew tumbles and comes to
/// rest.
#[test]
fn a_box_that_falls_flat_does_not_turn() {
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(0.5, 0.3, 0.0))
        .gravity([0.0, 0.0, -10.0])
        .object(floor())
        .object(
            object("box")
                .r([0.1, 0.2, 0.25])
                .free_with([1.0, 0.0, 0.0], [0.0; 3])
                .solid(cuboid([0.3, 0.2, 0.1]).material("Hard").collides()),
        );
    let mut run = start(&model.build().unwrap(), 1e-9);
    run.to(0.25);
    assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
    // Friction acts 0.05 m below the centre: with 0.3 times the normal impulse the box would tip, so that its leading
    // edge carries more.
    let spin = run.vector("box.w_abs");
    assert!(spin[0].abs() < 1e-9 && spin[2].abs() < 1e-9, "the box turns with {spin:?}");
    assert_near(run.value("box.v_abs[2]"), 0.0, 1e-10, "velocity aside");
}

#[test]
fn boxes_that_tumble_never_gain_energy() {
    for (k, cor) in [0.0, 0.3, 0.6, 0.9].into_iter().enumerate() {
        let tilt = 0.3 + 0.2 * k as f64;
        let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(cor, 0.4, 0.0))
            .gravity([0.0, 0.0, -10.0])
            .object(floor())
            .object(
                object("box")
                    .r([0.0, 0.0, 0.6])
                    .cardan([tilt, 0.4, 0.1])
                    .free_with([0.5, 0.2, 0.0], [1.0, 2.0, 3.0])
                    .solid(cuboid([0.3, 0.2, 0.1]).material("Hard").collides()),
            );
        let mut run = start(&model.build().unwrap(), 1e-8);
        let mut last = run.value("energy.total");
        let sum = last;
        for i in 1..=40 {
            run.to(0.05 * f64::from(i));
            let energy = run.value("energy.total");
            assert!(
                energy <= last + 1e-5 * sum,
                "cor = {cor}: energy grows by {:e} J at {} s",
                energy - last,
                0.05 * f64::from(i)
            );
            last = energy;
        }
        assert!(run.value("impact_count") >= 1.0);
        assert!(balance(&mut run) <= sum * (1.0 + 1e-6), "cor = {cor}");
    }
}

/// The impulse passes through the closed loop; nothing is lost, and the loop stays closed.
#[test]
fn a_four_bar_that_is_struck_keeps_its_energy() {
    let rod = [0.02, 0.02, 0.02, 0.0, 0.0, 0.0];
    let mut model = four_bar(rod, revolute("crank_hinge", "world", "crank", "z").position(1.0));
    model = model
        .gravity([0.0; 3])
        .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
        .material_pair("Steel", "Steel", MaterialPair::new(1.0, 0.0, 0.0))
        .object(
            object("knob").on("crank").r([0.5, 0.0, 0.0]).solid(sphere(0.1).material("Steel").massless().collides()),
        )
        .object(
            object("ball")
                .r([1.0, 0.45, 0.0])
                .free_with([-2.0, 0.0, 0.0], [0.0; 3])
                .solid(sphere(0.06).material("Steel").collides()),
        );
    let mut run = start(&model.build().unwrap(), 1e-9);
    let energy = run.value("energy.kinetic");
    run.to(0.5);
    assert!(run.value("impact_count") >= 1.0, "the ball has missed the knob");
    assert_near(run.value("energy.kinetic") / energy, 1.0, 1e-6, "relative energy");
    assert_near(run.value("energy.dissipated_by_impacts") / energy, 0.0, 1e-10, "relative loss");
    assert!(run.value("crank_hinge.w").abs() > 1e-3, "the four-bar rests");
}

/// Bodies moved by prescribed motions do not respond to impulses.
#[test]
fn a_driven_wall_throws_the_ball_back_with_its_own_velocity() {
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(0.5, 0.0, 0.0))
        .object(object("wall").solid(cuboid([0.1, 1.0, 1.0]).material("Hard").collides()))
        .joint(prismatic("rail", "world", "wall", "x").motion("0.5*time"))
        .object(ball("ball", 0.2, [1.15, 0.0, 0.0], [-1.5, 0.0, 0.0], [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(1.0);
    assert_near(run.value("impact_count"), 1.0, 0.1, "number of impacts");
    assert_near(run.value("ball.v_abs[1]"), 0.5 + 0.5 * 2.0, 1e-9, "velocity of the ball");
}

/// A row of balls that touch each other.
fn row(order: ImpactOrder, turned: bool) -> Vec<f64> {
    let along = |x: f64| if turned { [0.6 * x, 0.0, 0.8 * x] } else { [x, 0.0, 0.0] };
    let mut model = rigid(order, MaterialPair::new(1.0, 0.0, 0.0));
    model = model.object(ball("b0", 0.1, along(-0.2), along(1.0), [0.0; 3]));
    for k in 1..5 {
        model = model.object(ball(&format!("b{k}"), 0.1, along(0.1 * f64::from(k - 1)), [0.0; 3], [0.0; 3]));
    }
    let mut run = start(&model.build().unwrap(), 1e-9);
    run.to(0.3);
    (0..5).map(|k| run.vector(&format!("b{k}.v_abs")).dot(&Vec3::from(along(1.0)))).collect()
}

#[test]
fn a_row_of_touching_balls_answers_in_either_order_and_direction() {
    for turned in [false, true] {
        let at_once = row(ImpactOrder::Simultaneous, turned);
        let expected = [-0.6, 0.4, 0.4, 0.4, 0.4];
        at_once.iter().zip(expected).for_each(|(v, e)| assert_near(*v, e, 1e-9, "velocity after all impulses at once"));
        let in_turn = row(ImpactOrder::Sequential, turned);
        let expected = [0.0, 0.0, 0.0, 0.0, 1.0];
        in_turn.iter().zip(expected).for_each(|(v, e)| assert_near(*v, e, 1e-9, "velocity after impulses in turn"));
    }
}

#[test]
fn a_saved_state_continues_with_the_same_bits() {
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(0.8, 0.3, 0.0))
        .gravity([0.0, 0.0, -10.0])
        .object(floor())
        .object(ball("a", 0.2, [0.0, 0.0, 0.5], [0.3, 0.0, 0.0], [0.0; 3]))
        .object(ball("b", 0.2, [0.05, 0.02, 0.8], [0.0; 3], [0.0; 3]));
    let declaration = model.build().unwrap();
    let mut run = start(&declaration, 1e-7);
    run.to(0.4);
    let saved = run.simulation.save().unwrap();
    let show = |run: &mut Run| {
        ["a.r_abs[3]", "b.r_abs[1]", "energy.dissipated_by_impacts", "impact_count"]
            .map(|name| run.value(name).to_bits())
    };
    run.to(1.0);
    let expected = show(&mut run);
    let mut other = start(&declaration, 1e-7);
    other.simulation.restore(&saved).unwrap();
    other.to(1.0);
    assert_eq!(show(&mut other), expected);
}

/// Elastic pairs and rigid ones in one model.
#[test]
fn a_pair_may_be_elastic_in_a_rigid_model() {
    let pair = MaterialPair { law: Some(ContactLaw::Elastic), ..MaterialPair::new(1.0, 0.0, 0.0) };
    let model = rigid(ImpactOrder::Simultaneous, pair)
        .object(ball("a", 0.1, [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]))
        .object(ball("b", 0.1, [0.3, 0.0, 0.0], [0.0; 3], [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(0.4);
    assert_near(run.value("impact_count"), 0.0, 0.1, "number of impulses");
    assert_near(run.value("b.v_abs[1]"), 1.0, 1e-5, "velocity after the elastic impact");
}

/// The law of a pair of objects counts more than those of its materials and of the model.
#[test]
fn pairs_of_objects_may_have_a_law_of_their_own() {
    let count = |law: Option<ContactLaw>, solid: fn(ShapeBuilder) -> ShapeBuilder| {
        let pair = MaterialPair { law, ..MaterialPair::new(1.0, 0.0, 0.0) };
        let solid = solid(sphere(0.1).material("Hard").collides());
        let model = rigid(ImpactOrder::Simultaneous, pair)
            .object(object("a").free_with([1.0, 0.0, 0.0], [0.0; 3]).solid(solid))
            .object(ball("b", 0.1, [0.3, 0.0, 0.0], [0.0; 3], [0.0; 3]))
            .object(ball("c", 0.1, [0.6, 0.0, 0.0], [0.0; 3], [0.0; 3]));
        let mut run = start(&model.build().unwrap(), 1e-8);
        run.to(0.7);
        assert_near(run.value("c.v_abs[1]"), 1.0, 1e-5, "velocity of the last ball");
        run.value("impact_count")
    };
    assert_near(count(None, |a| a), 2.0, 0.1, "both rigid");
    assert_near(count(None, |a| a.elastic_with("b")), 1.0, 0.1, "only b and c rigid");
    assert_near(count(Some(ContactLaw::Elastic), |a| a.rigid_with("b")), 1.0, 0.1, "only a and b rigid");
    assert_near(count(Some(ContactLaw::Elastic), |a| a.rigid_with("c")), 0.0, 0.1, "all that touch elastic");
    let both = sphere(0.1).material("Hard").collides().elastic_with("b").rigid_with("b");
    let model = rigid(ImpactOrder::Simultaneous, MaterialPair::new(1.0, 0.0, 0.0))
        .object(object("a").free().solid(both))
        .object(ball("b", 0.1, [0.3, 0.0, 0.0], [0.0; 3], [0.0; 3]));
    let error = error_message(&model.build().unwrap());
    assert!(error.contains("the contacts of `a` with `b` are declared rigid and elastic"), "{error}");
}
