//! What active contacts do at a given motion: forces and elastic energy.

use std::f64::consts::PI;

use super::footing::{footing, poses};
use super::geometry::{PairWork, contact_point, pair_contact, pose, press};
use super::patch_motion::patch_motion;
use crate::collision::{Contact, PairCache};
use crate::contact::patch::{Patch, PatchScratch, SurfaceLoad, patch_bodies};
use crate::contact::{ActiveContact, Bristle, ContactConstants, ContactForce, ContactState, PairId};
use crate::math::{Pose, Vec3};
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Geometry, relative motion and forces of one contact, in W.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactResult {
    /// Contact point \[m\].
    pub point: Vec3,
    /// Relative motion.
    pub state: ContactState,
    /// Forces on B.
    pub force: ContactForce,
    /// Whether friction holds: a bristle carries the load alone, or without one the shapes slide more slowly than the
    /// law's `v_min`.
    pub sticks: bool,
    /// Area on which the shapes press on each other \[m²\].
    pub area: f64,
    /// Greatest elastic pressure \[Pa\].
    pub p_max: f64,
}

/// Area \[m²\] and greatest pressure \[Pa\] of the elastic force on the circle of Hertz' contact, whose radius is
/// `sqrt(R delta)`.
fn circle(law: &ContactConstants, delta: f64) -> (f64, f64) {
    let area = PI * law.mu_geo * delta;
    (area, 1.5 * law.elastic_force(delta) / area)
}

