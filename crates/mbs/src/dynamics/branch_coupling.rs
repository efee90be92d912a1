//! Force elements between moving bodies: how they enter the structured Newton system.
//!
//! The part of an element that depends on the body it acts on joins that body's own impedance. The rest, the wrench on
//! one body caused by the motion of another, becomes six unknowns per coupled body. The response of the forest to a
//! wrench on a body follows from a path-wise substitution, and the remaining system has the sparsity of the graph of
//! couplings.

use std::collections::BTreeMap;

use nalgebra::{SMatrix, SVector};

use super::tree_solver::TreeSolver;
use super::variation::{Impedance, Variation};
use super::{Contacts, EvaluationError};
use crate::force::{Signals, Stiffness, stiffness};
use crate::linalg::{BlockSystem, renew};
use crate::math::Vec3;
use crate::spatial::{BodyMotion, NodeOrdinal, WORLD, Wrench};
use crate::topology::Topology;

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
            Self::Element(k) => stiffness(&topology.elements[k], bodies, signals, &topology.scales),
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
    cross: [CrossStiffness; 2],
}

/// A [`Stiffness`] as columns of torque and force, one for each component of a change of motion.
#[derive(Debug, Clone)]
struct CrossStiffness([[f64; 6]; 12]);

/// Pattern and work arrays of the coupling system.
#[derive(Debug, Clone, Default)]
struct Pattern {
    /// Pairs of different moving nodes it holds, smaller first, sorted.
    links: Vec<[NodeOrdinal; 2]>,
    /// Nodes of coupled bodies, ascending.
    nodes: Vec<NodeOrdinal>,
    /// Coupled bodies in the same tree, per coupled body.
    companions: Vec<Vec<usize>>,
    /// Nodes between the root and the coupled bodies of a tree, per coupled body, ascending.
    relevant: Vec<Vec<NodeOrdinal>>,
    /// All nodes of the trees with coupled bodies, ascending.
    affected: Vec<NodeOrdinal>,
    matrix: BlockSystem<6>,
}

impl Pattern {
    /// The pattern for sorted links.
    fn new(topology: &Topology, links: Vec<[NodeOrdinal; 2]>) -> Self {
        if links.is_empty() {
            return Self::default();
        }
        let mut nodes: Vec<NodeOrdinal> = links.iter().flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let roots: Vec<NodeOrdinal> = nodes.iter().map(|&n| topology.component_of(n)).collect();
        let mut by_root: BTreeMap<NodeOrdinal, Vec<usize>> = BTreeMap::new();
        for (k, root) in roots.iter().enumerate() {
            by_root.entry(*root).or_default().push(k);
        }
        let companions: Vec<Vec<usize>> = roots.iter().map(|root| by_root[root].clone()).collect();
        let welded = |root: NodeOrdinal| {
            let near = topology.closures.iter().filter(move |c| topology.component_of(c.leaf) == root);
            near.flat_map(|closure| [closure.leaf, closure.body.node])
        };
        let relevant = companions
            .iter()
            .zip(&roots)
            .map(|(list, &root)| relevant_nodes(topology, list.iter().map(|&k| nodes[k]).chain(welded(root))))
            .collect();
        let ordinal = |node: NodeOrdinal| nodes.partition_point(|&n| n < node);
        let mut entries = Vec::new();
        for link in &links {
            let sides = link.map(ordinal);
            for side in 0..2 {
                entries.extend(companions[sides[1 - side]].iter().map(|&d| (sides[side], d)));
            }
        }
        let matrix = BlockSystem::new(nodes.len(), entries);
        let is_affected = |i: &NodeOrdinal| by_root.contains_key(&topology.component_of(*i));
        let affected = (1..topology.nodes.len()).filter(is_affected).collect();
        Self { links, nodes, companions, relevant, affected, matrix }
    }

    fn ordinal(&self, node: NodeOrdinal) -> usize {
        self.nodes.partition_point(|&n| n < node)
    }

    /// Whether it serves for the given sorted links without much waste.
    fn serves(&self, links: &[[NodeOrdinal; 2]]) -> bool {
        self.links.len() <= links.len() + links.len() / 4 + SPARE_LINKS
            && links.iter().all(|link| self.links.binary_search(link).is_ok())
    }
}

/// Largest number of unused links in a pattern.
const SPARE_LINKS: usize = 16;

/// From this many links on, a pattern provides for contacts that are about to carry a force: analysing it again is
/// expensive.
const LARGE: usize = 100;

