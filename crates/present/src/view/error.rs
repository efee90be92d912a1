//! What can be wrong with an animation.

use std::fmt;

/// Why an animation cannot be shown.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewError {
    /// There are no bodies.
    NoBodies,
    /// There are no times.
    NoTimes,
    /// The up axis is x.
    UpAxis,
    /// A time is not finite or lies before its predecessor.
    Time {
        /// Position in [`super::Animation::times`].
        index: usize,
        /// The value [s].
        value: f64,
    },
    /// The number of poses or existence flags of a body is not the number of times.
    FrameCount {
        /// Name of the body.
        body: String,
        /// `poses` or `existence flags`.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A pose has a value that is not finite, or a quaternion that is not of unit length.
    Pose {
        /// Name of the body, or of body and shape.
        of: String,
        /// Time of the pose [s]; `None` for poses that do not change.
        time: Option<f64>,
        /// What is wrong with it.
        reason: String,
    },
    /// A shape has an impossible size, colour or mesh.
    Shape {
        /// Name of the body.
        body: String,
        /// Name of the shape.
        shape: String,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// A force, joint, contact or curve has an impossible number.
    Detail {
        /// Its name.
        of: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The animation does not fit into a binary glTF file (4 GiB).
    TooLarge,
    /// The data could not be written as JSON.
    Json {
        /// Message of the JSON library.
        reason: String,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBodies => write!(f, "the animation has no bodies; there is nothing to show"),
            Self::NoTimes => write!(f, "the animation has no times; it needs at least one frame"),
            Self::UpAxis => write!(f, "the up axis is x; the viewer supports y and z"),
            Self::Time { index, value } => {
                write!(f, "time {index} of the animation is {value} s; times must be finite and ascending")
            }
            Self::FrameCount { body, what, found, expected } => write!(
                f,
                "the body \"{body}\" has {found} {what}, but the animation has {expected} times; one each is needed"
            ),
            Self::Pose { of, time: Some(time), reason } => write!(f, "the pose of \"{of}\" at {time} s {reason}"),
            Self::Pose { of, time: None, reason } => write!(f, "the pose of \"{of}\" {reason}"),
            Self::Shape { body, shape, reason } => write!(f, "the shape \"{shape}\" of the body \"{body}\" {reason}"),
            Self::Detail { of, reason } => write!(f, "the detail \"{of}\" of the animation {reason}"),
            Self::TooLarge => {
                write!(f, "the animation is larger than the 4 GiB that a binary glTF file can hold; use fewer frames")
            }
            Self::Json { reason } => write!(f, "the animation cannot be written as JSON: {reason}"),
        }
    }
}

impl std::error::Error for ViewError {}
