//! From a run to an animation: shapes of the scene; poses, forces and outputs over time.

mod curves;
mod details;
mod ghost;
mod modes;
mod shapes;

pub use ghost::add_ghosts;
pub use modes::mode_shapes;

use mbs::force::Gravity;
use mbs::scene::{ObjectId, Scene};
use mbs::spatial::WORLD;
use mbs_present::view::{self, AnimatedBody, AnimatedShape, Animation, Poses};
use multibody_fmu::Session;

use crate::error::{Error, Result};
use crate::native::Native;
use crate::run::{Ended, Experiment, Run};
use crate::variable::Runner;

use curves::Curves;
use details::Details;
use shapes::{axes, pose_of, shapes};

/// Poses of the visible objects of a model, what acts between them, and its outputs.
#[derive(Clone, Default)]
pub struct Recording {
    up: Option<view::Axis>,
    times: Vec<f64>,
    shown: Vec<RecordedBody>,
    details: Details,
    curves: Curves,
}

/// An object that is shown.
#[derive(Clone)]
struct RecordedBody {
    id: ObjectId,
    is_static: bool,
    name: String,
    shapes: Vec<AnimatedShape>,
    poses: Vec<view::Pose>,
    /// Whether it exists, at every time.
    exists: Vec<bool>,
}

impl Recording {
    /// Simulates with one frame every `step` seconds, as far as the run comes.
    ///
    /// # Errors
    /// Everything that is wrong with the model or the experiment; models with nothing to show.
    pub fn make(native: &mut Native, experiment: &Experiment, step: f64) -> Result<(Self, Ended)> {
        let mut recording = Self::default();
        let ended = Run::prepare(native, experiment, Some(step))?.go(|runner, t| recording.record_run(runner, t))?;
        Ok((recording, ended))
    }

    /// Adds a frame of a run, with the values of its outputs, at time `t` [s].
    ///
    /// # Errors
    /// As [`Recording::record`]; FMUs.
    pub fn record_run(&mut self, runner: &mut dyn Runner, t: f64) -> Result {
        self.curves.record(runner)?;
        self.record(runner.session().ok_or_else(|| Error::failed("only models can be shown"))?, t)
    }

    /// Adds a frame of a session at time `t` [s].
    ///
    /// # Errors
    /// Models with nothing to show; poses that cannot be computed.
    pub fn record(&mut self, session: &mut Session, t: f64) -> Result {
        if self.up.is_none() {
            let (shown, up) = visible(session)?;
            (self.shown, self.up) = (shown, Some(up));
        }
        self.times.push(t);
        self.shown.iter_mut().try_for_each(|object| object.record(session))?;
        let Some(simulation) = session.simulation() else { return Ok(()) };
        let forces = simulation.acting_forces().map_err(|error| Error::failed(error.to_string()))?;
        self.details.record(simulation.scene(), &forces);
        Ok(())
    }

    /// Time of the last frame [s].
    pub fn last(&self) -> Option<f64> {
        self.times.last().copied()
    }

    /// Number of frames.
    pub fn num_frames(&self) -> usize {
        self.times.len()
    }

    /// Takes out the frames recorded since the last call, with nothing left out that shows nothing in them.
    pub fn take(&mut self, title: &str) -> Animation {
        let up = self.up.unwrap_or(view::Axis::Z);
        let bodies = self.shown.iter_mut().map(RecordedBody::take).collect();
        let mut details = self.details.take();
        details.curves = self.curves.take();
        let times = std::mem::take(&mut self.times);
        Animation { title: title.to_owned(), up, times, bodies, details, chapters: Vec::new() }
    }

    /// The animation with a title.
    pub fn animation(self, title: &str) -> Animation {
        let up = self.up.unwrap_or(view::Axis::Z);
        let bodies = self.shown.into_iter().map(RecordedBody::body).collect();
        let mut details = self.details.finish();
        details.curves = self.curves.finish(self.times.len());
        Animation { title: title.to_owned(), up, times: self.times, bodies, details, chapters: Vec::new() }
    }
}

impl RecordedBody {
    fn record(&mut self, session: &mut Session) -> Result {
        if self.is_static && !self.poses.is_empty() {
            return Ok(());
        }
        let Some(simulation) = session.simulation() else { return Ok(()) };
        let pose = simulation.object_pose(self.id).map_err(|error| Error::failed(error.to_string()))?;
        let mut pose = pose_of(&pose);
        // Of the two quaternions of a rotation the one near that of the frame before, so that it can be interpolated.
        if self.poses.last().is_some_and(|last| (0..4).map(|k| last.q[k] * pose.q[k]).sum::<f64>() < 0.0) {
            pose.q = pose.q.map(|x| -x);
        }
        self.poses.push(pose);
        self.exists.push(simulation.scene().exists(self.id));
        Ok(())
    }

    fn take(&mut self) -> AnimatedBody {
        let (poses, exists) = (std::mem::take(&mut self.poses), std::mem::take(&mut self.exists));
        Self { poses, exists, ..self.clone() }.body()
    }

    fn body(self) -> AnimatedBody {
        let poses = match self.poses.first() {
            Some(pose) if self.is_static => Poses::Static(*pose),
            _ => Poses::Moving(self.poses),
        };
        let exists = self.exists.contains(&false).then_some(self.exists);
        AnimatedBody { name: self.name, poses, exists, shapes: self.shapes }
    }
}

/// Objects with shapes; when there are none, axes for all that moves.
fn visible(session: &mut Session) -> Result<(Vec<RecordedBody>, view::Axis)> {
    let Some(simulation) = session.simulation() else { return Err(Error::failed("the model was not initialised")) };
    let scene = simulation.scene();
    let changing = scene.changing_objects();
    let is_static = |id: ObjectId| simulation.topology().placements[id.index()].node == WORLD && !changing[id.index()];
    let show = |id: ObjectId, shapes| RecordedBody {
        id,
        is_static: is_static(id),
        name: scene.objects[id].path.clone(),
        shapes,
        poses: Vec::new(),
        exists: Vec::new(),
    };
    let with_shapes = scene.objects.iter().map(|(id, object)| show(id, shapes(&object.shapes)));
    let mut shown: Vec<RecordedBody> = with_shapes.filter(|object| !object.shapes.is_empty()).collect();
    if shown.is_empty() {
        let moving = scene.objects.iter().filter(|(id, _)| !is_static(*id));
        shown = moving.map(|(id, _)| show(id, vec![axes()])).collect();
    }
    if shown.is_empty() {
        let hint = "give an object a `solid` or a `visual`".to_owned();
        return Err(Error::hinted(
            "there is nothing to show: the model has no shapes and nothing that moves",
            Some(hint),
        ));
    }
    Ok((shown, up(scene)))
}

/// The axis against gravity; z when that would be x or unknown.
fn up(scene: &Scene) -> view::Axis {
    match scene.gravity {
        Gravity::Uniform(g) if g.y.abs() > g.z.abs() && g.y.abs() >= g.x.abs() => view::Axis::Y,
        _ => view::Axis::Z,
    }
}
