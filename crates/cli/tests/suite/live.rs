//! `mbfmu view --live`: a run controlled by a page.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

const MODEL: &str = r#"
name = "Ball"
gravity = [0, 0, -10]
[parameters]
k = { value = 0, min = 0, max = 5, unit = "N", tunable = true }
n = { value = 0, kind = "integer", min = 0, max = 3, tunable = true }
height = 1
size = 0.1
[inputs]
push = { unit = "N" }
[objects.ball]
solid = { shape = "sphere", diameter = "size", material = "Steel" }
r = [0, 0, "height"]
free = {}
[objects.post]
parent = "world"
r = [3, 0, 0]
visual = { shape = "box", lengths = [0.1, 0.1, 1] }
[assemblies.Stone.objects.block]
free = {}
solid = { shape = "box", lengths = [1, 1, 1], material = "Steel" }
[instances.stones]
assembly = "Stone"
count = "n"
r = ["-3*i", 0, 0]
[forces.load]
type = "world"
at = "ball"
force = ["push", "k", 0]
[outputs]
z = "ball.r_abs[3]"
x = "ball.r_abs[1]"
"#;

struct Live {
    process: Child,
    port: String,
    path: String,
    page: u64,
}

impl Live {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_with(folder, MODEL, arguments)
    }

    fn start_with(folder: &Path, model: &str, arguments: &[&str]) -> Self {
        std::fs::write(folder.join("model.toml"), model).unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_mbfmu"))
            .args(["view", "model.toml", "--live"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().split_once("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}")).1;
        let (port, path) = address.split_once('/').unwrap();
        Self { port: port.to_owned(), path: format!("/{path}"), process, page: 0 }
    }

    /// Status and body of the answer.
    fn request(&self, method: &str, path: &str, host: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Opens the page; its data.
    fn open(&mut self) -> Value {
        let (status, page) = self.request("GET", &self.path, &self.host(), "");
        assert_eq!(status, 200);
        let data = page.split_once(r#"id="animation">"#).unwrap().1.split_once("</script>").unwrap().0;
        let data: Value = serde_json::from_str(data).unwrap();
        self.page = data["live"]["page"].as_u64().unwrap();
        data
    }

    fn send(&self, commands: Value) -> Value {
        let body = json!({ "page": self.page, "commands": commands }).to_string();
        let (status, text) = self.request("POST", &format!("{}commands", self.path), &self.host(), &body);
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Last value of an output among the pictures of an answer.
    fn last(answer: &Value, name: &str) -> f64 {
        let curves = answer["frames"]["details"]["curves"].as_array().unwrap();
        let values = curves.iter().find(|curve| curve["name"] == name).unwrap()["values"].as_str().unwrap();
        let bytes = STANDARD.decode(values).unwrap();
        f64::from(f32::from_le_bytes(bytes[bytes.len() - 4..].try_into().unwrap()))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_run_obeys_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &["--set", "height=2"]);
    let data = live.open();
    assert_eq!(data["live"]["moving"], json!([true, false]));
    assert_eq!(data["live"]["cancel"], "cancel");
    let controls = data["live"]["controls"].as_array().unwrap();
    let names: Vec<_> =
        controls.iter().map(|c| (c["name"].as_str().unwrap(), c["takes_effect"].as_str().unwrap())).collect();
    assert_eq!(names, [("push", "now"), ("k", "now"), ("n", "now"), ("height", "at_start"), ("size", "at_start")]);
    assert_eq!(
        (&controls[1]["max"], &controls[1]["unit"], &controls[3]["value"]),
        (&json!(5.0), &json!("N"), &json!(2.0))
    );

    let fallen = live.send(json!([{ "do": "advance", "by": 0.1 }, { "do": "advance", "by": 0.1 }]));
    assert_eq!(fallen["time"], 0.2);
    assert!((Live::last(&fallen, "z") - 1.8).abs() < 1e-5);
    let pushed = live.send(json!([{ "do": "set", "name": "push", "value": 4 }, { "do": "advance", "by": 0.5 }]));
    assert!(Live::last(&pushed, "x") > 0.05);

    let refused = live.send(json!([{ "do": "set", "name": "k", "value": 9 }, { "do": "advance", "by": 0.1 }]));
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("`k`") && error.contains("0 to 5 N"), "{error}");
    assert_eq!(refused["kept"], json!({ "name": "k", "value": 0.0 }));
    assert_eq!(refused["time"], pushed["time"], "what comes after a refusal is left out");

    // Starts over with what was set: the height at once in effect, the push still on.
    let again = live.send(
        json!([{ "do": "set", "name": "height", "value": 3 }, { "do": "reset" }, { "do": "advance", "by": 0.1 }]),
    );
    assert_eq!((&again["fresh"], &again["time"], &again["error"]), (&json!(true), &json!(0.1), &Value::Null));
    assert!((Live::last(&again, "z") - 2.95).abs() < 1e-5);
    assert!(Live::last(&again, "x") > 1e-4);
}

#[test]
fn a_pulled_ball_comes_to_the_hand_and_falls_when_it_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    live.open();
    let hold = json!({ "do": "pull", "object": "ball", "point": [0, 0, 0], "target": [0.5, 0, 2], "strength": 1 });
    let held = live.send(json!([hold, { "do": "advance", "by": 4 }]));
    let (x, z) = (Live::last(&held, "x"), Live::last(&held, "z"));
    assert!((x - 0.5).abs() < 1e-3 && (2.0 - z) > 0.0 && (2.0 - z) < 0.07, "hangs at {x} m, {z} m");
    let falling = live.send(json!([{ "do": "release" }, { "do": "advance", "by": 0.2 }]));
    assert!((Live::last(&falling, "z") - (z - 0.2)).abs() < 2e-3);
    for (object, why) in [("post", "nothing with mass moves"), ("bal", "there is no object `bal`")] {
        let command = json!({ "do": "pull", "object": object, "point": [0, 0, 0], "target": [0, 0, 0], "strength": 1 });
        let answer = live.send(json!([command]));
        assert!(answer["error"].as_str().unwrap().contains(why), "{answer}");
    }
}

#[test]
fn a_start_that_fails_is_told_and_can_be_mended() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    live.open();
    let failed = live.send(json!([{ "do": "set", "name": "size", "value": -1 }, { "do": "reset" }]));
    assert!(failed["error"].is_string(), "{failed}");
    let goes_on = live.send(json!([{ "do": "advance", "by": 0.1 }]));
    assert_eq!((&goes_on["error"], &goes_on["time"]), (&Value::Null, &json!(0.1)), "the old run goes on");
    let mended = live.send(
        json!([{ "do": "set", "name": "size", "value": 0.2 }, { "do": "reset" }, { "do": "advance", "by": 0.1 }]),
    );
    assert_eq!((&mended["error"], &mended["time"]), (&Value::Null, &json!(0.1)));
}

