//! The surface of equal pressure of two bodies.

use super::facing::Turn;
use super::field::{Directions, PatchBody, Plane, RoundAxis};
use super::polygon::{PlaneFrame, Polygon};
use super::surface_load::SurfaceLoad;
use super::wrench::PatchForce;
use crate::math::{Vec3, tangents};

/// Fields whose gradients differ by less than this fraction have no surface of equal pressure.
const SAME_FIELD: f64 = 1e-9;

/// Fraction of the size by which a face of A stands out from one of B that has the same direction and may lie in the
/// same plane: otherwise rounding errors would decide which of them limits the pressure at the rim of two aligned
/// bodies.
const ALIGNED: f64 = 1e-9;

/// Square of the sine of the angle between such faces.
const SAME_DIRECTION: f64 = 1e-6;

/// Distance of such faces, over the greatest depth and `ALIGNED`.
const NEAR: f64 = 100.0;

/// Part by which the first square is larger than the smaller body.
const SPARE: f64 = 1.01;

/// Number of planes of both bodies from which on the space around the overlap is tested before pairs of planes.
const MANY_PLANES: usize = 40;

/// Most times that this space is made smaller by all planes, and the part of an extent below which it has become
/// smaller.
const MOST_PASSES: usize = 6;
const SHRINKS: f64 = 0.9;

/// Sine of the angle between the directions in which two rings balance forces, below which they are one.
const SAME_BALANCE: f64 = 1e-3;

/// Initial capacity in polygons ...
const POLYGONS: usize = 24;

/// ... and in corners.
const CORNERS: usize = 128;

/// The polygon on which the pressures of a face of A and a face of B are equal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Field of the face of A.
    pub of_a: Plane,
    /// Gradient of the field of the face of B \[Pa/m\].
    pub g_b: Vec3,
    /// Length of the difference of both gradients \[Pa/m\].
    pub h: f64,
    /// Unit normal from A to B, in W.
    pub n: Vec3,
    /// Area \[m²\].
    pub area: f64,
    /// Integral of the pressure \[N\].
    pub load: f64,
    /// Centre of the pressure \[m\].
    pub center: Vec3,
    /// Where its corners begin and end in those of the patch.
    start: usize,
    end: usize,
}

/// Where two polyhedra press on each other, at one relative pose; all positions are relative to [`Patch::origin`], in
/// W.
#[derive(Debug, Clone)]
pub struct Patch {
    origin: Vec3,
    facets: Vec<Facet>,
    corners: Vec<Vec3>,
    force: Vec3,
    normal: Vec3,
    /// Force along the normal \[N\].
    load: f64,
    area: f64,
    highest: f64,
    /// What all pieces of one ground carry together; none where the patch is all.
    carried: Option<SurfaceLoad>,
    /// Axes of round bodies.
    axes: [Option<RoundAxis>; 2],
    /// How these turn, ...
    turns: [Option<Turn>; 2],
    /// ... and what that adds to the elastic force.
    turning: PatchForce,
}

/// Work arrays for [`Patch::intersect`], and the last directions in which rings touched.
#[derive(Debug, Clone, Default)]
pub struct PatchScratch {
    planes: [Vec<Plane>; 2],
    /// Walls of A and of B that cut the other body.
    walls: [Vec<Plane>; 2],
    corners: [Vec<Vec3>; 2],
    /// Fields and walls that are left out.
    dropped: Vec<Plane>,
    polygon: Polygon,
    /// Where rings touch others.
    pub directions: Directions,
}

impl Default for Patch {
    fn default() -> Self {
        Self {
            origin: Vec3::zeros(),
            facets: Vec::with_capacity(POLYGONS),
            corners: Vec::with_capacity(CORNERS),
            force: Vec3::zeros(),
            normal: Vec3::zeros(),
            load: 0.0,
            area: 0.0,
            highest: 0.0,
            carried: None,
            axes: [None; 2],
            turns: [None; 2],
            turning: PatchForce::NONE,
        }
    }
}

