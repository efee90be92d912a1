//! `mbfmu equilibrium`, and runs that start where it ends.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use crate::support::Desk;

/// A crane: a boom on a hinge with a motor, a load on a rope, and a block on a table.
const CRANE: &str = r#"
name = "Crane"
gravity = [0, -9.81, 0]
experiment = { stop = 0.5, step = 0.1, tolerance = 1e-8 }
outputs = ["boom.phi", "boom.w", "rope.s", "rope.v", { name = "height", value = "load.r_abs[2]", unit = "m" }]
inputs = { motor = { unit = "N.m" } }

[parameters]
c = { value = 1000, unit = "N/m", min = 1 }

[objects]
arm = { mass = { m = 10, center = [1, 0, 0], inertia = [0.1, 3, 3] } }
tip = { parent = "arm", r = [2, 0, 0] }
load = { mass = { m = 5, inertia = [0.1, 0.1, 0.1] } }

[joints]
boom = { type = "revolute", from = "world", to = "arm", axis = "z", phi = 0.3, torque = "motor" }
swing = { type = "revolute", from = "tip", to = "cable", axis = "z", phi = -1 }
rope = { type = "prismatic", from = "cable", to = "load", axis = "x", s = 1, spring = { stiffness = "c", rest = 1 } }

[objects.cable]
mass = { m = 0.1, inertia = [0.01, 0.01, 0.01] }
"#;

fn crane() -> Desk {
    let desk = Desk::new();
    desk.write("Crane/model.toml", CRANE);
    desk
}

/// The last row of a result as numbers.
fn rows(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn a_run_from_the_start_values_stays_where_it_is() {
    let desk = crane();
    let table = desk.works("equilibrium Crane --fix boom.phi --trim motor -o rest.toml");
    assert!(table.contains("boom.phi") && table.contains("held"), "{table}");
    assert!(table.contains("trimmed") && table.contains("wrote rest.toml"), "{table}");
    // The weights of arm, cable and load about the hinge, with 0.3 rad.
    let torque = 9.81 * (10.0 + 2.0 * 5.1) * 0.3_f64.cos();
    assert!(desk.text("rest.toml").contains("\"motor\" = "));
    assert!(table.contains(&format!("{torque:.3}")), "{table} instead of {torque}");
    desk.works("simulate Crane --from rest.toml -o run.csv");
    let rows = rows(&desk.text("run.csv"));
    let (first, last) = (&rows[0], rows.last().unwrap());
    assert_eq!(first[1], 0.3);
    assert!((first[3] - 1.0 - 5.0 * 9.81 / 1000.0).abs() < 1e-9, "{first:?}");
    for (a, b) in first.iter().zip(last).skip(1) {
        assert!((a - b).abs() < 1e-7, "{first:?} {last:?}");
    }
}

#[test]
fn the_start_values_can_be_included_in_the_model() {
    let desk = crane();
    desk.works("equilibrium Crane --fix boom.phi --trim motor -o Crane/rest.toml");
    desk.works("simulate Crane --from Crane/rest.toml -o from.csv");
    desk.write("Crane/model.toml", &format!("include = [\"rest.toml\"]\n{CRANE}"));
    desk.works("simulate Crane -o included.csv");
    assert_eq!(desk.text("from.csv"), desk.text("included.csv"));
}

#[test]
fn inputs_and_parameters_are_trimmed_for_prescribed_values() {
    let desk = crane();
    desk.works("equilibrium Crane --trim motor --for boom.phi=0.5 -o rest.toml");
    let at = |name: &str| {
        let text = desk.text("rest.toml");
        let line = text.lines().find(|line| line.starts_with(&format!("\"{name}\""))).unwrap().to_owned();
        line.split(" = ").nth(1).unwrap().parse::<f64>().unwrap()
    };
    assert!((at("boom.phi") - 0.5).abs() < 1e-9);
    assert!((at("motor") - 9.81 * 20.2 * 0.5_f64.cos()).abs() < 1e-6);
    // The rope shall stretch by 0.1 m.
    desk.works("equilibrium Crane --set motor=198.162 --trim c --for rope.s=1.1 -o soft.toml");
    let text = desk.text("soft.toml");
    let stiffness = text.lines().find_map(|line| line.strip_prefix("\"c\" = ")).unwrap().parse::<f64>().unwrap();
    assert!((stiffness - 490.5).abs() < 1e-8, "{text}");
    desk.fails("equilibrium Crane --trim c", 1, &["as many values", "--for", "1, not 0"]);
    desk.fails("equilibrium Crane --trim motor,c --for rope.s=1.1", 1, &["cannot be trimmed together"]);
}

#[test]
fn what_cannot_rest_is_named() {
    let desk = crane();
    desk.fails(
        "equilibrium Crane --fix boom",
        1,
        &["`boom.phi` cannot rest where it is held", "rad/s² remains", "trim"],
    );
    let missed = ["`rope.s` is", "instead of 3 m", "nothing is trimmed", "--trim"];
    desk.fails("equilibrium Crane --set motor=198 --for rope.s=3", 1, &missed);
    desk.write(
        "Shaft/model.toml",
        "name = \"Shaft\"\ninputs.u = { unit = \"N.m\" }\nobjects.rotor.mass = { m = 1, inertia = [1, 1, 1] }\n\
         joints.h = { type = \"revolute\", from = \"world\", to = \"rotor\", axis = \"z\", phi = 0.3, torque = \"u\", spring = { stiffness = 10 } }\n",
    );
    let one_of_many = desk.works("equilibrium Shaft --trim u");
    assert!(one_of_many.contains("more is trimmed (u)"), "{one_of_many}");
    desk.fails("equilibrium Crane --fix bom", 1, &["there is no coordinate `bom`", "did you mean"]);
    desk.fails("equilibrium Crane --for boom.phi", 2, &["--for needs NAME=VALUE"]);
}

#[test]
fn a_model_may_start_at_its_equilibrium_and_so_does_its_fmu() {
    let desk = crane();
    let model = CRANE.replace("stop = 0.5,", "start = \"equilibrium\", stop = 0.5,");
    desk.write("Crane/model.toml", &model.replace("torque = \"motor\"", "torque = \"motor - 300*phi\""));
    desk.works("simulate Crane -o run.csv --set motor=20");
    let rows = rows(&desk.text("run.csv"));
    let phi = rows[0][1];
    assert!((20.0 - 300.0 * phi - 9.81 * 20.2 * phi.cos()).abs() < 1e-7, "{phi}");
    let last = rows.last().unwrap();
    assert!((last[1] - phi).abs() < 1e-7 && last[2].abs() < 1e-6, "{last:?}");
    desk.works("pack Crane");
    desk.works("simulate Crane.fmu -o fmu.csv --set motor=20");
    assert_eq!(desk.text("run.csv"), desk.text("fmu.csv"));
}

#[test]
fn start_files_and_packing_carry_inputs_of_flanges() {
    let desk = crane();
    let flange = CRANE.replace("torque = \"motor\"", "flange = true");
    desk.write("Crane/model.toml", &flange);
    desk.works("equilibrium Crane --fix boom.phi --trim boom.tau -o rest.toml");
    desk.works("simulate Crane --from rest.toml -o run.csv");
    let run = rows(&desk.text("run.csv"));
    let (first, last) = (&run[0], run.last().unwrap());
    assert!((last[1] - first[1]).abs() < 1e-7 && last[2].abs() < 1e-6, "{last:?}");
    let all = desk.works("equilibrium Crane --fix boom.phi --trim *.tau -o all.toml");
    assert!(
        all.contains("boom.tau") && desk.text("all.toml").replace("all.toml", "rest.toml") == desk.text("rest.toml"),
        "{all}"
    );
    desk.works("pack Crane --set boom.tau=12.5");
    let xml = desk.works("describe Crane.fmu");
    let (_, declared) = xml.split_once("name=\"boom.tau\"").unwrap();
    assert!(declared.split_once("/>").unwrap().0.contains("start=\"12.5\""), "{declared}");
    desk.write("Crane/model.toml", &format!("{flange}\n[start]\n\"boom.tau\" = [1, 2]\n"));
    desk.fails("check Crane", 1, &["`boom.tau` has 2 numbers, but must have 1", "model.toml:"]);
}

#[test]
fn start_values_that_do_not_exist_are_refused_with_their_place() {
    let desk = crane();
    desk.write("Crane/model.toml", &format!("{CRANE}\n[start]\n\"boom.fi\" = 1\n"));
    desk.fails("check Crane", 1, &["there is no start value `boom.fi`", "did you mean `boom.phi`?", "model.toml:25"]);
    desk.write("Crane/model.toml", &format!("{CRANE}\n[start]\n\"boom.phi\" = [1, 2]\n"));
    desk.fails("check Crane", 1, &["`boom.phi` has 2 numbers, but must have 1"]);
    desk.write("empty.toml", "name = \"x\"\n");
    desk.write("Crane/model.toml", CRANE);
    desk.fails("simulate Crane --from empty.toml", 1, &["empty.toml has no start values", "mbfmu equilibrium"]);
    desk.write("run.csv", "time,boom.phi\n0,0.3\n1,0.4\n");
    desk.write("start.json", "{ \"start\": { \"boom.phi\": 0.3 } }");
    for (file, seems) in [("run.csv", "seems to be a table of values (CSV)"), ("start.json", "seems to be a JSON file")]
    {
        let ran = desk.run(&format!("simulate Crane --from {file}"));
        assert_eq!((ran.code, ran.err.matches("error").count()), (1, 1), "{}", ran.err);
        assert!(ran.err.contains(seems) && ran.err.contains("`mbfmu equilibrium MODEL -o START.toml`"), "{}", ran.err);
    }
}

#[test]
fn a_linear_model_is_printed_and_written() {
    let desk = crane();
    desk.works("equilibrium Crane --fix boom.phi --trim motor -o rest.toml");
    let table = desk.works("linearize Crane --from rest.toml -o lin.json");
    assert!(table.contains("frequency [Hz]") && table.contains("States: boom.phi, swing.phi, rope.s"), "{table}");
    assert!(!table.contains("no equilibrium"), "{table}");
    let json: serde_json::Value = serde_json::from_str(&desk.text("lin.json")).unwrap();
    assert_eq!(json["A"].as_array().unwrap().len(), 6);
    assert_eq!(json["B"][0].as_array().unwrap().len(), 1);
    assert_eq!(json["outputs"][4]["name"], "height");
    desk.works("linearize Crane --at 0.2 -o lin.npz");
    let archive = zip::ZipArchive::new(std::fs::File::open(desk.path("lin.npz")).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert!(names.contains(&"A.npy".to_owned()) && names.contains(&"states.npy".to_owned()), "{names:?}");
    desk.works("linearize Crane --from rest.toml --outputs boom.phi --bode bode.svg");
    let plot = desk.text("bode.svg");
    for label in ["gain [dB]", "phase [deg]", "frequency [Hz]"] {
        assert!(plot.contains(label), "{label} is not in {plot}");
    }
    desk.fails("linearize Crane -o lin.csv", 2, &["must end with .json or .npz"]);
    let of = |arguments: &str| {
        desk.works(&format!("linearize Crane {arguments} -o point.json"));
        desk.text("point.json")
    };
    // Where the search of `equilibrium` ends, without a file between.
    desk.works("equilibrium Crane --fix boom.phi --trim motor -o held.toml");
    let values = |text: &str| -> Vec<f64> {
        let point: serde_json::Value = serde_json::from_str(text).unwrap();
        let rows = point["A"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap().clone());
        rows.map(|value| value.as_f64().unwrap()).collect()
    };
    let [direct, from_file, free] =
        ["--equilibrium --fix boom.phi --trim motor", "--from held.toml", "--equilibrium"].map(|how| values(&of(how)));
    assert!(
        direct.iter().zip(&from_file).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + b.abs())),
        "{direct:?} {from_file:?}"
    );
    assert!(direct.iter().zip(&free).any(|(a, b)| (a - b).abs() > 0.1), "held and hanging");
    desk.fails("linearize Crane --fix boom.phi", 2, &["add --equilibrium"]);
    desk.fails("linearize Crane --at 1 --equilibrium", 2, &["two points of linearisation"]);
}

