//! The multipliers in the structured Newton system.
//!
//! The response of the forest to a multiplier follows from substitutions along the path of its loop; the rates and gaps
//! of all loops as functions of the multipliers form a small system with the sparsity of the graph of loops that share
//! trees. Its factorisation costs O(n) for chains of loops between branches of the world.

use std::collections::BTreeSet;

use nalgebra::{SMatrix, SVector};

use super::super::loops::{ClosurePoint, FIRST_SUPPORT, Loops, Row, Six, restricted_inverse};
use super::super::variation::{P, THETA, W};
use super::{System, TreeSolver};
use crate::contact::hinge::SlidingSlopes;
use crate::linalg::BlockLu;
use crate::spatial::{NodeOrdinal, WORLD, Wrench};
use crate::topology::{Selection, Topology, WELD};

/// Multipliers of one loop: `lambda`, then `mu`.
const BOTH: usize = 2 * WELD;
type Twelve = SVector<f64, BOTH>;
type Block = SMatrix<f64, BOTH, BOTH>;

/// The system of all multipliers of one topology.
#[derive(Debug, Clone)]
pub struct ClosureSystem {
    points: Vec<ClosurePoint>,
    rows: Vec<Row>,
    selection: Vec<Selection>,
    /// Rows that have multipliers on the position level, too.
    has_gap: Vec<Selection>,
    /// Laws of friction that slides, in place of the first rows of its hinge.
    laws: Vec<Option<SlidingSlopes>>,
    /// Rows whose multipliers follow those of others, whatever moves.
    follows: Vec<Selection>,
    lu: BlockLu<BOTH>,
    /// Nodes of leaf and body per closure.
    ends: Vec<[NodeOrdinal; 2]>,
    /// Nodes between the ends and the world, descending, per closure.
    inward: Vec<Vec<NodeOrdinal>>,
    /// Nodes whose motion matters for the loops that share a tree with a closure, ascending.
    relevant: Vec<Vec<NodeOrdinal>>,
    /// Those loops.
    measured: Vec<Vec<usize>>,
    columns: Vec<Block>,
    unknowns: Vec<Twelve>,
    right: Vec<f64>,
    affine: Vec<Wrench>,
}

impl ClosureSystem {
    pub fn new(topology: &Topology) -> Option<Box<Self>> {
        if topology.closures.is_empty() {
            return None;
        }
        let loops = Loops::new(topology);
        let n = topology.closures.len();
        let ends: Vec<[NodeOrdinal; 2]> = topology.closures.iter().map(|c| [c.leaf, c.body.node]).collect();
        let measured = sharing_trees(topology, &ends);
        let mut entries: Vec<(usize, usize)> =
            measured.iter().enumerate().flat_map(|(k, list)| list.iter().map(move |&l| (l, k))).collect();
        let alike = |k: usize| loops.alike(k).iter().flat_map(move |law| law.closures().map(move |l| (k, l)));
        entries.extend((0..n).flat_map(alike).filter(|(k, l)| k != l));
        let follows = (0..n).map(|k| std::array::from_fn(|r| loops.alike(k).iter().any(|law| law.row == r))).collect();
        let relevant = measured.iter().map(|list| to_the_world(topology, list.iter().flat_map(|&l| ends[l])));
        Some(Box::new(Self {
            relevant: relevant.collect(),
            lu: BlockLu::new(n, &entries),
            inward: ends.iter().map(|ends| to_the_world(topology, *ends).into_iter().rev().collect()).collect(),
            columns: vec![Block::zeros(); measured.iter().map(Vec::len).max().unwrap_or(0)],
            unknowns: vec![Twelve::zeros(); n],
            right: vec![0.0; topology.num_variables()],
            affine: vec![Wrench::ZERO; topology.nodes.len()],
            points: loops.points,
            has_gap: loops.has_gap,
            laws: vec![None; n],
            follows,
            rows: loops.rows,
            selection: loops.active_rows.used,
            ends,
            measured,
        }))
    }

