//! Trees whose loops are short.
//!
//! A breadth-first tree is short itself, but a loop between two of its branches goes back to where these part. Where
//! loops stand on one another, as in ladders, trusses and scissor lifts, that is the whole way to the ground, and the
//! equation of a loop says little that the one before has not said already: its independent part falls with the third
//! power of its length. If every super-object hangs on that of its neighbours which was reached last, a loop runs
//! around one cell.

use std::collections::BTreeMap;

use super::tree_edge::{Ends, TreeEdge, TreeJoint};

/// Edges of a loop, on average of all loops of a mechanism, from which on they are long.
const LONG: usize = 16;

/// By which factor loops must become shorter.
const GAIN: usize = 2;

/// A breadth-first forest.
pub(super) struct BreadthFirst<'a> {
    pub connections: &'a [Ends],
    /// Connections that are edges, from the world outwards.
    pub tree: &'a mut [usize],
    pub edges: &'a mut [TreeEdge],
    pub used: &'a mut [bool],
}

/// Where super-objects hang, by their number.
struct Hanging {
    /// Inboard super-object and connection with it.
    on: Vec<(usize, usize)>,
    /// When they were reached; zero for the world.
    rank: Vec<usize>,
}

/// Number of loops of a mechanism, and of their edges in the present tree and in the other one.
#[derive(Default)]
struct Loops {
    count: usize,
    edges: [usize; 2],
}

impl Hanging {
    /// Number of tree edges between two super-objects.
    fn distance(&self, mut a: usize, mut b: usize) -> usize {
        let mut count = 0;
        while a != b {
            let outer = if self.rank[a] > self.rank[b] { &mut a } else { &mut b };
            *outer = self.on[*outer].0;
            count += 1;
        }
        count
    }
}

impl BreadthFirst<'_> {
    /// Hangs the super-objects of mechanisms with long loops so that these become short, if they do; parents still come
    /// before their children.
    pub fn shorten_loops(&mut self, num_groups: usize) {
        let present = self.hanging(num_groups);
        let mechanism = self.mechanisms(num_groups);
        let mut loops = BTreeMap::<usize, Loops>::new();
        for (&(_, a, b), _) in self.connections.iter().zip(&*self.used).filter(|(_, used)| !**used) {
            let loops = loops.entry(mechanism[a.max(b)]).or_default();
            loops.count += 1;
            loops.edges[0] += present.distance(a, b);
        }
        loops.retain(|_, loops| loops.edges[0] > LONG * loops.count);
        if loops.is_empty() {
            return;
        }
        let other = Hanging { on: self.latest_neighbours(&present), rank: present.rank };
        let is_other = |k: usize, group: usize| other.on[group].1 == k;
        for (k, &(_, a, b)) in self.connections.iter().enumerate() {
            if let Some(loops) = loops.get_mut(&mechanism[a.max(b)])
                && !is_other(k, a)
                && !is_other(k, b)
            {
                loops.edges[1] += other.distance(a, b);
            }
        }
        loops.retain(|_, loops| GAIN * loops.edges[1] < loops.edges[0]);
        for (edge, tree) in self.edges.iter_mut().zip(self.tree.iter_mut()) {
            if loops.contains_key(&mechanism[edge.outboard]) {
                let (inboard, k) = other.on[edge.outboard];
                self.used[*tree] = false;
                let (connection, a, _) = self.connections[k];
                *edge = TreeEdge { connection, inboard, reversed: a != inboard, ..*edge };
                *tree = k;
            }
        }
        self.tree.iter().for_each(|&k| self.used[k] = true);
    }

    fn hanging(&self, num_groups: usize) -> Hanging {
        let mut hanging = Hanging { on: vec![(0, usize::MAX); num_groups], rank: vec![0; num_groups] };
        for (at, (edge, &k)) in self.edges.iter().zip(&*self.tree).enumerate() {
            hanging.on[edge.outboard] = (edge.inboard, k);
            hanging.rank[edge.outboard] = at + 1;
        }
        hanging
    }

    /// A number for the mechanism of every super-object: what connections join apart from the world.
    fn mechanisms(&self, num_groups: usize) -> Vec<usize> {
        let mut of: Vec<usize> = (0..num_groups).collect();
        fn first(of: &mut [usize], mut group: usize) -> usize {
            while of[group] != group {
                of[group] = of[of[group]];
                group = of[group];
            }
            group
        }
        for &(_, a, b) in self.connections.iter().filter(|(_, a, b)| *a != 0 && *b != 0) {
            let ends = [first(&mut of, a), first(&mut of, b)];
            of[ends[0].max(ends[1])] = ends[0].min(ends[1]);
        }
        (0..num_groups).map(|group| first(&mut of, group)).collect()
    }

    /// For every super-object, the neighbour that was reached last before it, and the first connection with it. What is
    /// free, or has no neighbour but the world, hangs where it did.
    fn latest_neighbours(&self, present: &Hanging) -> Vec<(usize, usize)> {
        let mut on = present.on.clone();
        for (k, &(connection, a, b)) in self.connections.iter().enumerate() {
            let (inner, outer) = if present.rank[a] < present.rank[b] { (a, b) } else { (b, a) };
            let is_free = |k: usize| matches!(self.connections[k].0, TreeJoint::FreeObject(_));
            if inner == outer || matches!(connection, TreeJoint::FreeObject(_)) || is_free(present.on[outer].1) {
                continue;
            }
            if present.rank[inner] > present.rank[on[outer].0] {
                on[outer] = (inner, k);
            }
        }
        on
    }
}
