//! Saving, restoring and serializing the state of an instance.

use super::snapshot::{Snapshot, from_bytes, to_bytes};
use super::{Answer, Instance};
use crate::{CoSimulation, Failure, Function, Outcome};

pub use super::state_store::StateHandle;

impl<M: CoSimulation> Instance<M> {
    /// Saves the state under `reuse`, an existing handle, or under the fresh handle that `fresh` makes.
    ///
    /// # Errors
    /// Unsupported, unknown handle, wrong life-cycle state, or the model fails.
    pub fn save(&mut self, reuse: Option<StateHandle>, fresh: impl FnOnce() -> StateHandle) -> Answer<StateHandle> {
        self.call(Function::GetFMUstate, |this| {
            this.check_saving()?;
            this.check_handle(reuse)?;
            let model = this.model.save(&mut this.log)?;
            let snapshot = Snapshot { model, phase: this.phase, clock: this.clock, last_step: this.last_step };
            let handle = reuse.unwrap_or_else(fresh);
            this.keep(handle, snapshot)
        })
    }

    /// Stores a state, unless that has taken the last memory.
    fn keep(&mut self, handle: StateHandle, snapshot: Snapshot<M::State>) -> Outcome<StateHandle> {
        self.states.put(handle, snapshot);
        if reserve::is_short() {
            self.states.remove(handle);
            return Err(Failure::fatal("not enough memory for one more saved state"));
        }
        Ok(handle)
    }

    /// Returns to a saved state, with its time and life-cycle state.
    ///
    /// # Errors
    /// Unsupported, unknown handle, wrong life-cycle state, or the model fails.
    pub fn restore(&mut self, handle: StateHandle) -> Answer {
        self.call(Function::SetFMUstate, |this| {
            this.check_saving()?;
            let snapshot = this.states.get(handle).ok_or_else(|| unknown_state(handle))?;
            this.model.restore(&snapshot.model, &mut this.log)?;
            this.phase = snapshot.phase;
            this.clock = snapshot.clock;
            this.last_step = snapshot.last_step;
            Ok(())
        })
    }

    /// Frees a saved state.
    ///
    /// # Errors
    /// Unknown handle (freed already, or of another instance), or the life-cycle state is wrong.
    pub fn free_state(&mut self, handle: StateHandle) -> Answer {
        self.call(
            Function::FreeFMUstate,
            |this| {
                if this.states.remove(handle) { Ok(()) } else { Err(unknown_state(handle)) }
            },
        )
    }

    /// Number of bytes of a saved state. The bytes are kept for the call that follows.
    ///
    /// # Errors
    /// Unsupported, unknown handle, wrong life-cycle state, or the model fails.
    pub fn serialized_size(&mut self, handle: StateHandle) -> Answer<usize> {
        self.call(Function::SerializedFMUstateSize, |this| {
            let bytes = this.bytes_of(handle)?;
            let size = bytes.len();
            if let Some(kept) = this.states.bytes(handle) {
                *kept = Some(bytes);
            }
            Ok(size)
        })
    }

    /// Writes a saved state into `target`, which may be longer than needed; the rest is set to zero.
    ///
    /// # Errors
    /// As [`serialized_size`](Self::serialized_size), or `target` is too short.
    pub fn serialize(&mut self, handle: StateHandle, target: &mut [u8]) -> Answer {
        self.call(Function::SerializeFMUstate, |this| {
            let bytes = this.bytes_of(handle)?;
            let (needed, given) = (bytes.len(), target.len());
            let Some((front, rest)) = target.split_at_mut_checked(needed) else {
                return Err(Failure::refused(format!("the state needs {needed} bytes, there is room for {given}")));
            };
            front.copy_from_slice(&bytes);
            rest.fill(0);
            Ok(())
        })
    }

    /// Reads a state from bytes and stores it under `reuse`, an existing handle, or the one that `fresh` makes.
    ///
    /// # Errors
    /// Unsupported, unknown handle, wrong life-cycle state, or bytes that are no state of this model.
    pub fn deserialize(
        &mut self,
        bytes: &[u8],
        reuse: Option<StateHandle>,
        fresh: impl FnOnce() -> StateHandle,
    ) -> Answer<StateHandle> {
        self.call(Function::DeSerializeFMUstate, |this| {
            this.check_serializing()?;
            this.check_handle(reuse)?;
            let raw = from_bytes(bytes, this.interface.guid())?;
            let snapshot = raw.try_map(|payload| this.model.deserialize(payload))?;
            let handle = reuse.unwrap_or_else(fresh);
            this.keep(handle, snapshot)
        })
    }

    /// The bytes kept from asking for their size, else made now.
    fn bytes_of(&mut self, handle: StateHandle) -> Outcome<Vec<u8>> {
        self.check_serializing()?;
        if let Some(bytes) = self.states.bytes(handle).and_then(Option::take) {
            return Ok(bytes);
        }
        let snapshot = self.states.get(handle).ok_or_else(|| unknown_state(handle))?;
        let mut payload = Vec::new();
        self.model.serialize(&snapshot.model, &mut payload)?;
        Ok(to_bytes(snapshot, self.interface.guid(), &payload))
    }

    fn check_saving(&self) -> Outcome {
        let supported = self.interface.capabilities().can_get_and_set_fmu_state;
        let refusal = || Failure::unsupported("saving and restoring its state", "canGetAndSetFMUstate=\"false\"");
        if supported { Ok(()) } else { Err(refusal()) }
    }

    fn check_serializing(&self) -> Outcome {
        let supported = self.interface.capabilities().can_serialize_fmu_state;
        let refusal = || Failure::unsupported("serializing its state", "canSerializeFMUstate=\"false\"");
        if supported { Ok(()) } else { Err(refusal()) }
    }

    fn check_handle(&self, reuse: Option<StateHandle>) -> Outcome {
        match reuse {
            Some(handle) if !self.states.contains(handle) => Err(unknown_state(handle)),
            _ => Ok(()),
        }
    }
}

#[cold]
fn unknown_state(handle: StateHandle) -> Failure {
    if handle == 0 {
        return Failure::refused("the FMU state is NULL");
    }
    Failure::refused(
        "the FMU state does not belong to this instance, has been freed, or was never initialised with NULL",
    )
}
