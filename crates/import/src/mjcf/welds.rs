//! `<weld>` of bodies with a free joint: they lose it and are placed rigidly.

use std::collections::{HashMap, HashSet};

use nalgebra::{Quaternion, UnitQuaternion};

use super::Context;
use super::body::Body;
use crate::math::{self, Pose};
use crate::xml::{Element, Report};

/// Places of the constraints that bodies obey by where they are placed: file and byte.
pub(super) type Placed = HashSet<(u32, usize)>;

/// Where an element stands.
pub(super) fn place(element: Element) -> (u32, usize) {
    (element.file.0, element.node.range().start)
}

/// Places bodies with a free joint on what they are welded to; parents stay before children.
pub(super) fn place_welded<'a>(
    mut bodies: Vec<Body<'a>>,
    context: &Context<'a>,
    report: &mut Report,
) -> (Vec<Body<'a>>, Placed) {
    let mut placed = Placed::new();
    for element in context.equalities().into_iter().filter(|element| element.tag() == "weld") {
        if !context.defaults.of_kind(element, "equality", None, report).flag("active", true) {
            continue;
        }
        let Some((a, b, relative)) = welded(element, &bodies, report) else { continue };
        let (root_a, root_b) = (root(&bodies, a), root(&bodies, b));
        if root_a == root_b {
            continue;
        }
        let poses = poses(&bodies);
        let within = |body: usize, root: usize| poses[body].inverse() * poses[root];
        // The root that is free hangs on the other body; of two free ones the later one does.
        let (moved, on, pose) = if bodies[root_b].free.is_some() && (bodies[root_a].free.is_none() || root_a < root_b) {
            (root_b, a, relative * within(b, root_b))
        } else if bodies[root_a].free.is_some() {
            (root_a, b, relative.inverse() * within(a, root_a))
        } else {
            continue;
        };
        bodies[moved].free = None;
        bodies[moved].parent = on;
        bodies[moved].pose = pose;
        bodies = in_order(bodies);
        placed.insert(place(element));
    }
    (bodies, placed)
}

/// The bodies that a weld connects, and the pose of the second one in the first.
fn welded<'a>(element: Element<'a>, bodies: &[Body<'a>], report: &mut Report) -> Option<(usize, usize, Pose)> {
    let site = |attribute: &str| {
        let name = element.text(attribute)?;
        bodies.iter().enumerate().find_map(|(index, body)| {
            let site = body.sites.iter().find(|site| site.element.text("name") == Some(name))?;
            Some((index, site.pose))
        })
    };
    if element.text("site1").is_some() {
        let ((a, in_a), (b, in_b)) = (site("site1")?, site("site2")?);
        return Some((a, b, in_a * in_b.inverse()));
    }
    let body = |attribute: &str| match element.text(attribute) {
        None | Some("world") => Some(0),
        Some(name) => bodies.iter().skip(1).position(|body| body.element.text("name") == Some(name)).map(|at| at + 1),
    };
    element.text("body1")?;
    let (a, b) = (body("body1")?, body("body2")?);
    let poses = poses(bodies);
    Some((a, b, relative_pose(element, report).unwrap_or(poses[a].inverse() * poses[b])))
}

/// The pose of the second body in the first that a weld requires.
pub(super) fn relative_pose(element: Element, report: &mut Report) -> Option<Pose> {
    let [x, y, z, w, a, b, c] = report.exactly::<7>(element, "relpose")?;
    let rotation = UnitQuaternion::try_new(Quaternion::new(w, a, b, c), 1e-12)?;
    Some(math::pose([x, y, z].into(), rotation))
}

/// The body, or world, that moves a body rigidly.
fn root(bodies: &[Body], mut body: usize) -> usize {
    while body > 0 && bodies[body].joints.is_empty() && bodies[body].free.is_none() {
        body = bodies[body].parent;
    }
    body
}

/// Poses of all bodies in the world, in the configuration of the file.
pub(super) fn poses(bodies: &[Body]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(bodies.len());
    for body in bodies {
        let pose = poses.get(body.parent).map_or(body.pose, |parent| parent * body.pose);
        poses.push(pose);
    }
    poses
}

/// The same bodies, parents before children, else in the order in which they were.
fn in_order(bodies: Vec<Body>) -> Vec<Body> {
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, body) in bodies.iter().enumerate().skip(1) {
        children.entry(body.parent).or_default().push(index);
    }
    let (mut order, mut open) = (Vec::new(), vec![0]);
    while let Some(body) = open.pop() {
        order.push(body);
        open.extend(children.get(&body).into_iter().flatten().rev());
    }
    let mut number = vec![0; bodies.len()];
    order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    let mut ordered: Vec<(usize, Body)> =
        bodies.into_iter().enumerate().map(|(old, body)| (number[old], body)).collect();
    ordered.sort_by_key(|(new, _)| *new);
    let ordered = ordered.into_iter().map(|(_, body)| body);
    ordered.map(|body| Body { parent: number[body.parent], ..body }).collect()
}