impl Patch {
    /// Finds the polygons of equal pressure of two bodies. Returns whether they press on each other.
    pub fn intersect(&mut self, a: &PatchBody<'_>, b: &PatchBody<'_>, scratch: &mut PatchScratch) -> bool {
        let size = SPARE * self.begin([a, b]);
        let most = scratch.reduce(a, b, &self.origin, size);
        if most <= 0.0 {
            return false;
        }
        for i in 0..scratch.planes[0].len() {
            for j in 0..scratch.planes[1].len() {
                self.add_facet([i, j], size, most, scratch);
            }
        }
        if self.is_beside(&scratch.dropped) {
            self.clear();
        }
        let force = self.force.norm();
        if force > 0.0 {
            // A piece of ground may meet no more of a body than its rim, whose pressure leans: what it leans to the side
            // is balanced by the pieces around.
            let of_ground = a.ground_normal().or_else(|| b.ground_normal().map(|normal| -normal));
            (self.normal, self.load) = match of_ground {
                Some(normal) => (normal, self.force.dot(&normal).max(0.0)),
                None => shared_normal(&self.force, [a, b].map(PatchBody::balanced_direction)),
            };
            self.follow([a, b]);
        }
        force > 0.0
    }

    /// Begins with nothing that presses. Returns the radius of the smaller body \[m\].
    fn begin(&mut self, [a, b]: [&PatchBody<'_>; 2]) -> f64 {
        self.clear();
        let smaller = if a.radius() <= b.radius() { a } else { b };
        self.origin = smaller.center();
        self.axes = [a, b].map(|body| body.axis(&self.origin));
        smaller.radius()
    }

    /// Leaves nothing that presses.
    pub(crate) fn clear(&mut self) {
        self.facets.clear();
        self.corners.clear();
        (self.force, self.normal) = (Vec3::zeros(), Vec3::zeros());
        (self.load, self.area, self.highest, self.carried) = (0.0, 0.0, 0.0, None);
        (self.turns, self.turning) = ([None; 2], PatchForce::NONE);
    }

    /// Whether the polygons lie outside the bodies, which are then apart. A field is dropped where it is nowhere the
    /// smallest one in the overlap; if there is no overlap, those that are left may all be positive somewhere else. That
    /// region is convex, and an overlap would end at fields that are left, so that one point decides.
    fn is_beside(&self, dropped: &[Plane]) -> bool {
        let heaviest = self.facets.iter().max_by(|a, b| a.load.total_cmp(&b.load));
        heaviest.is_some_and(|facet| dropped.iter().any(|plane| plane.at(&facet.center) < 0.0))
    }

    /// The polygon of face i of A and face j of B, if there is one; the pressure is nowhere greater than `most` \[Pa\].
    fn add_facet(&mut self, [i, j]: [usize; 2], size: f64, most: f64, scratch: &mut PatchScratch) {
        let PatchScratch { planes, walls, polygon, .. } = scratch;
        let (of_a, of_b) = (planes[0][i], planes[1][j]);
        let difference = of_b.g - of_a.g;
        let h = difference.norm();
        if h <= SAME_FIELD * of_a.g.norm() {
            return;
        }
        let n = difference / h;
        let offset = (of_b.c - of_a.c) / h;
        if offset.abs() > size {
            return;
        }
        let frame = PlaneFrame::new(&n, -offset);
        let pressure = frame.on(of_a.c, &of_a.g);
        // Corners of the first square are no farther away.
        let reach = 1.5 * size;
        if pressure.c > most && (pressure.c - most).powi(2) > reach * reach * pressure.slope_squared() {
            return;
        }
        polygon.reset(size);
        if !polygon.keep(&pressure) || !walls.iter().flatten().all(|wall| polygon.keep(&frame.on(wall.c, &wall.g))) {
            return;
        }
        for (own, number) in [(1, j), (0, i)] {
            for (l, other) in planes[own].iter().enumerate() {
                if l != number && !polygon.keep(&frame.on(other.c - of_a.c, &(other.g - of_a.g))) {
                    return;
                }
            }
        }
        let Some(integral) = polygon.integrate(&pressure) else { return };
        self.area += integral.area;
        self.force += integral.sum * n;
        self.highest = self.highest.max(integral.highest);
        let start = self.corners.len();
        self.corners.extend(polygon.corners().iter().map(|&corner| frame.point(corner)));
        self.facets.push(Facet {
            of_a,
            g_b: of_b.g,
            h,
            n,
            area: integral.area,
            load: integral.sum,
            center: frame.point(integral.center),
            start,
            end: self.corners.len(),
        });
    }

    /// Point to which positions are relative, in W \[m\].
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Elastic force on B \[N\].
    #[must_use]
    pub fn elastic_force(&self) -> Vec3 {
        self.force + self.turning.f
    }

    /// Centre of the elastic pressure relative to the patch's origin \[m\].
    #[must_use]
    pub fn center(&self) -> Vec3 {
        let (mut moment, mut weight) = (Vec3::zeros(), 0.0);
        for facet in &self.facets {
            let load = facet.n.dot(&self.normal).max(0.0) * facet.load;
            moment += load * facet.center;
            weight += load;
        }
        if weight > 0.0 { moment / weight } else { Vec3::zeros() }
    }

    /// Elastic force along the normal \[N\].
    #[must_use]
    pub fn load(&self) -> f64 {
        self.load
    }

    /// Direction of the elastic force on B, or that of a piece of ground; zero without force.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Area of all polygons \[m²\].
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Greatest elastic pressure \[Pa\].
    #[must_use]
    pub fn highest_pressure(&self) -> f64 {
        self.highest
    }

    /// Depth at which two faces would press as much on each other as these bodies do at the most \[m\]: zero where they
    /// begin to touch, the penetration of a face on a face.
    #[must_use]
    pub fn depth(&self) -> f64 {
        self.surface_load().depth()
    }

    /// Load and depth of the patch by itself.
    #[must_use]
    pub fn surface_load(&self) -> SurfaceLoad {
        let (mut compliance, mut sum) = (0.0, 0.0);
        for facet in &self.facets {
            compliance += facet.load / facet.of_a.g.norm() + facet.load / facet.g_b.norm();
            sum += facet.load;
        }
        SurfaceLoad { force: self.load, sum, compliance, highest: self.highest }
    }

    /// Load and depth that the law of the contact follows from.
    pub(super) fn carried(&self) -> SurfaceLoad {
        self.carried.unwrap_or_else(|| self.surface_load())
    }

    /// Elastic force that the law of the contact follows from \[N\].
    pub(super) fn carried_force(&self) -> f64 {
        self.carried.map_or(self.load, |all| all.force())
    }

    /// Lets the law follow from what all pieces of one ground carry.
    pub fn carry_with(&mut self, all: SurfaceLoad) {
        self.carried = Some(all);
    }

    /// Lets the law follow from the patch by itself.
    pub fn carry_alone(&mut self) {
        self.carried = None;
    }

    /// Corners of all polygons in W \[m\], polygon by polygon.
    pub fn polygons(&self) -> impl Iterator<Item = impl Iterator<Item = Vec3> + '_> + '_ {
        self.facets.iter().map(|facet| self.polygon(facet).iter().map(|corner| corner + self.origin))
    }

    /// Axes of A and B if they are round.
    #[must_use]
    pub fn axes(&self) -> [Option<RoundAxis>; 2] {
        self.axes
    }

    /// How A and B turn that are whole round bodies.
    pub(super) fn turns(&self) -> [Option<Turn>; 2] {
        self.turns
    }

    pub(super) fn set_turns(&mut self, turns: [Option<Turn>; 2]) {
        self.turns = turns;
        self.turning = self.turning_force(&Vec3::zeros(), 0.0);
    }

    pub(super) fn facets(&self) -> &[Facet] {
        &self.facets
    }

    pub(super) fn polygon(&self, facet: &Facet) -> &[Vec3] {
        &self.corners[facet.start..facet.end]
    }
}

/// Direction of a force \[N\], and its part along it, without what other sectors of a ring balance: its components along
/// the given directions.
fn shared_normal(force: &Vec3, balanced: [Option<Vec3>; 2]) -> (Vec3, f64) {
    let without = |v: &Vec3, across: &Vec3| v - v.dot(across) * across;
    let shared = match balanced {
        [Some(a), Some(b)] => {
            let shared = without(force, &a);
            without(&b, &a).try_normalize(SAME_BALANCE).map_or(shared, |rest| without(&shared, &rest))
        }
        [Some(across), None] | [None, Some(across)] => without(force, &across),
        [None, None] => {
            let size = force.norm();
            return (force / size, size);
        }
    };
    let normal = shared.try_normalize(0.0).unwrap_or_else(|| force.normalize());
    (normal, force.dot(&normal))
}

impl PatchScratch {
    /// Leaves the fields that can be the smallest one somewhere in the overlap. Returns an upper bound of the pressure
    /// \[Pa\], which is not positive when a face separates the bodies.
    fn reduce(&mut self, a: &PatchBody<'_>, b: &PatchBody<'_>, origin: &Vec3, size: f64) -> f64 {
        for (side, body) in [a, b].into_iter().enumerate() {
            self.planes[side].clear();
            body.planes(origin, &mut self.planes[side]);
            self.walls[side].clear();
            body.walls(origin, &mut self.walls[side]);
            self.corners[side].clear();
            body.corners(origin, &mut self.corners[side]);
        }
        self.dropped.clear();
        // The centre of a body is between its corners.
        let spheres = [b, a].map(|other| (other.center() - origin, other.radius()));
        let (mut most, mut toward) = (f64::INFINITY, Vec3::zeros());
        for side in 0..2 {
            // The face most towards the other body comes first: it cuts off most of a polygon.
            let (mut facing, mut least) = (0, f64::INFINITY);
            for (k, plane) in self.planes[side].iter().enumerate() {
                let middle = plane.at(&spheres[side].0);
                if middle < least {
                    (facing, least) = (k, middle);
                }
                if middle < most {
                    let own = highest(plane, &self.corners[1 - side]);
                    (most, toward) = if own < most { (own, plane.g) } else { (most, toward) };
                }
            }
            self.planes[side].swap(0, facing);
            if most <= 0.0 || self.walls[side].iter().any(|wall| highest(wall, &self.corners[1 - side]) <= 0.0) {
                return 0.0;
            }
        }
        for side in 0..2 {
            let (others, dropped) = (&self.corners[1 - side], &mut self.dropped);
            let (center, radius) = spheres[side];
            keep(&mut self.planes[side], dropped, |plane| {
                let middle = plane.at(&center);
                middle <= most || (middle - radius * plane.g.norm() <= most && lowest(plane, others) <= most)
            });
            keep(&mut self.walls[side], dropped, |wall| lowest(wall, others) < 0.0);
        }
        let by = ALIGNED * a.radius().min(b.radius());
        if self.planes.iter().map(Vec::len).sum::<usize>() > MANY_PLANES {
            let Some(space) = Overlap::new(&toward, self.planes.iter().flatten(), &spheres) else { return 0.0 };
            most = self.confine(space, 4.0 * by).min(most);
        }
        let rise = self.separate_aligned(by, most, size);
        self.drop_larger(size);
        most + rise
    }

