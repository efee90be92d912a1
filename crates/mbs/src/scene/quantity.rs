//! What a variable of a model may show.

use super::{JointId, ObjectId};

/// Which part of a relative motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionPart {
    /// Position \[m\].
    Position,
    /// Quaternion (w, x, y, z).
    Quaternion,
    /// Velocity \[m/s\].
    Velocity,
    /// Angular velocity \[rad/s\].
    AngularVelocity,
    /// Acceleration \[m/s²\].
    Acceleration,
    /// Angular acceleration \[rad/s²\].
    AngularAcceleration,
}

/// Which result of the contact of two objects; zero while they do not touch. The signs are those of the action on the
/// second object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactPart {
    /// Whether they are in contact (1) or not (0).
    Active,
    /// Normal force \[N\].
    NormalForce,
    /// Friction force on the second object \[N\].
    FrictionForce,
    /// Force on the second object \[N\].
    Force,
    /// Torque on the second object about the contact point \[N m\].
    Torque,
    /// Penetration \[m\].
    Penetration,
    /// Rate of the penetration \[m/s\].
    PenetrationRate,
    /// Contact point \[m\].
    Point,
    /// Normal, from the first object to the second.
    Normal,
    /// Sliding velocity of the second object relative to the first \[m/s\].
    SlidingVelocity,
    /// Sliding speed \[m/s\].
    SlipSpeed,
    /// Whether friction holds (1) or the objects slide (0).
    Sticking,
    /// Area on which they press on each other \[m²\].
    Area,
    /// Greatest elastic pressure \[Pa\].
    HighestPressure,
    /// Number of supports whose gaps a contact hinge holds: 3 of a face, 2 of an edge, 1 of a point.
    Carriers,
}

/// Which resultant of all contacts of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectContactPart {
    /// Force \[N\].
    Force,
    /// Torque about the object's origin \[N m\].
    Torque,
    /// Number of objects that touch it.
    Count,
}

/// Kinds of energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnergyKind {
    /// Kinetic.
    Kinetic,
    /// Potential: gravity, linear springs, stops, contacts.
    Potential,
    /// Sum of both.
    Total,
}

/// What a variable shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// Time \[s\].
    Time,
    /// Input by index.
    Input(usize),
    /// Parameter by index.
    Parameter(usize),
    /// Coordinate of a joint: position (order 0), velocity (1), acceleration (2).
    Coordinate {
        /// Joint.
        joint: JointId,
        /// Degree of freedom.
        dof: usize,
        /// Order of the derivative.
        order: u8,
    },
    /// Force or torque that a prescribed motion needs.
    DriveForce {
        /// Joint.
        joint: JointId,
        /// Degree of freedom.
        dof: usize,
    },
    /// Component of the wrench that the prescribed motion of a free object needs: torque about its origin, then force,
    /// in the axes of the world.
    BodyEffort {
        /// Object.
        object: ObjectId,
        /// Component, from 0 to 5.
        component: usize,
    },
    /// Component of a relative motion.
    Motion {
        /// Observed frame.
        frame: ObjectId,
        /// Observer.
        relative_to: ObjectId,
        /// Axes of the components.
        resolved_in: ObjectId,
        /// Part.
        part: MotionPart,
        /// Component, from 0.
        component: usize,
    },
    /// Component of the force or torque that a joint transmits.
    CutForce {
        /// Joint.
        joint: JointId,
        /// Axes of the components.
        resolved_in: ObjectId,
        /// Torque instead of force.
        torque: bool,
        /// Component, from 0.
        component: usize,
    },
    /// Component of a result of the contact of two objects, in the world.
    Contact {
        /// Both objects.
        objects: [ObjectId; 2],
        /// Part.
        part: ContactPart,
        /// Component, from 0.
        component: usize,
    },
    /// Component of the resultant of all contacts of an object, in the world.
    ObjectContact {
        /// Object.
        object: ObjectId,
        /// Part.
        part: ObjectContactPart,
        /// Component, from 0.
        component: usize,
    },
    /// Value of a component: an output, or the motion of a flange.
    Signal(usize),
    /// Effort that a component exerts on what a flange is connected with.
    Effort {
        /// Ordinal of the component.
        component: usize,
        /// Ordinal of its flange.
        flange: usize,
    },
    /// Energy of the whole model.
    Energy(EnergyKind),
    /// Number of events so far.
    EventCount,
    /// Time of the last event \[s\].
    LastEventTime,
    /// Number of variables of the integrator.
    NumStates,
    /// Energy that impacts of rigid bodies have taken \[J\].
    DissipatedByImpacts,
    /// Number of impulses between rigid bodies.
    ImpactCount,
    /// Number of impulses between two objects.
    Impacts([ObjectId; 2]),
    /// Number of pairs in contact.
    NumContacts,
    /// What the structure is at present.
    Structure(StructureQuantity),
    /// Position (order 0), velocity (1) or acceleration (2) of an axis of a reference path.
    Path {
        /// Path.
        path: usize,
        /// Axis, from 0.
        axis: usize,
        /// Order of the derivative.
        order: u8,
    },
}

/// What a variable shows of the structure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StructureQuantity {
    /// Number of the segment, from 1.
    Segment,
    /// Whether an object exists.
    Exists(ObjectId),
    /// Whether a lockable frame is attached to another one.
    Attached(ObjectId),
    /// The frame that a lockable frame is attached to, by its place among the lockable frames from 1; 0 for none.
    AttachedTo(ObjectId),
    /// Energy that attaching has taken so far, less what releasing has given back \[J\].
    Dissipated,
}
