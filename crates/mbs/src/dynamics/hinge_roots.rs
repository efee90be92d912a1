//! Contact hinges at the point evaluated last: root functions, forces, and how their friction slides.

use super::contacts::shape_pose;
use super::evaluator::Evaluator;
use super::loops::{FIRST_SUPPORT, Six, TiePoint};
use crate::contact::PairId;
use crate::contact::hinge::{
    Friction, FrictionMode, Hinge, Planar, Pressure, Room, Support, dot, flatness, inside, norm, room,
};
use crate::math::Vec3;
use crate::spatial::BodyMotion;
use crate::topology::{Topology, WELD};

/// Root functions of every hinge: its load, its friction, and its geometry.
pub(crate) const ROOTS_PER_HINGE: usize = 3;

/// Depth to which a support that carries nothing may close before it is taken up, relative to the half thickness of the
/// thinner shape.
const UNNOTICED: f64 = 1e-7;

/// Gap at which what carries nothing has parted, relative to the same.
const PARTED: f64 = 1e-5;

/// Gap at which given motions have opened what they closed before, or pressed it in, relative to the same.
const GIVEN: f64 = 1.5e-4;

/// Part of the friction at hand by which it may be exceeded before it gives way: more than the balance of forces lets
/// pass, so that an event finds it exceeded.
const EXCEEDED: f64 = 1e-5;

/// Part of the least speed of sliding by which a hinge may slide back before it sticks.
const BACK: f64 = 1e-3;

/// Shapes of a pair at the present motion of the bodies.
pub(crate) fn pair_rooms<'a>(topology: &'a Topology, bodies: &'a [BodyMotion], pair: PairId) -> [Room<'a>; 2] {
    [pair.a, pair.b].map(|shape| {
        let shape = &topology.shapes[shape as usize];
        let body = &bodies[shape.node];
        Room { shape: &shape.shape, placed: shape_pose(body, &shape.x_bs), body }
    })
}

/// Half thickness of the thinner shape of a pair \[m\].
pub(crate) fn thickness(topology: &Topology, pair: PairId) -> f64 {
    let [a, b] = [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].thickness);
    a.min(b)
}

/// Ordinals of the closures that hinges are, none for those that carry nothing.
pub(crate) fn closures_of<'a>(topology: &Topology, hinges: &'a [Hinge]) -> impl Iterator<Item = Option<usize>> + 'a {
    let mut next = topology.num_welds();
    hinges.iter().map(move |hinge| {
        (!hinge.supports.is_empty()).then(|| {
            next += 1;
            next - 1
        })
    })
}

/// Writes the root functions of all hinges at the point evaluated last, whose derivatives of velocities are given with
/// the multipliers behind them. All are positive while a hinge stays as it is.
pub(crate) fn write_hinge_roots(
    topology: &Topology,
    evaluator: &Evaluator,
    hinges: &[Hinge],
    vdot: &[f64],
    out: &mut [f64],
) {
    let multipliers = &vdot[topology.num_v..];
    let bodies = &evaluator.workspace.bodies;
    let of_hinges = hinges.iter().zip(closures_of(topology, hinges)).zip(out.chunks_exact_mut(ROOTS_PER_HINGE));
    for ((hinge, closure), out) in of_hinges {
        let six = closure.map(|k| Six::from_fn(|r, _| multipliers[WELD * k + r]));
        let tie = closure.and_then(|k| evaluator.loops.tie(k));
        [out[0], out[1]] = match (six, tie) {
            (Some(six), Some(tie)) => {
                let pressure = tie.pressure(&six);
                let friction = &hinge.friction;
                let slides = match (friction.mode, closure.and_then(|k| evaluator.loops.direction(k))) {
                    (FrictionMode::Sticks, _) => {
                        let left = 1.0 + EXCEEDED - friction.need(&pressure, &tie.efforts(&six)).0;
                        if hinge.dependences.is_empty() { left } else { left.min(1.0 + BACK - slip(tie, friction)) }
                    }
                    (FrictionMode::Slides(_), Some(d)) => {
                        let back = dot(&friction.sliding(&pressure, &tie.slip()), &d) / friction.least + BACK;
                        back.min(1.0 - pressure.sum() / hinge.most)
                    }
                    _ => 1.0,
                };
                [pressing(hinge, tie, &pressure, bodies_of(topology, bodies, hinge.pair)) + hinge.slack, slides]
            }
            _ => [1.0; 2],
        };
        out[2] = geometry(topology, bodies, hinge);
    }
}

/// The normal force \[N\] as far as its centre is from leaving the points of a hinge: negative where it pulls or acts
/// outside.
pub(crate) fn pressing(hinge: &Hinge, tie: &TiePoint, pressure: &Pressure, bodies: [&BodyMotion; 2]) -> f64 {
    let sum = pressure.sum();
    if hinge.carriers.len() < 2 || sum <= 0.0 {
        return sum;
    }
    let place = |support: &Support| {
        let arm = support.at(bodies).map_or_else(Vec3::zeros, |at| at.point - tie.place());
        tie.tangents.map(|tangent| tangent.dot(&arm))
    };
    sum * inside(hinge.supports.iter().map(place), hinge.carriers.len() == 2, &pressure.center())
}