    /// Leaves the fields that can be the smallest one somewhere in a box around the overlap, which shrinks until it
    /// fits between all planes; a `margin` \[m\] is added on all sides. Returns an upper bound of the pressure \[Pa\].
    fn confine(&mut self, mut space: Overlap, margin: f64) -> f64 {
        let Self { planes, walls, dropped, .. } = self;
        for _ in 0..MOST_PASSES {
            let mut shrinks = false;
            for plane in planes.iter().chain(&*walls).flatten() {
                match space.cut(plane) {
                    Some(is_smaller) => shrinks |= is_smaller,
                    None => return 0.0,
                }
            }
            if !shrinks {
                break;
            }
        }
        space.grow(margin);
        let highest = |plane: &Plane| space.range(plane)[1];
        let most = planes.iter().flatten().map(highest).fold(f64::INFINITY, f64::min);
        for side in 0..2 {
            keep(&mut planes[side], dropped, |plane| space.range(plane)[0] <= most);
            keep(&mut walls[side], dropped, |wall| space.range(wall)[0] < 0.0);
        }
        most
    }

    /// Drops the fields of one body that are larger than one of the other within the first squares, whose half side is
    /// `size` \[m\]: those of aligned faces.
    fn drop_larger(&mut self, size: f64) {
        let [of_a, of_b] = &mut self.planes;
        // The corners of a first square are no farther from the origin, squared.
        let reach = 3.0 * size * size;
        let larger = |plane: &Plane, than: &Plane| {
            let above = plane.c - than.c;
            above > 0.0 && above * above > reach * (plane.g - than.g).norm_squared()
        };
        of_a.retain(|plane| !of_b.iter().any(|other| larger(plane, other)));
        of_b.retain(|plane| !of_a.iter().any(|other| larger(plane, other)));
    }

