//! The multipliers in the structured Newton system.
//!
//! The response of the forest to a multiplier follows from substitutions along the path of its loop; the rates and gaps
//! of all loops as functions of the multipliers form a small system with the sparsity of the graph of loops that share
//! trees. Its factorisation costs O(n) for chains of loops between branches of the world.

use std::collections::BTreeSet;

use nalgebra::{SMatrix, SVector};

use super::super::loops::{ClosurePoint, FIRST_SUPPORT, Loops, Row, Six, restricted_inverse};
use super::super::variation::{P, THETA, W};
use super::{Purpose, System, TreeSolver};
use crate::contact::hinge::SlidingSlopes;
use crate::linalg::BlockLu;
use crate::spatial::{NodeOrdinal, WORLD, Wrench};
use crate::topology::{Selection, Topology, WELD};

/// Multipliers of one loop in Newton's matrix: `lambda`, then `mu`. Where accelerations are the unknowns, there is no
/// `mu`.
const BOTH: usize = 2 * WELD;

/// The system of the multipliers of all loops.
#[derive(Debug, Clone, Default)]
pub enum Closures {
    /// There are no loops.
    #[default]
    None,
    /// Behind Newton's matrix.
    Newton(Box<ClosureSystem<BOTH>>),
    /// Behind the mass matrix.
    Accelerations(Box<ClosureSystem<WELD>>),
}

/// The system of all multipliers of one topology, `N` of them per loop.
#[derive(Debug, Clone)]
pub struct ClosureSystem<const N: usize> {
    points: Vec<ClosurePoint>,
    rows: Vec<Row>,
    selection: Vec<Selection>,
    /// Rows that have multipliers on the position level, too.
    has_gap: Vec<Selection>,
    /// Laws of friction that slides, in place of the first rows of its hinge.
    laws: Vec<Option<SlidingSlopes>>,
    /// Rows whose multipliers follow those of others, whatever moves.
    follows: Vec<Selection>,
    lu: BlockLu<N>,
    /// Nodes of leaf and body per closure.
    ends: Vec<[NodeOrdinal; 2]>,
    /// Nodes between the ends and the world, descending, per closure.
    inward: Vec<Vec<NodeOrdinal>>,
    /// Nodes whose motion matters for the loops that share a tree with a closure, ascending.
    relevant: Vec<Vec<NodeOrdinal>>,
    /// Those loops.
    measured: Vec<Vec<usize>>,
    columns: Vec<SMatrix<f64, N, N>>,
    unknowns: Vec<SVector<f64, N>>,
    right: Vec<f64>,
    affine: Vec<Wrench>,
}

impl Closures {
    /// The system for a topology and its loops.
    pub fn new(topology: &Topology, loops: &Loops, purpose: Purpose) -> Self {
        match purpose {
            _ if topology.closures.is_empty() => Self::None,
            Purpose::Newton => Self::Newton(Box::new(ClosureSystem::new(topology, loops))),
            Purpose::Accelerations => Self::Accelerations(Box::new(ClosureSystem::new(topology, loops))),
        }
    }

    pub fn num_nonzeros(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Newton(system) => system.num_nonzeros(),
            Self::Accelerations(system) => system.num_nonzeros(),
        }
    }
}

impl<const N: usize> ClosureSystem<N> {
    fn new(topology: &Topology, loops: &Loops) -> Self {
        let n = topology.closures.len();
        let ends: Vec<[NodeOrdinal; 2]> = topology.closures.iter().map(|c| [c.leaf, c.body.node]).collect();
        let measured = sharing_trees(topology, &ends);
        let mut entries: Vec<(usize, usize)> =
            measured.iter().enumerate().flat_map(|(k, list)| list.iter().map(move |&l| (l, k))).collect();
        let alike = |k: usize| loops.alike(k).iter().flat_map(move |law| law.closures().map(move |l| (k, l)));
        entries.extend((0..n).flat_map(alike).filter(|(k, l)| k != l));
        let follows = (0..n).map(|k| std::array::from_fn(|r| loops.alike(k).iter().any(|law| law.row == r))).collect();
        let relevant = measured.iter().map(|list| to_the_world(topology, list.iter().flat_map(|&l| ends[l])));
        Self {
            relevant: relevant.collect(),
            lu: BlockLu::new(n, &entries),
            inward: ends.iter().map(|ends| to_the_world(topology, *ends).into_iter().rev().collect()).collect(),
            columns: vec![SMatrix::zeros(); measured.iter().map(Vec::len).max().unwrap_or(0)],
            unknowns: vec![SVector::zeros(); n],
            right: vec![0.0; topology.num_variables()],
            affine: vec![Wrench::ZERO; topology.nodes.len()],
            points: loops.points.clone(),
            has_gap: loops.has_gap.clone(),
            laws: vec![None; n],
            follows,
            rows: loops.rows.clone(),
            selection: loops.active_rows.used.clone(),
            ends,
            measured,
        }
    }