fn bodies_of<'a>(topology: &Topology, bodies: &'a [BodyMotion], pair: PairId) -> [&'a BodyMotion; 2] {
    [pair.a, pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node])
}

/// How far the geometry of a hinge is from being another one, relative to the half thickness of the thinner shape.
fn geometry(topology: &Topology, bodies: &[BodyMotion], hinge: &Hinge) -> f64 {
    let thickness = thickness(topology, hinge.pair);
    let [a, b] = pair_rooms(topology, bodies, hinge.pair);
    let rooms = [&a, &b];
    let (mut least, mut widest) = (f64::INFINITY, 0.0_f64);
    let mut normal = None;
    let supports = hinge.supports.iter().map(|support| (support, true));
    for (support, carries) in supports.chain(hinge.idle.iter().map(|support| (support, false))) {
        let Some(at) = support.at([a.body, b.body]) else { return -1.0 };
        least = least.min(room(rooms, support, &at, thickness));
        if !carries {
            let (opened, sides) = (at.gap - support.offset, [a.body, b.body]);
            widest = widest.max(opened);
            // A gap that is closed but opens is an interpolation error of the integrator's first step.
            let opening = at.rate(&at.velocities(sides)) * topology.scales.time;
            least = least.min((opened + hinge.play * UNNOTICED * thickness).max(opening));
        }
        normal.get_or_insert(at.normal);
    }
    // Given motions may open what nothing else would.
    for carrier in given_carriers(hinge) {
        let Some(at) = hinge.supports[carrier].at([a.body, b.body]) else { return -1.0 };
        least = least.min(GIVEN * thickness - at.gap.abs());
    }
    // Three supports hold a face on a face.
    if let Some(normal) = normal.filter(|_| hinge.carriers.len() < 3) {
        least = least.min(flatness(&a, &normal, &hinge.flat[0], thickness)).min(flatness(
            &b,
            &-normal,
            &hinge.flat[1],
            thickness,
        ));
    }
    // What carries nothing is let go of once it has parted.
    if hinge.supports.is_empty() {
        least = least.min(hinge.play.sqrt() * PARTED * thickness - widest);
    }
    if least.is_finite() { least / thickness } else { 1.0 }
}

/// Speed of sliding and spinning over the least one that counts.
fn slip(tie: &TiePoint, friction: &Friction) -> f64 {
    let [u, v, spin] = tie.slip();
    norm(&[u, v, friction.radius * spin]) / friction.least
}

/// Ordinals of the supports that carry while given motions alone keep them closed.
fn given_carriers(hinge: &Hinge) -> impl Iterator<Item = usize> + '_ {
    let rows = hinge.dependences.iter().filter_map(|dependence| (dependence.row as usize).checked_sub(FIRST_SUPPORT));
    rows.filter_map(|k| hinge.carriers.ordinals().nth(k))
}

/// The direction in which a hinge slides at the point of the loops evaluated last, where it does; `six` are its
/// multipliers.
pub(crate) fn direction_of_sliding(evaluator: &Evaluator, hinge: &Hinge, closure: usize, six: &Six) -> Option<Planar> {
    let (tie, kept) = (evaluator.loops.tie(closure)?, evaluator.loops.direction(closure)?);
    let s = hinge.friction.sliding(&tie.pressure(six), &tie.slip());
    let speed = norm(&s);
    (dot(&s, &kept) > hinge.friction.least).then(|| s.map(|x| x / speed))
}

/// What a hinge does, in W.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HingeResult {
    /// Centre of the normal forces \[m\].
    pub point: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Sum of the normal forces \[N\].
    pub load: f64,
    /// Friction on B \[N\].
    pub friction: Vec3,
    /// Torque of friction on B about the centre \[N m\].
    pub torque: Vec3,
    /// Sliding velocity of B relative to A there \[m/s\].
    pub sliding: Vec3,
    /// Whether friction holds.
    pub sticks: bool,
    /// Number of supports whose gaps it holds.
    pub carriers: usize,
}

impl HingeResult {
    /// Force on B \[N\].
    pub fn on_b(&self) -> Vec3 {
        self.load * self.normal + self.friction
    }
}

/// What a hinge does for given multipliers.
pub(crate) fn hinge_result(evaluator: &Evaluator, hinge: &Hinge, closure: usize, six: &Six) -> Option<HingeResult> {
    let tie = evaluator.loops.tie(closure)?;
    let (pressure, [f, g, moment], slip) = (tie.pressure(six), tie.efforts(six), tie.slip());
    let [x, y] = pressure.center();
    let in_plane = |x: f64, y: f64| tie.tangents[0] * x + tie.tangents[1] * y;
    Some(HingeResult {
        point: tie.place() + in_plane(x, y),
        normal: tie.normal,
        load: pressure.sum(),
        friction: in_plane(f, g),
        torque: tie.normal * (moment - (x * g - y * f)) + tie.rolling_torque(six),
        sliding: in_plane(slip[0] - slip[2] * y, slip[1] + slip[2] * x),
        sticks: matches!(hinge.friction.mode, FrictionMode::Sticks),
        carriers: hinge.carriers.len(),
    })
}
