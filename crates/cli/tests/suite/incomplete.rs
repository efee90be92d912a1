//! A run that ends early leaves its results, marked as incomplete.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::{Desk, Ran, rod_on_hinge};

/// A torque on the rod that is a number for half a second.
const FAILING: &str = r#"
[forces.load]
type = "world"
at = "rod"
torque = [0, 0, "sqrt(0.45 - time)"]
"#;

fn failing() -> String {
    rod_on_hinge("name = \"Fails\"\nexperiment = { stop = 1 }", FAILING)
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("fails.toml", &failing());
    desk
}

#[test]
fn a_failed_run_leaves_its_rows_marked_as_incomplete() {
    let desk = desk();
    let simulate = "simulate fails.toml --step 0.1 --outputs hinge.phi,hinge.w -o r.csv";
    let kept = "note: r.csv has the 5 rows up to t = 0.4 s of 1 s and is marked as incomplete";
    desk.fails(simulate, 1, &["the force `load` has no finite value at t = 0.45 s: ", kept]);
    let text = desk.text("r.csv");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["time", "hinge.phi", "hinge.w", "(incomplete)"]);
    assert_eq!(rows.len(), 6);
    for row in &rows[1..] {
        let numbers: Vec<f64> = row.iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!((numbers.len(), numbers[3]), (4, 1.0), "every cell is a number to any reader");
    }
    // The rows are those of a run that ends in time.
    desk.works("simulate fails.toml --step 0.1 --stop 0.4 --outputs hinge.phi,hinge.w -o shorter.csv");
    assert_eq!(desk.text("shorter.csv"), text.replace(",(incomplete)", "").replace(",1\n", "\n"));
}

/// A slider whose motion ends with its table at 1.1 s.
const MOTION_OF_TABLE: &str = r#"
name = "Ends"
outputs = ["slide.s", "slide.v"]
experiment = { stop = 3, step = 0.25 }
tables.push = { points = [[0, 0], [0.5, 0.2], [1.1, 1.1]], interpolation = "cubic", extrapolation = "error" }
objects.body = {}
joints.slide = { type = "prismatic", from = "world", to = "body", axis = "x", motion = "push(time)" }
"#;

#[test]
fn a_run_ends_where_a_prescribed_motion_has_no_value_any_more() {
    let desk = Desk::new();
    desk.write("ends.toml", MOTION_OF_TABLE);
    let why = "the motion of `slide` has no finite value at t = 1.25 s: `push(time)` has no value at 1.25, outside the \
               range of the table, 0 to 1.1";
    desk.fails("simulate ends.toml -o r.csv", 1, &[why, "note: r.csv has the 5 rows up to t = 1 s of 3 s"]);
    assert!(!desk.text("r.csv").contains("NaN"));
    desk.fails("simulate ends.toml --kinematic -o k.csv", 1, &[why]);
    desk.fails("view ends.toml --fps 4 -o v.html", 1, &[why, "note: v.html shows the run up to t = 1 s of 3 s"]);
    let swept = desk.run("sweep ends.toml max_work=1e9 --outputs max(slide.s) -o -");
    assert_eq!(swept.code, 1, "{}", swept.out);
    assert!(swept.out.contains(",NaN,") && swept.out.contains("the motion of `slide` has no finite value"));
    desk.works("pack ends.toml -o e.fmu");
    let packed = desk.run("simulate e.fmu -o f.csv");
    assert!(packed.code == 1 && packed.err.contains(why), "{}", packed.err);
    assert_eq!(desk.text("f.csv"), desk.text("r.csv"));
}

#[test]
fn a_run_ends_where_a_force_on_a_driven_body_has_no_value() {
    let driven = "motion = \"sin(time)\"\n[forces.push]\ntype = \"world\"\nat = \"rod\"\n\
                  force = [0, \"log(1.2 - time)\", 0]\n[sensors.cut]\ntype = \"cut-force\"\njoint = \"hinge\"";
    let desk = Desk::new();
    desk.write("cut.toml", &rod_on_hinge("name = \"Cut\"\nexperiment = { stop = 2, step = 0.5 }", driven));
    let why = ["the force `push` has no finite value at t = 1.5 s: ", "in `log(1.2 - time)`"];
    desk.fails("simulate cut.toml --outputs cut.f -o r.csv", 1, &why);
    assert_eq!(desk.text("r.csv").lines().count(), 1 + 3);
    desk.write("start.toml", &rod_on_hinge("name = \"Start\"", "torque = \"log(-1 - time)\""));
    desk.fails("simulate start.toml -o r.csv", 1, &["the force or torque in `hinge` has no finite value at t = 0 s: "]);
}

