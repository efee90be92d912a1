//! Geometry of pairs at the motion of their bodies.

use super::patch_motion::patch_motion;
use crate::collision::{BorePlace, Contact, ConvexShape, PairCache, at_seams, distance, distance_of_balls};
use crate::contact::patch::{
    Patch, PatchScratch, SurfaceLoad, central_pressures, distance_of_faces, far_apart, patch_bodies,
};
use crate::contact::{ContactState, PairDistance, PairId};
use crate::math::{Pose, Vec3};
use crate::spatial::BodyMotion;
use crate::topology::{CollisionShape, Topology};

/// Work arrays of [`pair_point`], and its cache between queries of a pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairWork {
    pub(super) cache: PairCache,
    pub(super) spine: PairCache,
    pub(super) patch: Patch,
    pub(super) scratch: PatchScratch,
    /// Normal from A to B, in W, of the last query that found the pair apart.
    apart: Option<Vec3>,
}

impl PairWork {
    /// Clears the results of earlier queries: later results depend on the motion of the bodies only.
    pub fn forget(&mut self) {
        (self.cache, self.spine, self.apart) = (PairCache::default(), PairCache::default(), None);
    }

    /// As [`PairWork::forget`]; where `before` is apart, its plane is tried first. That changes no result.
    pub fn forget_but_for(&mut self, before: Option<&PairPoint>) {
        self.forget();
        self.apart = before.filter(|at| at.dist > 0.0).map(|at| at.normal);
    }

    /// The patch of the last query of two shapes with faces.
    pub fn patch(&self) -> &Patch {
        &self.patch
    }
}

/// Distance of a pair, how it changes, and along which normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairPoint {
    /// Signed distance \[m\], negative = penetration.
    pub dist: f64,
    /// Approach velocity \[m/s\], positive when approaching.
    pub delta_dot: f64,
    /// Unit normal from A to B, in W.
    pub normal: Vec3,
    /// Contact point \[m\].
    pub point: Vec3,
    /// Load of a patch; none for other contacts.
    pub load: SurfaceLoad,
    /// What lies between the shapes while they are apart.
    pub separation: Separation,
}

/// What lies between two shapes that are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Separation {
    /// A plane whose normal is that of the pair: both are convex, or as good as that where they are.
    Plane,
    /// The round wall of a bore that a ball is in.
    Bore {
        /// Direction of the bore's axis in W.
        axis: Vec3,
        /// From the axis to the centre of the ball \[m\], in W; the other way if the bore is that of B.
        offset: Vec3,
    },
    /// Nothing of a known shape: they may come closest in any direction.
    Unknown,
}

/// What lies between two shapes in these poses.
fn separation(a: (&ConvexShape, &Pose), b: (&ConvexShape, &Pose)) -> Separation {
    let seen = |tube: (&ConvexShape, &Pose), ball: (&ConvexShape, &Pose), sign: f64| {
        tube.0.bore()?;
        let center = ball.1.transform(&ball.0.center());
        let place = tube.0.place_at_bore(&tube.1.inverse().transform(&center))?;
        Some(match place {
            BorePlace::Inside { axis, offset } => {
                Separation::Bore { axis: tube.1.rotation * axis, offset: tube.1.rotation * offset * sign }
            }
            BorePlace::Mouth => Separation::Unknown,
            BorePlace::Outside => Separation::Plane,
        })
    };
    seen(a, b, 1.0).or_else(|| seen(b, a, -1.0)).unwrap_or(Separation::Plane)
}

