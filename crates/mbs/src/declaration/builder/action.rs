//! Action programs.

use super::value::{IntoExpr, Problems};
use crate::declaration::{ActionProgram, ChangeStep, InsertStep, Policy, Step, Trigger};

/// An action program that starts with the simulation.
#[must_use]
pub fn actions(name: &str) -> ActionsBuilder {
    ActionsBuilder {
        program: ActionProgram { name: name.to_owned(), ..ActionProgram::default() },
        problems: Problems::default(),
    }
}

/// An action program under construction.
#[derive(Debug, Clone)]
pub struct ActionsBuilder {
    program: ActionProgram,
    problems: Problems,
}

impl ActionsBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.program.description = description.into();
        self
    }

    /// Starts it whenever a condition becomes true instead.
    #[must_use]
    pub fn when(mut self, condition: impl IntoExpr) -> Self {
        self.program.trigger = Trigger::When(self.problems.expr("when", condition));
        self
    }

    /// Starts it whenever the Boolean input of its name becomes true instead.
    #[must_use]
    pub fn on_input(mut self) -> Self {
        self.program.trigger = Trigger::Input;
        self
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.program.steps.push(step);
        self
    }

    /// Waits for a time \[s\].
    #[must_use]
    pub fn wait(mut self, time: impl IntoExpr) -> Self {
        let time = self.problems.expr("wait", time);
        self.step(Step::Wait(time))
    }

    /// Waits until a condition is true.
    #[must_use]
    pub fn until(mut self, condition: impl IntoExpr) -> Self {
        let condition = self.problems.expr("until", condition);
        self.step(Step::Until(condition))
    }

    /// Attaches a frame to the nearest of some frames.
    #[must_use]
    pub fn attach(self, a: &str, partners: &[&str]) -> Self {
        let partners = partners.iter().map(|partner| (*partner).to_owned()).collect();
        self.change(ChangeStep { attach: Some((a.to_owned(), partners)), ..ChangeStep::default() })
    }

    /// Releases a frame.
    #[must_use]
    pub fn release(self, frame: &str) -> Self {
        self.change(ChangeStep { release: Some(frame.to_owned()), ..ChangeStep::default() })
    }

    /// Releases a frame and attaches another one at the same instant.
    #[must_use]
    pub fn release_and_attach(self, released: &str, a: &str, partner: &str) -> Self {
        let attach = Some((a.to_owned(), vec![partner.to_owned()]));
        self.change(ChangeStep { release: Some(released.to_owned()), attach, ..ChangeStep::default() })
    }

    /// Deletes an assembly.
    #[must_use]
    pub fn delete(self, root: &str) -> Self {
        self.change(ChangeStep { delete: Some(root.to_owned()), ..ChangeStep::default() })
    }

    /// Inserts an assembly where it was declared.
    #[must_use]
    pub fn insert(self, root: &str) -> Self {
        let insert = Some(InsertStep { root: root.to_owned(), ..InsertStep::default() });
        self.change(ChangeStep { insert, ..ChangeStep::default() })
    }

    /// Sets how near (m) and slow (m/s, rad/s) the frames of the last step must be.
    #[must_use]
    pub fn within(mut self, distance: f64, velocity: f64, angular_velocity: f64) -> Self {
        use crate::expr::Expr;
        if let Some(Step::Change(change)) = self.program.steps.last_mut() {
            change.distance = Some(Expr::number(distance));
            change.velocity = Some(Expr::number(velocity));
            change.angular_velocity = Some(Expr::number(angular_velocity));
        }
        self
    }

    /// Sets which of several objects the last step applies to, from 1; 0 for none in particular.
    #[must_use]
    pub fn choice(mut self, choice: impl IntoExpr) -> Self {
        let choice = self.problems.expr("choice", choice);
        if let Some(Step::Change(change)) = self.program.steps.last_mut() {
            change.choice = Some(choice);
        }
        self
    }

    /// Sets the policy if the last step is not possible.
    #[must_use]
    pub fn otherwise(mut self, policy: Policy) -> Self {
        if let Some(Step::Change(change)) = self.program.steps.last_mut() {
            change.otherwise = policy;
        }
        self
    }

    fn change(self, change: ChangeStep) -> Self {
        self.step(Step::Change(Box::new(change)))
    }

    pub(super) fn finish(self, problems: &mut Problems) -> ActionProgram {
        problems.append(&format!("actions {}", self.program.name), self.problems);
        self.program
    }
}