#[test]
fn a_failed_run_leaves_its_rows_in_parquet_too() {
    let desk = desk();
    let kept = "note: r.parquet has the 5 rows up to t = 0.4 s of 1 s and is marked as incomplete";
    desk.fails("simulate fails.toml --step 0.1 --outputs hinge.phi -o r.parquet", 1, &[kept]);
    let bytes = desk.read("r.parquet");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let contains = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(contains("(incomplete)") && contains("\"complete\":false"));
}

#[test]
fn a_failed_run_leaves_its_points_in_a_mat_file_too() {
    let desk = desk();
    let kept = "note: r.mat has the 5 rows up to t = 0.4 s of 1 s and is marked as incomplete";
    desk.fails("simulate fails.toml --step 0.1 --outputs hinge.phi -o r.mat", 1, &[kept]);
    let bytes = desk.read("r.mat");
    assert!(bytes.windows(12).any(|part| part == b"(incomplete)"));
    assert_eq!(bytes[bytes.len() - 16..bytes.len() - 8], 0.4_f64.to_le_bytes());
}

#[test]
fn what_a_failed_run_has_computed_is_plotted_and_shown() {
    let desk = desk();
    desk.run("simulate fails.toml --step 0.1 --outputs hinge.phi -o r.csv");
    desk.works("plot r.csv");
    let plot = desk.text("r.svg");
    assert!(plot.contains("r (incomplete)") && !plot.contains("(incomplete)<tspan"), "{plot}");
    desk.fails("plot fails.toml hinge.phi --step 0.1", 1, &["note: Fails.svg shows the run up to t = 0.4 s of 1 s"]);
    assert!(desk.text("Fails.svg").contains("Fails (incomplete: t = 0.4 s of 1 s)"));
    desk.fails("view fails.toml --fps 10", 1, &["at t = 0.45 s", "note: Fails.html shows the run up to t = 0.4 s"]);
    assert!(desk.text("Fails.html").contains("Fails (incomplete: t = 0.4 s of 1 s)"));
}

#[test]
fn an_incomplete_result_serves_as_inputs() {
    let desk = desk();
    desk.run("simulate fails.toml --step 0.1 --outputs hinge.phi -o r.csv");
    desk.write("r.csv", &desk.text("r.csv").replace("hinge.phi", "u"));
    desk.write(
        "follows.toml",
        &failing()
            .replace("\"sqrt(0.45 - time)\"", "\"u\"")
            .replace("[objects.rod]", "[inputs]\nu = {}\n[objects.rod]"),
    );
    desk.works("simulate follows.toml --inputs r.csv");
}

