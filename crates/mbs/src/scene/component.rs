//! Components of a scene: instances, what their flanges hang on, and the values that expressions read from them.

use std::sync::Arc;

use super::{JointId, MotionPart, ObjectId};
use crate::component::{Component, Layout};
use crate::declaration::Location;
use crate::force::Signal;

/// What a flange is connected with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FlangeTarget {
    /// The ground: it does not move.
    Ground,
    /// A degree of freedom of a joint.
    Joint(JointId, usize),
    /// A flange of a component: ordinals of both.
    Flange(usize, usize),
}

/// A component of a scene.
#[derive(Debug, Clone)]
pub struct ComponentInstance {
    /// Hierarchical name.
    pub path: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Equations and parameters.
    pub component: Arc<dyn Component>,
    /// What it declares.
    pub layout: Layout,
    /// One expression per input.
    pub inputs: Vec<Signal>,
    /// What every flange was connected with by its own key, if anything.
    pub targets: Vec<Option<FlangeTarget>>,
    /// Slot of the first output.
    pub first_output: usize,
    /// Slot of the position of the first flange; its velocity and the other flanges follow.
    pub first_flange: usize,
}

impl ComponentInstance {
    /// Whether a slot is an output of the component that changes at events only.
    #[must_use]
    pub fn holds(&self, slot: usize) -> bool {
        let output = slot.checked_sub(self.first_output).and_then(|k| self.layout.outputs.get(k));
        output.is_some_and(|output| output.held)
    }

    /// Whether a flange turns: everything that is not declared as a translation.
    #[must_use]
    pub fn is_rotational(&self, flange: usize) -> bool {
        self.layout.flanges.get(flange).is_none_or(|flange| !flange.translates)
    }
}

/// Where the value of a slot of the expressions comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExternalSource {
    /// Coordinate (order 0) or velocity (order 1) of a joint.
    Joint {
        /// Joint.
        joint: JointId,
        /// Degree of freedom.
        dof: usize,
        /// Order of the derivative.
        order: u8,
    },
    /// Motion of a frame relative to another one.
    Motion(ObservedMotion),
}

/// Component of the position, orientation or velocity of a frame relative to another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObservedMotion {
    /// Observed frame.
    pub frame: ObjectId,
    /// Observer.
    pub relative_to: ObjectId,
    /// Axes of the components.
    pub resolved_in: ObjectId,
    /// Part, without accelerations.
    pub part: MotionPart,
    /// Component, from 0.
    pub component: usize,
}

/// A slot that is filled before expressions are evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct External {
    /// Slot.
    pub slot: usize,
    /// Where its value comes from.
    pub source: ExternalSource,
}