    /// Moves the faces of A outwards \[m\] that may lie in one plane with one of B. Returns by how much their fields rise
    /// at the most \[Pa\].
    fn separate_aligned(&mut self, by: f64, most: f64, size: f64) -> f64 {
        let [of_a, of_b] = &mut self.planes;
        let mut rise = 0.0_f64;
        for plane in of_a {
            if of_b.iter().any(|other| may_coincide(plane, other, by, most, size)) {
                let own = plane.g.norm() * by;
                plane.c += own;
                rise = rise.max(own);
            }
        }
        rise
    }
}

/// Keeps some fields, and notes the others.
fn keep(planes: &mut Vec<Plane>, dropped: &mut Vec<Plane>, is_kept: impl Fn(&Plane) -> bool) {
    planes.retain(|plane| {
        let stays = is_kept(plane);
        if !stays {
            dropped.push(*plane);
        }
        stays
    });
}

/// Whether two faces of the same direction lie so close to each other that both may limit the pressure, which is nowhere
/// greater than `most` \[Pa\]. One that is farther outside than the other limits nothing: the top of a box on the ground.
fn may_coincide(a: &Plane, b: &Plane, by: f64, most: f64, size: f64) -> bool {
    if a.g.dot(&b.g) <= 0.0 {
        return false;
    }
    let squares = [a, b].map(|plane| plane.g.norm_squared());
    let turned = a.g.cross(&b.g).norm_squared() / (squares[0] * squares[1]);
    if turned >= SAME_DIRECTION {
        return false;
    }
    let lengths = squares.map(f64::sqrt);
    let gap = (a.c / lengths[0] - b.c / lengths[1]).abs();
    gap <= NEAR * (most / lengths[0].min(lengths[1]) + by) + 3.0 * size * turned.sqrt()
}

/// A box around the overlap of two bodies, about the origin of a patch.
struct Overlap {
    axes: [Vec3; 3],
    low: [f64; 3],
    high: [f64; 3],
}

impl Overlap {
    /// The box around the common part of two spheres, with one axis along `toward` and another one along the field that
    /// is most nearly across, as those of the ends of a prism are; none if they have no common part.
    fn new<'a>(toward: &Vec3, planes: impl Iterator<Item = &'a Plane>, spheres: &[(Vec3, f64); 2]) -> Option<Self> {
        let n = toward.try_normalize(0.0)?;
        let along = |plane: &Plane| n.dot(&plane.g).powi(2) / plane.g.norm_squared();
        let (_, across) = planes.map(|plane| (along(plane), plane.g)).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let u = (across - n * n.dot(&across)).try_normalize(0.0).unwrap_or_else(|| tangents(&n)[0]);
        let axes = [n, u, n.cross(&u)];
        let low = axes.map(|axis| spheres.iter().fold(f64::NEG_INFINITY, |low, (at, r)| low.max(axis.dot(at) - r)));
        let high = axes.map(|axis| spheres.iter().fold(f64::INFINITY, |high, (at, r)| high.min(axis.dot(at) + r)));
        (0..3).all(|k| low[k] <= high[k]).then_some(Self { axes, low, high })
    }

