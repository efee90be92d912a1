//! The structure and the action programs in a saved state, as plain numbers.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::actions::ActionState;
use crate::math::{Mat3, Pose, Quaternion, Vec3};
use crate::scene::{ForceType, LastCoordinate, LastMotion, Link, Scene, Structure};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::spatial::BodyMotion;

/// Everything discrete that a structure and its programs add to a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedStructure {
    /// Indices of both frames; rotation column by column, and translation, of `X_BA`.
    links: Vec<(u32, u32, [f64; 9], [f64; 3])>,
    absent: Vec<bool>,
    last_motions: Vec<Option<SavedMotion>>,
    last_coordinates: Vec<Option<Vec<LastCoordinate>>>,
    turned: Vec<bool>,
    changes: u64,
    dissipated: f64,
    rest_lengths: Vec<Option<f64>>,
    actions: ActionState,
}

/// Rotation column by column, position, angular velocity, velocity, their rates, quaternion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedMotion {
    rotation: [f64; 9],
    vectors: [[f64; 3]; 5],
    quaternion: [f64; 4],
}

impl SavedMotion {
    fn of(last: &LastMotion) -> Self {
        let BodyMotion { rotation, p, w, v, alpha, a } = last.motion;
        Self {
            rotation: columns(&rotation),
            vectors: [p, w, v, alpha, a].map(<[f64; 3]>::from),
            quaternion: last.quaternion.to_array(),
        }
    }

    fn motion(&self) -> LastMotion {
        let [p, w, v, alpha, a] = self.vectors.map(Vec3::from);
        let rotation = Mat3::from_column_slice(&self.rotation);
        LastMotion {
            motion: BodyMotion { rotation, p, w, v, alpha, a },
            quaternion: Quaternion::from_array(self.quaternion),
        }
    }
}

fn columns(matrix: &Mat3) -> [f64; 9] {
    std::array::from_fn(|k| matrix[(k % 3, k / 3)])
}

impl SavedStructure {
    fn of(scene: &Scene, actions: &ActionState) -> Self {
        let structure = &scene.structure;
        let link = |link: &Link| {
            let Pose { rotation, translation } = link.x_ba;
            (link.a.index() as u32, link.b.index() as u32, columns(&rotation), translation.into())
        };
        Self {
            links: structure.links.iter().map(link).collect(),
            absent: structure.absent.clone(),
            last_motions: structure.last_motions.iter().map(|last| last.as_deref().map(SavedMotion::of)).collect(),
            last_coordinates: structure.last_coordinates.iter().map(|last| Some(last.as_ref()?.to_vec())).collect(),
            turned: structure.turned.clone(),
            changes: structure.changes,
            dissipated: structure.dissipated,
            rest_lengths: scene.forces.iter().map(|(_, force)| rest_length(&force.kind)).collect(),
            actions: actions.clone(),
        }
    }

    /// The structure, if it belongs to this scene.
    fn structure(&self, scene: &Scene) -> Option<Structure> {
        let n = scene.objects.capacity();
        let fits = [self.absent.len(), self.last_motions.len(), self.turned.len()] == [n; 3]
            && self.last_coordinates.len() == scene.joints.capacity()
            && self.rest_lengths.len() == scene.forces.len();
        let frame = |index: u32| {
            let id = scene.objects.id_at(index as usize)?;
            (scene.objects[id].structure.lockable && !self.absent[index as usize]).then_some(id)
        };
        if !fits {
            return None;
        }
        let mut links = Vec::with_capacity(self.links.len());
        for (a, b, rotation, translation) in &self.links {
            let x_ba = Pose { rotation: Mat3::from_column_slice(rotation), translation: Vec3::from(*translation) };
            links.push(Link { a: frame(*a)?, b: frame(*b)?, x_ba });
        }
        Some(Structure {
            links,
            absent: self.absent.clone(),
            last_motions: self.last_motions.iter().map(|last| Some(Arc::new(last.as_ref()?.motion()))).collect(),
            last_coordinates: self.last_coordinates.iter().map(|last| Some(last.as_deref()?.into())).collect(),
            turned: self.turned.clone(),
            changes: self.changes,
            dissipated: self.dissipated,
        })
    }
}

fn rest_length(kind: &ForceType) -> Option<f64> {
    match kind {
        ForceType::Line { rest_length, .. } => *rest_length,
        _ => None,
    }
}

impl Simulation {
    /// Structure and programs, for models that have any.
    pub(in crate::simulation) fn save_structure(&self) -> Option<Box<SavedStructure>> {
        let changes = self.model.scene.has_variable_structure() || !self.model.scene.actions.programs.is_empty();
        changes.then(|| Box::new(SavedStructure::of(&self.model.scene, &self.structure.programs.state)))
    }

    /// Returns to a saved structure, with its topology and the state of the programs.
    pub(in crate::simulation) fn return_to_structure(
        &mut self,
        saved: Option<&SavedStructure>,
    ) -> Result<(), SimulationError> {
        let refuse = || {
            let message = "the saved state cannot be used: it belongs to a model of another structure";
            Err(SimulationError::Value(message.to_owned()))
        };
        let Some(saved) = saved else {
            return if self.save_structure().is_some() { refuse() } else { Ok(()) };
        };
        let fits = saved.actions.fits(&self.structure.programs.state);
        let Some(structure) = saved.structure(&self.model.scene).filter(|_| fits) else { return refuse() };
        for ((_, force), saved) in self.model.scene.forces.iter_mut().zip(&saved.rest_lengths) {
            if let ForceType::Line { rest_length, .. } = &mut force.kind {
                *rest_length = *saved;
            }
        }
        if structure != *self.model.scene.structure {
            self.restore_structure(Arc::new(structure));
        }
        self.structure.programs.state.clone_from(&saved.actions);
        self.restore_actions();
        Ok(())
    }

    /// Gives another scene of the same model the present structure and the rest lengths found so far.
    pub(in crate::simulation) fn keep_structure(&self, scene: &mut Scene) {
        if !self.model.scene.has_variable_structure() {
            return;
        }
        scene.structure = self.model.scene.structure.clone();
        for ((_, force), (_, own)) in scene.forces.iter_mut().zip(self.model.scene.forces.iter()) {
            if let (ForceType::Line { rest_length, .. }, Some(found)) = (&mut force.kind, rest_length(&own.kind)) {
                rest_length.get_or_insert(found);
            }
        }
    }
}
