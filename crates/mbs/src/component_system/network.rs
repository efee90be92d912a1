//! One-dimensional mechanics: flanges that move rigidly together form a group with one motion.

use std::collections::{BTreeMap, VecDeque};

use crate::component::Motion;
use crate::scene::{ComponentInstance, FlangeTarget, JointId, Scene};
use crate::spatial::AxisCoordinates;
use crate::topology::{Coordinate, Topology, TopologyError};

/// What determines the motion of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Root {
    /// It is at rest.
    Ground,
    /// It moves with a degree of freedom of a joint: ordinal among those touched.
    Joint(usize),
    /// It moves on its own: ordinals of position and velocity among the variables of components.
    Own(usize),
    /// Its velocity is an input: variable of the position, ordinal of the component and of its input.
    Driven(usize, usize, usize),
}

/// Flanges that move rigidly together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub root: Root,
    /// Inertia as the root feels it (kg m² or kg).
    pub inertia: f64,
    /// Name of the member it is called by in messages.
    pub name: String,
    /// Position and velocity of the root at the start.
    pub start: [f64; 2],
    /// Names of its position and its velocity, where they are variables of their own.
    pub motion: Option<GroupMotion>,
}

/// The variables of a group that moves on its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroupMotion {
    /// Names without their last component: those of a component or of its flange.
    pub variable_prefix: String,
    /// Whether it moves along an axis.
    pub translates: bool,
}

/// Where a flange finds its motion: group, and its position per position of the group's root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    pub group: usize,
    pub ratio: f64,
}

/// A joint coordinate that components touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touched {
    pub joint: JointId,
    pub dof: usize,
    /// Where it is found; none while the joint is absent.
    pub coordinate: Option<Coordinate>,
    /// What it showed last, for absent joints.
    pub last: Motion,
    /// Whether no law of the joint itself acts on it.
    pub is_bare: bool,
}

impl Touched {
    /// A coordinate in a segment; none when the joint has no such degree of freedom.
    fn find(scene: &Scene, topology: &Topology, joint: JointId, dof: usize) -> Option<Self> {
        (dof < scene.joints[joint].dofs.len()).then_some(())?;
        let last = scene.structure.last_coordinates.get(joint.index()).and_then(Option::as_ref);
        let [position, velocity, acceleration] = last.and_then(|dofs| dofs.get(dof)).copied().unwrap_or_default();
        let coordinate = topology.joints[joint.index()].coordinates.get(dof).copied();
        let last = Motion { position, velocity, acceleration };
        Some(Self { joint, dof, coordinate, last, is_bare: is_bare(topology, joint, coordinate) })
    }

    /// Finds it in another segment.
    pub fn rebind(&mut self, scene: &Scene, topology: &Topology) {
        *self = Self::find(scene, topology, self.joint, self.dof).unwrap_or(*self);
    }
}

/// Whether no law of a joint acts on one of its coordinates.
fn is_bare(topology: &Topology, joint: JointId, coordinate: Option<Coordinate>) -> bool {
    let (Some((first, last)), Some(Coordinate::State { v, .. })) = (topology.joints[joint.index()].nodes, coordinate)
    else {
        return true;
    };
    let owns = |n: &usize| {
        let node = &topology.nodes[*n];
        (node.velocities()).contains(&v)
    };
    (first..=last).find(owns).is_none_or(|n| topology.nodes[n].laws.is_none())
}

/// A group that gears with losses tie to a degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Geared {
    pub group: usize,
    /// Ordinal of the coordinate among those touched.
    pub touched: usize,
    /// Velocity of the group's root per velocity of the joint.
    pub ratio: f64,
}

/// The velocity of the second group per velocity of the first one, as a gear with losses requires.
pub(super) type LossyTie = (usize, usize, f64);

/// A rigid gear, by the ordinals of its flanges.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RigidGear {
    /// Flange on the side that is summed, and the other one.
    pub flanges: [usize; 2],
    /// All flanges on that side.
    pub side: Vec<usize>,
    /// Inertia on that side as the group's root feels it.
    pub inertia: f64,
}