    fn num_nonzeros(&self) -> usize {
        self.lu.num_nonzeros() + self.rows.iter().map(|row| row.len() * (WELD + 1)).sum::<usize>()
    }

    /// Assembles and factorises the system of the multipliers; the forest must be eliminated. Returns a closure whose
    /// equations are dependent, if there is one.
    fn factor(
        &mut self,
        topology: &Topology,
        tree: &mut TreeSolver,
        loops: &Loops,
        multipliers: Option<&[f64]>,
    ) -> Result<(), usize> {
        self.points.copy_from_slice(&loops.points);
        if multipliers.is_none() {
            self.points.iter_mut().for_each(ClosurePoint::drop_rolling_resistance);
        }
        self.has_gap.copy_from_slice(&loops.has_gap);
        (0..self.laws.len()).for_each(|k| self.laws[k] = loops.law_slopes(k, multipliers));
        self.rows.clone_from(&loops.rows);
        self.selection.copy_from_slice(&loops.active_rows.used);
        self.lu.reset_to_zero();
        let system = tree.system;
        for k in 0..self.points.len() {
            self.columns.fill(SMatrix::zeros());
            for c in 0..N {
                if !self.is_unknown(system, k, c) {
                    continue;
                }
                self.excite(topology, tree, k, c);
                for (at, &l) in self.measured[k].iter().enumerate() {
                    let column = self.measure(tree, l);
                    self.columns[at].set_column(c, &column);
                }
            }
            for (at, &l) in self.measured[k].iter().enumerate() {
                self.lu.add(l, k, &self.columns[at]);
            }
            if let Some(law) = &self.laws[k] {
                self.lu.add(k, k, &by_multipliers(law));
            }
            let softness = match system {
                System::Newton { .. } => loops.softness(k),
                System::Accelerations => loops.acceleration_softness(k),
            };
            if let Some(softness) = softness {
                let mut block = SMatrix::<f64, N, N>::zeros();
                block.fixed_view_mut::<WELD, WELD>(0, 0).copy_from(&softness);
                self.follows[k].iter().enumerate().filter(|row| *row.1).for_each(|(r, _)| block.row_mut(r).fill(0.0));
                self.lu.add(k, k, &block);
            }
            for law in loops.alike(k) {
                for (l, slopes) in loops.alike_slopes(law) {
                    let mut block = SMatrix::<f64, N, N>::zeros();
                    block.fixed_view_mut::<1, WELD>(law.row, 0).copy_from(&slopes.transpose());
                    self.lu.add(k, l, &block);
                }
            }
        }
        let (selection, has_gap, mut dependent) = (&self.selection, &self.has_gap, 0);
        let regular = self.lu.factor_with(|k, diagonal| {
            dependent = k;
            let unknown = |c| is_unknown(tree.system, &selection[k], &has_gap[k], c);
            restricted_inverse(diagonal, &std::array::from_fn(unknown))
        });
        if regular { Ok(()) } else { Err(dependent) }
    }

    fn is_unknown(&self, system: System, k: usize, c: usize) -> bool {
        is_unknown(system, &self.selection[k], &self.has_gap[k], c)
    }

