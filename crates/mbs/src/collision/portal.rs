//! Minkowski portal refinement: whether two cores overlap, and a first estimate of where.
//!
//! A ray runs from an interior point of the Minkowski difference through the origin. A portal is a triangle of support
//! points that the ray passes; it moves outwards until the origin is behind it (overlap) or a support plane separates
//! the origin (apart). Sources: G. Snethen, XenoCollide, Game Programming Gems 7, 2008; A. Neumayr, M. Otter, Collision
//! Handling with Variable-Step Integrators, EOOLT 2017, for the ray that meets a support point or an edge.

use super::difference::{Difference, Vertex};
use super::refine::basis;
use crate::math::Vec3;

/// Largest number of refinements.
const ITERATIONS: usize = 64;

/// What the portal has found; lives on the stack for one query.
#[allow(clippy::large_enum_variant)]
pub(super) enum Portal {
    /// The plane through the origin with this unit normal (from A towards B) has the whole difference behind it.
    Apart(Vec3),
    /// The interior point and the portal: a tetrahedron with the origin.
    Overlap([Vertex; 4]),
}

/// Shoots the ray from the difference of the core origins.
pub(super) fn search(difference: &Difference) -> Portal {
    let inner = interior(difference);
    let first = difference.support(&-inner.w);
    if first.w.dot(&inner.w) >= 0.0 {
        return Portal::Apart((-inner.w).normalize());
    }
    let mut n = first.w.cross(&inner.w);
    if n.norm_squared() <= 1e-24 * first.w.norm_squared() * inner.w.norm_squared() {
        // The ray passes the support point itself: any plane through the ray will do.
        n = basis(&inner.w.normalize())[0];
    }
    let second = difference.support(&n);
    if second.w.dot(&n) <= 0.0 {
        return Portal::Apart(n.normalize());
    }
    discover(difference, inner, first, second)
}

/// A point strictly inside the difference that is not the origin.
fn interior(difference: &Difference) -> Vertex {
    let w = -difference.offset;
    let nudge = Vec3::new(1e-6, 2e-6, 3e-6) * difference.scale;
    let w = if w.norm() > 1e-6 * difference.scale { w } else { w + nudge };
    Vertex { w, a: w + difference.offset, b: difference.offset, generators: [0, 0] }
}

/// Searches a third support point such that the ray passes the triangle.
fn discover(difference: &Difference, inner: Vertex, first: Vertex, second: Vertex) -> Portal {
    let (mut p, mut q) = (first, second);
    let mut n = (p.w - inner.w).cross(&(q.w - inner.w));
    if n.dot(&inner.w) > 0.0 {
        (p, q, n) = (q, p, -n);
    }
    let mut r = q;
    for _ in 0..ITERATIONS {
        r = difference.support(&n);
        if r.w.dot(&n) <= 0.0 {
            return Portal::Apart(n.normalize());
        }
        if p.w.cross(&r.w).dot(&inner.w) < 0.0 {
            q = r;
        } else if r.w.cross(&q.w).dot(&inner.w) < 0.0 {
            p = r;
        } else {
            break;
        }
        n = (p.w - inner.w).cross(&(q.w - inner.w));
    }
    advance(difference, inner, [p, q, r])
}

/// Moves the portal outwards until the origin is behind it.
fn advance(difference: &Difference, inner: Vertex, portal: [Vertex; 3]) -> Portal {
    let [mut p, mut q, mut r] = portal;
    for _ in 0..ITERATIONS {
        let Some(n) = (q.w - p.w).cross(&(r.w - p.w)).try_normalize(0.0) else { break };
        if n.dot(&p.w) >= 0.0 {
            break;
        }
        let next = difference.support(&n);
        if n.dot(&next.w) < 0.0 {
            return Portal::Apart(n);
        }
        if n.dot(&(next.w - r.w)) <= 1e-15 * difference.scale {
            break;
        }
        let across = next.w.cross(&inner.w);
        if p.w.dot(&across) > 0.0 {
            if q.w.dot(&across) > 0.0 { p = next } else { r = next }
        } else if r.w.dot(&across) > 0.0 {
            q = next;
        } else {
            p = next;
        }
    }
    Portal::Overlap([inner, p, q, r])
}
