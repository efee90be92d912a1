//! Scales of length, time and mass of a model.

use super::{Attachment, ObjectId, Scene};
use crate::force::Gravity;
use crate::math::Scales;

/// Fraction of the duration of a run that counts as the typical time of a model without uniform gravity: motions are
/// shorter than runs.
const PART_OF_RUN: f64 = 0.01;

impl Scene {
    /// Scales of the model, for a run of some duration \[s\].
    ///
    /// The lengths are those of the moving bodies and the distances between their frames; the time is that in which
    /// gravity moves a body by the largest length; the mass is the largest one.
    pub(crate) fn find_scales(&self, duration: f64) -> Scales {
        let moves = self.moving_objects();
        let (mut square, mut mass, mut smallest) = (0.0_f64, 0.0_f64, f64::INFINITY);
        for (_, object) in self.objects.iter().filter(|(id, _)| moves[id.index()]) {
            let is_on_body = object.parent.is_some_and(|parent| moves[parent.index()]);
            let offset = if is_on_body { object.x_pc.translation.norm_squared() } else { 0.0 };
            square = square.max(offset);
            if object.mass.mass > 0.0 {
                let gyration = object.mass.inertia.trace() / object.mass.mass;
                smallest = if gyration > 0.0 { smallest.min(gyration) } else { smallest };
                square = square.max(gyration).max(object.mass.center_of_mass.norm_squared());
                mass = mass.max(object.mass.mass);
            }
        }
        let (length, smallest) = (square.sqrt(), smallest.min(square).sqrt());
        let time = match self.gravity {
            Gravity::Uniform(g) if g.norm() > 0.0 && length > 0.0 => (length / g.norm()).sqrt(),
            _ => PART_OF_RUN * duration,
        };
        Scales::of_sizes([smallest, length], time, mass)
    }

    /// Objects that are free or moved by a joint, and everything fixed on them, by the object's index.
    fn moving_objects(&self) -> Vec<bool> {
        let mut moves = vec![false; self.objects.capacity()];
        for (id, _) in self.objects.iter() {
            moves[id.index()] = self.hangs_on_moving(id);
        }
        moves
    }

    fn hangs_on_moving(&self, mut id: ObjectId) -> bool {
        loop {
            let object = &self.objects[id];
            match object.parent {
                _ if object.attachment != Attachment::Fixed => return true,
                Some(parent) => id = parent,
                None => return false,
            }
        }
    }
}
