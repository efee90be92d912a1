//! Data of a run besides its model. Nothing here depends on the run as a whole.

pub(in crate::simulation) mod attach_error;
pub(in crate::simulation) mod change;
pub(in crate::simulation) mod checkpoint;
pub(in crate::simulation) mod contact_results;
pub(in crate::simulation) mod dense_search;
pub(in crate::simulation) mod impacts;
pub(in crate::simulation) mod journal;
pub(in crate::simulation) mod linearized_with;
pub(in crate::simulation) mod meter;
pub(in crate::simulation) mod options;
pub(in crate::simulation) mod pair_law;
pub(in crate::simulation) mod passage;
pub(in crate::simulation) mod pending_event;
pub(in crate::simulation) mod previous_segment;
pub(in crate::simulation) mod program_runner;
pub(in crate::simulation) mod root_layout;
pub(in crate::simulation) mod run_state;
pub(in crate::simulation) mod step_limits;
pub(in crate::simulation) mod time_events;
pub(in crate::simulation) mod view;
pub(in crate::simulation) mod words;

use super::integrator::Integrator;
use super::monitor::ContactMonitor;
use super::run_data::contact_results::ContactResults;
use super::run_data::dense_search::DenseSearch;
use super::run_data::impacts::Impacts;
use super::run_data::journal::Journal;
use super::run_data::linearized_with::LinearizedWith;
use super::run_data::meter::Meter;
use super::run_data::options::Options;
use super::run_data::passage::Passage;
use super::run_data::pending_event::PendingEvent;
use super::run_data::previous_segment::PreviousSegment;
use super::run_data::program_runner::ProgramRunner;
use super::run_data::step_limits::StepLimits;
use crate::contact::hinge::Hinge;
use crate::contact::{ContactSet, Hysteresis, PairCounts, PairId};
use crate::dynamics::Evaluator;
use crate::force::{Inputs, Signals};
use crate::math::Pose;
use crate::scene::Scene;
use crate::topology::{Topology, TopologyCompiler};
use workers::Workers;

/// What is simulated, and how.
#[derive(Debug)]
pub(super) struct RunModel {
    pub scene: Scene,
    pub options: Options,
    pub workers: Workers,
    /// Start time \[s\].
    pub start: f64,
}

/// The segment that the run is in: the equations of motion of the present structure, and the signals that they read.
#[derive(Debug)]
pub(super) struct Segment {
    pub topology: Topology,
    pub evaluator: Evaluator,
    pub signals: Signals,
}

/// How far the workspace is evaluated for the present point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Nothing,
    Velocity,
    Acceleration,
}

/// The present point of a run.
#[derive(Debug)]
pub(super) struct RunPoint {
    /// Time \[s\].
    pub t: f64,
    /// Variables, and their derivatives with respect to time.
    pub y: Vec<f64>,
    pub yp: Vec<f64>,
    /// Whether `y` and `yp` are those of time `t`; otherwise they must be interpolated by the integrator.
    pub is_current: bool,
    pub stage: Stage,
}

impl RunPoint {
    pub fn new(t: f64, y: Vec<f64>) -> Self {
        Self { t, yp: vec![0.0; y.len()], y, is_current: true, stage: Stage::Nothing }
    }
}

/// The integrator and what its history was computed with.
pub(super) struct Solver {
    pub integrator: Box<dyn Integrator>,
    pub absolute_tolerance: Vec<f64>,
    pub differential: Vec<bool>,
    /// Whether the integrator's history ends at or covers the present point.
    pub is_running: bool,
    /// Time up to which the integrator has searched for events \[s\].
    pub searched: f64,
    /// Inputs that the integrator's history was computed with.
    pub covered_inputs: Inputs,
    /// What the Newton matrix in use was made with.
    pub linearized: LinearizedWith,
    /// Search of the integrator's dense output for events.
    pub search: DenseSearch,
}