    /// Motion caused by a unit of multiplier `c` of closure `k`.
    fn excite(&self, topology: &Topology, tree: &mut TreeSolver, k: usize, c: usize) {
        tree.clear(topology, &self.relevant[k]);
        let mut unit = Six::zeros();
        unit[c % WELD] = 1.0;
        if c < WELD {
            self.push(tree, k, &unit);
        } else {
            for column in &self.rows[k] {
                tree.nu[column.v] = -column.rate[c % WELD];
            }
            for &(i, _) in &topology.closures[k].path {
                tree.shift_local_position(&topology.nodes[i], i);
            }
        }
        tree.sweep(topology, &self.inward[k], &self.relevant[k]);
        for column in &self.rows[k] {
            tree.nu[column.v] = 0.0;
        }
    }

    /// Adds the wrenches of `lambda` on both ends of a weld to the left-hand side.
    fn push(&self, tree: &mut TreeSolver, k: usize, lambda: &Six) {
        let [leaf, body] = self.ends[k];
        let (on_leaf, on_body) = (self.points[k].wrench_on_leaf(lambda), self.points[k].wrench_on_body(lambda));
        tree.affine[leaf].add(&Wrench { n: -on_leaf.n, f: -on_leaf.f });
        if body != WORLD {
            tree.affine[body].add(&Wrench { n: -on_body.n, f: -on_body.f });
        }
    }

    /// Changes of rate and gap of a loop (of its acceleration, when accelerations are the unknowns) for the motion of
    /// the forest.
    fn measure(&self, tree: &TreeSolver, l: usize) -> SVector<f64, N> {
        let [leaf, body] = self.ends[l];
        let (leaf, body) = (&tree.variations[leaf], &tree.variations[body]);
        let mut changes = SVector::<f64, N>::zeros();
        match tree.system {
            System::Newton { c_j } => {
                changes.rows_mut(0, WELD).copy_from(&self.points[l].rate_change(leaf, body));
                changes.rows_mut(WELD, WELD).copy_from(&(c_j * self.points[l].gap_change(leaf, body)));
            }
            System::Accelerations => {
                changes.rows_mut(0, WELD).copy_from(&self.points[l].acceleration_change(leaf, body));
            }
        }
        if let Some(law) = &self.laws[l] {
            let slopes = match tree.system {
                System::Newton { .. } => by_motion(law, changes.as_slice()),
                System::Accelerations => [0.0; 3],
            };
            slopes.into_iter().enumerate().for_each(|(r, slope)| changes[r] = slope);
        }
        self.follows[l].iter().enumerate().filter(|row| *row.1).for_each(|(r, _)| changes[r] = 0.0);
        changes
    }

    /// Loads the multipliers found into the tree's affine forces and corrections of velocities.
    fn load(&self, tree: &mut TreeSolver) {
        for k in 0..self.points.len() {
            let (lambda, mu) = self.unknowns[k].as_slice().split_at(WELD);
            self.push(tree, k, &Six::from_column_slice(lambda));
            if !mu.is_empty() {
                let mu = Six::from_column_slice(mu);
                for column in &self.rows[k] {
                    tree.nu[column.v] -= column.rate.dot(&mu);
                }
            }
        }
    }

    /// Right-hand side minus the effect of the forest's own motion.
    fn gather(&mut self, topology: &Topology, tree: &TreeSolver, b: &[f64]) {
        let n = topology.num_multipliers();
        for k in 0..self.points.len() {
            let mut right = -self.measure(tree, k);
            for r in 0..WELD {
                right[r] += b[WELD * k + r];
                if let System::Newton { c_j } = tree.system {
                    right[WELD + r] += c_j * b[n + WELD * k + r];
                }
            }
            self.unknowns[k] = right;
        }
    }

    /// Solves in place, as [`TreeSolver::solve`].
    fn solve(&mut self, topology: &Topology, tree: &mut TreeSolver, b: &mut [f64], keep_affine: bool) {
        if !keep_affine {
            tree.affine.fill(Wrench::ZERO);
        }
        self.affine.copy_from_slice(&tree.affine);
        let states = tree.num_states(topology);
        self.right[..states].copy_from_slice(&b[..states]);
        tree.nu.fill(0.0);
        tree.solve_forest(topology, &mut self.right[..states], true);
        self.gather(topology, tree, &b[states..]);
        self.lu.solve(&mut self.unknowns);
        tree.affine.copy_from_slice(&self.affine);
        self.load(tree);
        tree.solve_forest(topology, &mut b[..states], true);
        tree.nu.fill(0.0);
        write_multipliers(tree.system, self, &mut b[states..]);
    }