/// Groups, and one member per flange in the order of components and flanges.
#[derive(Debug, Clone, Default)]
pub(super) struct Network {
    pub groups: Vec<Group>,
    pub members: Vec<Member>,
    pub touched: Vec<Touched>,
    /// Rigid gears whose torques are determined.
    pub gears: Vec<RigidGear>,
}

impl Network {
    /// Whether the motion of a group does not depend on efforts.
    pub fn is_given(&self, group: usize) -> bool {
        match self.groups[group].root {
            Root::Ground | Root::Driven(..) => true,
            Root::Joint(at) => matches!(self.touched[at].coordinate, Some(Coordinate::Driven { .. })),
            Root::Own(_) => false,
        }
    }
}

/// A point of the connection graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Point {
    Joint(usize),
    Ground,
    Flange(usize),
}

/// The mechanics at the start, with all loops closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MechanicsAtStart<'a> {
    /// Positions, then velocities.
    pub y: &'a [f64],
    /// Prescribed motions.
    pub motions: &'a [AxisCoordinates],
    /// Number of position variables.
    pub num_q: usize,
}

pub(super) struct Builder<'a> {
    pub scene: &'a Scene,
    started: Option<MechanicsAtStart<'a>>,
    /// First flange of every component.
    pub first: Vec<usize>,
    /// Component of every flange.
    owner: Vec<usize>,
    pub edges: BTreeMap<Point, Vec<(Point, f64)>>,
    touched: Vec<Touched>,
}

/// Groups the flanges of a scene. Without the mechanics at the start, joints start as they are declared.
///
/// # Errors
/// Groups with two different motions, gears that contradict each other, flanges without any inertia.
pub(super) fn compile(
    scene: &Scene,
    topology: &Topology,
    started: Option<MechanicsAtStart<'_>>,
) -> Result<Network, TopologyError> {
    let mut builder =
        Builder { scene, started, first: Vec::new(), owner: Vec::new(), edges: BTreeMap::new(), touched: Vec::new() };
    for (k, instance) in scene.components.iter().enumerate() {
        builder.first.push(builder.owner.len());
        builder.owner.extend(instance.layout.flanges.iter().map(|_| k));
    }
    builder.connect(topology)?;
    builder.group()
}

/// A degree of freedom of a joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointCoordinate {
    pub joint: JointId,
    pub dof: usize,
}

/// Ordinal of a joint coordinate among those connected to components; none if the joint has no such degree of freedom.
pub(super) fn touch(
    touched: &mut Vec<Touched>,
    scene: &Scene,
    topology: &Topology,
    JointCoordinate { joint, dof }: JointCoordinate,
) -> Option<usize> {
    if let Some(known) = touched.iter().position(|t| t.joint == joint && t.dof == dof) {
        return Some(known);
    }
    touched.push(Touched::find(scene, topology, joint, dof)?);
    Some(touched.len() - 1)
}

