//! Contacts of bodies that follow given motions, for inverse dynamics: forces that nothing determines, motions that
//! drive bodies into each other, and contacts that must stay closed.

use crate::contact::PairId;
use crate::dynamics::thickness;
use crate::scene::ObjectId;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;

use super::touch::TOUCHING_HINGES;

/// Depth to which motions may press bodies into each other, relative to the half thickness of the thinner shape: what
/// tables lack of digits.
const PRESSED_IN: f64 = 1e-2;

impl Simulation {
    /// Refuses contacts of rigid bodies that given motions leave no forces for.
    ///
    /// # Errors
    /// Both bodies follow given motions, or are driven into each other: their names and the depth.
    pub(super) fn refuse_given_contacts(&mut self) -> Result<(), SimulationError> {
        if !self.model.scene.follows_references {
            return Ok(());
        }
        self.place_bodies();
        let touching = self.play_of_hinges() * TOUCHING_HINGES;
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let near = self.segment.evaluator.contacts.measure(topology, bodies).to_vec();
        for at in near {
            if !topology.contact_law(at.pair).is_ok_and(|law| law.is_hinged()) {
                continue;
            }
            let thickness = thickness(topology, at.pair);
            let nodes = [at.pair.a, at.pair.b].map(|shape| topology.shapes[shape as usize].node);
            let (is_given, depth) = (nodes.iter().all(|&node| topology.is_prescribed(node)), -at.dist);
            if is_given && at.dist <= touching * thickness {
                return Err(self.undetermined_contact(at.pair));
            }
            if depth > PRESSED_IN * thickness {
                let [a, b] = self.paths(at.pair);
                return Err(SimulationError::Start(format!(
                    "given motions have driven `{a}` {depth:.2e} m into `{b}`, which no forces between rigid bodies can do; correct the \
                     motions, or let more move as the forces want (`--drive` without it, and `--free`)"
                )));
            }
        }
        Ok(())
    }

    /// The error of a contact whose force nothing determines.
    pub(super) fn undetermined_contact(&self, pair: PairId) -> SimulationError {
        let [a, b] = self.paths(pair);
        SimulationError::Start(format!(
            "`{a}` and `{b}` touch, and both follow given motions, so that nothing determines the force between them; let one of \
             them move as the forces want (`--drive` without it, and `--free`), or let one ignore the other: `ignores = [\"{b}\"]` in \
             the solid of `{a}`"
        ))
    }

    /// Refuses contacts that must stay closed and are open.
    ///
    /// # Errors
    /// The names of the bodies, and their distance.
    pub(in crate::simulation) fn refuse_open_contacts(&mut self) -> Result<(), SimulationError> {
        let Some(open) = self.model.scene.closed.iter().copied().find(|pair| !self.is_closed(*pair)) else {
            return Ok(());
        };
        self.place_bodies();
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let near = self.segment.evaluator.contacts.measure(topology, bodies).to_vec();
        let gaps = near.iter().filter(|at| self.objects_that_touch(at.pair) == open).map(|at| at.dist);
        let gap = gaps.fold(f64::INFINITY, f64::min);
        let apart = if gap.is_finite() {
            format!("they are {:.2e} m apart", gap.max(0.0))
        } else {
            "they are apart".to_owned()
        };
        let [a, b] = open.map(|object| self.model.scene.objects[object].path.as_str());
        Err(SimulationError::Start(format!(
            "the contact of `{a}` and `{b}` must stay closed (`--closed`), but {apart}: no force presses \
             them on each other any more; end the motion before (`--stop`), or leave `{a}_{b}` out of `--closed`"
        )))
    }

    fn is_closed(&self, pair: [ObjectId; 2]) -> bool {
        let of_hinges = self.contacts.hinges.iter().map(|hinge| hinge.pair);
        let mut all = of_hinges.chain(self.contacts.set.active().iter().map(|contact| contact.pair));
        all.any(|own| self.objects_that_touch(own) == pair)
    }

    /// Objects of a pair of shapes in the order of their declaration.
    fn objects_that_touch(&self, pair: PairId) -> [ObjectId; 2] {
        let [a, b] = [pair.a, pair.b].map(|shape| self.segment.topology.shapes[shape as usize].object);
        if a.index() <= b.index() { [a, b] } else { [b, a] }
    }

    fn paths(&self, pair: PairId) -> [&str; 2] {
        self.objects_that_touch(pair).map(|object| self.model.scene.objects[object].path.as_str())
    }
}