    /// Adds to the motion that a wrench causes what the loops make of it, as [`TreeSolver::respond`].
    fn respond(
        &mut self,
        topology: &Topology,
        tree: &mut TreeSolver,
        on: NodeOrdinal,
        wrench: &Wrench,
        relevant: &[NodeOrdinal],
    ) {
        let component = topology.component_of(on);
        let is_near = |k: usize| topology.component_of(topology.closures[k].leaf) == component;
        let mut any = false;
        for k in 0..self.points.len() {
            self.unknowns[k] = if is_near(k) { -self.measure(tree, k) } else { SVector::zeros() };
            any |= is_near(k);
        }
        if any {
            self.lu.solve(&mut self.unknowns);
            tree.clear(topology, relevant);
            tree.affine[on] = Wrench { n: -wrench.n, f: -wrench.f };
            self.load(tree);
            for &i in relevant {
                tree.shift_local_position(&topology.nodes[i], i);
            }
            tree.sweep_all(topology, relevant);
            tree.nu.fill(0.0);
        }
    }
}

impl TreeSolver {
    /// Adds the derivatives of the multipliers' wrenches by the motion of their own body to its impedance.
    pub fn add_closure_stiffness(&mut self, topology: &Topology, loops: &Loops, lambda: &[f64]) {
        for (k, closure) in topology.closures.iter().enumerate() {
            let used = loops.used(k, lambda);
            if let Some(tie) = loops.points[k].tie() {
                let damping = tie.rolling_damping(&used);
                [closure.leaf, closure.body.node].into_iter().for_each(|node| self.impedances[node].n[W] -= damping);
            }
            let slopes = loops.points[k].stiffness(&used);
            for (node, [n, f]) in [closure.leaf, closure.body.node].into_iter().zip(slopes) {
                for (block, by) in [THETA, P].into_iter().enumerate().take(if closure.tie.is_some() { 2 } else { 1 }) {
                    self.impedances[node].n[by] -= n[block];
                    self.impedances[node].f[by] -= f[block];
                }
            }
        }
    }

    /// Factorises the multipliers' equations; the forest must be eliminated. Laws of friction are taken at the given
    /// `multipliers`; without any, there is no friction where hinges slide and roll.
    ///
    /// # Errors
    /// Index of a closure whose equations depend on each other.
    pub fn factor_closures(
        &mut self,
        topology: &Topology,
        loops: &Loops,
        multipliers: Option<&[f64]>,
    ) -> Result<(), usize> {
        match std::mem::take(&mut self.closures) {
            Closures::None => Ok(()),
            Closures::Newton(mut system) => {
                let result = system.factor(topology, self, loops, multipliers);
                self.closures = Closures::Newton(system);
                result
            }
            Closures::Accelerations(mut system) => {
                let result = system.factor(topology, self, loops, multipliers);
                self.closures = Closures::Accelerations(system);
                result
            }
        }
    }

    /// Solves in place for the right-hand side `b` = \[position rows, velocity rows, rates, gaps\] (velocity rows and
    /// accelerations of gaps only for accelerations). Wrenches on bodies (about Bo, world axes) on the right-hand side
    /// must be in [`TreeSolver::affine`] with negative sign when `keep_affine` is set.
    pub fn solve(&mut self, topology: &Topology, b: &mut [f64], keep_affine: bool) {
        match std::mem::take(&mut self.closures) {
            Closures::None => self.solve_forest(topology, b, keep_affine),
            Closures::Newton(mut system) => {
                system.solve(topology, self, b, keep_affine);
                self.closures = Closures::Newton(system);
            }
            Closures::Accelerations(mut system) => {
                system.solve(topology, self, b, keep_affine);
                self.closures = Closures::Accelerations(system);
            }
        }
    }