/// Distance and approach velocity of a pair whose bodies (A, B) move as given. For shapes in contact at a patch, the
/// depth follows from the greatest pressure, and the approach velocity is the greatest one on the patch.
pub(crate) fn pair_point(
    topology: &Topology,
    [a, b]: [&BodyMotion; 2],
    pair: PairId,
    work: &mut PairWork,
) -> PairPoint {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    if let Some(geometry) = balls([(shape_a, a), (shape_b, b)]) {
        return point_between(&geometry, a, b, Separation::Plane);
    }
    let [x_a, x_b] = [pose(a, &shape_a.x_bs), pose(b, &shape_b.x_bs)];
    let placed = [(&shape_a.shape, &x_a), (&shape_b.shape, &x_b)];
    if let Some(apart) = far_apart(placed, &mut work.cache) {
        return separated_point(placed, &apart, a, b);
    }
    let fields = central_pressures([(&shape_a.shape, shape_a.modulus), (&shape_b.shape, shape_b.modulus)]);
    let faces = patch_bodies(
        [(&shape_a.shape, x_a), (&shape_b.shape, x_b)],
        fields,
        &mut work.spine,
        &mut work.scratch.directions,
    );
    if let Some([on_a, on_b]) = &faces {
        if work.apart.is_some_and(|normal| lie_apart(placed, &normal)) {
            work.patch.clear();
        } else if work.patch.intersect(on_a, on_b, &mut work.scratch) {
            work.apart = None;
            return patch_point(&work.patch, a, b);
        }
    }
    let geometry = match &faces {
        Some(bodies) => {
            let geometry = distance_of_faces(placed, bodies, &mut work.cache);
            Contact { distance: geometry.distance.max(0.0), ..geometry }
        }
        None => distance(&shape_a.shape, &x_a, &shape_b.shape, &x_b, &mut work.cache),
    };
    work.apart = (geometry.distance > 0.0).then_some(geometry.normal);
    separated_point(placed, &geometry, a, b)
}

/// Whether a plane with this normal, from A to B in W, lies between two whole polyhedra.
fn lie_apart([(a, x_a), (b, x_b)]: [(&ConvexShape, &Pose); 2], normal: &Vec3) -> bool {
    let is_whole = |shape: &ConvexShape| {
        let own = shape.polyhedron();
        !shape.is_half_space() && own.is_some_and(|own| own.walls().is_empty() && own.round_side().is_none())
    };
    if !is_whole(a) || !is_whole(b) {
        return false;
    }
    let reach = |shape: &ConvexShape, x: &Pose, n: &Vec3| {
        let farthest = shape.sharp().support(&x.rotation.tr_mul(n));
        (x.rotation * farthest).dot(n)
    };
    let apart = (x_b.translation - x_a.translation).dot(normal);
    apart - reach(a, x_a, normal) - reach(b, x_b, &-normal)
        > PLANE_ROUNDING * (x_a.translation.norm() + x_b.translation.norm())
}

/// Rounding of the place of a plane, relative to distances from the origin.
const PLANE_ROUNDING: f64 = 1e-14;

/// A pair without a patch.
fn separated_point(
    placed: [(&ConvexShape, &Pose); 2],
    geometry: &Contact,
    a: &BodyMotion,
    b: &BodyMotion,
) -> PairPoint {
    point_between(geometry, a, b, separation(placed[0], placed[1]))
}

fn point_between(geometry: &Contact, a: &BodyMotion, b: &BodyMotion, separation: Separation) -> PairPoint {
    PairPoint {
        dist: geometry.distance,
        delta_dot: contact_point(geometry, a, b).state.delta_dot,
        normal: geometry.normal,
        point: 0.5 * (geometry.point_a + geometry.point_b),
        load: SurfaceLoad::default(),
        separation,
    }
}

/// Contact geometry of two spheres, which have no pose but a place; none for other shapes.
#[inline(always)]
pub(super) fn balls([a, b]: [(&CollisionShape, &BodyMotion); 2]) -> Option<Contact> {
    let [radius_a, radius_b] = [a.0.shape.ball_radius()?, b.0.shape.ball_radius()?];
    let center = |(shape, body): (&CollisionShape, &BodyMotion)| body.p + body.rotation * shape.x_bs.translation;
    distance_of_balls([(center(a), radius_a), (center(b), radius_b)])
}

/// Whether both shapes of a pair are balls.
pub(crate) fn are_balls(topology: &Topology, pair: PairId) -> bool {
    [pair.a, pair.b].iter().all(|&shape| topology.shapes[shape as usize].shape.ball_radius().is_some())
}

fn patch_point(patch: &Patch, a: &BodyMotion, b: &BodyMotion) -> PairPoint {
    let (_, motion) = patch_motion(patch, a, b);
    let normal = patch.normal();
    let delta_dot = patch.approach(&motion);
    let (point, load) = (patch.origin() + patch.center(), patch.surface_load());
    PairPoint { dist: -load.depth(), delta_dot, normal, point, load, separation: Separation::Plane }
}

