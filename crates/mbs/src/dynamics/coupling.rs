//! Force elements between moving bodies: how they enter the structured Newton system.
//!
//! The part of an element that depends on the body it acts on joins that body's own impedance. The rest, the wrench
//! on one body caused by the motion of another, becomes six unknowns per coupled body; the forest answers a wrench on a
//! body by a path-wise substitution, and the remaining system has the sparsity of the graph of couplings.

use std::collections::BTreeMap;

use nalgebra::{SMatrix, SVector};

use super::balance::Wrench;
use super::tree_solver::TreeSolver;
use super::variation::{Impedance, Variation};
use super::{BodyMotion, Contacts};
use crate::force::{Signals, Stiffness, stiffness};
use crate::linalg::BlockLu;
use crate::math::Vec3;
use crate::simulation::integrator::EvaluationError;
use crate::topology::{NodeOrdinal, Topology, WORLD};

type Block = SMatrix<f64, 6, 6>;
type Vector6 = SVector<f64, 6>;

/// What acts between bodies.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// Force element of the topology.
    Element(usize),
    /// Active contact.
    Contact(usize),
}

impl Source {
    fn stiffness(
        self,
        topology: &Topology,
        bodies: &[BodyMotion],
        contacts: &Contacts,
        signals: &mut Signals,
    ) -> [[Stiffness; 2]; 2] {
        match self {
            Self::Element(k) => stiffness(&topology.elements[k], bodies, signals),
            Self::Contact(k) => contacts.stiffness(k),
        }
    }
}

/// An element or contact between two different moving bodies.
#[derive(Debug, Clone)]
struct Pair {
    source: Source,
    /// Ordinals of both sides among the coupled bodies.
    sides: [usize; 2],
    /// Wrench on one side caused by the motion of the other.
    cross: [Stiffness; 2],
}

/// The coupling system of one topology.
#[derive(Debug, Clone)]
pub(super) struct Couplings {
    /// Elements and contacts with at most one moving side, and their nodes.
    single: Vec<(Source, [NodeOrdinal; 2])>,
    pairs: Vec<Pair>,
    /// Nodes of coupled bodies.
    nodes: Vec<NodeOrdinal>,
    /// Coupled bodies in the same tree, per coupled body.
    companions: Vec<Vec<usize>>,
    /// Pairs (and their side) whose cross wrench depends on the motion of each coupled body.
    incident: Vec<Vec<(usize, usize)>>,
    /// Nodes between the root and the coupled bodies of a tree, per coupled body, ascending.
    relevant: Vec<Vec<NodeOrdinal>>,
    lu: BlockLu<6>,
    unknowns: Vec<Vector6>,
    right: Vec<f64>,
    b_v: Vec<f64>,
}

