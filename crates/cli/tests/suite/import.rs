//! Robots in and out.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::Desk;

const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 -0.5"/><geometry><box size="0.05 0.05 1"/></geometry></visual>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><dynamics damping="0.1"/>
  </joint>
  <transmission name="drive"/>
</robot>
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("arm.urdf", ARM);
    desk
}

#[test]
fn a_robot_becomes_a_folder() {
    let desk = desk();
    let ran = desk.run("import arm.urdf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("wrote arm/model.toml\nNext:\n  mbfmu check arm\n"), "{}", ran.out);
    assert_eq!(
        ran.err,
        "note: arm.urdf:10: <transmission \"drive\">: ignored: every joint gets the drive that `--drive` says\n"
    );
    assert!(desk.works("check arm").contains("arm: 1 body, 1 joint, 2 states"));
    desk.fails("import arm.urdf", 1, &["arm/model.toml exists already; nothing was changed", "-o"]);
    desk.works("import arm.urdf -o Other --drive position --base floating --no-limits --shapes none");
    let text = desk.text("Other/model.toml");
    assert!(text.contains("hinge_phi_ref") && text.contains("free = true") && !text.contains("shape ="), "{text}");
}

#[test]
fn commands_take_a_robot_directly_and_do_the_same() {
    let desk = desk();
    desk.works("import arm.urdf");
    let folder = desk.works("simulate arm --set hinge_tau=3 -o -");
    let ran = desk.run("simulate arm.urdf --set hinge_tau=3 -o -");
    assert_eq!(ran.out, folder);
    assert_eq!(ran.err, "note: 1 remark on what was not taken over; `mbfmu check arm.urdf` lists them\n");
    assert!(desk.works("check arm.urdf").starts_with("note: arm.urdf:10: <transmission"));
    desk.works("view arm.urdf --stop 0.1");
    desk.works("pack arm.urdf");
    assert_eq!(desk.works("simulate arm.fmu --set hinge_tau=3 -o -"), folder);
}

#[test]
fn errors_stand_in_the_description() {
    let desk = desk();
    desk.write("bad.urdf", &ARM.replace("<child link=\"rod\"/>", "<child link=\"rood\"/>"));
    desk.fails("check bad.urdf", 1, &["there is no link `rood`", "bad.urdf:8:", "did you mean `rod`?"]);
    // What only the engine finds: a body that nothing holds in one direction has no inertia there.
    desk.write(
        "idle.urdf",
        &ARM.replace("ixx=\"0.2\" iyy=\"0.2\" izz=\"0.01\"", "ixx=\"0\" iyy=\"0\" izz=\"0\"")
            .replace("0 0 -0.5", "0 0.5 0"),
    );
    desk.fails("check idle.urdf", 1, &["hinge"]);
}

/// Numbers of a table, without its heading.
fn values(csv: &str) -> Vec<f64> {
    csv.lines().skip(1).flat_map(|line| line.split(',')).map(|cell| cell.parse().unwrap()).collect()
}

/// Names and numbers of a table.
fn table(csv: &str) -> (Vec<&str>, Vec<Vec<f64>>) {
    let mut lines = csv.lines();
    let heading = lines.next().unwrap().split(',').collect();
    (heading, lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect())
}

/// The motion of a description is the one on record, which another program has computed
/// (`tests/robots/test_recorded.py`).
fn moves_as_recorded(name: &str, description: &str, recorded: &str) {
    let desk = Desk::new();
    desk.write(name, description);
    desk.works(&format!("import {name} --drive none --no-limits --shapes none -o model"));
    let (heading, rows) = table(recorded);
    assert!(rows.len() == 10 && rows[9].iter().any(|value| value.abs() > 1.0));
    let csv = desk.works(&format!(
        "simulate model --outputs {} --stop 1 --step 0.1 --tolerance 1e-11 -o -",
        heading[1..].join(",")
    ));
    let (ours, found) = table(&csv);
    assert_eq!(ours, heading);
    for (row, wanted) in found[1..].iter().zip(&rows) {
        for (name, (found, wanted)) in heading.iter().zip(row.iter().zip(wanted)) {
            assert!((found - wanted).abs() < 1e-7, "{name} at {}: {found} and {wanted}", row[0]);
        }
    }
}

#[test]
fn a_urdf_moves_as_pinocchio_says() {
    moves_as_recorded("bent.urdf", BENT, include_str!("../data/bent.csv"));
}

#[test]
fn an_mjcf_moves_as_mujoco_says() {
    moves_as_recorded("legs.xml", include_str!("../data/legs.xml"), include_str!("../data/legs.csv"));
}

/// Places, axes and inertias that are all turned, a slide, dampers.
const BENT: &str = include_str!("../data/bent.urdf");

#[test]
fn a_robot_that_is_exported_and_imported_again_moves_as_before() {
    let desk = Desk::new();
    desk.write("bent.urdf", BENT);
    desk.works("import bent.urdf --drive none");
    let run = |model: &str| {
        let outputs = "--outputs hinge.phi,slide.s,wrist.phi --stop 1 --step 0.01 --tolerance 1e-10";
        values(&desk.works(&format!("simulate {model} {outputs} -o -")))
    };
    let before = run("bent");
    assert!(before.len() > 400 && before.iter().any(|value| value.abs() > 0.5));
    for file in ["back.urdf", "back.xml"] {
        desk.works(&format!("export bent -o {file}"));
        let folder = file.replace('.', "_");
        desk.works(&format!("import {file} --drive none -o {folder}"));
        let after = run(&folder);
        assert_eq!(before.len(), after.len(), "{file}");
        for (place, (a, b)) in before.iter().zip(&after).enumerate() {
            assert!((a - b).abs() < 1e-7, "{file}, number {place}: {a} and {b}");
        }
    }
}

#[test]
fn an_export_says_what_it_leaves_out() {
    let desk = Desk::with_pendulum();
    let ran = desk.run("export Pendulum -o back.urdf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("note: gravity, which a URDF does not have"), "{}", ran.err);
    assert!(ran.err.contains("hinge: its start value is left out"), "{}", ran.err);
    desk.works("export Pendulum -o back.xml");
    let text = desk.text("back.xml");
    assert!(text.contains("gravity=\"0 -9.81 0\"") && text.contains("<key name=\"start\" qpos=\"1.047"), "{text}");
    desk.fails("export Pendulum -o back.stl", 2, &["must end with .urdf or .xml"]);
}

/// Models with loops, and the joints that are more than a tree needs.
const LOOPS: [(&str, usize); 9] = [
    ("AndrewsSqueezer", 3),
    ("BricardLinkage", 1),
    ("DoubleWishbone", 2),
    ("FourBar", 1),
    ("FourBar2", 1),
    ("MoveFourBar", 1),
    ("NFourBar", 1),
    ("SliderCrank", 1),
    ("StewartPlatform", 5),
];

#[test]
fn every_loop_is_closed_in_mjcf_and_listed_for_a_urdf() {
    let desk = Desk::new();
    for (model, closures) in LOOPS {
        let folder = format!("{}/../../fmus/{model}", env!("CARGO_MANIFEST_DIR"));
        let ran = desk.run(&format!("export {folder} -o out.xml"));
        assert_eq!(ran.code, 0, "{model}: {}", ran.err);
        let text = desk.text("out.xml");
        let closing = text.lines().filter(|line| line.contains("<connect") || line.contains("<weld"));
        let equations = closing.filter(|line| !line.contains("_axis\"")).count();
        assert_eq!(equations + ran.err.matches("cannot close a loop").count(), closures, "{model}: {text}");
        let ran = desk.run(&format!("export {folder} -o out.urdf"));
        let listed = ran.err.lines().find(|line| line.contains("joints that close loops, which a URDF cannot have"));
        let listed = listed.unwrap_or_default().split_once("have: ").unwrap_or_default().1;
        assert_eq!(listed.split(", ").filter(|name| !name.is_empty()).count(), closures, "{model}: {}", ran.err);
    }
}

/// A crank, a rod and a piston, with the frames of the pins on crank and rod; `order` puts the joints in order.
fn slider_crank(order: [&str; 4]) -> String {
    let joint = |name: &str| match name {
        "main" => "[joints.main]\ntype = 'revolute'\nfrom = 'world'\nto = 'crank'\naxis = 'z'\nphi = 1\n",
        "big_end" => "[joints.big_end]\ntype = 'revolute'\nfrom = 'pin'\nto = 'rod'\naxis = 'z'\n",
        "guide" => {
            "[joints.guide]\ntype = 'prismatic'\nfrom = 'world'\nto = 'piston'\naxis = 'x'\ns = { guess = 0.7 }\n"
        }
        _ => "[joints.small_end]\ntype = 'revolute'\nfrom = 'eye'\nto = 'piston'\naxis = 'z'\n",
    };
    let objects = "name = 'Slider'\ngravity = [0, -9.81, 0]\n\
        [objects.crank]\nsolid = { shape = 'box', lengths = [0.2, 0.02, 0.02], r = [0.1, 0, 0], mass = 1 }\n\
        [objects.pin]\nparent = 'crank'\nr = [0.2, 0, 0]\n\
        [objects.rod]\nsolid = { shape = 'box', lengths = [0.5, 0.02, 0.02], r = [0.25, 0, 0], mass = 1 }\n\
        [objects.eye]\nparent = 'rod'\nr = [0.5, 0, 0]\n\
        [objects.piston]\nsolid = { shape = 'box', lengths = [0.1, 0.1, 0.1], mass = 1 }\n";
    order.iter().fold(objects.to_owned(), |text, name| text + joint(name))
}

#[test]
fn a_loop_that_is_exported_and_imported_again_moves_as_before() {
    for order in [["main", "big_end", "guide", "small_end"], ["small_end", "guide", "big_end", "main"]] {
        let desk = Desk::new();
        desk.write("model.toml", &slider_crank(order));
        let run = |model: &str| {
            let outputs = "--outputs guide.s,main.phi --stop 1 --step 0.01 --tolerance 1e-9";
            values(&desk.works(&format!("simulate {model} {outputs} -o -")))
        };
        let before = run("model.toml");
        assert!(before.iter().any(|value| *value < -1.0), "it does not move");
        desk.works("export model.toml -o back.xml");
        let text = desk.text("back.xml");
        assert_eq!(text.matches("<connect ").count(), 2, "{text}");
        let after = run("back.xml");
        assert_eq!(before.len(), after.len());
        for (place, (a, b)) in before.iter().zip(&after).enumerate() {
            assert!((a - b).abs() < 1e-6, "{order:?}, number {place}: {a} and {b}");
        }
    }
}

#[test]
fn places_of_sites_and_tools_are_variables() {
    let desk = Desk::new();
    desk.write(
        "arm.xml",
        "<mujoco><worldbody><body name=\"rod\"><joint name=\"pin\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.5 0 -1\"/>\
         <site name=\"tip\" pos=\"0 0 -1.5\"/></body></worldbody></mujoco>",
    );
    desk.write(
        "arm.urdf",
        "<robot name=\"arm\"><link name=\"base\"/><link name=\"rod\"><inertial><origin xyz=\"0.5 0 -1\"/><mass value=\"1\"/>\
         <inertia ixx=\"1e-2\" iyy=\"1e-2\" izz=\"1e-2\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><link name=\"tip\"/>\
         <joint name=\"pin\" type=\"continuous\"><parent link=\"base\"/><child link=\"rod\"/><axis xyz=\"0 1 0\"/></joint>\
         <joint name=\"flange\" type=\"fixed\"><parent link=\"rod\"/><child link=\"tip\"/><origin xyz=\"0 0 -1.5\"/></joint>\
         </robot>",
    );
    for robot in ["arm.xml", "arm.urdf"] {
        let outputs = "--outputs pin.phi,tip.r_abs,tip.v_abs --stop 0.2 --step 0.1 -o -";
        let found = values(&desk.works(&format!("simulate {robot} {outputs}")));
        assert_eq!(found.len(), 3 * 8, "{robot}");
        for row in found.chunks(8) {
            let (sin, cos) = (row[1].sin(), row[1].cos());
            let error = (row[2] + 1.5 * sin).abs() + row[3].abs() + (row[4] + 1.5 * cos).abs();
            assert!(error < 1e-12, "{robot}: {row:?}");
        }
        assert!(found[2 * 8 + 1].abs() > 0.05 && found[2 * 8 + 5].abs() > 0.5, "{robot}: {found:?}");
    }
}

/// Numbers of an attribute.
fn attribute(text: &str, name: &str) -> Vec<f64> {
    let rest = text.split_once(&format!("{name}=\"")).unwrap().1;
    rest.split_once('"').unwrap().0.split(' ').map(|number| number.parse().unwrap()).collect()
}

#[test]
fn free_motions_start_with_their_velocities() {
    let desk = Desk::new();
    let block = "solid = { shape = 'box', lengths = [0.1, 0.2, 0.3], mass = 1 }";
    let placed = "rotation = { axis = 'z', angle = 'pi/2' }\nr = [1, 2, 3]\n";
    let turned = format!("{placed}v = [4, 5, 6]\nw = [0.1, 0.2, 0.3]");
    // Translation in the axes of what the body flies from, rotation in its own.
    let forwards = [4.0, 5.0, 6.0, 0.2, -0.1, 0.3];
    // The other way round: R^T (w x r - v), -R^T w in the axes of what flies, with w x r = (0, 0, 0), R^T (x, y, z) =
    // (y, -x, z).
    let backwards = [-5.0, 4.0, -6.0, -0.1, -0.2, -0.3];
    for (name, model, expected) in [
        (
            "object",
            format!("[objects.bird]\n{placed}{block}\nfree = {{ v = [4, 5, 6], w = [0.1, 0.2, 0.3] }}\n"),
            forwards,
        ),
        (
            "joint",
            format!("[objects.bird]\n{block}\n[joints.flight]\ntype = 'free'\nfrom = 'world'\nto = 'bird'\n{turned}\n"),
            forwards,
        ),
        (
            "joint, reversed",
            format!("[objects.bird]\n{block}\n[joints.flight]\ntype = 'free'\nfrom = 'bird'\nto = 'world'\n{turned}\n"),
            backwards,
        ),
        (
            "joint on a stand",
            format!(
                "[objects.stand]\nfixed = true\nr = [7, 8, 9]\n[objects.bird]\n{block}\n\
                 [joints.flight]\ntype = 'free'\nfrom = 'stand'\nto = 'bird'\n{turned}\n"
            ),
            forwards,
        ),
    ] {
        desk.write("model.toml", &format!("name = 'Bird'\n{model}"));
        desk.works("export model.toml -o bird.xml");
        let rates = attribute(&desk.text("bird.xml"), "qvel");
        let differs = rates.iter().zip(expected).any(|(found, expected)| (found - expected).abs() > 1e-12);
        assert!(rates.len() == 6 && !differs, "{name}: {rates:?} is not {expected:?}");
        let ran = desk.run("export model.toml -o bird.urdf");
        assert!(ran.err.contains("start velocity is left out"), "{name}: {}", ran.err);
    }
}

#[test]
fn a_servo_moves_what_follows_its_joint_as_fast_as_it_says() {
    let link = "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"2\"/>\
         <inertia ixx=\"1e-2\" iyy=\"1e-2\" izz=\"1e-2\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
    let joint = |name: &str, mimic: &str| {
        format!(
            "<link name=\"{name}_link\">{link}</link><joint name=\"{name}\" type=\"continuous\">\
             <parent link=\"base\"/><child link=\"{name}_link\"/><axis xyz=\"0 0 1\"/>{mimic}</joint>"
        )
    };
    let follows = |leader: &str, ratio: f64| format!("<mimic joint=\"{leader}\" multiplier=\"{ratio}\"/>");
    let joints = [joint("a", ""), joint("b", &follows("a", -1.5)), joint("c", &follows("b", 2.0))].concat();
    let desk = Desk::new();
    desk.write("hand.urdf", &format!("<robot name=\"hand\"><link name=\"base\"/>{joints}</robot>"));
    desk.works("import hand.urdf --drive position");
    let text = desk.text("hand/model.toml");
    desk.write("hand/model.toml", &text.replace("a_phi_ref = {", "a_phi_ref = { start = 1,"));
    let found = values(&desk.works("simulate hand --outputs a.phi,c.phi --stop 0.3 --step 0.01 --tolerance 1e-9 -o -"));
    assert_eq!(found.len(), 3 * 31);
    for row in found.chunks(3) {
        // Both poles at the servo's 30 rad/s.
        let angle = 1.0 - (1.0 + 30.0 * row[0]) * (-30.0 * row[0]).exp();
        let error = (row[1] - angle).abs().max((row[2] + 3.0 * angle).abs() / 3.0);
        assert!(error < 1e-6, "{row:?}, not {angle}");
    }
}

#[test]
fn a_ball_starts_with_its_velocity() {
    let desk = Desk::new();
    let model = "name = 'Top'\n[objects.top]\nsolid = { shape = 'box', lengths = [0.1, 0.2, 0.3], mass = 1 }\n\
         [joints.ball]\ntype = 'spherical'\nw = [0, 2, 0]\nrotation = { axis = 'z', angle = 'pi/2' }\n";
    for (ends, wanted) in [("from = 'world'\nto = 'top'\n", "2 "), ("from = 'top'\nto = 'world'\n", "0 -2 ")] {
        desk.write("model.toml", &format!("{model}{ends}"));
        desk.works("export model.toml -o top.xml");
        let text = desk.text("top.xml");
        let rates = attribute(&text, "qvel");
        let expected: Vec<f64> =
            wanted.split_whitespace().map(|n| n.parse().unwrap()).chain([0.0; 2]).take(3).collect();
        for (found, wanted) in rates.iter().zip(&expected) {
            assert!((found - wanted).abs() < 1e-12, "{rates:?} is not {expected:?}: {text}");
        }
    }
}

/// A model as MJCF, and what its export says.
fn as_mjcf(model: &str) -> (String, String) {
    let desk = Desk::new();
    desk.write("model.toml", &format!("name = 'Model'\ngravity = [0, 0, -9.81]\n{model}"));
    let ran = desk.run("export model.toml -o out.xml");
    assert_eq!(ran.code, 0, "{}", ran.err);
    (desk.text("out.xml"), ran.err)
}

/// What the export of a model as a URDF says.
fn urdf_notes(model: &str) -> String {
    let desk = Desk::new();
    desk.write("model.toml", &format!("name = 'Model'\ngravity = [0, 0, -9.81]\n{model}"));
    let ran = desk.run("export model.toml -o out.urdf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.err
}

#[test]
fn dampers_of_balls_are_exported_or_listed() {
    let ball = |laws: &str| {
        format!(
            "[objects.b]\nmass = {{ m = 1.5, center = [0.1, 0.2, 0.3], inertia = [0.05, 0.06, 0.07] }}\n\
             [joints.j]\ntype = 'spherical'\nfrom = 'world'\nto = 'b'\ndof = {{ {laws} }}\n"
        )
    };
    let same = ball("w1 = { damping = 2 }, w2 = { damping = 2 }, w3 = { damping = 2 }");
    let (text, notes) = as_mjcf(&same);
    assert!(text.contains("type=\"ball\" damping=\"2\"/>") && !notes.contains("note:"), "{text}{notes}");
    assert!(urdf_notes(&same).contains("j: damping, friction, springs, stops and flanges of a ball are left out"));
    let (text, notes) = as_mjcf(&ball("w1 = { damping = 2 }"));
    assert!(!text.contains("damping="), "{text}");
    assert!(notes.contains("j: damping that differs from axis to axis of a ball is left out"), "{notes}");
}

#[test]
fn stops_on_one_side_are_exported() {
    let model = "[objects.b]\nmass = { m = 1, center = [0.3, 0, 0], inertia = [0.05, 0.06, 0.07] }\n\
         [joints.j]\ntype = 'revolute'\nfrom = 'world'\nto = 'b'\naxis = 'y'\n\
         stops = { upper = 0.2, stiffness = 1000, dissipation = 1 }\n";
    let (text, _) = as_mjcf(model);
    assert!(text.contains("range=\"-1000000000 0.2\""), "{text}");
    assert!(urdf_notes(model).contains("j: its missing lower limit is written as -1e9"));
}

#[test]
fn friction_of_materials_is_exported_where_it_is_the_larger_one_of_two_numbers() {
    let model = |own: f64, mixed: f64| {
        format!(
            "[materials.A]\ndensity = 1000\nyoungs_modulus = 1e8\npoissons_ratio = 0.3\n\
             [materials.B]\ndensity = 1000\nyoungs_modulus = 1e8\npoissons_ratio = 0.3\n\
             [[material_pairs]]\nmaterials = ['A', 'A']\ncor = 0\nmu_k = {own}\n\
             [[material_pairs]]\nmaterials = ['A', 'B']\ncor = 0\nmu_k = {mixed}\n\
             [objects.floor]\nfixed = true\nsolid = {{ shape = 'half_space', material = 'B', collides = true }}\n\
             [objects.a]\nfree = true\nr = [0, 0, 0.1]\n\
             solid = {{ shape = 'box', lengths = [0.2, 0.2, 0.2], material = 'A', collides = true }}\n\
             [objects.b]\nfree = true\nr = [1, 0, 0.1]\n\
             solid = {{ shape = 'box', lengths = [0.2, 0.2, 0.2], material = 'A', collides = true }}\n"
        )
    };
    let (text, notes) = as_mjcf(&model(0.1, 0.4));
    assert_eq!((text.matches("friction=\"0.1\"").count(), text.matches("friction=\"0.4\"").count()), (2, 1), "{text}");
    assert!(notes.contains("stiffness of contacts: left out") && !notes.contains("in place of"), "{notes}");
    let (text, notes) = as_mjcf(&model(0.0, 0.0));
    assert_eq!(text.matches("condim=\"1\" friction=\"0\"").count(), 3, "{text}{notes}");
    let (_, notes) = as_mjcf(&model(0.4, 0.1));
    assert!(notes.contains("A on A (0.1 in place of 0.4)"), "{notes}");
    assert!(urdf_notes(&model(0.1, 0.4)).contains("friction and stiffness of contacts, which a URDF does not have"));
}

#[test]
fn actions_are_listed_by_an_export() {
    let model = "[objects.hook]\nfixed = true\nr = [0, 0, 1]\n[objects.grip]\nparent = 'hook'\nlockable = true\n\
         [objects.ball]\nfree = true\nassembly_root = true\nr = [0, 0, 1]\n\
         solid = { shape = 'sphere', diameter = 0.1, material = 'Steel' }\n\
         [objects.top]\nparent = 'ball'\nlockable = true\n\
         [actions.hold]\nsteps = [{ attach = ['grip', 'top'] }, { wait = 0.5 }, { release = 'grip' }]\n";
    assert!(as_mjcf(model).1.contains("note: action hold: left out"));
    assert!(urdf_notes(model).contains("note: action hold: left out"));
}
