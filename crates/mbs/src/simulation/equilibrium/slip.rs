//! What slides on the way of a search.

/// Two bodies that slid on each other during a search.
#[derive(Debug, Clone)]
pub(super) struct Slip {
    /// Shapes that touched.
    pub pair: [u32; 2],
    /// What accelerated most of what moves them, in the step in which that changed least.
    pub motion: Acceleration,
    /// That relative change.
    change: f64,
    /// The same in the last step.
    last: Acceleration,
}

/// A velocity variable and its acceleration \[rad/s², m/s²\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Acceleration {
    pub v: usize,
    pub value: f64,
}

impl Slip {
    pub fn new(pair: [u32; 2], motion: Acceleration) -> Self {
        Self { pair, motion, change: f64::INFINITY, last: motion }
    }

    pub fn observe(&mut self, now: Acceleration) {
        let before = std::mem::replace(&mut self.last, now);
        let change = (now.value - before.value).abs() / now.value.abs();
        if now.v == before.v && change < self.change {
            (self.motion, self.change) = (now, change);
        }
    }
}
