//! The order in which outputs are computed, and the algebraic loops that no order resolves.

use crate::force::{Signal, Signals};
use crate::scene::ComponentInstance;

/// The order of evaluation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Schedule {
    /// Components whose direct outputs are computed, each after those it reads.
    pub late: Vec<usize>,
    /// Components whose direct outputs are algebraic unknowns, which opens a loop.
    pub torn: Vec<usize>,
}

/// Orders the components so that the values of their inputs are known.
pub(super) fn schedule(instances: &[ComponentInstance], signals: &Signals) -> Schedule {
    let is_late: Vec<bool> = instances.iter().map(|c| c.layout.outputs.iter().any(|o| o.direct)).collect();
    let reads: Vec<Vec<usize>> = instances.iter().map(|c| sources(c, instances, signals)).collect();
    let mut torn = vec![false; instances.len()];
    let mut done = vec![false; instances.len()];
    let mut late = Vec::new();
    loop {
        let waits = |k: usize, done: &[bool]| {
            reads[k].iter().copied().find(|&other| is_late[other] && !torn[other] && !done[other])
        };
        let ready = (0..instances.len()).find(|&k| is_late[k] && !done[k] && waits(k, &done).is_none());
        if let Some(k) = ready {
            done[k] = true;
            late.push(k);
            continue;
        }
        let Some(mut at) = (0..instances.len()).find(|&k| is_late[k] && !done[k]) else { break };
        let mut seen = vec![false; instances.len()];
        while !std::mem::replace(&mut seen[at], true) {
            at = waits(at, &done).unwrap_or(at);
        }
        let first = at;
        let mut smallest = at;
        loop {
            at = waits(at, &done).unwrap_or(first);
            smallest = smallest.min(at);
            if at == first {
                break;
            }
        }
        torn[smallest] = true;
    }
    Schedule { late, torn: (0..instances.len()).filter(|&k| torn[k]).collect() }
}

/// Components whose direct outputs are read by the inputs of `of`.
fn sources(of: &ComponentInstance, instances: &[ComponentInstance], signals: &Signals) -> Vec<usize> {
    let mut found = Vec::new();
    for signal in &of.inputs {
        let Signal::Program(program) = signal else { continue };
        for &slot in signals.slots_of(*program) {
            found.extend(direct_owner(slot, instances));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The component that fills a slot with a direct output.
fn direct_owner(slot: usize, instances: &[ComponentInstance]) -> Option<usize> {
    let owns = |c: &ComponentInstance| {
        slot.checked_sub(c.first_output).and_then(|k| c.layout.outputs.get(k)).is_some_and(|output| output.direct)
    };
    instances.iter().position(owns)
}
