//! Order of the root functions of a segment: expressions of force laws, components, action programs, contact hinges.

use std::ops::Range;

/// Numbers of root functions by their owner, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) struct RootLayout {
    /// Of relations in expressions.
    pub signals: usize,
    /// Of event indicators of components.
    pub components: usize,
    /// Of conditions of action programs and of attachments that they retry.
    pub programs: usize,
    /// Of contact hinges.
    pub hinges: usize,
}

/// Root functions, or the directions in which they cross zero, by their owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) struct ByOwner<T> {
    pub signals: T,
    pub components: T,
    pub programs: T,
    pub hinges: T,
}

/// Directions in which root functions cross zero.
pub(in crate::simulation) type Directions<'d> = ByOwner<&'d [i32]>;

/// Owner of a root function, and its ordinal there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) enum RootOwner {
    Signal(usize),
    Component(usize),
    Program(usize),
    Hinge(usize),
}

impl RootLayout {
    /// Number of root functions.
    pub fn total(self) -> usize {
        self.signals + self.components + self.programs + self.hinges
    }

    /// Ordinals of those of components.
    pub fn of_components(self) -> Range<usize> {
        self.signals..self.signals + self.components
    }

    /// Directions by their owner; shorter or empty where there are fewer.
    pub fn split(self, directions: &[i32]) -> Directions<'_> {
        let (signals, others) = directions.split_at(self.signals.min(directions.len()));
        let (components, others) = others.split_at(self.components.min(others.len()));
        let (programs, hinges) = others.split_at(self.programs.min(others.len()));
        ByOwner { signals, components, programs, hinges }
    }

    /// Root functions by their owner, for as many as there are in all.
    pub fn split_mut(self, roots: &mut [f64]) -> ByOwner<&mut [f64]> {
        let (signals, others) = roots.split_at_mut(self.signals);
        let (components, others) = others.split_at_mut(self.components);
        let (programs, hinges) = others.split_at_mut(self.programs);
        ByOwner { signals, components, programs, hinges }
    }

    /// Owner of a root function.
    pub fn owner_of(self, root: usize) -> RootOwner {
        match root.checked_sub(self.signals) {
            None => RootOwner::Signal(root),
            Some(own) if own < self.components => RootOwner::Component(own),
            Some(own) if own < self.components + self.programs => RootOwner::Program(own - self.components),
            Some(own) => RootOwner::Hinge(own - self.components - self.programs),
        }
    }
}
