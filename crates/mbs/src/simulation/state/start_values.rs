//! The present point as start values by name.

use crate::declaration::{Location, StartValue};
use crate::scene::{Attachment, ForceType, JointType};
use crate::simulation::run::Simulation;
use crate::simulation::start::initial::{hangs_on_parent, read_ball};
use crate::topology::{Coordinate, Mobilizer};

impl Simulation {
    /// Start values with which a run begins at the present point.
    ///
    /// # Errors
    /// When the integrator cannot interpolate the present point.
    pub fn start_values(&mut self) -> Result<Vec<StartValue>, crate::simulation::SimulationError> {
        self.interpolate_to_now()?;
        let mut list = Vec::new();
        self.list_joints(&mut list);
        self.list_objects(&mut list);
        self.list_rest_lengths(&mut list);
        let own = self.segment.topology.num_variables();
        let names = self.segment.evaluator.components.start_value_names();
        list.extend(names.into_iter().map(|(k, name)| start_value(name, vec![self.point.y[own + k]])));
        Ok(list)
    }

    fn list_joints(&self, list: &mut Vec<StartValue>) {
        let num_q = self.segment.topology.num_q;
        for (id, joint) in self.model.scene.joints.iter() {
            let layout = &self.segment.topology.joints[id.index()];
            if let (JointType::Spherical | JointType::Free, Some((node, _))) = (&joint.kind, layout.nodes) {
                let seen = read_ball(&self.segment.topology, node, &self.point.y);
                let ball = if layout.reversed { seen.reversed() } else { seen };
                list.push(start_value(format!("{}.quaternion", joint.path), ball.rotation.to_array().to_vec()));
                list.push(start_value(format!("{}.w", joint.path), ball.w.as_slice().to_vec()));
                if self.segment.topology.nodes[node].mobilizer == Mobilizer::Free {
                    list.push(start_value(format!("{}.r", joint.path), ball.p.as_slice().to_vec()));
                    list.push(start_value(format!("{}.v", joint.path), ball.v.as_slice().to_vec()));
                }
                continue;
            }
            for ((position, velocity), coordinate) in joint.dof_names.iter().zip(&layout.coordinates) {
                let Coordinate::State { q, v } = coordinate else { continue };
                if let Some(q) = q {
                    list.push(start_value(format!("{}.{position}", joint.path), vec![self.point.y[*q]]));
                }
                list.push(start_value(format!("{}.{velocity}", joint.path), vec![self.point.y[num_q + v]]));
            }
        }
    }

    fn list_objects(&self, list: &mut Vec<StartValue>) {
        for (id, object) in self.model.scene.objects.iter() {
            let Some(node) = self.segment.topology.free_objects[id.index()] else { continue };
            if !matches!(object.attachment, Attachment::Free { .. }) {
                continue;
            }
            let seen = read_ball(&self.segment.topology, node, &self.point.y);
            let hangs = hangs_on_parent(&self.segment.topology, node, id, object.parent);
            let ball = if hangs { seen } else { seen.reversed() };
            let path = &object.path;
            list.push(start_value(format!("{path}.r"), ball.p.as_slice().to_vec()));
            list.push(start_value(format!("{path}.quaternion"), ball.rotation.to_array().to_vec()));
            list.push(start_value(format!("{path}.v"), ball.v.as_slice().to_vec()));
            list.push(start_value(format!("{path}.w"), ball.w.as_slice().to_vec()));
        }
    }
}

impl Simulation {
    /// Lengths of springs that are the distance at the start: another start must not change them.
    fn list_rest_lengths(&self, list: &mut Vec<StartValue>) {
        for (_, force) in self.model.scene.forces.iter() {
            if let ForceType::Line { rest_length: Some(length), rests_at_start: true, stiffness, .. } = force.kind
                && stiffness != 0.0
            {
                list.push(start_value(format!("{}.rest_length", force.path), vec![length]));
            }
        }
    }
}

fn start_value(name: String, values: Vec<f64>) -> StartValue {
    StartValue { name, values, location: Location::default() }
}