/// A cart on four balls that turn about axles, two of them driven by motors.
const CART: &str = r#"
name = "Cart"
gravity = [0, 0, -9.81]
inputs = { u = { unit = "V" } }
[objects.floor]
fixed = true
solid = { shape = "half_space", material = "DryWood", collides = true }
[objects.chassis]
free = true
r = [0, 0, 0.15]
solid = { shape = "box", lengths = [0.6, 0.3, 0.1], mass = 5 }
[assemblies.Wheel.objects.hub]
parent = "origin"
[assemblies.Wheel.objects.rim]
solid = { shape = "sphere", diameter = 0.2, material = "DryWood", mass = 0.5, collides = true, ignores = ["chassis"] }
[assemblies.Wheel.joints]
spin = { type = "revolute", from = "hub", to = "rim", axis = "y" }
[instances.wheel]
assembly = "Wheel"
parent = "chassis"
count = 4
r = ["0.2*(if i < 3 then 1 else -1)", "0.2*(if mod(i,2) == 0 then 1 else -1)", -0.05]
[components]
left = { type = "dc-motor", v = "u", R = 1, L = 0.01, k = 0.1, flange = "wheel[1].spin" }
right = { type = "dc-motor", v = "u", R = 1, L = 0.01, k = 0.1, flange = "wheel[2].spin" }
"#;

#[test]
fn the_angles_of_round_wheels_on_the_floor_are_determined_by_nothing() {
    let desk = Desk::new();
    desk.write("Cart/model.toml", CART);
    let table = desk.works("equilibrium Cart");
    let what = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {table}"));
        line.split_whitespace().last().unwrap().to_owned()
    };
    for name in ["wheel[1].spin.phi", "wheel[2].spin.phi", "wheel[3].spin.phi", "wheel[4].spin.phi", "chassis.r_abs[1]"]
    {
        assert_eq!(what(name), "indifferent", "{name}");
    }
    for name in ["chassis.rotation[1]", "chassis.rotation[2]", "chassis.r_abs[3]", "left.i"] {
        assert_eq!(what(name), "found", "{name}");
    }
}

#[test]
fn a_value_that_no_parameter_reaches_is_told_with_how_near_it_came() {
    let desk = Desk::new();
    desk.write(
        "hang.toml",
        r#"
name = "Hang"
gravity = [0, 0, -9.81]
parameters = { c = { value = 500, unit = "N/m", min = 1 }, d = { value = 3, unit = "N.s/m" } }
objects.load = { mass = 2 }
joints.rope = { type = "prismatic", from = "world", to = "load", axis = "z", damping = "d", spring = { stiffness = "c" } }
"#,
    );
    desk.works("equilibrium hang.toml --trim c --for rope.s=-0.1");
    // The load stretches the rope; no stiffness shortens it.
    let says = ["no value of `c` was found", "`rope.s` is 0 m instead of 0.1 m", "it comes no nearer"];
    desk.fails("equilibrium hang.toml --trim c --for rope.s=0.1", 1, &says);
    let says = ["the prescribed values do not depend on `d`"];
    desk.fails("equilibrium hang.toml --trim d --for rope.s=-0.1", 1, &says);
}

