//! Strings that choose partners: inputs and parameters whose value is the name of a frame or of a part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use multibody_fmu::{Interface, SavedSession, Session};

/// The crane of `fmus/GripperWithInputs` with a String that chooses the ball.
fn crane(partner: &str) -> Arc<Interface> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/GripperWithInputs/model.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| if line.starts_with("partner = ") { partner } else { line });
    read(&lines.collect::<Vec<_>>().join("\n")).unwrap_or_else(|error| panic!("{error}"))
}

fn read(text: &str) -> Result<Arc<Interface>, String> {
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new())
        .map_err(|errors| errors.to_string())?;
    Interface::new(model.declaration).map(Arc::new).map_err(|error| error.to_string())
}

const INPUT: &str = r#"partner = { kind = "string", start = "ball[2].top" }"#;

fn start(interface: &Arc<Interface>) -> Session {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    session
}

fn attached_to(session: &mut Session) -> f64 {
    let variable = session.interface().find("magnet.attached_to").unwrap();
    session.get(variable).unwrap()
}

/// What the magnet takes when the String is `name`, and what was told.
fn taken(name: &str) -> (f64, Vec<String>) {
    let interface = crane(INPUT);
    let mut session = Session::new(interface.clone());
    session.set_text(interface.find("partner").unwrap(), name).unwrap();
    session.initialize(0.0, None).unwrap();
    session.do_step(0.1).unwrap();
    (attached_to(&mut session), session.take_messages())
}

#[test]
fn a_string_chooses_the_frame_or_the_part_that_it_names() {
    let middle = taken("ball[2].top").0;
    assert!(middle > 0.0);
    assert_eq!(taken("").0, middle, "nothing is the nearest one");
    assert_eq!(taken("ball[2]").0, middle, "the part of which one frame is possible");
    let (left, messages) = taken("ball[1]");
    assert_eq!(left, 0.0);
    assert!(messages[0].contains("cannot attach `magnet` to `ball[1].top`: the distance is"), "{messages:?}");
    let (none, messages) = taken("magnet");
    assert_eq!(none, 0.0);
    let told = "the choice is `magnet`, but possible are `ball[1].top`, `ball[2].top`, `ball[3].top`, or nothing";
    assert!(messages[0].contains(told) && messages[0].contains("the step is skipped"), "{messages:?}");
}

#[test]
fn a_string_names_what_the_model_has() {
    let interface = crane(INPUT);
    let partner = interface.find("partner").unwrap();
    let mut session = start(&interface);
    let error = session.set_text(partner, "ball[4].top").unwrap_err().to_string();
    assert!(error.contains("`partner` is `ball[4].top`, but must be the name of"), "{error}");
    assert!(error.contains("did you mean `ball["), "{error}");
    assert_eq!(session.text(partner).unwrap(), "ball[2].top", "what was refused changes nothing");
    let x = interface.find("x").unwrap();
    assert!(session.set_text(x, "ball[2]").unwrap_err().to_string().contains("`x` is no String"));
    assert!(session.text(x).is_err());
}

#[test]
fn a_saved_state_brings_strings_back() {
    let interface = crane(r#"partner = { kind = "string", start = "ball[1]" }"#);
    let partner = interface.find("partner").unwrap();
    let grip = interface.find("grip").unwrap();
    let mut session = Session::new(interface.clone());
    session.set(grip, 0.0).unwrap();
    session.set(interface.find("x").unwrap(), 0.0).unwrap();
    session.initialize(0.0, None).unwrap();
    session.do_step(0.1).unwrap();
    session.set_text(partner, "ball[2]").unwrap();
    let saved = session.save().unwrap();
    let bytes = postcard::to_allocvec(&saved).unwrap();
    session.set_text(partner, "ball[3]").unwrap();
    session.do_step(0.2).unwrap();
    assert_eq!(session.text(partner).unwrap(), "ball[3]");
    let saved: SavedSession = postcard::from_bytes(&bytes).unwrap();
    let mut other = start(&interface);
    for session in [&mut session, &mut other] {
        session.restore(&saved).unwrap();
        assert_eq!(session.text(partner).unwrap(), "ball[2]");
        session.set(grip, 1.0).unwrap();
        session.do_step(0.3).unwrap();
        assert!(attached_to(session) > 0.0, "the String of the saved state is in force");
    }
    session.reset();
    assert_eq!(session.text(partner).unwrap(), "ball[1]");
}

#[test]
fn a_parameter_that_is_a_string_chooses_until_the_run_begins() {
    let parameter = "[parameters.partner]\nkind = \"string\"\nvalue = \"ball[1].top\"\n[inputs.y]\nstart = 0";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/GripperWithInputs/model.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("partner = ")).collect();
    let interface = read(&format!("{}\n{parameter}\n", without.join("\n"))).unwrap();
    assert_eq!(attached_to(&mut start(&interface)), 0.0, "the first ball is out of reach");
    let partner = interface.find("partner").unwrap();
    let mut session = Session::new(interface.clone());
    session.set_text(partner, "ball[2]").unwrap();
    session.initialize(0.0, None).unwrap();
    assert!(attached_to(&mut session) > 0.0);
    assert_eq!(session.text(partner).unwrap(), "ball[2]");
    session.do_step(0.1).unwrap();
    let error = session.set_text(partner, "ball[3]").unwrap_err().to_string();
    assert!(error.contains("can be set before the first step only"), "{error}");
    let saved = session.save().unwrap();
    let mut other = Session::new(interface);
    other.restore(&saved).unwrap();
    assert_eq!(other.text(partner).unwrap(), "ball[2]");
}

#[test]
fn the_model_description_has_strings_with_their_start() {
    let xml = crane(INPUT).xml().unwrap();
    let at = xml.find("name=\"partner\"").unwrap();
    let variable = &xml[at..at + 300];
    assert!(variable.contains("causality=\"input\""), "{variable}");
    assert!(variable.contains("<String start=\"ball[2].top\""), "{variable}");
}

#[test]
fn only_a_choice_can_use_a_string() {
    let refused = |line: &str, at: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/GripperWithInputs/model.toml");
        let text = std::fs::read_to_string(file).unwrap().replace(at, line);
        let input = text.lines().map(|line| if line.starts_with("partner = ") { INPUT } else { line });
        read(&input.collect::<Vec<_>>().join("\n")).unwrap_err()
    };
    let error = refused("when = \"partner > 1\"", "when = \"grip\"");
    assert!(error.contains("`partner` is a String; only `choice` can use it"), "{error}");
    let error = refused("choice = \"partner + 1\"", "choice = \"partner\"");
    assert!(error.contains("`partner` is a String; only `choice` can use it"), "{error}");
    let error = refused(
        "force = \"partner*1\"",
        "force = \"200*(if abs(x - s) > 0.25 then 0.25*sign(x - s) else x - s) - 60*v\"",
    );
    assert!(error.contains("partner"), "{error}");
    let error = read(&format!("name = \"M\"\n[inputs]\n{INPUT}")).unwrap_err();
    assert!(error.contains("`ball[2].top`, which is neither a lockable frame nor the root of an assembly"), "{error}");
    let error = read("name = \"M\"\n[inputs]\nwhich = { kind = \"string\", start = 2 }").unwrap_err();
    assert!(error.contains("`start` of a String must be a text"), "{error}");
    let error = read("name = \"M\"\n[inputs]\nwhich = { kind = \"string\", min = 2 }").unwrap_err();
    assert!(error.contains("a String has no `min`"), "{error}");
}