    /// Motion of the `relevant` bodies (ascending, closed under parents and under loops) caused by a wrench on one of
    /// them.
    pub fn respond(
        &mut self,
        topology: &Topology,
        on: NodeOrdinal,
        wrench: &Wrench,
        relevant: &[NodeOrdinal],
        b_v: &mut [f64],
    ) {
        self.respond_forest(topology, on, wrench, relevant, b_v);
        match std::mem::take(&mut self.closures) {
            Closures::None => {}
            Closures::Newton(mut system) => {
                system.respond(topology, self, on, wrench, relevant);
                self.closures = Closures::Newton(system);
            }
            Closures::Accelerations(mut system) => {
                system.respond(topology, self, on, wrench, relevant);
                self.closures = Closures::Accelerations(system);
            }
        }
    }
}

/// Writes the changes of the integrals of the multipliers, or the multipliers themselves when accelerations are the
/// unknowns.
fn write_multipliers<const N: usize>(system: System, closures: &ClosureSystem<N>, b: &mut [f64]) {
    let n = WELD * closures.points.len();
    for (k, unknowns) in closures.unknowns.iter().enumerate() {
        for r in 0..WELD {
            let at = WELD * k + r;
            match system {
                System::Newton { c_j } if closures.selection[k][r] => {
                    b[at] = unknowns[r] / c_j;
                    b[n + at] = if closures.has_gap[k][r] { unknowns[WELD + r] } else { b[n + at] } / c_j;
                }
                System::Newton { c_j } => {
                    b[at] /= c_j;
                    b[n + at] /= c_j;
                }
                System::Accelerations => {
                    b[at] = unknowns[r];
                    b[n + at] = 0.0;
                }
            }
        }
    }
}

fn is_unknown(system: System, selection: &Selection, has_gap: &Selection, c: usize) -> bool {
    let r = c % WELD;
    selection[r] && (c < WELD || has_gap[r] && system != System::Accelerations)
}

/// Derivatives of the residual of a law of friction by the multipliers of its closure.
fn by_multipliers<const N: usize>(law: &SlidingSlopes) -> SMatrix<f64, N, N> {
    let mut block = SMatrix::zeros();
    for (r, by_load) in law.by_load.iter().enumerate() {
        block[(r, r)] = 1.0;
        by_load.iter().enumerate().for_each(|(k, slope)| block[(r, FIRST_SUPPORT + k)] = -slope);
    }
    block
}

/// Derivatives of the residual of a law of friction by what moves, for changes of the rates of its closure.
fn by_motion(law: &SlidingSlopes, rates: &[f64]) -> [f64; 3] {
    law.by_slip.map(|slopes| -slopes.iter().zip(rates).map(|(slope, rate)| slope * rate).sum::<f64>())
}

fn root(topology: &Topology, mut node: NodeOrdinal) -> NodeOrdinal {
    while node != WORLD && topology.nodes[node].parent != WORLD {
        node = topology.nodes[node].parent;
    }
    node
}

/// Nodes from the given ones to the world without it, ascending.
fn to_the_world(topology: &Topology, nodes: impl IntoIterator<Item = NodeOrdinal>) -> Vec<NodeOrdinal> {
    let mut found = BTreeSet::new();
    for mut node in nodes {
        while node != WORLD && found.insert(node) {
            node = topology.nodes[node].parent;
        }
    }
    found.into_iter().collect()
}

/// Per closure the closures that have an end in one of its trees, ascending.
fn sharing_trees(topology: &Topology, ends: &[[NodeOrdinal; 2]]) -> Vec<Vec<usize>> {
    let mut users = std::collections::BTreeMap::<NodeOrdinal, Vec<usize>>::new();
    for (k, ends) in ends.iter().enumerate() {
        for tree in ends.map(|end| root(topology, end)).into_iter().filter(|&tree| tree != WORLD) {
            users.entry(tree).or_default().push(k);
        }
    }
    let of = |ends: &[NodeOrdinal; 2]| -> BTreeSet<usize> {
        ends.iter().filter_map(|&end| users.get(&root(topology, end))).flatten().copied().collect()
    };
    ends.iter().map(|ends| of(ends).into_iter().collect()).collect()
}