impl Solver {
    pub fn new(integrator: Box<dyn Integrator>, t: f64, inputs: &Inputs) -> Self {
        Self {
            integrator,
            absolute_tolerance: Vec::new(),
            differential: Vec::new(),
            is_running: false,
            searched: t,
            covered_inputs: inputs.clone(),
            linearized: LinearizedWith::new(inputs),
            search: DenseSearch::default(),
        }
    }
}

/// Contacts of a run.
#[derive(Debug)]
pub(super) struct RunContacts {
    /// Active contacts with their frozen constants.
    pub set: ContactSet,
    /// Contacts at the present point, for outputs.
    pub results: ContactResults,
    /// Finds contacts that begin, end and change.
    pub monitor: ContactMonitor,
    /// Impacts of rigid bodies so far.
    pub impacts: Impacts,
    /// What holds rigid bodies that rest, slide or roll on each other.
    pub hinges: Vec<Hinge>,
    /// Gaps \[m\] up to which pairs touch that have just rested on the elastic law and are to be held by hinges.
    pub yielded: Vec<(PairId, f64)>,
    /// How often hinges have changed lately.
    pub hinge_changes: PairCounts,
    /// Whether the log has told that pairs rest on the elastic law in their place; no part of the state.
    pub has_reported_elastic_rest: bool,
}

impl RunContacts {
    pub fn new(topology: &Topology) -> Self {
        Self {
            set: ContactSet::new(Hysteresis::of(&topology.scales)),
            results: ContactResults::default(),
            monitor: ContactMonitor::new(topology),
            impacts: Impacts::default(),
            hinges: Vec::new(),
            yielded: Vec::new(),
            hinge_changes: PairCounts::default(),
            has_reported_elastic_rest: false,
        }
    }
}

/// Events of a run.
#[derive(Debug)]
pub(super) struct RunEvents {
    /// The event inside the integrator's last step.
    pub pending: Option<PendingEvent>,
    /// Number of events so far, and the time of the last one \[s\].
    pub count: u64,
    pub last: f64,
    /// Events in a row without progress in time.
    pub without_progress: u32,
}

impl RunEvents {
    pub fn new(t: f64) -> Self {
        Self { pending: None, count: 0, last: t, without_progress: 0 }
    }
}

/// Requirements of closed loops on the steps.
#[derive(Debug)]
pub(super) struct LoopSteps {
    /// Time \[s\] that the next step must not pass so that efforts which hold loops are followed; infinity without
    /// them.
    pub effort_limit: f64,
    /// How the segment approaches change points of its loops.
    pub passage: Passage,
    /// Restarts in a row at which a loop was thrown back to a singular configuration.
    pub rebounds: u32,
}

impl Default for LoopSteps {
    fn default() -> Self {
        Self { effort_limit: f64::INFINITY, passage: Passage::default(), rebounds: 0 }
    }
}

/// Changes of structure in a run.
#[derive(Debug)]
pub(super) struct RunStructure {
    /// Programs that change the structure.
    pub programs: ProgramRunner,
    pub segments: Segments,
}

/// The segments of a run: times between changes of structure.
#[derive(Debug)]
pub(super) struct Segments {
    /// Made when the structure changes for the first time, where nothing of the model was expected to change it.
    pub compiler: Option<TopologyCompiler>,
    /// The segment before, whose memory serves the next change.
    pub previous: PreviousSegment,
    /// Segments so far.
    pub count: u64,
    /// Declared start poses of objects, if programs wait for the region of an insertion to become free.
    pub start_poses: Vec<Pose>,
}

impl Segments {
    /// The compiler of the scene's segments.
    pub fn compiler(&mut self, scene: &Scene) -> &mut TopologyCompiler {
        self.compiler.get_or_insert_with(|| TopologyCompiler::new(scene))
    }
}

/// What is reported about a run, and what bounds its work.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub journal: Journal,
    /// Work of the present call.
    pub meter: Meter,
    /// Reports of what limits steps.
    pub step_limits: StepLimits,
}