/// What one of the active contacts does at a time \[s\] and the present motion of the bodies; without force where the
/// shapes are apart. `work` keeps the patch on which they press.
pub(crate) fn contact_result(
    topology: &Topology,
    t: f64,
    bodies: &[BodyMotion],
    contact: &ActiveContact,
    active: &[ActiveContact],
    work: &mut PairWork,
) -> ContactResult {
    let (pair, law) = (contact.pair, &contact.constants.at(t));
    let sides = [pair.a, pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
    let carried = law.bound.and_then(|_| carried_with(topology, bodies, contact, active, work));
    let Some(footing) = footing(topology, sides, pair, law, carried, work) else {
        let (geometry, _) = pair_contact(topology, bodies, pair, &mut PairCache::default());
        let state = contact_point(&geometry, sides[0], sides[1]).state;
        let point = 0.5 * (geometry.point_a + geometry.point_b);
        let (state, force) = (ContactState { delta: 0.0, ..state }, ContactForce::ZERO);
        return ContactResult { point, state, force, sticks: false, area: 0.0, p_max: 0.0 };
    };
    let (mut state, mut force) = (footing.state, footing.force);
    let mut sticks = state.v_t.norm() < law.v_min;
    if law.fields.is_some() {
        (state.normal, force) = split(law, sides, &work.patch, &state, &force);
    }
    if let Some(bristle) = &law.bristle {
        let held = bristle.force(t, law, &footing);
        (force.f_t, force.tau) = (force.f_t + held.f, force.tau + held.tau);
        sticks = held.holds();
    }
    let (area, p_max) = match law.fields {
        Some(_) => (work.patch.area(), work.patch.highest_pressure()),
        None => {
            let (_, share) = pair_contact(topology, bodies, pair, &mut PairCache::default());
            let (area, p_max) = circle(law, footing.state.delta);
            (share * area, p_max)
        }
    };
    ContactResult { point: footing.center, state, force, sticks, area, p_max }
}

/// Direction of the pressure on a patch, and its force and friction apart. Over an edge or a seam of pieces the pressure
/// need not act along the normal of the patch.
fn split(
    law: &ContactConstants,
    [a, b]: [&BodyMotion; 2],
    patch: &Patch,
    state: &ContactState,
    force: &ContactForce,
) -> (Vec3, ContactForce) {
    let frictionless = ContactConstants { mu_k: 0.0, stribeck: None, ..*law };
    let pressure = patch.response(&frictionless, &patch_motion(patch, a, b).1).f;
    let f_n = pressure.norm();
    if f_n == 0.0 {
        return (state.normal, *force);
    }
    let friction = force.on_b(&state.normal) - pressure;
    (pressure / f_n, ContactForce { f_n, f_t: friction, tau: force.tau })
}

/// Load of all pieces of ground that carry a body together with those of a contact; none if it is not on such ground.
fn carried_with(
    topology: &Topology,
    bodies: &[BodyMotion],
    contact: &ActiveContact,
    active: &[ActiveContact],
    work: &mut PairWork,
) -> Option<SurfaceLoad> {
    let ground = topology.ground_pair(contact.pair)?;
    let mut all = SurfaceLoad::default();
    for other in active.iter().filter(|other| topology.ground_pair(other.pair) == Some(ground)) {
        let Some(fields) = other.constants.fields else { continue };
        let PairWork { spine, patch, scratch, .. } = work;
        let shapes = [other.pair.a, other.pair.b].map(|shape| &topology.shapes[shape as usize]);
        let placed = poses(topology, shapes.map(|shape| &bodies[shape.node]), other.pair);
        if press(shapes.map(|shape| &shape.shape), &placed, fields, patch, scratch, spine) {
            all.add(&patch.surface_load());
        }
    }
    Some(all)
}

/// Elastic energy stored in active contacts at a time \[s\] \[J\].
pub(crate) fn contact_energy(topology: &Topology, t: f64, bodies: &[BodyMotion], active: &[ActiveContact]) -> f64 {
    let energy = |contact: &ActiveContact| {
        let (geometry, share) = pair_contact(topology, bodies, contact.pair, &mut PairCache::default());
        let law = &contact.constants;
        let (elastic, load) = match law.fields {
            Some(fields) => patch_energy(topology, bodies, contact.pair, fields, &geometry),
            None => {
                let depth = -geometry.distance;
                (share * law.elastic_energy(depth), share * law.elastic_force(depth.max(0.0)))
            }
        };
        let bodies = [contact.pair.a, contact.pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
        let bound = law.greatest_friction() * load;
        let stored = |bristle: &Bristle| bristle.energy(t, &poses(topology, bodies, contact.pair), bound);
        elastic + law.bristle.as_ref().map_or(0.0, stored)
    };
    active.iter().map(energy).sum()
}

/// Intervals in which the work of a patch is integrated, each with three points.
const INTERVALS: u32 = 6;

/// Elastic energy of two polyhedra \[J\], and their elastic force along the shortest path out \[N\]. The energy is the
/// work of the force while they are taken apart on that path; it does not depend on the path, because the force has a
/// potential.
fn patch_energy(
    topology: &Topology,
    bodies: &[BodyMotion],
    pair: PairId,
    fields: [f64; 2],
    geometry: &Contact,
) -> (f64, f64) {
    let depth = -geometry.distance;
    if depth <= 0.0 {
        return (0.0, 0.0);
    }
    let placed = [pair.a, pair.b].map(|shape| {
        let shape = &topology.shapes[shape as usize];
        (&shape.shape, pose(&bodies[shape.node], &shape.x_bs))
    });
    let (mut patch, mut scratch, mut cache) = (Patch::default(), PatchScratch::default(), PairCache::default());
    let mut force = |s: f64| {
        let [a, (shape, x_b)] = placed;
        let b = (shape, Pose { translation: x_b.translation + s * geometry.normal, ..x_b });
        let bodies = patch_bodies([a, b], fields, &mut cache, &mut scratch.directions);
        let presses = bodies.is_some_and(|[a, b]| patch.intersect(&a, &b, &mut scratch));
        if presses { patch.elastic_force().dot(&geometry.normal) } else { 0.0 }
    };
    let h = depth / f64::from(INTERVALS);
    let gauss = 0.5 * 0.6_f64.sqrt();
    let interval =
        |k: u32| [(0.5 - gauss, 5.0), (0.5, 8.0), (0.5 + gauss, 5.0)].map(|(x, w)| (h * (f64::from(k) + x), w));
    ((0..INTERVALS).flat_map(interval).map(|(s, weight)| weight / 18.0 * h * force(s)).sum(), force(0.0))
}