#[test]
fn a_limit_of_a_parameter_that_binds_is_told_with_its_side() {
    let desk = Desk::new();
    desk.write("Crane.toml", &CRANE.replace("min = 1 }", "min = 600, max = 1500 }"));
    // 5 kg * 9.81 m/s² over the stiffness.
    let table = desk.works("equilibrium Crane.toml --trim c --for rope.s=1.06");
    assert!(table.contains("817.5000 N/m"), "{table}");
    let says = ["`c` would have to be below its minimum of 600 N/m: there, `rope.s` is 1.082 m instead of 1.1 m"];
    desk.fails("equilibrium Crane.toml --trim c --for rope.s=1.1", 1, &says);
    let says = ["`c` would have to be above its maximum of 1500 N/m: there, `rope.s` is 1.033 m instead of 1.02 m"];
    desk.fails("equilibrium Crane.toml --trim c --for rope.s=1.02", 1, &says);
}

#[test]
fn outputs_that_no_input_moves_are_left_out_of_bode_plots() {
    let desk = Desk::new();
    desk.write(
        "hang.toml",
        r#"
name = "Hang"
inputs = { f = { unit = "N" } }
outputs = ["rope.s", "other.s"]
objects = { load = { mass = 2 }, stone = { mass = 1 } }
[joints]
rope = { type = "prismatic", from = "world", to = "load", axis = "z", force = "f", spring = { stiffness = 500 } }
other = { type = "prismatic", from = "world", to = "stone", axis = "z", spring = { stiffness = 500 } }
"#,
    );
    let ran = desk.run("linearize hang.toml --bode bode.svg");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("note: `other.s by f` is left out, as its gain is zero"), "{}", ran.err);
    assert!(desk.text("bode.svg").contains("rope.s by f"));
    let ran = desk.run("linearize hang.toml --outputs other.s --bode bode.svg");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("error: no output depends on an input here"), "{}", ran.err);
}

#[test]
fn mistakes_in_a_file_of_start_values_point_into_it() {
    let desk = crane();
    desk.write("bad.toml", "[start]\n\"boom.phi\" = [1, 2]\n");
    desk.fails("simulate Crane --from bad.toml", 1, &["`boom.phi` has 2 numbers, but must have 1", "bad.toml:2"]);
    desk.write("bad.toml", "[start]\n\n\"boom.fi\" = 1\n");
    desk.fails("simulate Crane --from bad.toml", 1, &["no start value `boom.fi`", "bad.toml:3", "`boom.phi`"]);
    desk.write("bad.toml", "[start]\n\"c\" = 0.5\n");
    desk.fails("simulate Crane --from bad.toml", 1, &["`c`", "0.5", "bad.toml:2"]);
    // A file of start values may be replaced by better ones.
    desk.works("equilibrium Crane --fix boom.phi --trim motor -o rest.toml");
    desk.works("equilibrium Crane --from rest.toml --fix boom.phi --trim motor -o rest.toml");
}

#[test]
fn inputs_are_trimmed_within_their_range_only() {
    let desk = crane();
    desk.write("Crane/model.toml", &CRANE.replace("{ unit = \"N.m\" }", "{ unit = \"N.m\", min = -5, max = 5 }"));
    let says = ["`motor` = 189", "above its maximum of 5 N.m"];
    desk.fails("equilibrium Crane --fix boom.phi --trim motor -o rest.toml", 1, &says);
    desk.write("rest.toml", "[start]\n\"motor\" = 189\n");
    desk.fails("simulate Crane --from rest.toml", 1, &["`motor`", "189", "rest.toml:2"]);
}

/// A ball on the floor that is as soft as `modulus` \[Pa\] says.
fn ball(modulus: &str) -> String {
    format!(
        "name = \"Ball\"\ngravity = [0, 0, -9.81]\noutputs = [\"z.s\"]\n\
         materials.Soft = {{ density = 400, youngs_modulus = {modulus}, poissons_ratio = 0.3 }}\n\
         [[material_pairs]]\nmaterials = [\"Soft\", \"Soft\"]\nmu_k = 0.8\ncor = 0.3\n\
         [objects.ground]\nfixed = true\nsolid = {{ shape = \"half_space\", material = \"Soft\", collides = true }}\n\
         [objects.w]\nsolid = {{ shape = \"sphere\", diameter = 0.6, material = \"Soft\", mass = 25, collides = true }}\n\
         [joints.z]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"w\"\naxis = \"z\"\ns = 0.3\ncollides = true\n"
    )
}

#[test]
fn what_would_sink_past_its_middle_has_no_equilibrium() {
    let desk = Desk::new();
    desk.write("Ball.toml", &ball("2e6"));
    assert!(!desk.works("equilibrium Ball.toml").contains("Note"));
    desk.write("Ball.toml", &ball("1e3"));
    desk.fails("equilibrium Ball.toml", 1, &["`w` sinks into `ground` by", "past its middle"]);
}

#[test]
fn bodies_that_went_far_are_named() {
    let desk = Desk::new();
    desk.write("Ball.toml", &ball("2e6").replace("s = 0.3", "s = 2"));
    let table = desk.works("equilibrium Ball.toml");
    assert!(table.contains("Note: bodies are farther from their start than they are large: `w` by 1.70"), "{table}");
}

#[test]
fn sampled_controllers_that_find_no_load_are_named() {
    let desk = Desk::new();
    desk.write(
        "Slide.toml",
        "name = \"Slide\"\ngravity = [0, 0, -9.81]\noutputs = [\"slide.s\"]\ninputs.ref = { start = 0.1, unit = \"m\" }\n\
         objects.b.mass = 2\n\
         joints.slide = { type = \"prismatic\", from = \"world\", to = \"b\", axis = \"z\", force = \"pid.y\" }\n\
         components.pid = { type = \"sampled-pid\", u = \"ref - slide.s\", k = 200, T_i = 0.5, period = 0.005 }\n",
    );
    desk.fails("equilibrium Slide.toml", 1, &["`slide.s` cannot rest", "sampled components (`pid`)", "held"]);
    let table = desk.works("linearize Slide.toml --at 3");
    assert!(table.contains("Note: sampled components (`pid`) are held in the linear model"), "{table}");
}

#[test]
fn a_servo_that_starts_at_the_limit_of_its_voltage_finds_its_load() {
    let desk = Desk::new();
    for settings in ["", "--set k1=1", "--set k1=13"] {
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fmus/ServoArm");
        let table = desk.works(&format!("equilibrium {model} --start 3 {settings}"));
        // The reference is at 60 degrees by then; the motor holds 5 kg at 0.6 m and 2 kg at 0.3 m over a gear of 100.
        let load = 9.81 * (5.0 * 0.6 + 2.0 * 0.3) * (std::f64::consts::PI / 3.0).cos();
        for value in [format!("{:.6}", std::f64::consts::PI / 3.0), format!("{:.6}", load / 100.0 / 0.06)] {
            assert!(table.contains(&value), "{settings}: {value} is not in\n{table}");
        }
    }
}

#[test]
fn drive_lines_run_steadily_at_a_given_speed_or_with_a_given_torque() {
    let desk = Desk::new();
    desk.write(
        "Fan.toml",
        r#"
        name = "Fan"
        inputs = { torque = { unit = "N.m" } }
        outputs = ["engine.w", "load.w"]
        components.engine = { type = "inertia", J = 0.2, w = 40 }
        components.load = { type = "inertia", J = 1.5 }
        components.gear = { type = "gear", ratio = 4, a = "engine", b = "load" }
        components.motor = { type = "torque", tau = "torque", flange = "engine" }
        components.air = { type = "torque", tau = "-0.02*load.w*abs(load.w)", flange = "load" }
        "#,
    );
    // The fan takes 0.02 w² = 2 N·m at 10 rad/s, a quarter of that behind the gear.
    let steady = desk.works("equilibrium Fan.toml --steady engine.w --trim torque -o rest.toml");
    assert!(steady.contains("0.500000 N.m") && steady.contains("steady"), "{steady}");
    desk.works("simulate Fan.toml --from rest.toml --stop 1 -o run.csv");
    let last = rows(&desk.text("run.csv")).pop().unwrap();
    assert!((last[1] - 40.0).abs() < 1e-9 && (last[2] - 10.0).abs() < 1e-9, "{last:?}");
    let found = desk.works("equilibrium Fan.toml --speed engine.w --set torque=2");
    assert!(found.contains("80.00000 rad/s") && found.contains("speed found"), "{found}");
    let held = desk.works("equilibrium Fan.toml --fix engine.phi --trim torque");
    assert!(held.contains("held"), "{held}");
    desk.fails("equilibrium Fan.toml --steady engine.w --set torque=2", 1, &["`engine.w`"]);
}

