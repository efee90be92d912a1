//! Saved states of one instance, found by handles that are unique in the process.

use super::snapshot::Snapshot;

/// Handle of a saved state; never zero. Handles come from a counter of the whole library, so a handle of another
/// instance, or of a state already freed, is never found.
pub type StateHandle = usize;

#[derive(Debug)]
struct Saved<T> {
    handle: StateHandle,
    /// Apart, so that a table of many states stays small.
    snapshot: Box<Snapshot<T>>,
    /// Bytes between asking for their size and asking for themselves.
    bytes: Option<Vec<u8>>,
}

/// The states in order of their handles.
#[derive(Debug)]
pub(super) struct StateStore<T>(Vec<Saved<T>>);

impl<T> Default for StateStore<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> StateStore<T> {
    /// Stores under a handle, replacing what was there.
    pub(super) fn put(&mut self, handle: StateHandle, snapshot: Snapshot<T>) {
        let saved = Saved { handle, snapshot: Box::new(snapshot), bytes: None };
        match self.position(handle) {
            Ok(at) => self.0[at] = saved,
            Err(at) => self.0.insert(at, saved),
        }
    }

    /// The state with this handle.
    pub(super) fn get(&self, handle: StateHandle) -> Option<&Snapshot<T>> {
        self.position(handle).ok().map(|at| &*self.0[at].snapshot)
    }

    /// The bytes of the state with this handle, kept from an earlier call if there was one.
    pub(super) fn bytes(&mut self, handle: StateHandle) -> Option<&mut Option<Vec<u8>>> {
        self.position(handle).ok().map(|at| &mut self.0[at].bytes)
    }

    /// Drops a state; false if there is none with this handle.
    pub(super) fn remove(&mut self, handle: StateHandle) -> bool {
        self.position(handle).map(|at| drop(self.0.remove(at))).is_ok()
    }

    /// Whether there is a state with this handle.
    pub(super) fn contains(&self, handle: StateHandle) -> bool {
        self.position(handle).is_ok()
    }

    fn position(&self, handle: StateHandle) -> Result<usize, usize> {
        self.0.binary_search_by_key(&handle, |saved| saved.handle)
    }
}