    /// Smallest and greatest value of a field.
    fn range(&self, plane: &Plane) -> [f64; 2] {
        let mut range = [plane.c; 2];
        for k in 0..3 {
            let slope = plane.g.dot(&self.axes[k]);
            let ends = [slope * self.low[k], slope * self.high[k]];
            range[0] += ends[0].min(ends[1]);
            range[1] += ends[0].max(ends[1]);
        }
        range
    }

    /// Cuts off what is outside of a plane by the other sides. Returns whether the box shrinks by a part that counts;
    /// none if it is empty.
    fn cut(&mut self, plane: &Plane) -> Option<bool> {
        let slopes = self.axes.map(|axis| plane.g.dot(&axis));
        let mut shrinks = false;
        for k in 0..3 {
            let most = |i: usize| (slopes[i] * self.low[i]).max(slopes[i] * self.high[i]);
            let others = plane.c + most((k + 1) % 3) + most((k + 2) % 3);
            let before = self.high[k] - self.low[k];
            let bound = -others / slopes[k];
            if slopes[k] > 0.0 {
                self.low[k] = self.low[k].max(bound);
            } else if slopes[k] < 0.0 {
                self.high[k] = self.high[k].min(bound);
            }
            let extent = self.high[k] - self.low[k];
            if extent < 0.0 {
                return None;
            }
            shrinks |= extent < SHRINKS * before;
        }
        Some(shrinks)
    }

    fn grow(&mut self, by: f64) {
        self.low.iter_mut().for_each(|low| *low -= by);
        self.high.iter_mut().for_each(|high| *high += by);
    }
}

/// Greatest value of a field at some points; infinite for a body without corners, which reaches everywhere.
fn highest(plane: &Plane, corners: &[Vec3]) -> f64 {
    if corners.is_empty() {
        return f64::INFINITY;
    }
    corners.iter().map(|corner| plane.at(corner)).fold(f64::NEG_INFINITY, f64::max)
}

fn lowest(plane: &Plane, corners: &[Vec3]) -> f64 {
    if corners.is_empty() {
        return f64::NEG_INFINITY;
    }
    corners.iter().map(|corner| plane.at(corner)).fold(f64::INFINITY, f64::min)
}
