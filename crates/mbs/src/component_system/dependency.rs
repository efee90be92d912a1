//! Which equations of components depend on which unknowns, found from the connections.

use std::collections::{BTreeMap, BTreeSet};

use super::network::Root;
use super::system::{Block, ComponentSystem};
use crate::component::Sparsity;
use crate::force::{Signal, Signals};

type Set = BTreeSet<usize>;

/// Unknowns (columns) that every residual and every action on the mechanics depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct Dependencies {
    /// Per residual of the variables of components.
    pub rows: Vec<Set>,
    /// Per touched joint coordinate: effort on it.
    pub efforts: Vec<Set>,
    /// Per slot that the mechanics reads.
    pub slots: Vec<Set>,
}

struct Tracer<'a> {
    system: &'a ComponentSystem,
    signals: &'a Signals,
    groups: Vec<Set>,
    slots: BTreeMap<usize, Set>,
    inputs: Vec<Set>,
}

/// Unknowns that stand for what components read from the mechanics.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// Columns of every touched joint coordinate.
    pub joints: Vec<Vec<usize>>,
    /// Column of every motion of a body, if it is unknown.
    pub observed: Vec<Option<usize>>,
    /// Mechanism of every touched joint coordinate.
    pub blocks: Vec<usize>,
}

/// Traces the dependencies.
pub(super) fn trace(
    system: &ComponentSystem,
    signals: &Signals,
    columns: &Columns,
    mechanical_slots: &[usize],
) -> Dependencies {
    let joints = &columns.joints;
    let groups = system.network.groups.iter().map(|group| match group.root {
        Root::Ground => Set::new(),
        Root::Joint(at) => joints[at].iter().copied().collect(),
        Root::Own(at) => Set::from([at, at + 1]),
        Root::Driven(at, ..) => Set::from([at]),
    });
    let inputs = vec![Set::new(); system.inputs.len()];
    let mut tracer = Tracer { system, signals, groups: groups.collect(), slots: BTreeMap::new(), inputs };
    for &(slot, at, _) in system.externals() {
        tracer.slots.insert(slot, joints[at].iter().copied().collect());
    }
    for (motion, column) in system.observed.iter().zip(&columns.observed) {
        tracer.slots.insert(motion.slot, column.iter().copied().collect());
    }
    tracer.outputs();
    while tracer.follow_drivers() {
        tracer.outputs();
    }
    let mut efforts = vec![Set::new(); joints.len()];
    let by_group = tracer.efforts_by_group();
    for (group, set) in system.network.groups.iter().zip(&by_group) {
        if let Root::Joint(at) = group.root {
            efforts[at].extend(set);
        }
    }
    let slots = mechanical_slots.iter().map(|slot| tracer.slots.get(slot).cloned().unwrap_or_default()).collect();
    let mut rows = tracer.rows(&by_group);
    tracer.share_loads(&columns.blocks, &mut rows);
    Dependencies { rows, efforts, slots }
}

