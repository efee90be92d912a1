//! Values of variables at the present point, computed on request.

use crate::math::Pose;
use crate::scene::{EnergyKind, ObjectId, Quantity};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::view::{View, stage_of};
use crate::spatial::BodyMotion;

impl Simulation {
    /// Value of a quantity at the present point, in SI units.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn value(&mut self, quantity: &Quantity) -> Result<f64, SimulationError> {
        let of_contacts = matches!(quantity, Quantity::Contact { .. } | Quantity::ObjectContact { .. });
        // Forces of hinges follow from accelerations.
        let stage =
            if of_contacts && !self.contacts.hinges.is_empty() { Stage::Acceleration } else { stage_of(quantity) };
        self.reach_exactly(stage, quantity)?;
        if of_contacts && !self.contacts.results.is_present {
            let mut results = std::mem::take(&mut self.contacts.results);
            let view = self.view();
            results.update(
                view.topology,
                view.t,
                &view.evaluator.workspace.bodies,
                view.contact_set,
                view.hinge_results(),
            );
            self.contacts.results = results;
        }
        let is_potential = matches!(quantity, Quantity::Energy(EnergyKind::Potential | EnergyKind::Total));
        if is_potential && self.contacts.results.energy.is_none() {
            self.contacts.results.energy = Some(self.view().energy_of_contacts());
        }
        Ok(match quantity {
            Quantity::Input(input) => self.input(*input),
            Quantity::Parameter(index) => self.model.scene.parameters[*index].value,
            Quantity::EventCount => self.events.count as f64,
            Quantity::LastEventTime => self.events.last,
            Quantity::DissipatedByImpacts => self.contacts.impacts.dissipated,
            Quantity::ImpactCount => self.contacts.impacts.count as f64,
            Quantity::Impacts(objects) => self.contacts.impacts.of(*objects) as f64,
            Quantity::Path { path, axis, order } => {
                let point = self.structure.programs.state.paths[*path].at(*axis, self.point.t);
                [point.position, point.velocity, point.acceleration][*order as usize]
            }
            _ => self.view().value(quantity),
        })
    }

    /// Brings the workspace up to a stage. Efforts need accelerations. So do signals where efforts hold loops, since
    /// these efforts are inaccurate in the integrator's solution; in configurations in which the equations of motion
    /// have no solution, the integrator's values are used.
    fn reach_exactly(&mut self, stage: Stage, quantity: &Quantity) -> Result<(), SimulationError> {
        let is_better = match quantity {
            Quantity::Effort { .. } => true,
            Quantity::Signal(_) => self.segment.evaluator.components.num_efforts_in_loops() > 0,
            _ => false,
        };
        let is_reached = is_better && self.reach(Stage::Acceleration).is_ok();
        if is_reached { Ok(()) } else { self.reach(stage) }
    }

    /// The present point; the stage that a variable needs must be reached.
    pub(in crate::simulation) fn view(&self) -> View<'_> {
        View {
            scene: &self.model.scene,
            topology: &self.segment.topology,
            evaluator: &self.segment.evaluator,
            signals: &self.segment.signals,
            contact_set: &self.contacts.set,
            hinges: &self.contacts.hinges,
            contacts: &self.contacts.results,
            t: self.point.t,
            y: &self.point.y,
            yp: &self.point.yp,
        }
    }

    /// Motion of an object in the world at the stage reached.
    #[must_use]
    pub fn object_motion(&self, object: ObjectId) -> BodyMotion {
        self.view().object_motion(object)
    }

    /// Pose `X_WC` of an object at the present point.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn object_pose(&mut self, object: ObjectId) -> Result<Pose, SimulationError> {
        self.reach(Stage::Velocity)?;
        let motion = self.object_motion(object);
        Ok(Pose { rotation: motion.rotation, translation: motion.p })
    }
}