impl Builder<'_> {
    fn flange(&self, component: usize, flange: usize) -> Point {
        Point::Flange(self.first[component] + flange)
    }

    /// Adds a connection: position of `a` = `ratio` times position of `b`.
    fn edge(&mut self, a: Point, b: Point, ratio: f64) {
        self.edges.entry(a).or_default().push((b, 1.0 / ratio));
        self.edges.entry(b).or_default().push((a, ratio));
    }

    fn connect(&mut self, topology: &Topology) -> Result<(), TopologyError> {
        let scene = self.scene;
        let mut is_named = vec![false; self.owner.len()];
        for instance in &scene.components {
            for target in instance.targets.iter().flatten() {
                if let FlangeTarget::Flange(component, flange) = *target {
                    is_named[self.first[component] + flange] = true;
                }
            }
        }
        for (k, instance) in scene.components.iter().enumerate() {
            reserve::check();
            for (f, target) in instance.targets.iter().enumerate() {
                let own = self.flange(k, f);
                match target {
                    Some(FlangeTarget::Flange(component, flange)) => {
                        let other = self.flange(*component, *flange);
                        self.edge(own, other, 1.0);
                    }
                    Some(FlangeTarget::Ground) => self.edge(own, Point::Ground, 1.0),
                    Some(FlangeTarget::Joint(joint, dof)) => {
                        let at =
                            self.touch_present(instance, topology, JointCoordinate { joint: *joint, dof: *dof })?;
                        self.edge(own, Point::Joint(at), 1.0);
                    }
                    None if instance.layout.flanges[f].optional && !is_named[self.first[k] + f] => {
                        self.edge(own, Point::Ground, 1.0);
                    }
                    None => {}
                }
            }
            for &(a, b, ratio) in &instance.layout.gears {
                let (a, b) = (self.flange(k, a), self.flange(k, b));
                self.edge(a, b, ratio);
            }
        }
        Ok(())
    }

    /// Ordinal of a joint's coordinate that a flange of a component hangs on.
    fn touch_present(
        &mut self,
        instance: &ComponentInstance,
        topology: &Topology,
        coordinate: JointCoordinate,
    ) -> Result<usize, TopologyError> {
        let path = &self.scene.joints[coordinate.joint].path;
        let at = touch(&mut self.touched, self.scene, topology, coordinate)
            .ok_or_else(|| error(instance, format!("joint `{path}` has no such coordinate")))?;
        if self.touched[at].coordinate.is_none() {
            let message = format!(
                "joint `{path}` is absent at the start; components can only be connected with joints that always exist: let the joint \
                 start as present, or give it a force that reads the component (`force = \"…\"`)"
            );
            return Err(error(instance, message));
        }
        Ok(at)
    }

    fn group(mut self) -> Result<Network, TopologyError> {
        let unknown = Member { group: usize::MAX, ratio: 0.0 };
        let mut network = Network { members: vec![unknown; self.owner.len()], ..Network::default() };
        for at in 0..self.touched.len() {
            let Touched { joint, .. } = self.touched[at];
            let name = self.scene.joints[joint].path.clone();
            self.spread(Point::Joint(at), Root::Joint(at), name, &mut network)?;
        }
        self.spread(Point::Ground, Root::Ground, "ground".to_owned(), &mut network)?;
        for (k, instance) in self.scene.components.iter().enumerate() {
            if let Some((flange, input)) = instance.layout.driven {
                let point = self.flange(k, flange);
                self.spread(point, Root::Driven(0, k, input), instance.path.clone(), &mut network)?;
                self.give_start(instance.layout.flanges[flange].start, &mut network);
            }
        }
        for pass in 0..2 {
            for flange in 0..self.owner.len() {
                reserve::check();
                let (instance, k) = self.name_of(flange);
                let declared = &instance.layout.flanges[k];
                let (name, start) = (format!("{}.{}", instance.path, declared.name), declared.start);
                if network.members[flange] == unknown && (pass == 1 || declared.inertia > 0.0) {
                    let owner = if instance.layout.flanges.len() == 1 { instance.path.clone() } else { name.clone() };
                    let translates = declared.translates;
                    self.spread(Point::Flange(flange), Root::Own(0), name, &mut network)?;
                    network.groups.iter_mut().last().into_iter().for_each(|group| {
                        group.motion = Some(GroupMotion { variable_prefix: owner.clone(), translates });
                    });
                    self.give_start(start, &mut network);
                }
            }
        }
        self.refuse_holders_of_one_motion(&network)?;
        self.add_inertias(&mut network)?;
        self.propagate_starts(&mut network)?;
        network.gears = self.rigid_gears(&network);
        network.touched = std::mem::take(&mut self.touched);
        Ok(network)
    }

    /// Refuses a clutch or brake whose two flanges move together anyway.
    fn refuse_holders_of_one_motion(&self, network: &Network) -> Result<(), TopologyError> {
        for (k, instance) in self.scene.components.iter().enumerate() {
            let members = &network.members[self.first[k]..][..instance.layout.flanges.len()];
            if let ([a, b], true) = (members, instance.layout.holds.is_some())
                && (a.group, a.ratio) == (b.group, b.ratio)
                && !matches!(network.groups[a.group].root, Root::Ground)
            {
                let name = &network.groups[a.group].name;
                let message =
                    format!("both sides move with `{name}`: nothing can slip; connect one side with something else");
                return Err(error(instance, message));
            }
        }
        Ok(())
    }

    /// Gives the last group its start: what is given for any of its flanges, else the values of its first one.
    fn give_start(&self, first: [f64; 2], network: &mut Network) {
        let last = network.groups.len() - 1;
        let mut start = first;
        for (order, start) in start.iter_mut().enumerate() {
            let of_group = network.members.iter().enumerate().filter(|(_, member)| member.group == last);
            let given = of_group.filter_map(|(flange, member)| {
                let (instance, k) = self.name_of(flange);
                let declared = &instance.layout.flanges[k];
                declared.given[order].then(|| declared.start[order] / member.ratio)
            });
            *start = given.into_iter().next().unwrap_or(*start);
        }
        network.groups[last].start = start;
    }

    pub fn name_of(&self, flange: usize) -> (&ComponentInstance, usize) {
        let owner = self.owner[flange];
        (&self.scene.components[owner], flange - self.first[owner])
    }

    /// What is wrong with gears of a group, whose ratios give two ratios of one motion.
    fn circle(&self, network: &Network, group: usize, one: f64, other: f64) -> String {
        let is_inside = |k: usize| {
            let flanges = self.first[k]..self.first[k] + self.scene.components[k].layout.flanges.len();
            network.members[flanges].iter().any(|member| member.group == group)
        };
        let with_gears = self.scene.components.iter().enumerate().filter(|(k, _)| is_inside(*k));
        let gears: Vec<String> = with_gears
            .flat_map(|(_, instance)| instance.layout.gears.iter().map(move |gear| (&instance.path, gear.2)))
            .map(|(path, ratio)| format!("`{path}` (ratio {ratio})"))
            .collect();
        format!(
            "the gears {} close a circle with different ratios: one way round gives {one}, the other {other}; make the products of the \
             ratios equal, or leave one of the gears out",
            gears.join(", ")
        )
    }

    /// Gives everything rigidly connected with a point its motion.
    fn spread(&self, from: Point, root: Root, name: String, network: &mut Network) -> Result<(), TopologyError> {
        let group = network.groups.len();
        if let Point::Flange(flange) = from {
            if network.members[flange].group != usize::MAX {
                let (instance, _) = self.name_of(flange);
                let other = &network.groups[network.members[flange].group].name;
                let message = format!(
                    "its motion is already determined by `{other}`; put a spring or a clutch between them, or leave one of them out \
                     (a joint moves as its `motion` says)"
                );
                return Err(error(instance, message));
            }
            network.members[flange] = Member { group, ratio: 1.0 };
        }
        network.groups.push(Group { root, inertia: 0.0, name: name.clone(), start: [0.0; 2], motion: None });
        let mut queue = VecDeque::from([(from, 1.0)]);
        while let Some((point, ratio)) = queue.pop_front() {
            for &(next, factor) in self.edges.get(&point).map_or(&[][..], Vec::as_slice) {
                let through = match (point, next) {
                    (Point::Flange(flange), _) | (_, Point::Flange(flange)) => self.name_of(flange).0,
                    _ => continue,
                };
                let next_ratio = ratio * factor;
                match next {
                    _ if next == from => {
                        if (next_ratio - 1.0).abs() > 1e-12 {
                            let message = self.circle(network, group, next_ratio, 1.0);
                            return Err(error(through, message));
                        }
                    }
                    Point::Flange(flange) => {
                        let member = network.members[flange];
                        if member.group == usize::MAX {
                            network.members[flange] = Member { group, ratio: next_ratio };
                            queue.push_back((next, next_ratio));
                        } else if (member.ratio - next_ratio).abs() > 1e-12 * next_ratio.abs() {
                            let message = self.circle(network, group, next_ratio, member.ratio);
                            return Err(error(through, message));
                        }
                    }
                    Point::Joint(at) => {
                        let other = &self.scene.joints[self.touched[at].joint].path;
                        return Err(error(
                            through,
                            format!(
                                "it rigidly couples `{name}` with `{other}`, whose motions are independent; put a spring or an \
                                 elastic gear between them"
                            ),
                        ));
                    }
                    Point::Ground => {
                        return Err(error(
                            through,
                            format!("it locks `{name}`, which is rigidly connected with the ground"),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Propagates given start values through the constraints of components until nothing changes.
    fn propagate_starts(&self, network: &mut Network) -> Result<(), TopologyError> {
        let mut known: Vec<[bool; 2]> =
            (0..network.groups.len()).map(|group| self.has_given_start(group, network)).collect();
        let mut kept = Vec::new();
        for (k, instance) in self.scene.components.iter().enumerate() {
            for &(a, b, ratio) in &instance.layout.constraints {
                let [a, b] = [a, b].map(|flange| network.members[self.first[k] + flange]);
                if a.group == b.group {
                    let name = &network.groups[a.group].name;
                    let message = format!(
                        "both sides move rigidly with `{name}` already; leave the losses out, or give them to the other gears of the \
                         circle as well"
                    );
                    return Err(error(instance, message));
                }
                kept.extend([(a, b, 1.0 / ratio), (b, a, ratio)]);
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(from, to, factor) in &kept {
                for order in 0..2 {
                    if known[from.group][order] && !known[to.group][order] {
                        let start = self.start_of(&network.groups[from.group])[order];
                        network.groups[to.group].start[order] = start * from.ratio * factor / to.ratio;
                        known[to.group][order] = true;
                        changed = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether position and velocity of a group at the start are given, or follow from a joint or the ground.
    fn has_given_start(&self, group: usize, network: &Network) -> [bool; 2] {
        if !matches!(network.groups[group].root, Root::Own(_)) {
            return [true; 2];
        }
        let flanges = (0..network.members.len()).filter(|&flange| network.members[flange].group == group);
        let given = flanges.map(|flange| {
            let (instance, k) = self.name_of(flange);
            instance.layout.flanges[k].given
        });
        given.fold([false; 2], |known, given| [known[0] || given[0], known[1] || given[1]])
    }

    /// Position and velocity of a group's root at the start.
    fn start_of(&self, group: &Group) -> [f64; 2] {
        let Root::Joint(at) = group.root else { return group.start };
        let Touched { joint, dof, coordinate, last, .. } = self.touched[at];
        let Some(MechanicsAtStart { y, motions, num_q }) = self.started else {
            return self.scene.joints[joint].dofs.get(dof).map_or([0.0; 2], |dof| [dof.position, dof.velocity]);
        };
        match coordinate {
            Some(Coordinate::State { q, v }) => [q.map_or(0.0, |q| y[q]), y[num_q + v]],
            Some(Coordinate::Driven { motion }) => [motions[motion].q, motions[motion].v],
            None => [last.position, last.velocity],
        }
    }

    fn add_inertias(&self, network: &mut Network) -> Result<(), TopologyError> {
        for (flange, member) in network.members.iter().enumerate() {
            let (instance, k) = self.name_of(flange);
            network.groups[member.group].inertia += member.ratio * member.ratio * instance.layout.flanges[k].inertia;
        }
        for member in &network.members {
            let group = &network.groups[member.group];
            if matches!(group.root, Root::Own(_)) && group.inertia <= 0.0 {
                let owner = group.name.split('.').next().unwrap_or_default();
                let instance = self.scene.components.iter().find(|c| group.name.starts_with(&c.path));
                let message = format!(
                    "flange `{}` moves without inertia; connect it with a joint or with a component of type `inertia`",
                    group.name
                );
                return Err(instance.map_or_else(
                    || TopologyError { location: Default::default(), message: format!("`{owner}`: {message}") },
                    |instance| error(instance, message.clone()),
                ));
            }
        }
        Ok(())
    }
}

fn error(instance: &ComponentInstance, message: String) -> TopologyError {
    TopologyError { location: instance.location, message: format!("component `{}`: {message}", instance.path) }
}