impl Tracer<'_> {
    fn outputs(&mut self) {
        let system = self.system;
        for block in &system.blocks {
            reserve::check();
            for k in 0..block.flanges.len() {
                let set = self.groups[system.network.members[block.flanges.start + k].group].clone();
                self.slots.insert(block.first_flange + 2 * k, set.clone());
                self.slots.insert(block.first_flange + 2 * k + 1, set);
            }
            if let Some(first) = block.tear {
                let direct = (0..block.direct.len()).filter(|&k| block.direct[k]);
                for (k, output) in direct.enumerate() {
                    self.slots.insert(block.first_output + output, Set::from([first + k]));
                }
            }
            let own = self.own(block);
            for k in (0..block.direct.len()).filter(|&k| !block.direct[k]) {
                reserve::check();
                self.slots.insert(block.first_output + k, own.clone());
            }
        }
        let late = system.schedule.late.iter().map(|&k| &system.blocks[k]);
        for block in late.filter(|block| block.tear.is_none()) {
            self.read_inputs(block);
            let set = self.everything(block);
            for k in (0..block.direct.len()).filter(|&k| block.direct[k]) {
                reserve::check();
                self.slots.insert(block.first_output + k, set.clone());
            }
        }
        for block in &system.blocks {
            self.read_inputs(block);
        }
    }

    /// Flanges driven by signals move with what these depend on. True when that was not known before.
    fn follow_drivers(&mut self) -> bool {
        let mut grown = false;
        for (set, group) in self.groups.iter_mut().zip(&self.system.network.groups) {
            let Root::Driven(_, block, input) = group.root else { continue };
            let before = set.len();
            set.extend(&self.inputs[self.system.blocks[block].inputs.start + input]);
            grown |= set.len() > before;
        }
        grown
    }

    fn read_inputs(&mut self, block: &Block) {
        for (k, signal) in block.signals.iter().enumerate() {
            let Signal::Program(program) = signal else { continue };
            let slots = self.signals.slots_of(*program).iter();
            let set = slots.filter_map(|slot| self.slots.get(slot)).flatten().copied().collect();
            self.inputs[block.inputs.start + k] = set;
        }
    }

    /// Own states and flanges.
    fn own(&self, block: &Block) -> Set {
        let mut set: Set = block.x.clone().collect();
        set.extend(self.flanges(block));
        set
    }

    fn flanges(&self, block: &Block) -> Set {
        let members = &self.system.network.members[block.flanges.clone()];
        members.iter().flat_map(|member| &self.groups[member.group]).copied().collect()
    }

    fn inputs(&self, block: &Block) -> Set {
        self.inputs[block.inputs.clone()].iter().flatten().copied().collect()
    }

    fn everything(&self, block: &Block) -> Set {
        let mut set = self.own(block);
        set.extend(self.inputs(block));
        set
    }

    fn efforts_by_group(&self) -> Vec<Set> {
        let mut efforts = vec![Set::new(); self.groups.len()];
        for block in self.system.blocks.iter().filter(|block| !block.flanges.is_empty()) {
            reserve::check();
            let set = self.everything(block);
            for member in &self.system.network.members[block.flanges.clone()] {
                efforts[member.group].extend(&set);
            }
        }
        efforts
    }

    /// Adds what the equations of holders depend on that may share the load of one motion.
    fn share_loads(&self, blocks: &[usize], rows: &mut [Set]) {
        let system = self.system;
        let clusters = system.clusters(blocks);
        for (a, of_a) in clusters.iter().enumerate() {
            for (b, of_b) in clusters.iter().enumerate() {
                if a != b && of_a == of_b {
                    let set = self.everything(&system.blocks[system.holders[b].block]);
                    rows[system.effort_of(a)].extend(set);
                }
            }
        }
    }

    fn rows(&self, efforts: &[Set]) -> Vec<Set> {
        let system = self.system;
        let mut rows = vec![Set::new(); system.num_variables()];
        for block in &system.blocks {
            let from_outside: Set = self.inputs(block).union(&self.flanges(block)).copied().collect();
            for row in block.x.clone() {
                reserve::check();
                let near = match block.sparsity {
                    Sparsity::Dense => block.x.clone(),
                    Sparsity::Banded(width) => {
                        row.saturating_sub(width).max(block.x.start)..(row + width + 1).min(block.x.end)
                    }
                };
                rows[row] = near.chain(from_outside.iter().copied()).collect();
            }
            if let Some(first) = block.tear {
                for row in first..first + block.num_direct() {
                    reserve::check();
                    rows[row] = self.everything(block);
                    rows[row].insert(row);
                }
            }
        }
        for (group, effort) in system.network.groups.iter().zip(efforts) {
            match group.root {
                Root::Own(at) => {
                    rows[at] = Set::from([at, at + 1]);
                    rows[at + 1] = effort.clone();
                    rows[at + 1].insert(at + 1);
                }
                Root::Driven(at, block, input) => {
                    rows[at] = self.inputs[system.blocks[block].inputs.start + input].clone();
                    rows[at].insert(at);
                }
                Root::Ground | Root::Joint(_) => {}
            }
        }
        rows
    }
}
