//! Closures of kinematic loops.
//!
//! Every joint is crossed by the forest, also one that closes a loop: its far super-object is cut in two. The part
//! beyond the closing joint, the *leaf*, carries a share of the mass; a weld holds it to the rest of the body. Thus a
//! closing joint keeps its coordinates, laws and motions like any other one, and the only equations to add are those of
//! a weld.

use super::Topology;
use crate::contact::hinge::Hinge;
use crate::math::Pose;
use crate::scene::JointId;
use crate::spatial::{Frame, NodeOrdinal, WORLD};

/// Number of equations of a weld on one level (position or velocity).
pub const WELD: usize = 6;

/// Equations of one weld that are used; the others follow from them.
pub type Selection = [bool; WELD];

/// A weld between the leaf beyond a closing joint and the body it was cut from.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Path of the joint that closes the loop.
    pub name: String,
    /// The joint; none for a hinge.
    pub joint: Option<JointId>,
    /// The hinge of a contact; none for a weld.
    pub tie: Option<Box<Tie>>,
    /// Node of the leaf; the weld's frame C is its body frame.
    pub leaf: NodeOrdinal,
    /// The same frame, C', on the body.
    pub body: Frame,
    /// Nodes that move the leaf and the body differently, ascending, with the sign of their effect on the gap.
    pub path: Vec<(NodeOrdinal, f64)>,
}

/// A hinge that closes a loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// The hinge.
    pub hinge: Hinge,
    /// Nodes of A and B.
    pub nodes: [NodeOrdinal; 2],
}

impl Closure {
    /// A weld whose path is found in the nodes of the forest.
    pub(super) fn weld(topology: &Topology, name: &str, joint: JointId, leaf: NodeOrdinal, body: Frame) -> Self {
        let path = Self::path(topology, leaf, body.node);
        Self { name: name.to_owned(), joint: Some(joint), tie: None, leaf, body, path }
    }

    /// The hinge of two nodes, one of which is not the world.
    fn hinge(topology: &Topology, name: String, hinge: Hinge, nodes: [NodeOrdinal; 2]) -> Self {
        let [body, leaf] = if nodes[1] == WORLD { [nodes[1], nodes[0]] } else { nodes };
        let path = Self::path(topology, leaf, body);
        let body = Frame { node: body, x_bc: Pose::identity() };
        Self { name, joint: None, tie: Some(Box::new(Tie { hinge, nodes })), leaf, body, path }
    }

    fn path(topology: &Topology, leaf: NodeOrdinal, body: NodeOrdinal) -> Vec<(NodeOrdinal, f64)> {
        let (mut a, mut b) = (leaf, body);
        let mut path = Vec::new();
        while a != b {
            if a > b {
                path.push((a, 1.0));
                a = topology.nodes[a].parent;
            } else {
                path.push((b, -1.0));
                b = topology.nodes[b].parent;
            }
        }
        path.reverse();
        path
    }
}

impl Topology {
    /// Holds pairs that touch by hinges, which replaces all hinges there were. Their shapes do not collide otherwise.
    pub(crate) fn set_hinges(&mut self, hinges: &[Hinge]) {
        self.closures.retain(|closure| closure.tie.is_none());
        for hinge in hinges.iter().filter(|hinge| !hinge.supports.is_empty()) {
            let shapes = [hinge.pair.a, hinge.pair.b].map(|shape| &self.shapes[shape as usize]);
            let nodes = shapes.map(|shape| shape.node);
            let closure = Closure::hinge(self, String::from("contact"), hinge.clone(), nodes);
            self.closures.push(closure);
        }
        self.collision_filter.set_held(hinges.iter().map(|hinge| (hinge.pair.a, hinge.pair.b)));
        self.label_components();
    }

    /// Whether joints close loops.
    #[must_use]
    pub fn has_loops(&self) -> bool {
        self.num_welds() > 0
    }

    /// Number of closures that are welds; hinges follow them.
    pub(crate) fn num_welds(&self) -> usize {
        self.closures.iter().filter(|closure| closure.tie.is_none()).count()
    }

    /// Number of multipliers of one level: [`WELD`] per closure. Those of redundant equations rest at zero.
    #[must_use]
    pub fn num_multipliers(&self) -> usize {
        WELD * self.closures.len()
    }

    /// The tree a node belongs to: its root, or the smallest root among the trees that loops join with it.
    #[must_use]
    pub fn component_of(&self, node: NodeOrdinal) -> NodeOrdinal {
        self.components[node]
    }

    /// Labels every node with the component of its tree; called once all closures are known.
    pub(super) fn label_components(&mut self) {
        let label = &mut self.components;
        label.clear();
        for (i, node) in self.nodes.iter().enumerate() {
            label.push(if i == WORLD || node.parent == WORLD { i } else { label[node.parent] });
        }
        if self.closures.is_empty() {
            return;
        }
        let mut joined: Vec<NodeOrdinal> = (0..self.nodes.len()).collect();
        let find = |joined: &[NodeOrdinal], mut k: NodeOrdinal| {
            while joined[k] != k {
                k = joined[k];
            }
            k
        };
        for closure in self.closures.iter().filter(|closure| closure.body.node != WORLD) {
            let [a, b] = [closure.leaf, closure.body.node].map(|node| find(&joined, label[node]));
            joined[a.max(b)] = a.min(b);
        }
        label.iter_mut().for_each(|root| *root = find(&joined, *root));
    }
}