    pub fn num_nonzeros(&self) -> usize {
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
            self.columns.fill(Block::zeros());
            for c in 0..BOTH {
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
                let mut block = Block::zeros();
                block.fixed_view_mut::<WELD, WELD>(0, 0).copy_from(&softness);
                self.follows[k].iter().enumerate().filter(|row| *row.1).for_each(|(r, _)| block.row_mut(r).fill(0.0));
                self.lu.add(k, k, &block);
            }
            for law in loops.alike(k) {
                for (l, slopes) in loops.alike_slopes(law) {
                    let mut block = Block::zeros();
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
    fn measure(&self, tree: &TreeSolver, l: usize) -> Twelve {
        let [leaf, body] = self.ends[l];
        let (leaf, body) = (&tree.variations[leaf], &tree.variations[body]);
        let mut twelve = Twelve::zeros();
        match tree.system {
            System::Newton { c_j } => {
                twelve.fixed_rows_mut::<WELD>(0).copy_from(&self.points[l].rate_change(leaf, body));
                twelve.fixed_rows_mut::<WELD>(WELD).copy_from(&(c_j * self.points[l].gap_change(leaf, body)));
            }
            System::Accelerations => {
                twelve.fixed_rows_mut::<WELD>(0).copy_from(&self.points[l].acceleration_change(leaf, body));
            }
        }
        if let Some(law) = &self.laws[l] {
            let slopes = match tree.system {
                System::Newton { .. } => by_motion(law, &twelve),
                System::Accelerations => [0.0; 3],
            };
            slopes.into_iter().enumerate().for_each(|(r, slope)| twelve[r] = slope);
        }
        self.follows[l].iter().enumerate().filter(|row| *row.1).for_each(|(r, _)| twelve[r] = 0.0);
        twelve
    }

    /// Loads the multipliers found into the tree's affine forces and corrections of velocities.
    fn load(&self, tree: &mut TreeSolver) {
        for k in 0..self.points.len() {
            let (lambda, mu) =
                (self.unknowns[k].fixed_rows::<WELD>(0).into(), self.unknowns[k].fixed_rows::<WELD>(WELD));
            self.push(tree, k, &lambda);
            for column in &self.rows[k] {
                tree.nu[column.v] -= column.rate.dot(&mu);
            }
        }
    }

    /// Right-hand side minus the effect of the forest's own motion.
    fn gather(&mut self, topology: &Topology, tree: &TreeSolver, b: &[f64]) {
        let n = topology.num_multipliers();
        let weight = match tree.system {
            System::Newton { c_j } => c_j,
            System::Accelerations => 0.0,
        };
        for k in 0..self.points.len() {
            let mut right = -self.measure(tree, k);
            for r in 0..WELD {
                right[r] += b[WELD * k + r];
                right[WELD + r] += weight * b[n + WELD * k + r];
            }
            self.unknowns[k] = right;
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
        let Some(mut system) = self.closures.take() else { return Ok(()) };
        let result = system.factor(topology, self, loops, multipliers);
        self.closures = Some(system);
        result
    }

    /// Solves in place for the right-hand side `b` = \[position rows, velocity rows, rates, gaps\] (velocity rows and
    /// accelerations of gaps only for accelerations). Wrenches on bodies (about Bo, world axes) on the right-hand side
    /// must be in [`TreeSolver::affine`] with negative sign when `keep_affine` is set.
    pub fn solve(&mut self, topology: &Topology, b: &mut [f64], keep_affine: bool) {
        let Some(mut system) = self.closures.take() else { return self.solve_forest(topology, b, keep_affine) };
        if !keep_affine {
            self.affine.fill(Wrench::ZERO);
        }
        system.affine.copy_from_slice(&self.affine);
        let states = self.num_states(topology);
        system.right[..states].copy_from_slice(&b[..states]);
        self.nu.fill(0.0);
        let mut right = std::mem::take(&mut system.right);
        self.solve_forest(topology, &mut right[..states], true);
        system.right = right;
        system.gather(topology, self, &b[states..]);
        system.lu.solve(&mut system.unknowns);
        self.affine.copy_from_slice(&system.affine);
        system.load(self);
        self.solve_forest(topology, &mut b[..states], true);
        self.nu.fill(0.0);
        write_multipliers(self.system, &system, &mut b[states..]);
        self.closures = Some(system);
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
        let Some(mut system) = self.closures.take() else { return };
        let component = topology.component_of(on);
        let is_near = |k: usize| topology.component_of(topology.closures[k].leaf) == component;
        let mut any = false;
        for k in 0..system.points.len() {
            system.unknowns[k] = if is_near(k) { -system.measure(self, k) } else { Twelve::zeros() };
            any |= is_near(k);
        }
        if any {
            system.lu.solve(&mut system.unknowns);
            self.clear(topology, relevant);
            self.affine[on] = Wrench { n: -wrench.n, f: -wrench.f };
            system.load(self);
            for &i in relevant {
                self.shift_local_position(&topology.nodes[i], i);
            }
            self.sweep_all(topology, relevant);
            self.nu.fill(0.0);
        }
        self.closures = Some(system);
    }
}

/// Writes the changes of the integrals of the multipliers, or the multipliers themselves when accelerations are the
/// unknowns.
fn write_multipliers(system: System, closures: &ClosureSystem, b: &mut [f64]) {
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
fn by_multipliers(law: &SlidingSlopes) -> Block {
    let mut block = Block::zeros();
    for (r, by_load) in law.by_load.iter().enumerate() {
        block[(r, r)] = 1.0;
        by_load.iter().enumerate().for_each(|(k, slope)| block[(r, FIRST_SUPPORT + k)] = -slope);
    }
    block
}

/// Derivatives of the residual of a law of friction by what moves, for changes of the rates of its closure.
fn by_motion(law: &SlidingSlopes, rates: &Twelve) -> [f64; 3] {
    law.by_slip.map(|slopes| -slopes.iter().zip(rates.iter()).map(|(slope, rate)| slope * rate).sum::<f64>())
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