/// A load of 200 kg on a rack, lifted by a motor through a gear that loses a fifth of the power.
const HOIST: &str = r#"
    name = "Hoist"
    gravity = [0, 0, -9.81]
    inputs = { V = { unit = "V" }, u = {} }
    outputs = ["lift.v", "m.w"]
    objects.load = { mass = 200 }
    joints.lift = { type = "prismatic", from = "world", to = "load", axis = "z", v = 0.5 }
    components.m = { type = "dc-motor", v = "V", R = 0.5, L = 0.002, k = 0.3, J = 0.02 }
    components.g = { type = "gear", ratio = 20, efficiency = 0.8, a = "m", b = "drum" }
    components.drum = { type = "inertia", J = 0.5 }
    components.rack = { type = "gear", ratio = 5, a = "drum", b = "lift" }
    components.brake = { type = "brake", u = "u", sliding = 50, a = "m" }
"#;

#[test]
fn a_gear_with_losses_couples_both_sides() {
    let desk = Desk::new();
    desk.write("Hoist.toml", HOIST);
    // The motor turns with 100 rad/m: 1962 N / 100 / 0.8 / 0.3 N·m/A = 81.75 A, and 0.5 Ω 81.75 A + 0.3 V·s 50 rad/s.
    for request in ["--steady lift", "--steady m.w", "--speed lift --for lift.v=0.5", "--speed m.w --for m.w=50"] {
        let found = desk.works(&format!("equilibrium Hoist.toml {request} --trim V -o rest.toml"));
        assert!(found.contains("81.75000 A") && found.contains("55.87500 V"), "{request}: {found}");
        assert!(found.contains("50.00000 rad/s"), "{request}: {found}");
        assert!(request.contains("m.w") || found.contains("follows"), "{request}: {found}");
        assert!(!found.contains("Note"), "{request}: {found}");
        desk.works("simulate Hoist.toml --from rest.toml --stop 0.2 -o run.csv");
        let last = rows(&desk.text("run.csv")).pop().unwrap();
        assert!((last[1] - 0.5).abs() < 1e-9 && (last[2] - 50.0).abs() < 1e-7, "{request}: {last:?}");
    }
    // At rest there are no losses: 1962 N / 100 / 0.3 N·m/A, on either side.
    for request in ["--fix lift", "--fix m.phi"] {
        let found = desk.works(&format!("equilibrium Hoist.toml {request} --trim V"));
        assert!(found.contains("65.40000 A") && found.contains("32.70000 V"), "{request}: {found}");
        assert!(found.contains("held") && found.contains("follows"), "{request}: {found}");
    }
}

#[test]
fn gears_with_losses_couple_shafts_and_what_a_motion_prescribes() {
    let desk = Desk::new();
    desk.write(
        "Shafts.toml",
        r#"
        name = "Shafts"
        inputs = { torque = { unit = "N.m" } }
        outputs = ["load.w"]
        components.engine = { type = "inertia", J = 0.2, w = 40 }
        components.load = { type = "inertia", J = 1.5 }
        components.gear = { type = "gear", ratio = 4, efficiency = 0.5, a = "engine", b = "load" }
        components.motor = { type = "torque", tau = "torque", flange = "engine" }
        components.air = { type = "torque", tau = "-0.02*load.w*abs(load.w)", flange = "load" }
        "#,
    );
    // The fan takes 0.02 w² = 2 N·m at 10 rad/s, a quarter of that behind the gear, half of which is lost.
    for request in ["--steady engine.w", "--steady load.w", "--steady engine.w,load.w"] {
        let found = desk.works(&format!("equilibrium Shafts.toml {request} --trim torque"));
        assert!(found.contains("1.000000 N.m") && found.contains("10.00000 rad/s"), "{request}: {found}");
    }
    let found = desk.works("equilibrium Shafts.toml --speed load.w --set torque=4");
    assert!(found.contains("80.00000 rad/s") && found.contains("20.00000 rad/s"), "{found}");
    // A joint that turns steadily takes the rotor behind the gear with it: 3 rad/s, 12 rad/s.
    desk.write(
        "Driven.toml",
        r#"
        name = "Driven"
        gravity = "none"
        inputs = { x = {} }
        outputs = ["rotor.w"]
        objects.arm = { mass = { m = 1, inertia = [0.1, 0.1, 0.1] } }
        objects.cart = { mass = 1 }
        joints.turn = { type = "revolute", from = "world", to = "arm", axis = "z", motion = "0.2 + 3*time" }
        joints.slide = { type = "prismatic", from = "world", to = "cart", axis = "x", spring = 100 }
        components.rotor = { type = "inertia", J = 0.01 }
        components.gear = { type = "gear", ratio = 4, efficiency = 0.5, a = "rotor", b = "turn" }
        "#,
    );
    let found = desk.works("equilibrium Driven.toml");
    assert!(found.contains("0.800000 rad") && found.contains("12.00000 rad/s"), "{found}");
}

#[test]
fn a_pid_controller_that_starts_at_its_limit_finds_its_load_at_any_gain() {
    let desk = Desk::new();
    for (gain, derivative) in [(5.0, 0.05), (400.0, 0.0), (400.0, 0.05), (1e4, 0.05)] {
        desk.write(
            "Servo.toml",
            &format!(
                "name = \"Servo\"\ngravity = [0, 0, -9.81]\noutputs = [\"servo.y\"]\n\
                 objects.boom.mass = {{ m = 3, center = [0.2, 0, 0], inertia = [0.1, 0.1, 0.1] }}\n\
                 joints.hinge = {{ type = \"revolute\", from = \"world\", to = \"boom\", axis = \"y\", torque = \"servo.y\" }}\n\
                 components.servo = {{ type = \"pid\", u = \"0.5 - hinge.phi\", k = {gain}, T_i = 0.5, T_d = {derivative}, max = 30 }}\n"
            ),
        );
        let table = desk.works("equilibrium Servo.toml -o rest.toml");
        assert!(table.contains("0.500000 rad"), "{gain} {derivative}: {table}");
        desk.works("simulate Servo.toml --from rest.toml --stop 0.1 -o run.csv");
        let last = rows(&desk.text("run.csv")).pop().unwrap();
        assert!((last[1] + 3.0 * 9.81 * 0.2 * 0.5_f64.cos()).abs() < 1e-5, "{gain}: {last:?}");
    }
}

