//! Parameters that change between steps.

use super::error::SimulationError;
use super::monitor::ContactMonitor;
use super::run::Simulation;
use super::run_data::Stage;
use super::run_data::dense_search::DenseSearch;
use super::run_data::previous_segment::PreviousSegment;
use super::start::components::set_components;
use super::start::initial::{resolve_rest_lengths, start_values};
use crate::component::Layout;
use crate::dynamics::Evaluator;
use crate::force::Signals;
use crate::scene::{ComponentInstance, Scene};
use crate::topology::{FirstSegment, Topology, TopologyCompiler};

/// What follows from a scene.
struct Compiled {
    scene: Scene,
    topology: Topology,
    evaluator: Evaluator,
    signals: Signals,
    compiler: Option<TopologyCompiler>,
    search: DenseSearch,
    monitor: ContactMonitor,
}

impl Simulation {
    /// Continues with another scene of the same structure: the same joints, bodies, shapes, conditions and inputs, with
    /// other numbers. Positions, velocities, contacts and inputs are kept; the integrator restarts.
    ///
    /// # Errors
    /// A scene of another structure, or one that cannot be simulated; then nothing has changed.
    pub fn update_parameters(&mut self, mut scene: Scene) -> Result<(), SimulationError> {
        scene.pull = self.model.scene.pull;
        self.continue_with_scene(scene)
    }

    /// As [`Simulation::update_parameters`], with what pulls an object in the other scene.
    pub(super) fn continue_with_scene(&mut self, mut scene: Scene) -> Result<(), SimulationError> {
        self.interpolate_to_now()?;
        self.keep_structure(&mut scene);
        let FirstSegment { compiler, mut topology } = FirstSegment::compile(&scene)?;
        // The restart finds hinges anew.
        topology.let_rest_elastically(self.segment.topology.resting_elastically());
        topology.set_hinges(&self.contacts.hinges);
        let mut evaluator = Evaluator::new(&topology);
        let mut signals = scene.signals.clone();
        signals.set_time(self.model.start);
        let start = start_values(&scene, &topology);
        let conditions = (signals.truth().len(), signals.num_roots(), signals.inputs().len());
        let before =
            (self.segment.signals.truth().len(), self.segment.signals.num_roots(), self.segment.signals.inputs().len());
        if conditions != before || !same_layout(&topology, &self.segment.topology) {
            return Err(SimulationError::Structure(format!(
                "{} the structure of the model; only values that leave bodies, joints, shapes and conditions as they are can be \
                 set during a run",
                self.changes_of_parameters(&scene)
            )));
        }
        resolve_rest_lengths(&mut topology, &mut evaluator, &start, &mut signals);
        signals.set_inputs(self.segment.signals.inputs());
        signals.set_truth(self.segment.signals.truth());
        self.carry_components(&scene, &topology, &mut evaluator, &mut signals)?;
        evaluator.loops.set_active_rows(self.segment.evaluator.loops.active_rows());
        evaluator.set_contacts(&topology, self.contacts.set.active());
        let search = DenseSearch::default();
        let monitor = ContactMonitor::new(&topology);
        let mut other = Compiled { scene, topology, evaluator, signals, compiler, search, monitor };
        self.exchange(&mut other);
        self.share_evaluations();
        // Whether anything can move with these numbers.
        if let Err(error) = self.reach(Stage::Acceleration) {
            self.exchange(&mut other);
            return Err(error);
        }
        self.restart_here();
        Ok(())
    }

    /// Lets the integrator restart at the present point, which has another future than was computed.
    pub(super) fn restart_here(&mut self) {
        self.structure.segments.previous = PreviousSegment::default();
        self.solver.is_running = false;
        self.events.pending = None;
        self.point.stage = Stage::Nothing;
    }

    /// Replaces the compiled scene, and returns the former one.
    fn exchange(&mut self, other: &mut Compiled) {
        std::mem::swap(&mut self.model.scene, &mut other.scene);
        std::mem::swap(&mut self.segment.topology, &mut other.topology);
        std::mem::swap(&mut self.segment.evaluator, &mut other.evaluator);
        std::mem::swap(&mut self.segment.signals, &mut other.signals);
        std::mem::swap(&mut self.structure.segments.compiler, &mut other.compiler);
        std::mem::swap(&mut self.solver.search, &mut other.search);
        std::mem::swap(&mut self.contacts.monitor, &mut other.monitor);
        self.size_tolerances();
        self.structure.programs.conditions = self.model.scene.actions.conditions.clone();
        self.restore_actions();
        self.point.stage = Stage::Nothing;
    }

    /// Tunable parameters that have another value in a scene, as the beginning of a sentence.
    fn changes_of_parameters(&self, scene: &Scene) -> String {
        let both = self.model.scene.parameters.iter().zip(&scene.parameters).enumerate();
        let changed: Vec<String> = both
            .filter(|(_, (before, now))| before.value != now.value && !now.calculated)
            .map(|(_, (before, now))| format!("`{}` = {} (before: {})", now.name, now.value, before.value))
            .collect();
        match changed.len() {
            1 => format!("{} changes", changed.join(", ")),
            0 => "the new values of tunable parameters change".to_owned(),
            _ => format!("{} change", changed.join(", ")),
        }
    }

    /// Gives an evaluator the components of a scene, in the state of the present ones.
    fn carry_components(
        &self,
        scene: &Scene,
        topology: &Topology,
        evaluator: &mut Evaluator,
        signals: &mut Signals,
    ) -> Result<(), SimulationError> {
        set_components(scene, topology, evaluator, signals, &self.point.y)?;
        let state = self.segment.evaluator.components.save();
        if !evaluator.components.fits(&state) {
            let both = self.model.scene.components.iter().zip(&scene.components);
            let differs = |(a, b): &(&ComponentInstance, &ComponentInstance)| sizes(&a.layout) != sizes(&b.layout);
            let whose = both
                .clone()
                .find(differs)
                .map_or_else(|| "components".to_owned(), |(a, _)| format!("component `{}`", a.path));
            return Err(SimulationError::Structure(format!(
                "{} the number of states or events of {whose}; only values that leave it as it is can be set during a run",
                self.changes_of_parameters(scene)
            )));
        }
        evaluator.components.restore(&state);
        let components = std::mem::take(&mut evaluator.components);
        evaluator.set_components(topology, components, signals);
        Ok(())
    }
}

/// Numbers of states, discrete values and indicators, which a run cannot change by parameters.
fn sizes(layout: &Layout) -> [usize; 3] {
    [layout.states.len(), layout.discrete.len(), layout.num_indicators]
}

/// Whether all state variables and shapes mean the same.
fn same_layout(a: &Topology, b: &Topology) -> bool {
    let nodes = a.nodes.len() == b.nodes.len()
        && a.nodes.iter().zip(&b.nodes).all(|(a, b)| {
            std::mem::discriminant(&a.mobilizer) == std::mem::discriminant(&b.mobilizer)
                && (a.parent, a.q, a.v, &a.name) == (b.parent, b.q, b.v, &b.name)
        });
    let shapes = a.shapes.len() == b.shapes.len()
        && a.shapes.iter().zip(&b.shapes).all(|(a, b)| (a.node, a.object) == (b.node, b.object));
    nodes && shapes && a.num_variables() == b.num_variables()
}
