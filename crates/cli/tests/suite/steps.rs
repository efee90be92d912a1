//! Reports on the steps of a run.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Desk, rod_on_hinge};

/// The balance of the steps of a model.
fn profile(model: &str, more: &str) -> String {
    let fmus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fmus");
    Desk::new().works(&format!("simulate {fmus}/{model} --profile-steps -o r.csv {more}"))
}

/// Number of steps or restarts in the row that ends so.
#[track_caller]
fn count(table: &str, what: &str) -> u64 {
    let row = table.lines().find(|line| line.ends_with(what)).unwrap_or_else(|| panic!("`{what}` is not in\n{table}"));
    row.split_whitespace().nth(2).unwrap().parse().unwrap()
}

#[test]
fn steps_are_booked_to_contacts_and_to_states_of_joints_and_components() {
    let ball = profile("BallOnCushion", "");
    assert!(count(&ball, "contact of `table` and `ball` (error of the velocity of `ball`)") > 100, "{ball}");
    assert_eq!(count(&ball, "the start, or inputs and parameters that jump"), 1);
    let robot = profile("YouBotDrives", "");
    assert!(count(&robot, "accuracy of the velocity of `link4`") > 10, "{robot}");
    assert!(count(&robot, "accuracy of `servo4.x`") > 10, "{robot}");
    let bridge = profile("NFourBar", "--stop 3");
    assert!(bridge.contains("accuracy of the velocity of `bay[1].right`"), "{bridge}");
}

#[test]
fn all_steps_and_restarts_are_booked() {
    let out = profile("YouBotDrives", "--stats");
    let (table, statistics) = out.trim_end().rsplit_once('\n').unwrap();
    let statistics: serde_json::Value = serde_json::from_str(statistics).unwrap();
    let (steps, restarts) = table.split_once("what limited the steps").unwrap().1.split_once("wall [s]").unwrap();
    let sum = |part: &str, column: usize| -> u64 {
        let rows = part.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.filter(|row| row.len() > column).filter_map(|row| row[column].parse::<u64>().ok()).sum()
    };
    assert_eq!(sum(steps, 2), statistics["steps"].as_u64().unwrap(), "{out}");
    assert_eq!(sum(steps, 5), statistics["error_test_failures"].as_u64().unwrap(), "{out}");
    assert_eq!(sum(steps, 6), statistics["convergence_failures"].as_u64().unwrap(), "{out}");
    assert_eq!(sum(restarts, 2), statistics["restarts"].as_u64().unwrap(), "{out}");
}

#[test]
fn events_are_booked_by_cause() {
    let desk = Desk::new();
    desk.write(
        "m.toml",
        &rod_on_hinge(
            "name = \"M\"\nexperiment = { stop = 2, max_step = 0.01 }",
            r#"w = 5

[forces.load]
type = "world"
at = "rod"
torque = [0, 0, "(if hinge.phi > 1 then -1 else 0) + (if time < 0.5 then 1 else 0)"]"#,
        ),
    );
    let table = desk.works("simulate m.toml --profile-steps -o r.csv");
    assert!(count(&table, "the largest internal step of the model") > 100, "{table}");
    assert_eq!(count(&table, "the condition `hinge.phi > 1`"), 1, "{table}");
    let time = "a time in an expression or a corner of a table";
    let restarts = table.split_once("what restarted the integrator").unwrap().1;
    assert_eq!(count(restarts, time), 1, "{table}");
}

#[test]
fn a_run_that_fails_shows_the_balance_beside_its_error() {
    let desk = Desk::with_pendulum();
    let ran = desk.run("simulate Pendulum --profile-steps --stop 1e9 --step 1e9 --set max_work=1e5 -o r.csv");
    assert!(ran.code == 1 && ran.out.is_empty(), "{}", ran.out);
    assert!(ran.err.contains("what limited the steps") && ran.err.contains("`hinge`"), "{}", ran.err);
    assert!(ran.err.contains("error: "), "{}", ran.err);
}

#[test]
fn the_balance_changes_no_bit_and_is_for_models() {
    let desk = Desk::with_pendulum();
    desk.works("simulate Pendulum -o a.csv");
    desk.works("simulate Pendulum --profile-steps -o b.csv");
    assert!(desk.read("a.csv") == desk.read("b.csv"));
    desk.works("pack Pendulum");
    desk.fails("simulate Pendulum.fmu --profile-steps", 2, &["--profile-steps is for models"]);
}

/// The command takes one thread for every core unless told otherwise; what it writes does not depend on it.
#[test]
fn the_number_of_threads_changes_no_byte_and_must_be_one_that_makes_sense() {
    let desk = Desk::new();
    let fmus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fmus");
    let run = |threads: &str, out: &str| {
        desk.works(&format!("simulate {fmus}/Dominoes --stop 0.3 --all -o {out} {threads}"));
        std::fs::read(desk.path(out)).unwrap()
    };
    let alone = run("--threads 1", "1.csv");
    assert_eq!(run("--threads 3", "3.csv"), alone);
    assert_eq!(run("", "all.csv"), alone);
    let refused = desk.run(&format!("simulate {fmus}/Dominoes --threads 0"));
    assert!(refused.err.contains("0 is not in 1..=256"), "{}", refused.err);
    desk.works(&format!("pack {fmus}/Dominoes -o Dominoes.fmu --set threads=2"));
    desk.works(&format!("simulate {fmus}/Dominoes --stop 0.3 -o model.csv --threads 1"));
    desk.works("simulate Dominoes.fmu --stop 0.3 -o fmu.csv");
    assert_eq!(desk.read("fmu.csv"), desk.read("model.csv"));
    let of_fmu = desk.run("simulate Dominoes.fmu --threads 2");
    assert!(of_fmu.err.contains("--set threads=2"), "{}", of_fmu.err);
}