#[test]
fn rows_on_standard_output_end_with_a_line_that_says_so() {
    let ran = desk().run("simulate fails.toml --step 0.1 --outputs hinge.phi -o -");
    assert_eq!((ran.code, ran.out.lines().count()), (1, 7));
    assert!(ran.out.starts_with("time,hinge.phi\n") && ran.out.ends_with("\n# (incomplete)\n"), "{}", ran.out);
    assert!(
        ran.err.contains(
            "note: standard output has the 5 rows up to t = 0.4 s of 1 s and is marked as incomplete by its last line"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn an_output_without_a_value_is_named() {
    let desk = Desk::new();
    let root = "name = \"Root\"\nexperiment = { stop = 1 }\n\
                outputs = [\"hinge.phi\", { name = \"root\", value = \"sqrt(0.45 - time)\" }]";
    desk.write("root.toml", &rod_on_hinge(root, ""));
    let says = "the output `root` = `sqrt(0.45 - time)` is NaN at t = 0.5 s, but must be finite: ";
    desk.fails("simulate root.toml --step 0.1 -o r.csv", 1, &[says]);
}

#[test]
fn counters_of_a_failed_run_are_those_of_what_was_done() {
    let ran = desk().run("simulate fails.toml --step 0.1 --outputs hinge.phi --stats -o r.csv");
    let counters: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &counters["communication_steps"]), (1, &serde_json::json!(4)), "{}", ran.err);
}

#[test]
fn a_second_run_that_fails_is_marked_in_the_picture() {
    let desk = desk();
    let works = failing().replace("0.45 - time", "2 - time").replace("Fails", "Works");
    desk.write("works.toml", &works);
    let note = "note: the second run is incomplete: error: ";
    let plotted = desk.run("plot works.toml hinge.phi --with fails.toml --step 0.1 -o p.svg");
    assert!(plotted.code == 0 && plotted.err.contains(note), "{}", plotted.err);
    assert!(desk.text("p.svg").contains("\nhinge.phi (Fails, incomplete)\n"), "{}", desk.text("p.svg"));
    desk.run("simulate fails.toml --step 0.1 --outputs hinge.phi -o r.csv");
    let plotted = desk.run("plot works.toml hinge.phi --with r.csv -o f.svg");
    assert!(plotted.code == 0 && plotted.err.contains("note: r.csv is incomplete"), "{}", plotted.err);
    assert!(desk.text("f.svg").contains("\nhinge.phi (r, incomplete)\n"), "{}", desk.text("f.svg"));
    let shown = desk.run("view works.toml --ghost fails.toml --fps 10 -o v.html");
    assert!(shown.code == 0 && shown.err.contains(note), "{}", shown.err);
    assert!(desk.text("v.html").contains("Works (see-through run incomplete: t = 0.4 s of 1 s)"));
}

#[test]
fn a_run_that_cannot_start_leaves_nothing() {
    let desk = desk();
    desk.fails("simulate fails.toml --start 0.6", 1, &["the force `load` has no finite value at t = 0.6 s"]);
    assert_eq!(desk.files(), ["fails.toml"]);
    desk.write("r.csv", "time,x\n0,1\n");
    let note = "note: r.csv is older, and was left as it was";
    desk.fails("simulate fails.toml --start 0.6 -o r.csv", 1, &["has no finite value", note]);
    assert_eq!(desk.text("r.csv"), "time,x\n0,1\n");
    desk.write("v.html", "");
    desk.fails("view fails.toml --start 0.6 -o v.html", 1, &["note: v.html is older, and was left as it was"]);
}

#[test]
fn the_limit_of_wall_time_ends_a_run_also_within_a_step() {
    let desk = Desk::new();
    desk.write("endless.toml", &failing().replace("sqrt(0.45 - time)", "sin(100*time)"));
    // In many steps, and in one.
    let says = ["the limit of 0.2 s of wall time is reached", "is marked as incomplete"];
    desk.fails("simulate endless.toml --stop 1e9 --step 1 --outputs hinge.phi --wall-limit 0.2 -o r.csv", 1, &says);
    assert!(desk.text("r.csv").lines().count() > 1);
    desk.fails("simulate endless.toml --stop 1e9 --step 1e9 --set max_work=1e300 --wall-limit 0.2 -o s.csv", 1, &says);
    assert_eq!(desk.text("s.csv").lines().count(), 2, "the start");
    desk.fails("simulate endless.toml --wall-limit 0", 2, &["the limit of wall time is 0 s, but must be positive"]);
}

/// Whether SIGHUP, the first bit of the mask, is ignored here; what starts from here inherits it. Only Linux tells.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 1)
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_and_keep_its_rows() {
    // `nohup`, which these tests may run under, lets processes ignore the end of the terminal.
    let hangs_up = (!ignores_hang_up()).then_some(("HUP", 129));
    for (signal, code) in [("INT", 130), ("TERM", 143)].into_iter().chain(hangs_up) {
        let desk = Desk::with_pendulum();
        // Rows come through the pipe, so that the signal comes after some of them.
        let mut command = desk.command("simulate Pendulum --stop 1e8 --step 0.1 --outputs hinge.phi -o -");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut rows = BufReader::new(child.stdout.take().unwrap());
        let mut header = String::new();
        rows.read_line(&mut header).unwrap();
        let rest = std::thread::spawn(move || rows.lines().map_while(Result::ok).count());
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(
            ran.err.starts_with("error: interrupted at t = ") && ran.err.contains(" s of 100000000 s"),
            "{}",
            ran.err
        );
        assert!(rest.join().unwrap() > 0);
    }
}

/// Runs the command where no file becomes larger than this many blocks of 512 bytes, as if the disk were full.
#[cfg(unix)]
fn in_little_space(desk: &Desk, blocks: u32, arguments: &str) -> Ran {
    let limited = format!("ulimit -f {blocks}; exec \"$0\" {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_mbfmu")]).current_dir(desk.path(""));
    command.output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_older_results_and_says_what_is_lost() {
    let desk = Desk::with_pendulum();
    desk.write("r.units.csv", "older\n");
    for name in ["r.csv", "r.parquet", "r.mat"] {
        desk.write(name, "older\n");
        let ran = in_little_space(&desk, 100, &format!("simulate Pendulum --stop 1000 --step 0.01 -o {name}"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        let says = [format!("error: cannot write {name}: file too large"), " rows up to t = ".to_owned()];
        assert!(says.iter().all(|words| ran.err.contains(words)) && ran.err.contains(" are lost"), "{}", ran.err);
        assert_eq!(desk.text(name), "older\n");
        assert_eq!(desk.files().iter().filter(|file| file.starts_with(".mbfmu-")).count(), 0);
    }
    assert_eq!(desk.text("r.units.csv"), "older\n");
}

#[cfg(unix)]
#[test]
fn units_of_an_older_file_do_not_stay_beside_a_new_one() {
    let desk = Desk::new();
    let long = "word ".repeat(200);
    let text =
        format!("outputs = [{{ name = \"x\", value = \"hinge.phi\", unit = \"rad\", description = \"{long}\" }}]");
    desk.write("M.toml", &rod_on_hinge(&format!("name = \"M\"\n{text}"), ""));
    let failing = FAILING.replace("0.45", "0.05");
    desk.write("F.toml", &rod_on_hinge(&format!("name = \"F\"\nexperiment = {{ stop = 1 }}\n{text}"), &failing));
    for (model, says) in [("M", "error: cannot write r.units.csv: file too large; "), ("F", "error: ")] {
        desk.write("r.units.csv", "name,unit,description\nx,m,other\n");
        let ran = in_little_space(&desk, 1, &format!("simulate {model}.toml --stop 0.1 --step 0.01 -o r.csv"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        let without = "r.csv is written, but without units; the older table of units is removed";
        assert!(ran.err.starts_with(says) && ran.err.contains(without), "{}", ran.err);
        assert!(desk.path("r.csv").is_file() && !desk.path("r.units.csv").exists());
        std::fs::remove_file(desk.path("r.csv")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_fmu_that_cannot_be_unpacked_for_want_of_space_is_no_damaged_one() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum -o Pendulum.fmu");
    let ran = in_little_space(&desk, 100, "check Pendulum.fmu");
    assert_eq!(ran.code, 1, "{}", ran.err);
    for says in
        ["error: cannot unpack Pendulum.fmu into ", ": file too large; set TMPDIR to a folder that takes larger"]
    {
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_at_any_time_leaves_no_unpacked_fmu() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum -o Pendulum.fmu");
    let temporary = desk.path("temporary");
    std::fs::create_dir_all(&temporary).unwrap();
    for delay in [2, 5, 10, 15, 20, 30, 40, 60, 100] {
        for arguments in ["simulate Pendulum.fmu --stop 1e6 --step 0.1 -o r.csv", "check Pendulum.fmu"] {
            let mut command = desk.command(arguments);
            let child =
                command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(delay));
            // It may have ended already.
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
            child.wait_with_output().unwrap();
            assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "{arguments} after {delay} ms");
        }
    }
}

#[test]
fn the_limit_of_wall_time_ends_a_step_of_an_fmu_too() {
    let desk = Desk::new();
    desk.write("endless.toml", &failing().replace("sqrt(0.45 - time)", "sin(100*time)"));
    desk.works("pack endless.toml -o Endless.fmu");
    let ran = desk.run("simulate Endless.fmu --stop 1e9 --step 1e9 --set max_work=1e300 --wall-limit 0.2 -o s.csv");
    assert_eq!(ran.code, 1, "{}", ran.err);
    for says in ["the step was cancelled", "the limit of 0.2 s of wall time is reached", "is marked as incomplete"] {
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    assert_eq!(desk.text("s.csv").lines().count(), 2, "the start");
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_keeps_the_runs_that_were_done() {
    let desk = Desk::with_pendulum();
    let mut command = desk.command("sweep Pendulum L=0.5:1000:0.1 --workers 1 --stop 1 --outputs hinge.phi");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Until runs begin, a signal ends the process as always: the result is a file in the making from then on.
    let begun = || desk.files().iter().any(|name| name.starts_with(".mbfmu-"));
    while !begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.err.contains("runs that were done; the others are empty"), "{}", ran.err);
    let text = desk.text("Pendulum_sweep.csv");
    assert_eq!(text.lines().count(), 9_996 + 1);
    assert!(
        text.lines().last().unwrap().ends_with(",NaN,interrupted before the run"),
        "{}",
        text.lines().last().unwrap()
    );
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_the_beginning_of_its_rows() {
    let desk = Desk::with_pendulum();
    let mut command = desk.command("simulate Pendulum --stop 1e6 --step 0.1 --outputs hinge.phi -o killed.csv");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let left = || desk.files().into_iter().find(|name| name.starts_with(".mbfmu-") && name.ends_with("-killed.csv"));
    let rows = || left().map_or(0, |name| desk.text(&name).lines().count());
    let begin = std::time::Instant::now();
    while rows() < 2 && begin.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(rows() >= 2 && !desk.files().contains(&"killed.csv".to_owned()), "{:?}", desk.files());
    desk.works(&format!("plot {} -o killed.svg", left().unwrap()));
}
