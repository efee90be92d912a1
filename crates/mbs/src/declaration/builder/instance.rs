//! Instances of assemblies.

use super::value::{IntoDirection, IntoExpr, IntoVector, Problems, placement};
use crate::declaration::{Attachment, FreeStart, Instance, Pose, Rotation};
use crate::expr::Expr;

/// An instance of an assembly, fixed to the world (to the `origin` in an assembly).
#[must_use]
pub fn instance(name: &str, assembly: &str) -> InstanceBuilder {
    let (name, assembly, index) = (name.to_owned(), assembly.to_owned(), "i".to_owned());
    InstanceBuilder {
        instance: Instance { name, assembly, index, ..Instance::default() },
        problems: Problems::default(),
    }
}

/// An instance under construction.
#[derive(Debug, Clone)]
pub struct InstanceBuilder {
    instance: Instance,
    problems: Problems,
}

impl InstanceBuilder {
    placement!();

    fn pose_mut(&mut self) -> &mut Pose {
        &mut self.instance.pose
    }

    /// The value of a parameter of the assembly.
    #[must_use]
    pub fn argument(mut self, name: &str, value: impl IntoExpr) -> Self {
        let value = self.problems.expr(name, value);
        self.instance.arguments.push((name.to_owned(), value, Default::default()));
        self
    }

    /// Makes it an array of this many copies.
    #[must_use]
    pub fn count(mut self, count: impl IntoExpr) -> Self {
        self.instance.count = Some(self.problems.expr("count", count));
        self
    }

    /// Name of the index of an array, `i` otherwise.
    #[must_use]
    pub fn index(mut self, index: impl Into<String>) -> Self {
        self.instance.index = index.into();
        self
    }

    /// Makes an array a chain: every copy but the first stands on this member of the copy before it.
    #[must_use]
    pub fn chain(mut self, member: impl Into<String>) -> Self {
        self.instance.chain = Some(member.into());
        self
    }

    /// Placed on a parent.
    #[must_use]
    pub fn on(mut self, parent: impl Into<String>) -> Self {
        self.instance.parent = Some(parent.into());
        self
    }

    /// Moves freely, with start velocity \[m/s\] and angular velocity \[rad/s\] relative to the parent, in its axes.
    #[must_use]
    pub fn free_with(mut self, v: impl IntoVector, w: impl IntoVector) -> Self {
        let v = self.problems.vector("v", v);
        self.instance.attachment = Attachment::Free(FreeStart { v, w: self.problems.vector("w", w) });
        self
    }

    /// Moved by a joint.
    #[must_use]
    pub fn moved_by_joint(mut self) -> Self {
        self.instance.attachment = Attachment::ByJoint;
        self
    }

    pub(super) fn finish(self, problems: &mut Problems) -> Instance {
        problems.append(&format!("instance {}", self.instance.name), self.problems);
        self.instance
    }
}
