//! Objects that are pulled by hand while the model runs.

use super::error::SimulationError;
use super::run::Simulation;
use crate::scene::{ObjectId, Pull};
use crate::spatial::WORLD;
use crate::topology::pull_element;

impl Simulation {
    /// Pulls a point of an object towards a point of the world from now on, or pulls nothing any more. Positions and
    /// velocities stay; the integrator restarts.
    ///
    /// # Errors
    /// Values that are not finite, and objects that do not exist; then nothing has changed.
    pub fn pull(&mut self, pull: Option<Pull>) -> Result<(), SimulationError> {
        if pull == self.model.scene.pull {
            return Ok(());
        }
        if let Some(pull) = &pull {
            self.check_pull(pull)?;
        }
        let Some(pull) = pull.filter(|pull| self.model.scene.pull.is_some_and(|before| before.object == pull.object))
        else {
            let mut scene = self.model.scene.clone();
            scene.pull = pull;
            return self.continue_with_scene(scene);
        };
        self.interpolate_to_now()?;
        let element = pull_element(&pull, &self.segment.topology.placements[pull.object.index()]);
        if let Some(last) = self.segment.topology.elements.last_mut() {
            *last = element;
        }
        self.model.scene.pull = Some(pull);
        self.restart_here();
        Ok(())
    }

    fn check_pull(&self, pull: &Pull) -> Result<(), SimulationError> {
        let Pull { object, point, target, stiffness, damping } = pull;
        let numbers = point.iter().chain(target.iter()).chain([stiffness, damping]);
        if !numbers.into_iter().all(|number| number.is_finite()) || *stiffness < 0.0 || *damping < 0.0 {
            return Err(SimulationError::Value(format!(
                "a pull with stiffness {stiffness} N/m and damping {damping} N s/m at {:?} m towards {:?} m cannot be \
                 computed: numbers must be finite, stiffness and damping not negative",
                point.as_slice(),
                target.as_slice()
            )));
        }
        if self.model.scene.objects.get(*object).is_none() || !self.model.scene.exists(*object) {
            return Err(SimulationError::Value("an object that is pulled must exist at present".to_owned()));
        }
        Ok(())
    }

    /// Mass \[kg\] that moves when an object is pulled: that of all bodies which joints and loops connect with it. None
    /// where nothing can move.
    #[must_use]
    pub fn mass_moved_with(&self, object: ObjectId) -> Option<f64> {
        let topology = &self.segment.topology;
        let node = topology.placements[object.index()].node;
        if node == WORLD || !self.model.scene.exists(object) {
            return None;
        }
        let component = topology.component_of(node);
        let moved = topology.nodes.iter().enumerate().skip(1).filter(|(i, _)| topology.component_of(*i) == component);
        let mass: f64 = moved.map(|(_, node)| node.inertia.m).sum();
        (mass > 0.0).then_some(mass)
    }
}
