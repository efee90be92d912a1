//! Log records of one instance, collected during a call and handed to the host after it.

use std::collections::BTreeSet;

use crate::Status;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// How serious.
    pub status: Status,
    /// Log category, one of those the description declares.
    pub category: &'static str,
    /// The message.
    pub text: String,
}

/// Which information the host has requested. Warnings and failures always reach it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Debug logging is on.
    pub logging_on: bool,
    /// Requested categories; `None` means all.
    pub categories: Option<BTreeSet<String>>,
}

impl LogFilter {
    fn admits(&self, category: &str) -> bool {
        let named = |wanted: &BTreeSet<String>| wanted.contains(category) || wanted.contains("logAll");
        self.logging_on && self.categories.as_ref().is_none_or(named)
    }
}

/// Where a model puts its messages. The host's logger is called after the model has returned and all locks are
/// released.
#[derive(Debug, Default)]
pub struct Log {
    records: Vec<Record>,
    filter: LogFilter,
}

impl Log {
    /// An empty log with the given filter.
    pub fn new(filter: LogFilter) -> Self {
        Self { records: Vec::new(), filter }
    }

    /// Whether information of this category reaches the host; to be checked before formatting anything costly.
    pub fn is_enabled(&self, category: &str) -> bool {
        self.filter.admits(category)
    }

    /// Adds information; dropped unless the host [`is_enabled`](Self::wants) it.
    pub fn info(&mut self, category: &'static str, text: impl Into<String>) {
        if self.is_enabled(category) {
            self.push(Status::Ok, category, text.into());
        }
    }

    /// Adds a warning.
    pub fn warning(&mut self, text: impl Into<String>) {
        self.push(Status::Warning, Status::Warning.category(), text.into());
    }

    /// Adds a message about a failure.
    pub(crate) fn failure(&mut self, status: Status, text: String) {
        self.push(status, status.category(), text);
    }

    /// Takes the collected records, in order. Costs nothing if there are none.
    pub fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    /// Changes the filter.
    pub fn set_filter(&mut self, filter: LogFilter) {
        self.filter = filter;
    }

    fn push(&mut self, status: Status, category: &'static str, text: String) {
        self.records.push(Record { status, category, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(log: &mut Log) -> Vec<String> {
        log.take().into_iter().map(|record| record.text).collect()
    }

    #[test]
    fn warnings_pass_and_information_is_filtered() {
        let mut log = Log::default();
        log.info("logEvents", "contact");
        log.warning("late");
        assert_eq!(texts(&mut log), ["late"]);
    }

    #[test]
    fn only_wanted_categories_are_kept() {
        let categories = Some(BTreeSet::from(["logEvents".to_owned()]));
        let mut log = Log::new(LogFilter { logging_on: true, categories });
        log.info("logEvents", "contact");
        log.info("logSolver", "restart");
        assert_eq!(texts(&mut log), ["contact"]);
    }
}
