//! The table of live instances. A component is a number that is looked up here, never a pointer that is followed, so
//! freed, foreign and invented components are errors instead of crashes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use reserve::Reserve;

use crate::host::Host;
use crate::instance::RunningSteps;
use crate::{CoSimulation, Instance, StateHandle};

const INDEX_BITS: u32 = usize::BITS / 2;
const INDEX_MASK: usize = (1 << INDEX_BITS) - 1;

/// All live instances of one kind of model. Locked for the moment of a look-up, never while a model runs or the host is
/// called.
pub struct Registry<M: CoSimulation>(RwLock<Table<M>>);

struct Table<M: CoSimulation> {
    slots: Vec<Slot<M>>,
    live: usize,
    /// Most instances that were live at a time since memory was last given back.
    most: usize,
    /// Counts instances and states ever made, so that none is taken for an older one.
    serial: usize,
}

struct Slot<M: CoSimulation> {
    component: usize,
    cell: Option<Arc<Cell<M>>>,
}

/// An instance, and memory for calls that are short of it.
pub(crate) struct Guarded<M: CoSimulation> {
    pub(crate) instance: Instance<M>,
    pub(crate) reserve: Reserve,
}

/// An instance with its lock and its host.
pub(crate) struct Cell<M: CoSimulation> {
    instance: Mutex<Guarded<M>>,
    pub(crate) host: Host,
    /// Steps in progress and whether they are to end early.
    pub(crate) steps: Arc<RunningSteps>,
}

impl<M: CoSimulation> Cell<M> {
    pub(crate) fn new(instance: Instance<M>, host: Host) -> Self {
        let steps = instance.steps();
        let instance = Mutex::new(Guarded { instance, reserve: Reserve::empty() });
        Self { instance, host, steps }
    }

    /// Locks the instance. Panics are caught inside the lock, so a poisoned lock carries no news.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Guarded<M>> {
        self.instance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: CoSimulation> Registry<M> {
    /// An empty table.
    #[allow(clippy::new_without_default)] // Only ever a static, where Default does not help.
    pub const fn new() -> Self {
        Self(RwLock::new(Table { slots: Vec::new(), live: 0, most: 0, serial: 0 }))
    }

    /// Adds an instance; returns its component, never zero.
    #[inline(never)] // Tools that watch threads know the table by these names.
    pub(crate) fn insert(&self, cell: Cell<M>) -> usize {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        table.serial = table.serial.wrapping_add(1);
        let index = table.slots.iter().position(|slot| slot.cell.is_none()).unwrap_or(table.slots.len());
        let component = (table.serial << INDEX_BITS) | ((index + 1) & INDEX_MASK);
        let slot = Slot { component, cell: Some(Arc::new(cell)) };
        match table.slots.get_mut(index) {
            Some(free) => *free = slot,
            None => table.slots.push(slot),
        }
        table.live += 1;
        table.most = table.most.max(table.live);
        component
    }

    /// The live instance with this component.
    #[inline(never)]
    pub(crate) fn find(&self, component: usize) -> Option<Arc<Cell<M>>> {
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let slot = table.slots.get((component & INDEX_MASK).checked_sub(1)?)?;
        if slot.component == component { slot.cell.clone() } else { None }
    }

    /// Takes an instance out of the table, and returns whether so many have been freed that memory should be returned.
    /// A call that runs on another thread finishes first, on its own reference.
    #[inline(never)]
    pub(crate) fn remove(&self, component: usize) -> Option<(Arc<Cell<M>>, bool)> {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let slot = table.slots.get_mut((component & INDEX_MASK).checked_sub(1)?)?;
        let cell = if slot.component == component { slot.cell.take() } else { None }?;
        table.live -= 1;
        if table.live == 0 {
            // Serial numbers keep old components invalid, so an idle library holds no memory.
            table.slots = Vec::new();
        }
        let has_shrunk = 2 * table.live <= table.most;
        if has_shrunk {
            table.most = table.live;
        }
        Some((cell, has_shrunk))
    }

    /// A fresh number for a saved state, never zero.
    #[inline(never)]
    pub(crate) fn fresh_state_handle(&self) -> StateHandle {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        table.serial = table.serial.wrapping_add(1).max(1);
        table.serial
    }
}
