//! The joints between the base and the tool of a reference path.

use std::collections::VecDeque;
use std::fmt::Arguments;

use super::Elaboration;
use super::flatten::{Item, Items};
use super::names::{evaluate_indices, look_up};
use crate::declaration::{Location, ReferencePath, ToolLine};
use crate::expr::{Expr, number_text};
use crate::math::Pose;
use crate::reference_path::{ChainJoint, MOST_JOINTS, Tool, ToolChain};
use crate::scene::{Attachment, JointId, JointType, ObjectId, Scene};

/// One link of the route from the base to the tool.
#[derive(Debug, Clone, Copy)]
enum Link {
    /// A rigid connection.
    Rigid(Pose),
    /// A joint, by its place in the list, and whether it is crossed from `to` to `from`.
    Joint(usize, bool),
}

impl<'a> Elaboration<'a> {
    /// Finds the tools of all reference paths; everything else of the scene must be complete.
    pub(super) fn add_tools(&mut self, items: &Items<'a>) {
        for (k, item) in items.paths.iter().enumerate() {
            if let Some(line) = &item.member.line {
                self.scene.actions.paths[k].tool = self.tool_of(item, line, k);
            }
        }
    }

    fn tool_of(&mut self, item: &Item<'a, ReferencePath>, line: &ToolLine, path: usize) -> Option<Tool> {
        let location = item.member.location;
        let name = self.scene.actions.paths[path].path.clone();
        let what = format_args!("path `{name}`: line");
        let tool = self.find_object(&line.tool, &item.prefix, &item.scope, location)?;
        let base = match &line.base {
            Some(base) => self.find_object(base, &item.prefix, &item.scope, location)?,
            None => self.scene.world(),
        };
        let mut joints = Vec::new();
        for reference in &line.joints {
            joints.push(self.joint_of_line(item, reference, what)?);
        }
        let axes = self.scene.actions.paths[path].start.len();
        if joints.len() > axes.min(MOST_JOINTS) {
            let most = axes.min(MOST_JOINTS);
            self.fail(
                location,
                format!("{what}: {} joints, but at most {most} can follow the path's axes", joints.len()),
            );
            return None;
        }
        let limits = [
            (Some(&line.v_max), "v_max"),
            (Some(&line.a_max), "a_max"),
            (line.w_max.as_ref(), "w_max"),
            (line.dw_max.as_ref(), "dw_max"),
        ];
        let [v, a, w, dw] = limits.map(|(limit, label)| self.limit(item, limit, format_args!("{what}: {label}")));
        let Some(links) = shortest_route(&self.scene, [base, tool], &joints) else {
            let [base, tool] = [base, tool].map(|id| &self.scene.objects[id].path);
            let message = format!(
                "{what}: only rigid connections and the listed joints may lie between `{base}` and `{tool}`; list all joints between them"
            );
            self.fail(location, message);
            return None;
        };
        let (chain, order) = chain(&self.scene, &links, &joints);
        if let Some(unused) = (0..joints.len()).find(|k| !order.contains(k)) {
            let path = &self.scene.joints[joints[unused]].path;
            let message = format!("{what}: `{path}` does not lie between the base and the tool; leave it out");
            self.fail(location, message);
            return None;
        }
        self.refuse_other_axes(&joints, path, location, what)?;
        Some(Tool {
            name: self.scene.objects[tool].path.clone(),
            chain,
            joints: order.iter().map(|&k| self.scene.joints[joints[k]].path.clone()).collect(),
            linear: [v, a],
            angular: [w, dw],
            is_free: line.turns_freely,
        })
    }

    /// The joints of a line must follow the axes of the path in the order in which they are listed.
    fn refuse_other_axes(
        &mut self,
        joints: &[JointId],
        path: usize,
        location: Location,
        what: Arguments<'_>,
    ) -> Option<()> {
        for (k, joint) in joints.iter().enumerate() {
            let joint = &self.scene.joints[*joint];
            let Some(motion) = joint.dofs.first().and_then(|dof| dof.motion.as_ref()) else { continue };
            let axes = self.scene.signals.axes_read_by(&motion.position, path);
            if let (Some(axis), false) = (axes.first(), axes.contains(&k)) {
                let message = format!(
                    "{what}: `{}` is number {} of the joints, but its motion follows `{}.position[{}]`; list the joints in the order of \
                     the axes they follow",
                    joint.path,
                    k + 1,
                    self.scene.actions.paths[path].path,
                    axis + 1
                );
                self.fail(location, message);
                return None;
            }
        }
        Some(())
    }