/// The links and, if they are many, up to an eighth more of pairs that may touch soon, sorted.
fn with_reserve(links: &[[NodeOrdinal; 2]], contacts: &Contacts) -> Vec<[NodeOrdinal; 2]> {
    let mut all = links.to_vec();
    if links.len() >= LARGE {
        let armed = contacts.armed_nodes().filter(|&[a, b]| !is_single(a, b)).map(|[a, b]| [a.min(b), a.max(b)]);
        all.extend(armed.filter(|link| links.binary_search(link).is_err()).take(links.len() / 8));
        all.sort_unstable();
        all.dedup();
    }
    all
}

/// The coupling system of one topology.
#[derive(Debug, Clone, Default)]
pub(super) struct BranchCoupling {
    /// Force elements, and their nodes.
    elements: Vec<(Source, [NodeOrdinal; 2])>,
    /// Present elements and loaded contacts with at most one moving side, and their nodes.
    single: Vec<(Source, [NodeOrdinal; 2])>,
    /// Present elements and loaded contacts between moving bodies.
    pairs: Vec<Pair>,
    /// Pairs (and their side) whose cross wrench depends on the motion of each coupled body.
    incident: Vec<Vec<(usize, usize)>>,
    links: Vec<[NodeOrdinal; 2]>,
    /// Loaded contacts and their nodes for which the pattern was analysed; none if it must be analysed again.
    loaded: Option<Vec<(usize, [NodeOrdinal; 2])>>,
    pattern: Pattern,
    /// Blocks of one column of the system; more where another column had more.
    columns: Vec<Block>,
    unknowns: Vec<Vector6>,
    right: Vec<f64>,
    b_v: Vec<f64>,
}

impl BranchCoupling {
    /// The coupling system of a topology with given contacts.
    pub fn new(topology: &Topology, contacts: &Contacts) -> Self {
        let mut system = Self::default();
        system.fit(topology, contacts);
        system
    }

    /// Re-initialises for another topology, reusing allocations.
    pub fn fit(&mut self, topology: &Topology, contacts: &Contacts) {
        let elements = topology.elements.iter().enumerate().map(|(k, element)| {
            let (a, b) = element.nodes();
            (Source::Element(k), [a, b])
        });
        self.elements.clear();
        self.elements.extend(elements);
        self.pattern = Pattern::default();
        self.columns.clear();
        self.unknowns.clear();
        self.right.clear();
        self.right.reserve(topology.num_variables());
        renew(&mut self.b_v, topology.num_v, 0.0);
        self.loaded = None;
        self.adapt(topology, contacts);
    }

    /// Updates the contacts that carry a force at the point last evaluated. The pattern is analysed again only if a
    /// contact is outside it, or if it has become much too large.
    pub fn adapt(&mut self, topology: &Topology, contacts: &Contacts) {
        if self.loaded.as_ref().is_some_and(|loaded| contacts.loaded().eq(loaded.iter().copied())) {
            return;
        }
        let mut loaded = self.loaded.take().unwrap_or_default();
        loaded.clear();
        loaded.extend(contacts.loaded());
        self.loaded = Some(loaded);
        self.single.clear();
        self.pairs.clear();
        self.links.clear();
        let touching = contacts.loaded().map(|(k, nodes)| (Source::Contact(k), nodes));
        for (source, [a, b]) in self.elements.iter().copied().chain(touching) {
            if is_single(a, b) { self.single.push((source, [a, b])) } else { self.links.push([a.min(b), a.max(b)]) }
        }
        self.links.sort_unstable();
        self.links.dedup();
        if !self.pattern.serves(&self.links) {
            self.pattern = Pattern::new(topology, with_reserve(&self.links, contacts));
        }
        let n = self.pattern.nodes.len();
        self.unknowns.resize(n, Vector6::zeros());
        self.incident.iter_mut().for_each(Vec::clear);
        self.incident.resize_with(n, Vec::new);
        let touching = contacts.loaded().map(|(k, nodes)| (Source::Contact(k), nodes));
        for (source, [a, b]) in self.elements.iter().copied().chain(touching) {
            if !is_single(a, b) {
                let sides = [self.pattern.ordinal(a), self.pattern.ordinal(b)];
                for side in 0..2 {
                    self.incident[sides[1 - side]].push((self.pairs.len(), side));
                }
                self.pairs.push(Pair { source, sides, cross: [CrossStiffness::ZERO; 2] });
            }
        }
    }

    /// Pairs of nodes that the pattern provides for, sorted.
    pub fn links(&self) -> Vec<[NodeOrdinal; 2]> {
        self.pattern.links.clone()
    }