/// As [`pair_motion`]. Shapes that overlap symmetrically, such as boxes at the same place, have no patch; their depth
/// is the length of the shortest way out.
pub(super) fn pair_overlap(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> PairDistance {
    let at = pair_motion(topology, bodies, pair);
    let [a, b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    if at.dist != 0.0 || a.shape.has_walls() || b.shape.has_walls() {
        return at;
    }
    let [x_a, x_b] = [a, b].map(|shape| pose(&bodies[shape.node], &shape.x_bs));
    let way_out = distance(&a.shape, &x_a, &b.shape, &x_b, &mut PairCache::default()).distance;
    PairDistance { dist: way_out.min(0.0), ..at }
}

/// Signed distance and approach velocity of a pair at the present motion of the bodies.
pub(super) fn pair_motion(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> PairDistance {
    let [a, b] = [pair.a, pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
    let at = pair_point(topology, [a, b], pair, &mut PairWork::default());
    PairDistance { pair, dist: at.dist, delta_dot: at.delta_dot }
}

/// Contact geometry of a pair at the present motion of the bodies, and which share of the force of its law acts: less
/// than 1 where a piece of a surface carries a body together with another piece.
pub(super) fn pair_contact(
    topology: &Topology,
    bodies: &[BodyMotion],
    pair: PairId,
    cache: &mut PairCache,
) -> (Contact, f64) {
    let [a, b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    if let Some(contact) = balls([(a, &bodies[a.node]), (b, &bodies[b.node])]) {
        return (contact, 1.0);
    }
    contact_of([(&a.shape, pose(&bodies[a.node], &a.x_bs)), (&b.shape, pose(&bodies[b.node], &b.x_bs))], cache)
}

/// As [`pair_contact`] for shapes with their poses.
pub(super) fn contact_of([(a, x_a), (b, x_b)]: [(&ConvexShape, Pose); 2], cache: &mut PairCache) -> (Contact, f64) {
    at_seams((a, &x_a), (b, &x_b), distance(a, &x_a, b, &x_b, cache))
}

/// Computes the patch on which two shapes press on each other; true if there is one.
pub(super) fn press(
    [a, b]: [&ConvexShape; 2],
    [x_a, x_b]: &[Pose; 2],
    fields: [f64; 2],
    patch: &mut Patch,
    scratch: &mut PatchScratch,
    cache: &mut PairCache,
) -> bool {
    let bodies = patch_bodies([(a, *x_a), (b, *x_b)], fields, cache, &mut scratch.directions);
    bodies.is_some_and(|[a, b]| patch.intersect(&a, &b, scratch))
}

/// Geometry and motion at a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactPoint {
    /// From A's and B's body origins to the contact point, in the world.
    pub arms: [Vec3; 2],
    pub state: ContactState,
}

/// Which shape of a pair has its centre inside the other one; the first if both have.
pub(crate) fn sunk_shape(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> Option<u32> {
    let placed = |shape: u32| {
        let shape = &topology.shapes[shape as usize];
        (&shape.shape, pose(&bodies[shape.node], &shape.x_bs))
    };
    let is_inside = |inner: u32, outer: u32| {
        let [(inner, x_inner), (outer, x_outer)] = [inner, outer].map(placed);
        let depth = || -distance(&inner.center_point(), &x_inner, outer, &x_outer, &mut PairCache::default()).distance;
        !inner.is_half_space() && inner.bore().is_none() && depth() > 0.0
    };
    [[pair.a, pair.b], [pair.b, pair.a]]
        .into_iter()
        .find(|&[inner, outer]| is_inside(inner, outer))
        .map(|[inner, _]| inner)
}

/// Pose of a shape on a body.
pub(crate) fn pose(body: &BodyMotion, x_bs: &Pose) -> Pose {
    Pose { rotation: body.rotation * x_bs.rotation, translation: body.p + body.rotation * x_bs.translation }
}

#[inline(always)]
pub(super) fn contact_point(geometry: &Contact, a: &BodyMotion, b: &BodyMotion) -> ContactPoint {
    let point = 0.5 * (geometry.point_a + geometry.point_b);
    let arms = [point - a.p, point - b.p];
    let v_rel = b.v + b.w.cross(&arms[1]) - a.v - a.w.cross(&arms[0]);
    ContactPoint { arms, state: ContactState::from_motion(geometry.normal, geometry.distance, v_rel, b.w - a.w) }
}
