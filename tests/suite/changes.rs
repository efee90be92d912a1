//! Structures that change while a host calls `do_step`: hosts with other steps, hosts that drive, hosts that go on for
//! long.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use mbs::simulation::SimulationError;
use multibody_fmu::{Role, Session, SessionError};

struct Host {
    session: Session,
    find: Box<dyn Fn(&str) -> usize>,
    time: f64,
}

impl Host {
    fn new(model: &str) -> Self {
        let interface = crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(model));
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, None).unwrap();
        let find = Box::new(move |name: &str| interface.find(name).unwrap_or_else(|| panic!("no {name}")));
        Self { session, find, time: 0.0 }
    }

    fn get(&mut self, name: &str) -> f64 {
        self.session.get((self.find)(name)).unwrap()
    }

    fn set(&mut self, name: &str, value: f64) {
        self.session.set((self.find)(name), value).unwrap();
    }

    /// Goes on to a time in equal steps.
    fn to(&mut self, end: f64, steps: u32) {
        let start = self.time;
        for k in 1..=steps {
            self.session.do_step(start + (end - start) * f64::from(k) / f64::from(steps)).unwrap();
        }
        self.time = end;
    }
}

/// One step over all actions, or many steps between and at them: the same motion.
#[test]
fn the_steps_of_the_host_do_not_change_what_programs_do() {
    let cases = [
        ("WalkingRobot", 9.0, 900, "foot_a.r_abs[1]", "segment"),
        ("YouBotAttach", 13.5, 135, "sphere.r_abs[3]", "segment"),
        ("TwoStageRocket3D", 15.0, 15, "stage2.r_abs[2]", "segment"),
        ("ConveyorSorting", 4.0, 40, "part[1].body.r_abs[1]", "segment"),
    ];
    for (model, stop, steps, place, segment) in cases {
        let mut ends = Vec::new();
        for steps in [1, 7, steps] {
            let mut host = Host::new(model);
            host.to(stop, steps);
            ends.push((host.get(segment), host.get(place)));
        }
        let (segments, found) = ends[0];
        assert!(segments >= 4.0, "{model}: only {segments} segments");
        for end in &ends {
            assert_eq!(end.0, segments, "{model}");
            assert!((end.1 - found).abs() < 1e-6 * (1.0 + found.abs()), "{model}: {ends:?}");
        }
    }
}

#[test]
fn a_host_chooses_takes_and_drops() {
    let mut host = Host::new("GripperWithInputs");
    assert_eq!(host.get("magnet.attached_to"), 3.0, "ball 2 hangs on the magnet from the start");
    host.to(2.0, 20);
    assert_eq!((host.get("number_of_states"), host.get("number_of_contacts")), (28.0, 2.0));
    host.set("drop", 1.0);
    host.set("grip", 0.0);
    host.to(2.1, 1);
    assert_eq!((host.get("magnet.attached"), host.get("number_of_states")), (0.0, 41.0));
    host.set("x", -0.5);
    host.set("partner", 1.0);
    host.to(6.0, 40);
    host.set("grip", 1.0);
    host.to(7.0, 10);
    assert_eq!(host.get("magnet.attached_to"), 2.0, "ball 1");
    let height = host.get("ball[1].ball.r_abs[3]");
    assert!((height - 0.55).abs() < 1e-3, "ball 1 is at {height} m");
}

#[test]
fn an_unbounded_number_of_parts_passes_through_a_bounded_list_of_variables() {
    let mut host = Host::new("ConveyorSorting");
    let outputs = host.session.interface().variables.iter().filter(|v| v.role == Role::Output).count();
    let mut most = 0.0_f64;
    for k in 1..=50 {
        host.to(f64::from(k), 1);
        let present: f64 = (1..=4).map(|k| host.get(&format!("part[{k}].exists"))).sum();
        most = most.max(present);
    }
    let segments = host.get("segment");
    assert!(segments > 100.0, "only {segments} segments, so fewer than 50 parts");
    assert!((2.0..=4.0).contains(&most), "{most} parts at once");
    assert_eq!(host.session.interface().variables.iter().filter(|v| v.role == Role::Output).count(), outputs);
}

/// Two pendulums and a rod without mass between their ends, whose inertia is that of the loop; then one pendulum is
/// deleted.
const ROD: &str = r#"
    name = "Rod"
    gravity = [0, -9.81, 0]
    [objects.foot]
    fixed = true
    r = [1.2, 0, 0]
    [objects.A]
    mass = { m = 1, center = [0, -0.4, 0], inertia = [0.05, 0.001, 0.05] }
    [objects.A_end]
    parent = "A"
    r = [0, -0.8, 0]
    [objects.B]
    mass = { m = 1.5, center = [0, -0.4, 0], inertia = [0.05, 0.001, 0.05] }
    assembly_root = true
    [objects.B_end]
    parent = "B"
    r = [0, -0.7, 0]
    [objects.rod]
    [objects.rod_end]
    parent = "rod"
    r = [1, 0, 0]
    [joints.a]
    type = "revolute"
    from = "world"
    to = "A"
    axis = "z"
    phi = 0.3
    [joints.b]
    type = "revolute"
    from = "foot"
    to = "B"
    axis = "z"
    [joints.left]
    type = "revolute"
    from = "A_end"
    to = "rod"
    axis = "z"
    phi = { guess = -0.3 }
    [joints.right]
    type = "revolute"
    from = "B_end"
    to = "rod_end"
    axis = "z"
    [actions.cut]
    steps = [{ wait = 1 }, { delete = "B" }]
"#;

#[test]
fn what_cannot_go_on_after_a_change_is_told_with_time_and_actions() {
    let (interface, mut session) = crate::support::started(ROD, None);
    let angle = interface.find("a.phi").unwrap();
    session.do_step(0.99).unwrap();
    let before = session.get(angle).unwrap();
    let error = session.do_step(1.5).unwrap_err();
    let is_discarded = matches!(&error, SessionError::Simulation(SimulationError::StepNotFinished(_)));
    let message = error.to_string();
    assert!(is_discarded, "{message}");
    assert!(message.starts_with("actions `cut` at t = 1 s: `left` has nothing to move"), "{message}");
    assert_eq!(session.get(angle).unwrap(), before);
    session.do_step(0.999).unwrap();
}