    /// Analyses the pattern for sorted pairs of nodes.
    pub fn set_links(&mut self, topology: &Topology, links: Vec<[NodeOrdinal; 2]>) {
        if self.pattern.links != links {
            self.loaded = None;
            self.pattern = Pattern::new(topology, links);
        }
    }

    pub fn num_nonzeros(&self) -> usize {
        self.pattern.matrix.num_nonzeros()
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
                subtract(&mut tree.impedances[self.pattern.nodes[pair.sides[side]]], &slopes[side][side]);
                pair.cross[side].set(&slopes[side][1 - side]);
            }
        }
    }

    /// Assembles and factorises the coupling system; the forest must be eliminated.
    pub fn factor(&mut self, topology: &Topology, tree: &mut TreeSolver) -> Result<(), EvaluationError> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        self.pattern.matrix.reset_to_identity();
        for d in 0..self.pattern.nodes.len() {
            self.add_response(topology, tree, d);
        }
        if self.pattern.matrix.factor() {
            Ok(())
        } else {
            Err(EvaluationError::Recoverable("the linearised force elements form a singular system".to_owned()))
        }
    }

    /// Column block `d`: motion of all coupled bodies caused by a unit wrench on body `d`.
    fn add_response(&mut self, topology: &Topology, tree: &mut TreeSolver, d: usize) {
        let pattern = &mut self.pattern;
        let count: usize = pattern.companions[d].iter().map(|&by| self.incident[by].len()).sum();
        if self.columns.len() < count {
            self.columns.resize(count, Block::zeros());
        }
        for k in 0..6 {
            let mut unit = Wrench::ZERO;
            if k < 3 {
                unit.n[k] = 1.0
            } else {
                unit.f[k - 3] = 1.0
            }
            tree.respond(topology, pattern.nodes[d], &unit, &pattern.relevant[d], &mut self.b_v);
            let incident = pattern.companions[d].iter().flat_map(|&by| &self.incident[by]);
            for (block, &(pair, side)) in self.columns.iter_mut().zip(incident) {
                let pair = &self.pairs[pair];
                let by = pattern.nodes[pair.sides[1 - side]];
                block.data.0[k] = pair.cross[side].times(&tree.variations[by]).map(|x| -x);
            }
        }
        let incident = pattern.companions[d].iter().flat_map(|&by| &self.incident[by]);
        for (block, &(pair, side)) in self.columns.iter().zip(incident) {
            pattern.matrix.add(self.pairs[pair].sides[side], d, block);
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
        tree.solve_before(topology, b, &self.pattern.affected);
        self.unknowns.fill(Vector6::zeros());
        for pair in &self.pairs {
            for side in 0..2 {
                let by = self.pattern.nodes[pair.sides[1 - side]];
                self.unknowns[pair.sides[side]] += Vector6::from(pair.cross[side].times(&tree.variations[by]));
            }
        }
        self.pattern.matrix.solve(&mut self.unknowns);
        tree.affine.fill(Wrench::ZERO);
        for (&node, unknown) in self.pattern.nodes.iter().zip(&self.unknowns) {
            tree.affine[node] = Wrench {
                n: -Vec3::new(unknown[0], unknown[1], unknown[2]),
                f: -Vec3::new(unknown[3], unknown[4], unknown[5]),
            };
        }
        tree.solve_again(topology, &self.right, b, &self.pattern.affected);
    }
}

/// Whether at most one side moves, or both are the same.
fn is_single(a: NodeOrdinal, b: NodeOrdinal) -> bool {
    a == WORLD || b == WORLD || a == b
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

impl CrossStiffness {
    const ZERO: Self = Self([[0.0; 6]; 12]);

    fn set(&mut self, slopes: &Stiffness) {
        for (at, column) in self.0.iter_mut().enumerate() {
            let [n, f] = [slopes.n[at / 3].data.0[at % 3], slopes.f[at / 3].data.0[at % 3]];
            *column = [n[0], n[1], n[2], f[0], f[1], f[2]];
        }
    }

    /// Torque and force for a change of motion.
    #[inline]
    fn times(&self, z: &Variation) -> [f64; 6] {
        let mut wrench = [0.0; 6];
        let (blocks, _) = self.0.as_chunks::<3>();
        for ([x, y, z], change) in blocks.iter().zip(z) {
            for k in 0..6 {
                wrench[k] += x[k] * change.x + y[k] * change.y + z[k] * change.z;
            }
        }
        wrench
    }
}
