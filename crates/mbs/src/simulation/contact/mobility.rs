//! What impulses and forces where bodies touch do to the motion there. Bodies that do not touch each other, directly or
//! through others, have nothing to do with each other.

use crate::dynamics::{Evaluator, SparseImpulse};
use crate::linalg::Dense;
use crate::spatial::NodeOrdinal;
use crate::topology::Topology;

/// Ordinals of pairs of bodies that touch directly, through others that can move, or through the joints between them, in
/// the order of the first of each. Pairs that nothing can move are left out.
pub(super) fn clusters(topology: &Topology, pairs: impl IntoIterator<Item = [NodeOrdinal; 2]>) -> Vec<Vec<usize>> {
    let mut joined: Vec<NodeOrdinal> = (0..topology.nodes.len()).collect();
    let mut tree_of = Vec::new();
    for nodes in pairs {
        let moving = nodes.into_iter().filter(|&node| !topology.is_prescribed(node));
        let mut trees = moving.map(|node| root(&mut joined, topology.component_of(node)));
        let (first, second) = (trees.next(), trees.next());
        drop(trees);
        if let (Some(a), Some(b)) = (first, second) {
            joined[a.max(b)] = a.min(b);
        }
        tree_of.push(first);
    }
    let mut number = vec![usize::MAX; joined.len()];
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for (k, tree) in tree_of.into_iter().enumerate() {
        let Some(tree) = tree else { continue };
        let own = &mut number[root(&mut joined, tree)];
        if *own == usize::MAX {
            *own = clusters.len();
            clusters.push(Vec::new());
        }
        clusters[*own].push(k);
    }
    clusters
}

fn root(joined: &mut [NodeOrdinal], mut k: NodeOrdinal) -> NodeOrdinal {
    while joined[k] != k {
        joined[k] = joined[joined[k]];
        k = joined[k];
    }
    k
}

/// How velocities answer to impulses at one point of the motion.
pub(super) struct Responses {
    /// The root of the tree of every velocity variable.
    tree_of: Vec<NodeOrdinal>,
    /// The nodes of every tree, by its root, ascending.
    trees: Vec<Vec<NodeOrdinal>>,
    /// Whether joints close loops in the tree of a root.
    is_looped: Vec<bool>,
    /// Changes of velocities; zero between calls.
    dv: Vec<f64>,
}

impl Responses {
    pub fn new(topology: &Topology) -> Self {
        let (mut tree_of, mut trees) = (vec![0; topology.num_v], vec![Vec::new(); topology.nodes.len()]);
        for (i, node) in topology.nodes.iter().enumerate() {
            let root = topology.component_of(i);
            trees[root].push(i);
            tree_of[node.velocities()].fill(root);
        }
        let mut is_looped = vec![false; trees.len()];
        topology.closures.iter().for_each(|closure| is_looped[topology.component_of(closure.leaf)] = true);
        Self { tree_of, trees, is_looped, dv: vec![0.0; topology.num_v] }
    }

    /// `J M^-1 J^T` \[1/kg\] of unit impulses, when the masses are factorised.
    pub fn mobility(&mut self, evaluator: &mut Evaluator, topology: &Topology, impulses: &[SparseImpulse]) -> Dense {
        let touched: Vec<Vec<NodeOrdinal>> = impulses.iter().map(|impulse| self.trees_of(impulse)).collect();
        let mut mobility = Dense::zeros(impulses.len());
        for (j, impulse) in impulses.iter().enumerate() {
            if touched[j].is_empty() {
                continue;
            }
            self.respond(evaluator, topology, impulse, &touched[j]);
            for (i, other) in impulses[..=j].iter().enumerate() {
                if !touched[i].iter().any(|tree| touched[j].contains(tree)) {
                    continue;
                }
                let w: f64 = other.iter().map(|(k, x)| x * self.dv[*k]).sum();
                mobility.set(i, j, w);
                mobility.set(j, i, w);
            }
            for node in touched[j].iter().flat_map(|tree| &self.trees[*tree]) {
                self.dv[topology.nodes[*node].velocities()].fill(0.0);
            }
        }
        mobility
    }

    fn trees_of(&self, impulse: &[(usize, f64)]) -> Vec<NodeOrdinal> {
        let mut trees: Vec<NodeOrdinal> = impulse.iter().map(|(k, _)| self.tree_of[*k]).collect();
        trees.sort_unstable();
        trees.dedup();
        trees
    }

    /// Writes the changes of velocities by an impulse in some trees to `dv`.
    fn respond(
        &mut self,
        evaluator: &mut Evaluator,
        topology: &Topology,
        impulse: &[(usize, f64)],
        trees: &[NodeOrdinal],
    ) {
        if trees.iter().any(|tree| self.is_looped[*tree]) {
            let mut whole = vec![0.0; topology.num_v];
            impulse.iter().for_each(|(k, x)| whole[*k] = *x);
            let dv = evaluator.velocity_response(topology, &whole);
            for &node in trees.iter().flat_map(|tree| &self.trees[*tree]) {
                let own = topology.nodes[node].velocities();
                self.dv[own.clone()].copy_from_slice(&dv[own]);
            }
            return;
        }
        match trees {
            [tree] => evaluator.velocity_response_of_trees(topology, impulse, &self.trees[*tree], &mut self.dv),
            _ => {
                let nodes: Vec<NodeOrdinal> = trees.iter().flat_map(|tree| &self.trees[*tree]).copied().collect();
                evaluator.velocity_response_of_trees(topology, impulse, &nodes, &mut self.dv);
            }
        }
    }
}