#[test]
fn a_refused_start_keeps_the_run_and_all_that_was_set() {
    let folder = tempfile::tempdir().unwrap();
    let model = MODEL.replace("size = 0.1", "size = { value = 0.1, min = 0.01 }");
    let mut live = Live::start_with(folder.path(), &model, &["--set", "push=3"]);
    live.open();
    let set = |name: &str, value: f64| json!({ "do": "set", "name": name, "value": value });
    let reset = json!({ "do": "reset" });
    assert_eq!(live.send(json!([set("size", 0.2), set("height", 2.0), reset]))["error"], Value::Null);
    let run = live.send(json!([{ "do": "advance", "by": 0.1 }]));
    let refused = live.send(json!([set("size", 0.0), set("k", 2.0), reset]));
    assert!(refused["error"].as_str().unwrap().contains("`size` is 0"), "{refused}");
    assert_eq!((&refused["kept"], &refused["fresh"]), (&json!({ "name": "size", "value": 0.2 }), &json!(false)));
    let goes_on = live.send(json!([{ "do": "advance", "by": 0.1 }]));
    assert!(goes_on["time"] == 0.2 && Live::last(&goes_on, "x") > Live::last(&run, "x"), "{goes_on}");
    assert_eq!(live.send(json!([set("size", 0.3), reset]))["error"], Value::Null);
    let controls = live.open()["live"]["controls"].as_array().unwrap().clone();
    let values: Vec<(&str, f64)> =
        controls.iter().map(|c| (c["name"].as_str().unwrap(), c["value"].as_f64().unwrap())).collect();
    assert_eq!(values, [("push", 3.0), ("k", 2.0), ("n", 0.0), ("height", 2.0), ("size", 0.3)]);
}

#[test]
fn a_tunable_parameter_that_changes_the_structure_waits_for_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    live.open();
    let waits = live.send(json!([{ "do": "set", "name": "n", "value": 2 }, { "do": "advance", "by": 0.1 }]));
    assert_eq!((&waits["error"], &waits["time"]), (&Value::Null, &json!(0.1)), "{waits}");
    assert_eq!(
        waits["notes"],
        json!(["`n` changes the structure of the model: it takes effect when the run starts over"])
    );
    let bodies = |data: &Value| data["bodies"].as_array().unwrap().len();
    assert_eq!(bodies(&live.open()), 2);
    assert_eq!(live.send(json!([{ "do": "reset" }]))["error"], Value::Null);
    assert_eq!(bodies(&live.open()), 4);
}