    /// A joint with one degree of freedom.
    fn joint_of_line(
        &mut self,
        item: &Item<'a, ReferencePath>,
        reference: &str,
        what: Arguments<'_>,
    ) -> Option<JointId> {
        let location = item.member.location;
        let name = evaluate_indices(reference, &item.scope).map_err(|message| self.fail(location, message)).ok()?;
        let Some(joint) = look_up(&self.joint_names, &item.prefix, &name) else {
            self.fail(location, format!("{what}: there is no joint `{name}`"));
            return None;
        };
        if matches!(&self.scene.joints[joint].kind, JointType::Chain(axes) if axes.len() == 1) {
            return Some(joint);
        }
        self.fail(location, format!("{what}: the joint `{name}` has not one degree of freedom"));
        None
    }

    /// A positive limit; infinite when it is not given.
    fn limit(&mut self, item: &Item<'a, ReferencePath>, limit: Option<&Expr>, what: Arguments<'_>) -> f64 {
        let Some(limit) = limit else { return f64::INFINITY };
        let value = self.number(limit, &item.scope, item.member.location, what);
        if value <= 0.0 {
            self.fail(item.member.location, format!("{what} is {}, but must be positive", number_text(value)));
        }
        value
    }
}

/// The shortest route over rigid connections and some joints.
fn shortest_route(scene: &Scene, [base, tool]: [ObjectId; 2], joints: &[JointId]) -> Option<Vec<Link>> {
    let mut links: Vec<Vec<(ObjectId, Link)>> = vec![Vec::new(); scene.objects.capacity()];
    let mut connect = |a: ObjectId, b: ObjectId, there: Link, back: Link| {
        links[a.index()].push((b, there));
        links[b.index()].push((a, back));
    };
    for (id, object) in scene.objects.iter() {
        if let (Attachment::Fixed, Some(parent)) = (&object.attachment, object.parent) {
            connect(parent, id, Link::Rigid(object.x_pc), Link::Rigid(object.x_pc.inverse()));
        }
    }
    for (_, joint) in scene.joints.iter().filter(|(_, joint)| joint.kind == JointType::Fixed) {
        let rigid = Link::Rigid(Pose::identity());
        connect(joint.from, joint.to, rigid, rigid);
    }
    for (k, id) in joints.iter().enumerate() {
        let joint = &scene.joints[*id];
        connect(joint.from, joint.to, Link::Joint(k, false), Link::Joint(k, true));
    }
    let mut from: Vec<Option<(ObjectId, Link)>> = vec![None; scene.objects.capacity()];
    let mut queue = VecDeque::from([base]);
    while let Some(at) = queue.pop_front() {
        for (next, link) in &links[at.index()] {
            if *next != base && from[next.index()].is_none() {
                from[next.index()] = Some((at, *link));
                queue.push_back(*next);
            }
        }
    }
    let (mut route, mut at) = (Vec::new(), tool);
    while at != base {
        let (before, link) = from[at.index()]?;
        route.push(link);
        at = before;
    }
    route.reverse();
    Some(route)
}

/// The chain along a route, and which of the joints follow each other in it.
fn chain(scene: &Scene, links: &[Link], joints: &[JointId]) -> (ToolChain, Vec<usize>) {
    let (mut x, mut chain, mut order) = (Pose::identity(), Vec::new(), Vec::new());
    for link in links {
        match *link {
            Link::Rigid(pose) => x = x * pose,
            Link::Joint(k, reversed) => {
                if let JointType::Chain(axes) = &scene.joints[joints[k]].kind {
                    let motion = axes[0];
                    let axis = if reversed { -motion.axis } else { motion.axis };
                    chain.push(ChainJoint::new(k, &x, &axis, motion.rotation, motion.translation));
                    order.push(k);
                }
                x = Pose::identity();
            }
        }
    }
    (ToolChain::new(chain, &x), order)
}
