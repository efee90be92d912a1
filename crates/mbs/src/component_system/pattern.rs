//! Structure of the linear system of components and mechanics: what components read from the mechanics, what they do to
//! it, which equations depend on which unknowns, and which columns are differenced together.

use super::dependency::{Columns, Dependencies};
use super::network::Root;
use super::system::ComponentSystem;
use crate::spatial::{NodeOrdinal, WORLD};
use crate::topology::{Coordinate, Topology};

/// What components read from the mechanics.
#[derive(Debug, Clone)]
pub(super) enum Probe {
    /// Coordinate of a joint.
    Joint {
        touched: usize,
        /// Position (0), velocity (1) or acceleration (2).
        order: u8,
        /// Index of its change in a solution of the mechanics.
        at: usize,
        block: usize,
    },
    /// Motion of a body: its ordinal and its derivatives with respect to variables of the mechanics.
    Motion { observed: usize, row: Vec<(usize, f64)> },
}

impl Probe {
    /// Its change in a solution of the mechanics.
    pub fn change(&self, solution: &[f64]) -> f64 {
        match self {
            Self::Joint { at, .. } => solution[*at],
            Self::Motion { row, .. } => row.iter().map(|(variable, slope)| slope * solution[*variable]).sum(),
        }
    }

    /// Mechanism; there is only one when motions of bodies are read.
    pub fn block(&self) -> usize {
        match self {
            Self::Joint { block, .. } => *block,
            Self::Motion { .. } => 0,
        }
    }
}

/// What components do to the mechanics.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// Effort on a touched joint coordinate, and its row in the mechanics.
    Effort { touched: usize, row: usize, block: usize },
    /// A value that force laws read; derivative of the mechanics' residual.
    Slot { slot: usize, column: Vec<f64> },
}

pub(super) fn influences(action: &Action, probe: &Probe) -> bool {
    match action {
        Action::Effort { block, .. } => *block == probe.block(),
        Action::Slot { .. } => true,
    }
}

/// Block of every touched joint coordinate: mechanisms that influence each other have the same one.
pub(super) fn blocks_of(topology: &Topology, system: &ComponentSystem, merged: bool) -> (Vec<usize>, usize) {
    let root = |node: NodeOrdinal| topology.component_of(node);
    let joins = |element: &crate::force::Element| {
        let (a, b) = element.nodes();
        a != WORLD && b != WORLD && root(a) != root(b)
    };
    let merged = merged || topology.elements.iter().any(joins);
    let roots: Vec<NodeOrdinal> = system
        .touched()
        .iter()
        .map(|touched| match topology.joints[touched.joint.index()].nodes {
            Some((first, _)) if !merged => root(first),
            _ => WORLD,
        })
        .collect();
    let mut distinct = roots.clone();
    distinct.sort_unstable();
    distinct.dedup();
    (roots.iter().map(|root| distinct.partition_point(|other| other < root)).collect(), distinct.len().max(1))
}

/// What components read from the mechanics as unknowns, and their columns.
pub(super) fn probes_of(
    topology: &Topology,
    system: &ComponentSystem,
    blocks: &[usize],
    newton: bool,
) -> (Vec<Probe>, Columns) {
    let (mut probes, mut joints) = (Vec::new(), Vec::new());
    for (touched, t) in system.touched().iter().enumerate() {
        let first = probes.len();
        if let Some(Coordinate::State { q, v }) = t.coordinate {
            let mut add = |order, at| probes.push(Probe::Joint { touched, order, at, block: blocks[touched] });
            if newton {
                q.into_iter().for_each(|q| add(0, q));
                add(1, topology.num_q + v);
            } else {
                add(2, v);
            }
        }
        joints.push((first..probes.len()).map(|k| system.num_variables() + k).collect());
    }
    let mut observed = Vec::new();
    for (k, motion) in system.observed.iter().enumerate() {
        let row = motion.row(topology);
        // Positions and velocities do not depend on accelerations.
        let depends = newton && !row.is_empty();
        observed.push(depends.then_some(system.num_variables() + probes.len()));
        probes.extend(depends.then_some(Probe::Motion { observed: k, row }));
    }
    (probes, Columns { joints, observed, blocks: blocks.to_vec() })
}