impl Couplings {
    pub fn new(topology: &Topology, contacts: &Contacts) -> Self {
        let (mut single, mut between) = (Vec::new(), Vec::new());
        let elements = topology.elements.iter().enumerate().map(|(k, element)| (Source::Element(k), element.nodes()));
        let touching = contacts.nodes().enumerate().map(|(k, [a, b])| (Source::Contact(k), (a, b)));
        for (source, (a, b)) in elements.chain(touching) {
            if a == WORLD || b == WORLD || a == b {
                single.push((source, [a, b]))
            } else {
                between.push((source, a, b))
            }
        }
        let mut nodes: Vec<NodeOrdinal> = between.iter().flat_map(|&(_, a, b)| [a, b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let ordinal = |node: NodeOrdinal| nodes.partition_point(|&n| n < node);
        let roots: Vec<NodeOrdinal> = nodes.iter().map(|&n| root(topology, n)).collect();
        let mut by_root: BTreeMap<NodeOrdinal, Vec<usize>> = BTreeMap::new();
        for (k, root) in roots.iter().enumerate() {
            by_root.entry(*root).or_default().push(k);
        }
        let companions: Vec<Vec<usize>> = roots.iter().map(|root| by_root[root].clone()).collect();
        let relevant = companions.iter().map(|list| relevant_nodes(topology, list.iter().map(|&k| nodes[k]))).collect();
        let pairs: Vec<Pair> = between
            .iter()
            .map(|&(source, a, b)| Pair { source, sides: [ordinal(a), ordinal(b)], cross: [Stiffness::ZERO; 2] })
            .collect();
        let mut entries = Vec::new();
        let mut incident = vec![Vec::new(); nodes.len()];
        for (k, pair) in pairs.iter().enumerate() {
            for side in 0..2 {
                incident[pair.sides[1 - side]].push((k, side));
                entries.extend(companions[pair.sides[1 - side]].iter().map(|&d| (pair.sides[side], d)));
            }
        }
        Self {
            single,
            pairs,
            lu: BlockLu::new(nodes.len(), &entries),
            unknowns: vec![Vector6::zeros(); nodes.len()],
            companions,
            incident,
            relevant,
            nodes,
            right: Vec::with_capacity(topology.num_variables()),
            b_v: vec![0.0; topology.num_v],
        }
    }

    pub fn num_nonzeros(&self) -> usize {
        self.lu.num_nonzeros()
    }

    /// Linearises all elements; their own parts join the bodies' impedances.
    pub fn linearize(
        &mut self,
        topology: &Topology,
        bodies: &[BodyMotion],
        contacts: &Contacts,
        signals: &mut Signals,
        tree: &mut TreeSolver,
    ) {
        for &(source, nodes) in &self.single {
            let slopes = source.stiffness(topology, bodies, contacts, signals);
            for (row, &on) in nodes.iter().enumerate() {
                for (column, &by) in nodes.iter().enumerate() {
                    if on != WORLD && by != WORLD {
                        subtract(&mut tree.impedances[on], &slopes[row][column]);
                    }
                }
            }
        }
        for pair in &mut self.pairs {
            let slopes = pair.source.stiffness(topology, bodies, contacts, signals);
            for side in 0..2 {
                subtract(&mut tree.impedances[self.nodes[pair.sides[side]]], &slopes[side][side]);
                pair.cross[side] = slopes[side][1 - side];
            }
        }
    }

    /// Assembles and factorises the coupling system; the forest must be eliminated.
    pub fn factor(&mut self, topology: &Topology, tree: &mut TreeSolver) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        self.lu.reset_to_identity();
        for d in 0..self.nodes.len() {
            self.add_response(topology, tree, d);
        }
        if self.lu.factor() {
            Ok(())
        } else {
            Err(EvaluationError::Recoverable("the linearised force elements form a singular system".to_owned()))
        }
    }

    /// Column block `d`: motion of all coupled bodies caused by a unit wrench on body `d`.
    fn add_response(&mut self, topology: &Topology, tree: &mut TreeSolver, d: usize) {
        for k in 0..6 {
            let mut unit = Wrench::ZERO;
            if k < 3 {
                unit.n[k] = 1.0
            } else {
                unit.f[k - 3] = 1.0
            }
            tree.respond(topology, self.nodes[d], &unit, &self.relevant[d], &mut self.b_v);
            for &by in &self.companions[d] {
                for &(pair, side) in &self.incident[by] {
                    let pair = &self.pairs[pair];
                    let wrench = pair.cross[side].times(&tree.variations[self.nodes[by]]);
                    let mut block = Block::zeros();
                    block.set_column(k, &-to_vector(&wrench));
                    self.lu.add(pair.sides[side], d, &block);
                }
            }
        }
    }

    /// Solves the whole Newton system in place.
    pub fn solve(&mut self, topology: &Topology, tree: &mut TreeSolver, b: &mut [f64]) {
        if self.pairs.is_empty() {
            tree.solve(topology, b, false);
            return;
        }
        self.right.clear();
        self.right.extend_from_slice(b);
        tree.solve(topology, &mut self.right, false);
        self.unknowns.fill(Vector6::zeros());
        for pair in &self.pairs {
            for side in 0..2 {
                let by = self.nodes[pair.sides[1 - side]];
                self.unknowns[pair.sides[side]] += to_vector(&pair.cross[side].times(&tree.variations[by]));
            }
        }
        self.lu.solve(&mut self.unknowns);
        tree.affine.fill(Wrench::ZERO);
        for (&node, unknown) in self.nodes.iter().zip(&self.unknowns) {
            tree.affine[node] = Wrench {
                n: -Vec3::new(unknown[0], unknown[1], unknown[2]),
                f: -Vec3::new(unknown[3], unknown[4], unknown[5]),
            };
        }
        tree.solve(topology, b, true);
    }
}

fn root(topology: &Topology, mut node: NodeOrdinal) -> NodeOrdinal {
    while topology.nodes[node].parent != WORLD {
        node = topology.nodes[node].parent;
    }
    node
}

fn relevant_nodes(topology: &Topology, nodes: impl Iterator<Item = NodeOrdinal>) -> Vec<NodeOrdinal> {
    let mut relevant = std::collections::BTreeSet::new();
    for mut node in nodes {
        while node != WORLD && relevant.insert(node) {
            node = topology.nodes[node].parent;
        }
    }
    relevant.into_iter().collect()
}

fn subtract(impedance: &mut Impedance, slopes: &Stiffness) {
    for b in 0..4 {
        impedance.n[b] -= slopes.n[b];
        impedance.f[b] -= slopes.f[b];
    }
}

fn to_vector(wrench: &Wrench) -> Vector6 {
    Vector6::new(wrench.n.x, wrench.n.y, wrench.n.z, wrench.f.x, wrench.f.y, wrench.f.z)
}

impl Stiffness {
    fn times(&self, z: &Variation) -> Wrench {
        let mut wrench = Wrench::ZERO;
        for b in 0..4 {
            wrench.n += self.n[b] * z[b];
            wrench.f += self.f[b] * z[b];
        }
        wrench
    }
}
