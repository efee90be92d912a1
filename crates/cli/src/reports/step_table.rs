//! The balance of the steps of a run as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mbs::simulation::{LimitTally, StepProfile};

/// Rows of a part of the table.
const MOST: usize = 20;

/// Two parts, each with the row that took longest at first.
pub fn step_table(profile: &StepProfile) -> String {
    let all = profile.steps.values().chain(profile.restarts.values()).map(wall).sum::<f64>();
    let share = |share: &LimitTally| if all > 0.0 { 100.0 * wall(share) / all } else { 0.0 };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:>10} {:>5} {:>9} {:>11} {:>9} {:>6} {:>6}  what limited the steps",
        "wall [s]", "%", "steps", "time [s]", "mean [s]", "error", "Newton"
    );
    for (what, row) in sorted(&profile.steps).take(MOST) {
        let mean = row.simulated / row.count.max(1) as f64;
        let _ = writeln!(
            text,
            "{:>10.4} {:>5.1} {:>9} {:>11.4e} {mean:>9.1e} {:>6} {:>6}  {what}",
            wall(row),
            share(row),
            row.count,
            row.simulated,
            row.error_test_failures,
            row.convergence_failures
        );
    }
    more(&mut text, profile.steps.len());
    let _ = writeln!(text, "{:>10} {:>5} {:>9}  what restarted the integrator", "wall [s]", "%", "restarts");
    for (what, row) in sorted(&profile.restarts).take(MOST) {
        let _ = writeln!(text, "{:>10.4} {:>5.1} {:>9}  {what}", wall(row), share(row), row.count);
    }
    more(&mut text, profile.restarts.len());
    text.push_str(
        "Columns error and Newton: attempts that failed because the error was too large, or because Newton's iteration did not\n\
         converge. A step belongs to the state with the largest error where nothing else has ended it.\n",
    );
    text
}

fn wall(share: &LimitTally) -> f64 {
    share.wall.as_secs_f64()
}

/// Rows, with the one that took longest at first.
pub fn sorted(rows: &BTreeMap<String, LimitTally>) -> impl Iterator<Item = (&String, &LimitTally)> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by_key(|(_, share)| std::cmp::Reverse(share.wall));
    rows.into_iter()
}

fn more(text: &mut String, rows: usize) {
    if let Some(more) = rows.checked_sub(MOST).filter(|more| *more > 0) {
        let _ = writeln!(text, "{:>10} {more} more", "");
    }
}
