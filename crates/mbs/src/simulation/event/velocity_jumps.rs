//! Prescribed velocities that jump: at a corner of a table or an expression, and where an input bends.
//!
//! The motion then acts with an impulse on everything that joints connect with it. Momenta of all other degrees of freedom
//! stay what they were: `M_ff dv_f = -M_fd dv_d`, for prescribed velocities `v_d` and free ones `v_f`; closed loops
//! transmit impulses of their own (F. Pfeiffer & C. Glocker, *Multibody Dynamics with Unilateral Contacts*, 1996,
//! chapter 8). What rests on such a body without being connected feels nothing but an impact.

use crate::declaration::Analysis;
use crate::dynamics::{Momenta, Rotor, momentum};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::spatial::Wrench;

/// Change of a prescribed velocity, relative to it and to the scale of velocity, that is a rounding error.
const SAME: f64 = 1e-10;

/// How a model moves at an instant, before its signals change.
#[derive(Debug)]
pub(in crate::simulation) struct MotionBefore {
    /// Prescribed velocities \[m/s, rad/s\].
    prescribed: Vec<f64>,
    /// Momenta of the nodes about their Bo, resolved in the world \[N m s, N s\].
    nodes: Vec<Wrench>,
    /// Inertia of components on velocity variables.
    rotors: Vec<Rotor>,
}

impl Simulation {
    /// The motion at the present point, to be called before signals change there; none without prescribed motions.
    /// Lets go of hinges, which hold what the motions were so far.
    pub(in crate::simulation) fn motion_before(&mut self) -> Result<Option<MotionBefore>, SimulationError> {
        if self.segment.topology.motions.is_empty() || self.model.scene.analysis == Analysis::Kinematic {
            return Ok(None);
        }
        self.release_hinges()?;
        self.place_bodies();
        let (topology, workspace) = (&self.segment.topology, &self.segment.evaluator.workspace);
        let bodies = topology.nodes.iter().zip(&workspace.bodies);
        let velocities = &self.point.y[topology.num_q..];
        let rotors = self.rotors_at_rest().into_iter();
        Ok(Some(MotionBefore {
            prescribed: workspace.motions.iter().map(|motion| motion.v).collect(),
            nodes: bodies.map(|(node, body)| momentum(&node.inertia, &body.rotation, body)).collect(),
            rotors: rotors.map(|rotor| Rotor { velocity: velocities[rotor.v], ..rotor }).collect(),
        }))
    }

    /// As [`Simulation::motion_before`], with the inputs that the integrator has used.
    pub(in crate::simulation) fn motion_before_inputs(&mut self) -> Result<Option<MotionBefore>, SimulationError> {
        if self.segment.topology.motions.is_empty() {
            return Ok(None);
        }
        let given = self.segment.signals.inputs().clone();
        self.segment.signals.set_inputs(&self.solver.covered_inputs);
        let before = self.motion_before();
        self.segment.signals.set_inputs(&given);
        // At the start, velocities are those declared.
        if self.point.t <= self.model.start { before.map(|_| None) } else { before }
    }

    /// Lets prescribed velocities that have jumped act on what joints connect with them; the signals are those after
    /// the jump. Whether there were any.
    pub(in crate::simulation) fn pass_jumps_on(
        &mut self,
        before: Option<MotionBefore>,
    ) -> Result<bool, SimulationError> {
        let Some(MotionBefore { prescribed, nodes, rotors }) = before else { return Ok(false) };
        self.place_bodies();
        let (topology, evaluator) = (&self.segment.topology, &mut self.segment.evaluator);
        let usual = topology.scales.velocity();
        let jumps = |(before, now): (&f64, f64)| (now - before).abs() > SAME * before.abs().max(now.abs()).max(usual);
        let jumps: Vec<bool> =
            prescribed.iter().zip(evaluator.workspace.motions.iter().map(|motion| motion.v)).map(jumps).collect();
        if !jumps.contains(&true) {
            return Ok(false);
        }
        let is_struck = |mut range: std::ops::Range<usize>| range.any(|motion| jumps[motion]);
        let nodes_with_motion = topology.nodes.iter().enumerate();
        let struck = nodes_with_motion.filter(|(_, node)| is_struck(node.mobilizer.motions()));
        let trees: Vec<usize> = struck.map(|(i, _)| topology.component_of(i)).collect();
        let (q, v) = self.point.y.split_at_mut(topology.num_q);
        let mut new = vec![0.0; topology.num_v];
        let momenta = Momenta { nodes: &nodes, rotors: &rotors };
        evaluator.velocities_from_momenta(topology, q, momenta, &mut self.segment.signals, &mut new)?;
        let mut dv = vec![0.0; topology.num_v];
        for (i, node) in topology.nodes.iter().enumerate().skip(1) {
            // Loops transmit impulses between trees.
            if evaluator.loops.exist() || trees.contains(&topology.component_of(i)) {
                for k in node.velocities() {
                    dv[k] = new[k] - v[k];
                    v[k] = new[k];
                }
            }
        }
        self.turn_geared_by(&dv);
        self.point.stage = Stage::Nothing;
        Ok(true)
    }
}