#[test]
fn an_input_that_drives_a_loop_is_trimmed() {
    let desk = Desk::new();
    // A crank of 1 m drives a rocker of 2 m by a rod of 2 m; the pivots are 2 m apart.
    desk.write(
        "Linkage.toml",
        "name = \"Linkage\"\ngravity = [0, -9.81, 0]\ninputs.u = { unit = \"rad\", start = 1.2 }\noutputs = [\"rocker.phi\"]\n\
         [objects]\npivot = { fixed = true, r = [2, 0, 0] }\ntip = { parent = \"crank\", r = [1, 0, 0] }\n\
         joint = { parent = \"rod\", r = [2, 0, 0] }\nhead = { parent = \"lever\", r = [2, 0, 0] }\n\
         crank.mass = { m = 1, inertia = [1, 1, 1] }\nrod.mass = { m = 1, inertia = [1, 1, 1] }\nlever.mass = { m = 1, inertia = [1, 1, 1] }\n\
         [joints]\nhinge = { type = \"revolute\", from = \"world\", to = \"crank\", axis = \"z\", motion = \"u\" }\n\
         knee = { type = \"revolute\", from = \"tip\", to = \"rod\", axis = \"z\", phi = { guess = -0.8 } }\n\
         rocker = { type = \"revolute\", from = \"pivot\", to = \"lever\", axis = \"z\", phi = { guess = 1.5 } }\n\
         closing = { type = \"revolute\", from = \"joint\", to = \"head\", axis = \"z\" }\n",
    );
    desk.works("equilibrium Linkage.toml --trim u --for rocker.phi=1.5 -o rest.toml");
    let text = desk.text("rest.toml");
    let line = text.lines().find(|line| line.starts_with("\"u\"")).unwrap();
    let u: f64 = line.split(" = ").nth(1).unwrap().parse().unwrap();
    let gap = [2.0 + 2.0 * 1.5_f64.cos() - u.cos(), 2.0 * 1.5_f64.sin() - u.sin()];
    assert!((gap[0].hypot(gap[1]) - 2.0).abs() < 1e-9, "{u}");
    let beyond = ["`rocker.phi` is", "instead of 0.2 rad", "`u` cannot bring it there"];
    desk.fails("equilibrium Linkage.toml --trim u --for rocker.phi=0.2", 1, &beyond);
    let few = "2 values are prescribed, but fewer inputs are trimmed (`u`): trim as many, or prescribe fewer values";
    desk.fails("equilibrium Linkage.toml --trim u --for rocker.phi=1.5 --for closing.phi=0.1", 1, &[few]);
}

#[test]
fn a_force_on_what_friction_holds_is_trimmed() {
    let desk = Desk::new();
    for stiction in [false, true] {
        desk.write(
            "Press.toml",
            &format!(
                "name = \"Press\"\ngravity = [0, 0, -10]\ninputs.F = {{ unit = \"N\", start = 20 }}\n\
                 outputs = [\"contact.table_block.f_n\"]\n\
                 [[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\nmu_k = 0.4\ncor = 0.3\nstiction = {stiction}\n\
                 [objects.table]\nfixed = true\nsolid = {{ shape = \"box\", lengths = [1, 1, 0.1], r = [0, 0, -0.05], material = \"Steel\", collides = true }}\n\
                 [objects.block]\nfree = true\nr = [0, 0, 0.05]\n\
                 solid = {{ shape = \"box\", lengths = [0.1, 0.1, 0.1], mass = 0.5, material = \"Steel\", collides = true }}\n\
                 [forces]\npush = {{ type = \"world\", at = \"block\", force = [0, 0, \"-F\"] }}\n\
                 pull = {{ type = \"world\", at = \"block\", force = [1.5, 0, 0] }}\n"
            ),
        );
        let table = desk.works("equilibrium Press.toml --trim F --for contact.table_block.f_n=30");
        let line = table.lines().find(|line| line.starts_with("F ")).unwrap();
        let force: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!((force - 25.0).abs() < 1e-5, "{table}");
        assert!(table.contains("held by friction"), "{table}");
    }
}

#[test]
fn what_friction_holds_is_told_from_what_rests_by_itself() {
    let desk = Desk::new();
    desk.write(
        "Slope.toml",
        "name = \"Slope\"\ngravity = [2, 0, -9.6]\noutputs = [\"box.r_abs\"]\n\
         [[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\nmu_k = 0.4\ncor = 0.3\nstiction = true\n\
         [objects.ground]\nfixed = true\nsolid = { shape = \"half_space\", material = \"Steel\", collides = true }\n\
         [objects.box]\nfree = true\nr = [0, 0, 0.05]\n\
         solid = { shape = \"box\", lengths = [0.1, 0.1, 0.1], material = \"Steel\", collides = true }\n",
    );
    let table = desk.works("equilibrium Slope.toml");
    let role = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(role("box.r_abs[1]").ends_with("held by friction"), "{table}");
    assert!(role("box.r_abs[3]").ends_with("  found"), "{table}");
}