/// A spring so stiff that its model is computed for minutes.
const STIFF: &str = r#"
[forces.needle]
type = "spring"
from = "post"
to = "ball"
stiffness = 1e16
rest_length = 0.1
"#;

#[test]
fn a_step_that_takes_long_is_ended_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start_with(folder.path(), &format!("{MODEL}{STIFF}"), &["--set", "max_work=1e300"]);
    live.open();
    let cancel = format!("{}cancel", live.path);
    let page = json!({ "page": live.page }).to_string();
    let answer = std::thread::scope(|scope| {
        let step = scope.spawn(|| live.send(json!([{ "do": "advance", "by": 50 }])));
        while !step.is_finished() {
            assert_eq!(live.request("POST", &cancel, &live.host(), &page).0, 200);
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        step.join().unwrap()
    });
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains("the step from t = 0 s was ended before it was done"), "{error}");
    assert_eq!(answer["time"], 0.0);
    assert_eq!(live.send(json!([{ "do": "reset" }]))["error"], Value::Null, "it goes on");
    assert_eq!(live.request("GET", &cancel, &live.host(), "").0, 405);
    assert_eq!(live.request("POST", &cancel, "other.example", &page).0, 403);
    assert_eq!(live.request("POST", &cancel, &live.host(), "{}").0, 400);
    live.open();
    assert_eq!(live.request("POST", &cancel, &live.host(), &page).0, 409);
}

#[test]
fn requests_that_announce_more_than_they_have_end_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    for (head, status) in [
        ("GET /x HTTP/1.1\r\nContent-Length: 99999999999999", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 2000000000", 413),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
        ("GET /", 400),
    ] {
        let mut stream = TcpStream::connect(live.host()).unwrap();
        stream.write_all(format!("{head}\r\n\r\nabc").as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {answer}");
    }
    // Others do not wait for one that does not come to its end.
    let mut waiting = TcpStream::connect(live.host()).unwrap();
    waiting.write_all(b"POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\nabc").unwrap();
    live.open();
    let advanced = live.send(json!([{ "do": "advance", "by": 0.1 }]));
    assert_eq!(advanced["time"], 0.1);
}

#[test]
fn a_connection_takes_one_request_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let live = Live::start(folder.path(), &[]);
    let mut stream = TcpStream::connect(live.host()).unwrap();
    let request = format!("PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Length: 3\r\n\r\nabc", live.path, live.host());
    stream.write_all(request.repeat(3).as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 405 ").count(), 3, "{answers}");
}

#[test]
fn strangers_and_older_pages_are_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    let commands = format!("{}commands", live.path);
    live.open();
    let body = json!({ "page": live.page, "commands": [] }).to_string();
    assert_eq!(live.request("GET", "/", &live.host(), "").0, 404);
    assert_eq!(live.request("POST", "/commands", &live.host(), &body).0, 404);
    assert_eq!(live.request("POST", &commands, "other.example", &body).0, 403);
    assert_eq!(live.request("POST", &commands, &live.host(), "{").0, 400);
    assert_eq!(live.request("PUT", &commands, &live.host(), &body).0, 405);
    assert_eq!(live.request("POST", &commands, &live.host(), &body).0, 200);
    live.open();
    let (status, why) = live.request("POST", &commands, &live.host(), &body);
    assert_eq!(status, 409);
    assert!(why.contains("another window"), "{why}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start(folder.path(), &[]);
    live.open();
    let killed = Command::new("kill").args(["-INT", &live.process.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(live.process.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_page_that_waits_when_the_server_ends_is_told_how_to_start_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = Live::start_with(folder.path(), &format!("{MODEL}{STIFF}"), &["--set", "max_work=1e300"]);
    live.open();
    let commands = format!("{}commands", live.path);
    let body = |by: f64| json!({ "page": live.page, "commands": [{ "do": "advance", "by": by }] }).to_string();
    let pause = || std::thread::sleep(std::time::Duration::from_millis(500));
    let (status, why) = std::thread::scope(|scope| {
        let step = scope.spawn(|| live.request("POST", &commands, &live.host(), &body(50.0)));
        pause();
        let waiting = scope.spawn(|| live.request("POST", &commands, &live.host(), &body(0.1)));
        pause();
        Command::new("kill").args(["-TERM", &live.process.id().to_string()]).status().unwrap();
        assert_eq!(step.join().unwrap().0, 200);
        waiting.join().unwrap()
    });
    assert_eq!(status, 503, "{why}");
    assert!(why.contains("has ended. `mbfmu view MODEL --live` starts it again"), "{why}");
}
