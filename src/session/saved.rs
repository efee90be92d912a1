//! Sessions that are saved and restored.

use mbs::simulation::SavedState;
use serde::{Deserialize, Serialize};

use super::building::Build;
use super::{Session, SessionError, useful_threads};
use crate::memory;
use crate::variable::Setting;

/// Everything that decides how a session continues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedSession {
    parameters: Vec<Option<f64>>,
    held_values: Vec<f64>,
    pending_start: Option<(f64, Option<f64>)>,
    stale: bool,
    early_derivatives: Vec<(usize, usize, f64)>,
    run: Option<(Build, SavedState)>,
}

impl Session {
    /// Copies everything that decides how the session continues; nothing in the session changes.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn save(&mut self) -> Result<SavedSession, SessionError> {
        let run = match &mut self.simulation {
            Some(simulation) => {
                let size = memory::of_state(simulation.statistics().variables as usize + self.held_values.len());
                memory::require(size, "a saved state").map_err(SessionError::Memory)?;
                Some((self.built_from.clone(), simulation.save()?))
            }
            None => None,
        };
        Ok(SavedSession {
            parameters: self.parameters.clone(),
            held_values: self.held_values.clone(),
            pending_start: self.pending_start,
            stale: self.stale,
            early_derivatives: self.early_derivatives.clone(),
            run,
        })
    }

    /// Returns to what was saved, by this or another session of the same interface. What follows has the same bits as
    /// what followed the saving.
    ///
    /// # Errors
    /// What was saved belongs to another model; then nothing has changed.
    pub fn restore(&mut self, saved: &SavedSession) -> Result<(), SessionError> {
        let before = self.save()?;
        let result = self.take_over(saved);
        if result.is_err() {
            self.take_over(&before)?;
        }
        result
    }

    fn take_over(&mut self, saved: &SavedSession) -> Result<(), SessionError> {
        let sizes = (saved.parameters.len(), saved.held_values.len());
        if sizes != (self.parameters.len(), self.held_values.len()) {
            return Err(SessionError::Refused("the saved state belongs to a model with other variables".to_owned()));
        }
        match &saved.run {
            None => {
                self.simulation = None;
                self.quantities.clear();
            }
            Some((build, state)) => {
                if self.simulation.is_none() || self.built_from != *build {
                    self.build(build.clone())?;
                }
                if let Some(simulation) = &mut self.simulation {
                    simulation.restore(state)?;
                }
            }
        }
        self.parameters.clone_from(&saved.parameters);
        self.held_values.clone_from(&saved.held_values);
        self.pending_start = saved.pending_start;
        self.stale = saved.stale;
        self.early_derivatives.clone_from(&saved.early_derivatives);
        let max_work = self.max_work();
        if let Some(threads) = self.setting(Setting::Threads) {
            self.share_with(useful_threads(threads));
        }
        self.simulation.as_mut().map_or(Ok(()), |simulation| Ok(simulation.set_max_work(max_work)?))
    }
}
