//! Data of the log of a run: entries as text for users, recorded only if a log is requested.

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Events: conditions, times, jumps of inputs.
    Event,
    /// Contacts that begin and end.
    Contact,
    /// Segments: structures of the model.
    Segment,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// When \[s\].
    pub t: f64,
    /// What it is about.
    pub topic: Topic,
    /// In words, with names and units.
    pub text: String,
}

/// Entries since they were last taken.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    enabled: bool,
    entries: Vec<Entry>,
}

impl Journal {
    /// Whether entries are recorded.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Starts or stops recording; stopping discards all entries.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.entries.clear();
        }
    }

    /// Adds an entry; `text` is evaluated only if a log is requested.
    pub(in crate::simulation) fn note(&mut self, t: f64, topic: Topic, text: impl FnOnce() -> String) {
        if self.enabled {
            self.entries.push(Entry { t, topic, text: text() });
        }
    }

    /// Takes all entries, oldest first.
    pub fn take(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }
}
