//! Counters and times of a run.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{Grid, Times};
use crate::variable::Runner;

/// Counters that are always there; null where they are unknown.
const COUNTERS: [&str; 7] =
    ["steps", "residual_evaluations", "jacobian_evaluations", "root_evaluations", "events", "restarts", "segments"];

/// What `--stats` prints.
pub fn statistics(runner: &mut dyn Runner, grid: &Grid, times: &Times) -> Map<String, Value> {
    let seconds = |time: Duration| Value::from(time.as_secs_f64());
    let mut all = Map::new();
    all.insert("model".to_owned(), runner.name().into());
    all.insert("kind".to_owned(), runner.kind().into());
    all.insert("start".to_owned(), grid.start.into());
    all.insert("stop".to_owned(), grid.stop.into());
    all.insert("communication_steps".to_owned(), times.steps.into());
    for counter in COUNTERS {
        all.insert(counter.to_owned(), Value::Null);
    }
    all.extend(runner.counters());
    all.insert("wall_seconds".to_owned(), seconds(times.initialization + times.integration));
    all.insert("wall_seconds_initialization".to_owned(), seconds(times.initialization));
    all.insert("wall_seconds_integration".to_owned(), seconds(times.integration));
    all
}