/// A cart of 200 kg on four wheels of soft rubber, driven against the wind.
const DRIVEN_CART: &str = r#"
name = "Cart"
gravity = [0, 0, -9.81]
outputs = ["frame.v_abs", "corner[1].axle.w"]
inputs.torque = { unit = "N.m" }
parameters.drag = { value = 20, unit = "N.s/m" }
materials.Tyre = { density = 400, youngs_modulus = 2e6, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Tyre", "Tyre"]
relaxation = 0.004
mu_k = 0.8
v_min = 0.05
[objects.road]
fixed = true
r = [0, 0, -0.5]
solid = { shape = "box", lengths = [400, 40, 1], material = "Tyre", collides = true }
[objects.frame]
r = [0, 0, 0.35]
free = { v = [15, 0, 0] }
mass = { m = 140, inertia = [20, 40, 50] }
[forces.wind]
type = "world"
at = "frame"
force = ["-drag*frame.v_abs[1]", 0, 0]
[assemblies.Corner.objects.wheel]
solid = { shape = "cylinder", axis = "y", diameter = 0.6, length = 0.2, material = "Tyre", mass = 15, collides = true, group = "wheels", collides_with = ["default"] }
[assemblies.Corner.joints]
axle = { type = "revolute", from = "origin", to = "wheel", axis = "y", torque = "torque" }
[instances.corner]
assembly = "Corner"
parent = "frame"
count = 4
r = ["if i < 3 then 1 else -1", "if mod(i,2) == 0 then 0.7 else -0.7", -0.05]
"#;

#[test]
fn a_cart_is_driven_steadily_with_wheels_whose_speeds_are_found() {
    let desk = Desk::new();
    desk.write("Cart.toml", DRIVEN_CART);
    let command = "equilibrium Cart.toml --steady frame.r_abs[1] --speed *.phi --trim torque -o rest.toml";
    let table = desk.works(command);
    assert!(table.matches("speed found").count() == 4 && table.contains("trimmed"), "{table}");
    desk.works("simulate Cart.toml --from rest.toml --stop 1 -o run.csv");
    let rows = rows(&desk.text("run.csv"));
    let (first, last) = (&rows[0], rows.last().unwrap());
    for (a, b) in first.iter().zip(last).skip(1) {
        assert!((a - b).abs() < 1e-3 * (1.0 + a.abs()), "{first:?} {last:?}");
    }
    assert!((first[2] - 15.0).abs() < 1e-12 && first[1] > 50.0 && first[1] < 54.0, "{first:?}");
}

#[test]
fn clutches_lock_where_both_sides_turn_alike() {
    let desk = Desk::new();
    desk.write(
        "Drive.toml",
        r#"
        name = "Drive"
        outputs = ["engine.w", "wheel.w"]
        inputs = { torque = { start = 10, unit = "N.m" }, pedal = { start = 1, min = 0, max = 1 } }
        components.engine = { type = "inertia", J = 0.1, w = 100 }
        components.motor = { type = "torque", tau = "torque", flange = "engine" }
        components.wheel = { type = "inertia", J = 1 }
        components.drag = { type = "damper", damping = 0.1, a = "wheel", b = "ground" }
        components.clutch = { type = "clutch", u = "pedal", sliding = 50, a = "engine", b = "wheel" }
        "#,
    );
    // Sliding forward the clutch drives the wheel to 500 rad/s, backward to -500: it holds at 100.
    let trimmed = desk.works("equilibrium Drive.toml --steady engine.w --speed wheel.w --trim torque");
    assert!(trimmed.contains("10.00000 N.m") && trimmed.matches("100.0000 rad/s").count() == 2, "{trimmed}");
    let found = desk.works("equilibrium Drive.toml --speed engine.w --speed wheel.w");
    assert!(found.matches("100.00000 rad/s").count() == 2, "{found}");
    // Pressed lightly it slides, and drives the wheel with 5 N.m only.
    let slides = desk.works("equilibrium Drive.toml --steady engine.w --speed wheel.w --trim torque --set pedal=0.1");
    assert!(slides.contains("50.00000 rad/s") && slides.contains("5.000000 N.m"), "{slides}");
    desk.fails("equilibrium Drive.toml", 1, &["`engine.phi` cannot rest", "rad/s", "let `engine.w` be steady"]);
}

/// A truck pulls a trailer by a bar of spring and damper.
const TRUCK: &str = r#"
name = "Truck"
gravity = [0, 0, 0]
experiment.stop = 1
inputs.F = { unit = "N" }
objects.truck.mass = { m = 1000, inertia = [1, 1, 1] }
objects.trailer.mass = { m = 500, inertia = [1, 1, 1] }
joints.a = { type = "prismatic", from = "world", to = "truck", axis = "x", v = 20, force = "F" }
joints.b = { type = "prismatic", from = "FROM", to = "trailer", axis = "x", s = -5 }
forces.bar = { type = "spring-damper", from = "truck", to = "trailer", stiffness = 10000, damping = 500, rest_length = 5 }
forces.air = { type = "world", at = "trailer", force = ["-200", 0, 0] }
"#;

#[test]
fn a_motion_that_is_steady_for_an_instant_only_is_noted() {
    let desk = Desk::new();
    desk.write("Apart/model.toml", &TRUCK.replace("FROM", "world"));
    let apart = desk.works("equilibrium Apart --steady a --speed b --trim F");
    assert!(apart.contains("steady at the start only") && apart.contains("m/s²"), "{apart}");
    // One position is measured from the other: it is found.
    desk.write("Together/model.toml", &TRUCK.replace("FROM", "truck"));
    let together = desk.works("equilibrium Together --steady a --trim F");
    assert!(!together.contains("steady at the start only"), "{together}");
    assert!(together.contains("-5.020000 m") && together.contains("200.0000 N"), "{together}");
}

#[test]
fn contradictory_conditions_and_prescribed_coordinates_are_named() {
    let desk = crane();
    desk.fails("equilibrium Crane --fix boom --steady boom", 2, &["`boom` is in --fix and in --steady"]);
    let two = "equilibrium Crane --trim motor --for boom.phi=0.2 --for boom.phi=0.3";
    desk.fails(two, 2, &["--for gives `boom.phi` two values, 0.2 and 0.3"]);
    desk.write("Led/model.toml", &CRANE.replace("phi = 0.3, torque = \"motor\"", "motion = \"0.3\""));
    desk.fails("equilibrium Led --fix boom", 1, &["`boom` is no coordinate that is to be found", "prescribed motion"]);
}

#[test]
fn springs_keep_the_length_of_the_declared_start() {
    let desk = Desk::new();
    desk.write(
        "hang.toml",
        "name = \"Hang\"\ngravity = [0, 0, -9.81]\noutputs = [\"load.r_abs\"]\n\
         objects.load = { free = true, r = [0, 0, -1], mass = { m = 2, inertia = [0.1, 0.1, 0.1] } }\n\
         forces.rope = { type = \"spring-damper\", from = \"world\", to = \"load\", stiffness = 100, damping = 5 }\n",
    );
    desk.works("equilibrium hang.toml -o rest.toml");
    assert!(desk.text("rest.toml").contains("\"rope.rest_length\" = 1.0\n"), "{}", desk.text("rest.toml"));
    desk.works("simulate hang.toml --from rest.toml --stop 1 -o run.csv");
    let height = -1.0 - 2.0 * 9.81 / 100.0;
    for row in rows(&desk.text("run.csv")) {
        assert!((row[3] - height).abs() < 1e-7, "{row:?}");
    }
    desk.write("long.toml", "start.\"rope.rest_length\" = [1, 2]\n");
    desk.fails("simulate hang.toml --from long.toml", 1, &["`rope.rest_length` has 2 numbers, but must have 1"]);
}

#[test]
fn what_sticks_at_the_start_follows_from_the_inputs_that_are_set() {
    let desk = Desk::new();
    desk.write(
        "Hoist.toml",
        "name = \"Hoist\"\ngravity = [0, 0, -9.81]\noutputs = [\"z.s\"]\ninputs.u = { start = 0 }\nobjects.load.mass = 20\n\
         joints.z = { type = \"prismatic\", from = \"world\", to = \"load\", axis = \"z\" }\n\
         components.brake = { type = \"brake\", u = \"u\", sliding = 500, a = \"z\", motion = \"translation\" }\n",
    );
    let table = desk.works("equilibrium Hoist.toml --set u=1");
    assert!(table.contains("indifferent"), "{table}");
    assert!(desk.works("linearize Hoist.toml --set u=1").contains("States: none"));
    assert!(desk.works("linearize Hoist.toml").contains("States: z.s, z.v"));
    // Nothing runs, so that the stop time, 1 s, is no limit.
    assert!(desk.works("equilibrium Hoist.toml --set u=1 --start 3").contains("indifferent"));
    assert!(desk.works("linearize Hoist.toml --set u=1 --equilibrium --start 3").contains("States: none"));
}

#[test]
fn long_chains_hang_straight_down_and_between_supports() {
    let desk = Desk::new();
    let chain = |count: usize, axis: &str| {
        format!(
            "name = \"Chain\"\ngravity = [0, 0, -9.81]\n\
             [assemblies.L]\n\
             objects.link = {{ mass = {{ m = 1, center = [0.25, 0, 0], inertia = [0.001, 0.02, 0.02] }} }}\n\
             objects.end = {{ parent = \"link\", r = [0.5, 0, 0] }}\n\
             joints.j = {{ type = \"revolute\", from = \"origin\", to = \"link\", axis = \"{axis}\", phi = {{ guess = 0.02 }} }}\n\
             [instances.c]\nassembly = \"L\"\ncount = {count}\nchain = \"end\"\n"
        )
    };
    for count in [25, 70] {
        desk.write("Chain.toml", &chain(count, "y"));
        let table = desk.works("equilibrium Chain.toml");
        let angle = |line: &str| -> f64 { line.split_whitespace().nth(1).unwrap().parse().unwrap() };
        let angles: Vec<f64> = table.lines().filter(|line| line.starts_with("c[")).map(angle).collect();
        assert_eq!(angles.len(), count);
        assert!((angles[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-6, "{table}");
        assert!(angles[1..].iter().all(|angle| angle.abs() < 1e-6), "{table}");
    }
    // 40 links of 0.5 m between supports 16 m apart: symmetric, and hanging.
    let closed = "[objects.post]\nfixed = true\nr = [16, 0, 0]\n\
                  [joints.close]\ntype = \"revolute\"\nfrom = \"post\"\nto = \"c[40].end\"\naxis = \"-y\"\n";
    desk.write("Chain.toml", &(chain(40, "-y") + closed));
    let table = desk.works("equilibrium Chain.toml");
    let angle = |k: usize| -> f64 {
        let name = format!("c[{k}].j.phi ");
        let line = table.lines().find(|line| line.starts_with(&name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // About -y links turn upwards: the first one hangs down, all others turn up by the same angles from both ends.
    assert!(angle(1) < -0.9, "{table}");
    for k in 2..=20 {
        assert!(angle(k) > 0.0 && (angle(k) - angle(42 - k)).abs() < 2e-6, "{k}: {table}");
    }
}

#[test]
fn singular_positions_and_names_of_two_things_are_pointed_out() {
    let desk = Desk::new();
    desk.write(
        "Shadow.toml",
        "name = \"Shadow\"\ninputs.w = { start = 5 }\nobjects.rod.mass = { m = 1, inertia = [0.1, 0.1, 0.1] }\n\
         joints.hinge = { type = \"revolute\", from = \"world\", to = \"rod\", axis = \"z\", spring = 50, torque = \"w\" }\n",
    );
    let said = desk.works("check Shadow.toml");
    assert_eq!(said.matches("`w` is the coordinate, not the input of that name").count(), 1, "{said}");
    let shadow = desk.text("Shadow.toml").replace("inputs.w = { start = 5 }", "parameters.w = 5");
    desk.write("Shadow.toml", &shadow);
    let said = desk.works("check Shadow.toml");
    assert_eq!(said.matches("`w` is the parameter, not the coordinate of that name").count(), 1, "{said}");
}

#[test]
fn inputs_without_effect_at_their_start_begin_at_other_values() {
    let desk = Desk::new();
    let with = |input: &str, force: &str| {
        let text = format!(
            "name = \"Lift\"\ngravity = [0, 0, -9.81]\ninputs.u = {{ {input} }}\nobjects.m = {{ mass = 10 }}\n\
             joints.z = {{ type = \"prismatic\", from = \"world\", to = \"m\", axis = \"z\", force = \"{force}\" }}\n"
        );
        desk.write("Lift.toml", &text);
    };
    // 98.1 N by the thrust 4e-5 n², behind a dead band of 5, and of a hat of 200 N about 37.3.
    let thrust = format!("{:.3}", (98.1_f64 / 4e-5).sqrt());
    for (input, force, value) in [
        ("start = 0, min = 0, max = 10000", "4e-5*u^2", thrust.as_str()),
        ("start = 0", "4e-5*u^2", &thrust),
        ("start = 0, min = 0, max = 50", "20*max(0, u - 5)", "9.90500"),
        ("start = 3", "20*max(0, u - 5)", "9.90500"),
        ("start = 3", "20*max(0, -u - 5)", "-9.90500"),
    ] {
        with(input, force);
        let found = desk.works("equilibrium Lift.toml --fix z.s --trim u");
        assert!(found.contains(value), "{input}, {force}: {found} instead of {value}");
    }
    with("start = 0", "200*max(0, 1 - abs(u - 37.3))");
    let idle = ["`u` has no effect at its start value 0", "`--set u="];
    desk.fails("equilibrium Lift.toml --fix z.s --trim u", 1, &idle);
    let found = desk.works("equilibrium Lift.toml --fix z.s --trim u --set u=37");
    assert!(found.contains("36.79050"), "{found}");
    // A limiter that starts at its limit: 100 u = 98.1 N.
    desk.write(
        "Limited.toml",
        "name = \"Limited\"\ngravity = [0, 0, -9.81]\ninputs.u = { start = 100 }\nobjects.m = { mass = 10 }\n\
         joints.z = { type = \"prismatic\", from = \"world\", to = \"m\", axis = \"z\", force = \"100*lim.y\" }\n\
         components.lim = { type = \"limiter\", u = \"u\", max = 2 }\n",
    );
    let found = desk.works("equilibrium Limited.toml --fix z.s --trim u");
    assert!(found.contains("0.981000"), "{found}");
}

#[test]
fn parameters_are_trimmed_at_the_prescribed_position() {
    let desk = Desk::new();
    // Upright, the start values lead to phi = 0 as long as k > 2 9.81; 0.5 k = 2 9.81 sin 0.5 holds it at 0.5 rad.
    desk.write(
        "Upright.toml",
        "name = \"Upright\"\ngravity = [0, 0, -9.81]\nparameters.k = 20\n\
         objects.p.mass = { m = 2, center = [0, 0, 1], inertia = [0.1, 0.1, 0.1] }\n\
         joints.h = { type = \"revolute\", from = \"world\", to = \"p\", axis = \"y\", phi = 0.2, spring = \"k\" }\n",
    );
    let stiffness = format!("{:.5}", 2.0 * 9.81 * 0.5_f64.sin() / 0.5);
    for start in ["", " --set k=18.8", " --set k=1", " --set k=500"] {
        let found = desk.works(&format!("equilibrium Upright.toml --trim k --for h.phi=0.5{start}"));
        assert!(found.contains(&stiffness) && found.contains("0.500000 rad"), "{found} instead of {stiffness}");
    }
    // A moment of 4 9.81 cos(0.5) on a lever whose length is sought, with 1000 N across it.
    desk.write(
        "Lever.toml",
        "name = \"Lever\"\ngravity = [0, 0, -9.81]\nparameters.a = 0.001\n\
         objects.p.mass = { m = 4, center = [1, 0, 0], inertia = [0.1, 0.1, 0.1] }\n\
         joints.h = { type = \"revolute\", from = \"world\", to = \"p\", axis = \"-y\", phi = 0.5, torque = \"1000*a\" }\n",
    );
    let lever = format!("{:.6}", 4.0 * 9.81 * 0.5_f64.cos() / 1000.0);
    let found = desk.works("equilibrium Lever.toml --trim a --for h.phi=0.5");
    assert!(found.contains(&lever), "{found} instead of {lever}");
}

/// A boom that a cylinder can only push, behind its upper dead centre of weight.
const LUFFING: &str = r#"
name = "Luffing"
gravity = [0, 0, -9.81]
inputs.p = { start = 1000, min = 0, max = 1e5, unit = "N.m" }
[objects.arm]
mass = { m = 100, center = [3, 0, 0], inertia = [1, 1, 1] }
[joints.boom]
type = "revolute"
from = "world"
to = "arm"
axis = "-y"
phi = 0.5
damping = 5
torque = "p"
"#;

#[test]
fn an_input_beyond_its_range_is_named_with_prescribed_values_too() {
    let desk = Desk::new();
    desk.write("Luffing.toml", LUFFING);
    // 100 kg at 3 m, 1.7 rad above the horizontal: it pulls back with 300 g cos(1.7).
    let needed = 300.0 * 9.81 * 1.7_f64.cos();
    let says = format!("the equilibrium needs `p` = {needed:.3}");
    desk.fails(
        "equilibrium Luffing.toml --trim p --for boom.phi=1.7",
        1,
        &[&says, "N.m, below its minimum of 0 N.m", "Luffing.toml:4:8"],
    );
    desk.works("equilibrium Luffing.toml --trim p --for boom.phi=1.5");
}

#[test]
fn an_object_in_place_of_a_coordinate_is_answered_with_what_moves_it() {
    let desk = crane();
    let says = ["`arm` is an object, no coordinate: it moves on `boom`", "name the coordinate `boom.phi`"];
    desk.fails("equilibrium Crane --fix arm", 1, &says);
    desk.works("equilibrium Crane --fix boom.phi --trim motor");
    desk.fails("equilibrium Crane --fix tip", 1, &["`tip` is an object, no coordinate: it moves on `boom`"]);
    let of_arm = ["`load.r_abs[2]` is a variable of the object `load`", "`rope.s`"];
    desk.fails("equilibrium Crane --fix load.r_abs[2]", 1, &of_arm);
    desk.fails("equilibrium Crane --fix motor", 1, &["`motor` is an input, no coordinate", "`--trim`"]);
    desk.fails("equilibrium Crane --fix c", 1, &["`c` is a parameter, no coordinate"]);
    desk.write(
        "Moved.toml",
        "name = \"Moved\"\nobjects = { a.mass = 1, b = { fixed = true }, c.mass = { m = 1, inertia = [1, 1, 1] } }\n\
         joints.j = { type = \"prismatic\", from = \"world\", to = \"a\", axis = \"x\", motion = \"0.1\" }\n\
         joints.k = { type = \"planar\", from = \"world\", to = \"c\", normal = \"z\", axis = \"x\" }\n",
    );
    desk.fails("equilibrium Moved.toml --fix a", 1, &["a prescribed motion of the joint `j` moves it"]);
    desk.fails("equilibrium Moved.toml --fix b", 1, &["`b` is an object, which rests in the world"]);
    desk.fails(
        "equilibrium Moved.toml --fix c",
        1,
        &["name `k`, or one of its coordinates `k.s[1]`, `k.s[2]`, `k.phi`"],
    );
    desk.works("equilibrium Moved.toml --fix k");
}

#[test]
fn speeds_that_nothing_determines_are_called_so() {
    let desk = Desk::new();
    desk.write(
        "Gyro.toml",
        r#"
        name = "Gyro"
        gravity = [0, 0, -9.81]
        [objects]
        yoke.mass = { m = 0.001, inertia = [1e-6, 1e-6, 1e-6] }
        frame.mass = { m = 0.001, inertia = [1e-6, 1e-6, 1e-6] }
        rotor.mass = { m = 1, center = [0.2, 0, 0], inertia = [0.01, 0.005, 0.005] }
        [joints]
        prec = { type = "revolute", from = "world", to = "yoke", axis = "z", w = 1 }
        nut = { type = "revolute", from = "yoke", to = "frame", axis = "-y", phi = 0.3 }
        spin = { type = "revolute", from = "frame", to = "rotor", axis = "x", w = 200 }
        "#,
    );
    let found = desk.works("equilibrium Gyro.toml --speed prec,spin --fix nut.phi");
    assert!(found.matches("speed indifferent").count() == 1 && found.matches("speed found").count() == 1, "{found}");
    assert!(found.contains("Indifferent: spin.w. Nothing determines its value"), "{found}");
    let found = desk.works("equilibrium Gyro.toml --speed prec --steady spin --fix nut.phi");
    assert!(!found.contains("ndifferent"), "{found}");
    desk.write(
        "Drive.toml",
        r#"
        name = "Drive"
        inputs.wref.start = 50
        components.mot = { type = "dc-motor", v = "c.y", R = 1, L = 0.01, k = 0.2, J = 0.01, w = 50 }
        components.c = { type = "pi", u = "wref - mot.w", k = 2, T = 0.1 }
        components.l = { type = "torque", tau = "-3 - 0.01*mot.w", flange = "mot" }
        "#,
    );
    let found = desk.works("equilibrium Drive.toml --speed mot.w --trim wref");
    assert!(found.contains("more is trimmed (wref)"), "{found}");
    // Not -60 rad/s, at which the integrator would be where it starts.
    assert!(found.contains("mot.w    50.00000 rad/s") && found.contains("wref           50.00000"), "{found}");
    let found = desk.works("equilibrium Drive.toml --speed mot.w --trim wref --set wref=17*pi");
    assert!(found.contains("mot.w    53.40708 rad/s"), "{found}");
    let found = desk.works("equilibrium Drive.toml --steady mot.w --trim wref");
    assert!(!found.contains("more is trimmed"), "{found}");
}

#[test]
fn names_and_values_of_trims_are_what_a_user_means() {
    let desk = crane();
    let twice = desk.works("equilibrium Crane --fix boom.phi --trim motor,motor");
    assert_eq!((twice.matches("motor").count(), twice.contains("more is trimmed")), (1, false), "{twice}");
    desk.fails("equilibrium Crane --trim foo", 1, &["no parameter or input `foo`", "variables: `c`, `motor`"]);
    assert!(!desk.run("equilibrium Crane --trim foo").err.contains("max_work"));
    desk.fails("equilibrium Crane --trim max_work --for rope.s=1", 1, &["`max_work` cannot be trimmed"]);
    let found = desk.works("equilibrium Crane --trim motor --for boom.phi=deg(30)");
    assert!(found.contains("0.523599 rad"), "{found}");
    desk.works("equilibrium Crane --trim c --for rope.s=1.1 --set motor=2*99.081");
    desk.fails("equilibrium Crane --trim motor --for boom.phi=30deg", 2, &["--for needs NAME=VALUE", "deg(20)"]);
    let linear = desk.works("linearize Crane --inputs *");
    assert!(linear.contains("\nInputs: motor\n"), "{linear}");
    desk.fails("linearize Crane --inputs boom.phi", 1, &["`boom.phi` is no input"]);
}

#[test]
fn states_of_components_are_shown_where_the_component_is_declared() {
    let desk = Desk::new();
    desk.write(
        "Fan.toml",
        "name = \"Fan\"\noutputs = [\"engine.w\"]\ncomponents.engine = { type = \"inertia\", J = 2, w = 10 }\n\
         components.air = { type = \"torque\", tau = \"-2\", flange = \"engine\" }\n",
    );
    desk.fails("equilibrium Fan.toml --steady engine.w", 1, &["`engine.w` cannot stay", "Fan.toml:3:12"]);
    desk.fails("equilibrium Fan.toml", 1, &["`engine.", "Fan.toml:3:12"]);
}

#[test]
fn rounding_errors_of_positions_are_shown_as_zero() {
    let desk = Desk::new();
    desk.write(
        "Spring.toml",
        "name = \"Spring\"\ngravity = \"none\"\nobjects.m.mass = 1\n\
         joints.x = { type = \"prismatic\", from = \"world\", to = \"m\", axis = \"x\", s = 0.7, force = \"-100*s - 20*s^3\" }\n",
    );
    let found = desk.works("equilibrium Spring.toml");
    assert!(found.lines().nth(1).is_some_and(|line| line.contains(" 0 m ")), "{found}");
}

#[test]
fn a_start_that_is_an_equilibrium_for_any_value_is_told_in_the_right_number() {
    let desk = Desk::new();
    let ball = "name = \"Ball\"\nexperiment = { start = \"equilibrium\" }\ngravity = \"none\"\nobjects.m.mass = 1\n\
                joints.x = { type = \"prismatic\", from = \"world\", to = \"m\", axis = \"x\" }\n";
    desk.write("Ball.toml", ball);
    let said = desk.works("check Ball.toml");
    assert!(said.contains("for any value of `x.s`: it keeps its declared start value"), "{said}");
    desk.write(
        "Ball.toml",
        &format!(
            "{ball}objects.n.mass = 1\n{}\n",
            ball.lines().last().unwrap().replace("s.x", "s.y").replace("\"m\"", "\"n\"")
        ),
    );
    let said = desk.works("check Ball.toml");
    assert!(said.contains("for any value of `x.s`, `y.s`: they keep their declared start values"), "{said}");
}

#[test]
fn motions_that_move_at_the_start_are_pointed_out_once() {
    let desk = Desk::new();
    desk.write(
        "Moves.toml",
        "name = \"Moves\"\nexperiment = { start = \"equilibrium\" }\nobjects = { a.mass = 1, b.mass = 1 }\n\
         joints.j = { type = \"prismatic\", from = \"world\", to = \"a\", axis = \"x\", motion = \"0.1*time\" }\n\
         joints.k = { type = \"prismatic\", from = \"a\", to = \"b\", axis = \"x\", spring = 10 }\n",
    );
    let ran = desk.run("check Moves.toml");
    assert_eq!(
        format!("{}{}", ran.out, ran.err).matches("motions move at the start").count(),
        1,
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_linear_model_at_an_equilibrium_that_friction_holds_does_not_advise_one() {
    let desk = Desk::new();
    desk.write(
        "Slope.toml",
        r#"
        name = "Slope"
        gravity = [1, 0, -9.81]
        [[material_pairs]]
        materials = ["Steel", "Steel"]
        cor = 0.3
        mu_k = 0.5
        stiction = true
        [objects]
        road = { fixed = true, solid = { shape = "half_space", material = "Steel", massless = true, collides = true } }
        box = { free = true, r = [0, 0, 0.05], solid = { shape = "box", lengths = [0.4, 0.4, 0.1], material = "Steel", collides = true } }
        "#,
    );
    let said = desk.works("linearize Slope.toml --equilibrium");
    assert!(said.contains("rates do not vanish") && said.contains("Friction takes that up"), "{said}");
    assert!(!said.contains("`--equilibrium`"), "{said}");
    assert!(desk.works("linearize Slope.toml").contains("`--equilibrium` goes to one"));
}
