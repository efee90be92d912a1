//! Times known in advance at which a step has to end.

use crate::math::is_reached;

/// Sources of the next time event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct TimeEvents {
    /// In the order of [`TimeEvents::DESCRIPTIONS`] \[s\].
    pub times: [Option<f64>; 3],
}

impl TimeEvents {
    const DESCRIPTIONS: [&str; 3] = [
        "a time in an expression or a corner of a table",
        "a sample or other time event of a component",
        "a wait or a path of an action program",
    ];

    /// The earliest \[s\].
    pub fn first(&self) -> Option<f64> {
        self.times.into_iter().flatten().reduce(f64::min)
    }

    /// The source of the first time event.
    pub fn description(&self) -> &'static str {
        let first = self.first();
        let source = self.times.iter().position(|time| time.is_some() && *time == first);
        source.map_or("a time event", |source| Self::DESCRIPTIONS[source])
    }

    /// The source of the time event that is reached at `t` \[s\], if any.
    pub fn description_at(&self, t: f64) -> Option<&'static str> {
        self.first().filter(|event| is_reached(*event, t)).map(|_| self.description())
    }
}