pub(super) fn actions_of(
    topology: &Topology,
    system: &ComponentSystem,
    dependencies: &Dependencies,
    slots: &[usize],
    blocks: &[usize],
    newton: bool,
) -> Vec<Action> {
    let mut actions = Vec::new();
    for (touched, t) in system.touched().iter().enumerate() {
        let acts = system.network.groups.iter().any(|group| group.root == Root::Joint(touched));
        if let (true, Some(Coordinate::State { v, .. })) =
            (acts && !dependencies.efforts[touched].is_empty(), t.coordinate)
        {
            let row = if newton { topology.num_q + v } else { v };
            actions.push(Action::Effort { touched, row, block: blocks[touched] });
        }
    }
    let length = topology.num_variables() - if newton { 0 } else { topology.num_q };
    for (slot, columns) in slots.iter().zip(&dependencies.slots) {
        if !columns.is_empty() {
            reserve::check();
            actions.push(Action::Slot { slot: *slot, column: vec![0.0; length] });
        }
    }
    actions
}

pub(super) fn rows_by_column(dependencies: &Dependencies, actions: &[Action], columns: usize) -> Vec<Vec<usize>> {
    let mut rows_of = vec![Vec::new(); columns];
    let num_x = dependencies.rows.len();
    for (row, set) in dependencies.rows.iter().enumerate() {
        reserve::check();
        set.iter().for_each(|&column| rows_of[column].push(row));
    }
    let mut of_slots = dependencies.slots.iter().filter(|set| !set.is_empty());
    for (k, action) in actions.iter().enumerate() {
        let set = match action {
            Action::Effort { touched, .. } => Some(&dependencies.efforts[*touched]),
            Action::Slot { .. } => of_slots.next(),
        };
        set.into_iter().flatten().for_each(|&column| rows_of[column].push(num_x + k));
    }
    rows_of
}

pub(super) fn pattern(
    rows_of: &[Vec<usize>],
    num_x: usize,
    probes: &[Probe],
    actions: &[Action],
) -> Vec<(usize, usize)> {
    let mut entries = Vec::new();
    for (column, rows) in rows_of.iter().enumerate() {
        reserve::check();
        for &row in rows {
            match row.checked_sub(num_x) {
                None => entries.push((row, column)),
                Some(action) => {
                    let influenced = (0..probes.len()).filter(|&i| influences(&actions[action], &probes[i]));
                    entries.extend(influenced.map(|i| (num_x + i, column)));
                }
            }
        }
    }
    entries
}

/// Groups columns that share no row, so that one evaluation serves all of a group.
///
/// Source: A. Curtis, M. Powell & J. Reid, "On the estimation of sparse Jacobian matrices", J. Inst. Math. Appl. 13
/// (1974).
pub(super) fn color(rows_of: &[Vec<usize>], num_rows: usize) -> Vec<Vec<usize>> {
    let mut colors: Vec<Vec<usize>> = Vec::new();
    let mut used: Vec<Vec<u64>> = vec![Vec::new(); num_rows];
    for (column, rows) in rows_of.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
        reserve::check();
        let mut taken = vec![0_u64; colors.len() / 64 + 1];
        for &row in rows {
            taken.iter_mut().zip(&used[row]).for_each(|(taken, used)| *taken |= used);
        }
        let word = taken.iter().position(|word| *word != u64::MAX).unwrap_or(taken.len());
        let free = word * 64 + taken.get(word).map_or(0, |word| word.trailing_ones() as usize);
        if free >= colors.len() {
            colors.push(Vec::new());
        }
        let free = free.min(colors.len() - 1);
        colors[free].push(column);
        for &row in rows {
            let words = used[row].len().max(free / 64 + 1);
            used[row].resize(words, 0);
            used[row][free / 64] |= 1 << (free % 64);
        }
    }
    colors
}
