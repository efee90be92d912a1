//! MJCF files become model files.

use std::path::Path;

use mbs::declaration::{Attachment, Declaration, JointKind, MassDeclaration};
use mbs_import::{Import, Options, read_text};
use mbs_model::MemoryFiles;

const WALKER: &str = include_str!("../data/walker.xml");

fn import_with(text: &str, files: MemoryFiles) -> Import {
    let mut files = files;
    read_text(text, Path::new("models/walker.xml"), &Options::default(), &mut files).unwrap_or_else(|e| panic!("{e}"))
}

fn import(text: &str) -> Import {
    import_with(text, MemoryFiles::new())
}

fn declaration(import: &Import) -> Declaration {
    import.model().unwrap_or_else(|errors| panic!("{errors}\n{}", import.text)).declaration
}

fn errors(text: &str) -> String {
    read_text(text, Path::new("walker.xml"), &Options::default(), &mut MemoryFiles::new()).unwrap_err().to_string()
}

fn changed(from: &str, to: &str) -> String {
    assert!(WALKER.contains(from), "{from}");
    WALKER.replacen(from, to, 1)
}

#[test]
fn bodies_with_several_joints_become_chains() {
    let model = declaration(&import(WALKER));
    let joints: Vec<(&str, &str, &str)> =
        model.content.joints.iter().map(|j| (j.name.as_str(), j.from.as_str(), j.to.as_str())).collect();
    assert_eq!(
        joints,
        [
            ("hip_x", "hip_x_frame", "hip_x_end"),
            ("hip_y", "hip_y_frame", "hip_y_end"),
            ("knee", "knee_frame", "shin"),
            ("ball", "ball_frame", "tail")
        ]
    );
    assert!(matches!(model.content.joints[3].kind, JointKind::Spherical));
    let torso = model.content.objects.iter().find(|object| object.name == "torso").unwrap();
    assert!(matches!(torso.attachment, Attachment::Free(_)));
}

#[test]
fn defaults_classes_and_units_are_resolved() {
    let import = import(WALKER);
    let text = &import.text;
    // ref = 10 degrees, range -90 to 45 degrees of class `leg`, damping of the class of everything.
    let hip = &text[text.find("[joints.hip_y]").unwrap()..];
    let hip = &hip[..hip.find("\n\n").unwrap()];
    for part in [
        "axis = \"y\"",
        "phi = 0.17453292519943295",
        "damping = 0.5",
        "lower = -1.5707963267948966, upper = 0.7853981633974483",
    ] {
        assert!(hip.contains(part), "{part} is not in\n{hip}");
    }
    assert!(text.contains("[components.knee_armature]\ntype = \"inertia\"\nJ = 0.01\nflange = \"knee\""));
    assert!(text.contains("spring = { stiffness = 3, rest = -0.3490658503988659 }"));
    assert!(text.contains("gravity = [0, 0, -10]"));
}

#[test]
fn masses_are_those_of_geoms() {
    let model = declaration(&import(WALKER));
    let torso = model.content.objects.iter().find(|object| object.name == "torso").unwrap();
    let Some(MassDeclaration::Given { m, .. }) = &torso.mass else { panic!("no mass") };
    let m: f64 = m.to_string().parse().unwrap();
    assert!((m - 1000.0 * 0.2 * 0.3 * 0.4).abs() < 1e-12);
}

#[test]
fn actuators_become_inputs_and_forces() {
    let import = import(WALKER);
    for part in [
        "torque = \"20*clamp(hip_x_ctrl, -1, 1) + both_force.y\"",
        "clamp(50*clamp(knee_ctrl, -1, 1) - 50*knee.phi, -9, 9)",
        "[components.both_force]\ntype = \"gain\"\nu = \"clamp(both, -1, 1)\"",
        "- 2*both_force.y",
    ] {
        assert!(import.text.contains(part), "{part} is not in\n{}", import.text);
    }
    assert_eq!(declaration(&import).inputs.len(), 3);
}

#[test]
fn contacts_follow_types_and_exclusions() {
    let import = import(WALKER);
    let text = &import.text;
    assert!(text.contains("[[material_pairs]]\nmaterials = [\"Surface\", \"Surface\"]\ncor = 0\nmu_k = 0.7"));
    assert!(text.contains("group = \"type2_affinity1\", collides_with = [\"type1_affinity1\"]"), "{text}");
    // The floor meets bodies; `trunk` and `shin` are excluded, torso and thigh are neighbours by two joints.
    assert!(text.contains("ignores = [\"thigh_geom\", \"shin_geom\"]"), "{text}");
}

#[test]
fn what_has_no_counterpart_is_listed() {
    let notes = import(WALKER).summary().join("\n");
    for part in [
        "<muscle \"m\">: left out: actuators of type muscle",
        "<touch \"touch\">: left out: sensors of type touch",
        "<joint> of <equality>: left out: it is not active at the start",
        "walker.xml:42",
    ] {
        assert!(
            notes.contains(part) || part.starts_with('<') && notes.contains(&part.replace(" of <equality>", "")),
            "{part} is not in\n{notes}"
        );
    }
}

#[test]
fn equalities_close_loops_and_couple_joints() {
    let text = changed(" active=\"false\"", "").replace(
        "<equality>",
        "<equality><connect name=\"loop\" body1=\"shin\" body2=\"torso\" anchor=\"0 0 -0.4\"/><weld body1=\"tail\" body2=\"shin\"/>",
    );
    let import = import(&text);
    let text = &import.text;
    assert!(text.contains("[joints.loop]\ntype = \"spherical\"\nfrom = \"loop_1\"\nto = \"loop_2\""), "{text}");
    assert!(text.contains("[joints.weld]\ntype = \"fixed\""), "{text}");
    assert!(text.contains("type = \"gear\"\na = \"knee\"\nratio = 2"), "{text}");
    assert!(text.contains("phi = 0.1\n"), "{text}");
    declaration(&import);
}

#[test]
fn files_are_included_with_their_places() {
    let text = changed("<light pos=\"0 0 3\"/>", "<include file=\"parts/box.xml\"/>");
    let part = "<mujocoinclude>\n<body name=\"crate\"><geom type=\"box\" size=\"1 1 1\"/></body>\n</mujocoinclude>";
    let import = import_with(&text, MemoryFiles::new().with("models/parts/box.xml", part));
    let model = declaration(&import);
    let object = model.content.objects.iter().find(|object| object.name == "crate").unwrap();
    assert_eq!((object.location.file, object.location.line), (1, 2));
    assert_eq!(model.files, ["models/walker.xml", "models/parts/box.xml"]);
    let itself = read_text(
        &text,
        Path::new("models/walker.xml"),
        &Options::default(),
        &mut MemoryFiles::new().with("models/parts/box.xml", "<a><include file=\"parts/box.xml\"/></a>"),
    );
    assert!(itself.unwrap_err().to_string().contains("include each other without end"));
}

#[test]
fn malformed_files_are_refused_with_line_and_element() {
    for (from, to, parts) in [
        ("</mujoco>", "", &["this is not XML"][..]),
        ("class=\"leg\">", "class=\"arm\">", &["there is no default class `leg`", "walker.xml:19:"]),
        (
            "joint=\"hip_x\" gear",
            "joint=\"hip_z\" gear",
            &["`joint` of <motor \"hip_x\"> names `hip_z`", "did you mean `hip_x`?", "walker.xml:37:"],
        ),
        ("type=\"box\"", "type=\"bocks\"", &["there is no type of geom `bocks`", "known are plane"]),
        ("size=\"0.1 0.15 0.2\"", "size=\"0.1 0.15\"", &["`size` of <geom \"trunk\"> must be 3 numbers, it has 2"]),
        ("size=\"0.1 0.15 0.2\"", "size=\"0.1 x 0.2\"", &["`size` of <geom \"trunk\"> has `x`"]),
        ("type=\"hinge\"", "type=\"hinges\"", &["cannot be of type `hinges`", "known are free, ball, slide and hinge"]),
        ("axis=\"1 0 0\"", "axis=\"0 0 0\"", &["the axis of <joint \"hip_x\"> must not be zero"]),
        ("site=\"imu\"", "site=\"imi\"", &["`site` of <gyro \"gyro\"> names `imi`"]),
        ("body2=\"shin\"", "body2=\"foot\"", &["`body2` of <exclude> names `foot`"]),
        ("eulerseq=\"XYZ\"", "eulerseq=\"XY\"", &["`eulerseq` cannot be `XY`"]),
        ("angle=\"degree\"", "coordinate=\"global\"", &["global coordinates cannot be read"]),
        ("<body name=\"shin\"", "<body name=\"torso\"", &["there are two bodies `torso`"]),
        ("<light pos=\"0 0 3\"/>", "<include file=\"no.xml\"/>", &["the file no.xml does not exist", "walker.xml:12:"]),
    ] {
        let found = errors(&changed(from, to));
        for part in parts {
            assert!(found.contains(part), "{part} is not in\n{found}");
        }
    }
}

/// Two free bodies and one on a hinge.
fn three_bodies(equality: &str) -> String {
    format!(
        r#"<mujoco><worldbody>
  <body name="first" pos="0 2 1"><freejoint/><geom size="0.1"/></body>
  <body name="second" pos="0 3 1"><freejoint/><geom size="0.1"/></body>
  <body name="door" pos="0 4 1"><joint axis="1 0 0"/><geom size="0.1"/></body>
</worldbody><equality>{equality}</equality></mujoco>"#
    )
}

#[test]
fn welded_bodies_lose_their_free_joint_and_stay_where_they_are() {
    for (weld, on, text, free) in [
        ("body1=\"first\" body2=\"second\"", "second", "parent = \"first\"\nr = [0, 1, 0]\n", 1),
        ("body1=\"second\" body2=\"first\"", "second", "parent = \"first\"\nr = [0, 1, 0]\n", 1),
        ("body1=\"second\"", "second", "fixed = true\nr = [0, 3, 1]\n", 1),
        ("body1=\"world\" body2=\"first\"", "first", "fixed = true\nr = [0, 2, 1]\n", 1),
        ("body1=\"second\" body2=\"door\"", "second", "parent = \"door\"\nr = [0, -1, 0]\n", 1),
        ("body1=\"door\" body2=\"first\"", "first", "parent = \"door\"\nr = [0, -2, 0]\n", 1),
        (
            "body1=\"first\" body2=\"second\" relpose=\"0 0 0.5 1 0 0 0\"",
            "second",
            "parent = \"first\"\nr = [0, 0, 0.5]\n",
            1,
        ),
        ("body1=\"first\" body2=\"second\" active=\"false\"", "second", "free = true\nr = [0, 3, 1]\n", 2),
    ] {
        let import = import(&three_bodies(&format!("<weld {weld}/>")));
        assert!(import.text.contains(&format!("[objects.{on}]\n{text}")), "{weld}: {}", import.text);
        assert_eq!(import.text.matches("free = true").count(), free, "{weld}: {}", import.text);
        assert!(!import.text.contains("type = \"fixed\""), "{weld}: {}", import.text);
        assert_eq!(import.notes.len(), usize::from(free == 2), "{weld}: {:?}", import.notes);
        declaration(&import);
    }
    let chain = "<weld body1=\"first\" body2=\"second\"/><weld body1=\"second\" body2=\"door\"/>";
    let import = import(&three_bodies(chain));
    assert!(!import.text.contains("free = true"), "{}", import.text);
    assert!(import.text.contains("[objects.first]\nparent = \"door\"\nr = [0, -2, 0]\n"), "{}", import.text);
    declaration(&import);
}

/// A body on a hinge; `joint` and `geom` are attributes of these, `rest` follows the world.
fn pendulum(joint: &str, geom: &str, rest: &str) -> String {
    format!(
        "<mujoco><worldbody>\n<body name=\"rod\">\n<joint name=\"pin\" axis=\"0 1 0\" {joint}/>\n\
         <geom size=\"0.1\" {geom}/>\n</body></worldbody>{rest}</mujoco>"
    )
}

#[test]
fn limits_of_actuators_and_their_filters_count() {
    let actuators = "<actuator><motor name=\"m\" joint=\"pin\" gear=\"5\"/>\
                     <position name=\"p\" joint=\"pin\" kp=\"5\" timeconst=\"0.5\"/></actuator>";
    let import = import(&pendulum("actuatorfrcrange=\"-1 2\"", "", actuators));
    assert!(import.text.contains("torque = \"clamp(5*m + 5*p_activation.y - 5*pin.phi, -1, 2)\""), "{}", import.text);
    assert!(import.text.contains("type = \"first-order\"\nu = \"p\"\nT = 0.5"), "{}", import.text);
    declaration(&import);
    let off = "actuatorfrcrange=\"-1 2\" actuatorfrclimited=\"false\"";
    assert!(!self::import(&pendulum(off, "", actuators)).text.contains("clamp"));
}

#[test]
fn attributes_without_counterpart_are_listed() {
    let actuators = "<actuator><general joint=\"pin\" dyntype=\"integrator\" actrange=\"0 1\" actearly=\"true\"/></actuator>\
                     <option><flag spring=\"disable\"/></option>";
    let import = import(&pendulum("margin=\"0.1\"", "margin=\"0.2\" gap=\"0.1\"", actuators));
    let notes = import.summary().join("\n");
    for part in [
        "walker.xml:3: <joint \"pin\">: `margin` is left out",
        "walker.xml:4: <geom> of <body \"rod\">: `margin` of contacts is left out",
        "`gap` of contacts is left out",
        "`actrange`, `actearly` is left out",
        "<flag>: `spring=\"disable\"` is left out",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
}

#[test]
fn misspelt_attributes_are_listed_with_what_was_meant() {
    let import = import(&pendulum("dampng=\"3\"", "dens=\"5\"", "<default><geom frictoin=\"1\"/></default>"));
    let notes = import.summary().join("\n");
    for part in [
        "walker.xml:3: <joint \"pin\">: ignored: there is no attribute `dampng`; did you mean `damping`?",
        "walker.xml:4: <geom> of <body \"rod\">: ignored: there is no attribute `dens`",
        "there is no attribute `frictoin`; did you mean `friction`?",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
    let harmless = "group=\"2\" rgba=\"1 0 0 1\" solimp=\"0.9 0.95 0.001\" user=\"1\"";
    assert!(self::import(&pendulum("group=\"1\" user=\"2\"", harmless, "")).notes.is_empty());
    let walker = self::import(WALKER).summary().join("\n");
    assert!(!walker.contains("there is no attribute"), "{walker}");
}

#[test]
fn limits_out_of_order_and_negative_masses_are_refused() {
    for (joint, geom, rest, parts) in [
        ("range=\"30 -30\" limited=\"true\"", "", "", ["`range` of <joint \"pin\"> must be less", "walker.xml:3:"]),
        ("", "mass=\"-1\"", "", ["`mass` of <geom> of <body \"rod\"> must not be negative", "walker.xml:4:"]),
        ("", "density=\"-1\"", "", ["`density` of <geom> of <body \"rod\"> must not be negative", "walker.xml:4:"]),
        (
            "",
            "",
            "\n<actuator><motor name=\"m\" joint=\"pin\" ctrlrange=\"1 -1\" ctrllimited=\"true\"/></actuator>",
            ["`ctrlrange` of <motor \"m\"> must be less", "walker.xml:6:"],
        ),
        ("limited=\"true\"", "", "", ["<joint \"pin\"> is limited and has no `range`", "walker.xml:3:"]),
        (
            "actuatorfrclimited=\"true\"",
            "",
            "",
            ["<joint \"pin\"> is limited and has no `actuatorfrcrange`", "walker.xml:3:"],
        ),
        (
            "",
            "",
            "\n<actuator><position name=\"m\" joint=\"pin\" forcelimited=\"true\"/></actuator>",
            ["<position \"m\"> is limited and has no `forcerange`", "walker.xml:6:"],
        ),
        (
            "",
            "",
            "\n<tendon><fixed name=\"t\" limited=\"true\"><joint joint=\"pin\" coef=\"1\"/></fixed></tendon>",
            ["<fixed \"t\"> is limited and has no `range`", "walker.xml:6:"],
        ),
    ] {
        let found = errors(&pendulum(joint, geom, rest));
        for part in parts {
            assert!(found.contains(part), "{part} is not in\n{found}");
        }
    }
    let import = import(&pendulum("range=\"30 -30\"", "", ""));
    assert!(import.summary().join("\n").contains("`range` is taken for no limit"), "{:?}", import.notes);
    assert!(self::import(&pendulum("range=\"0 0\"", "", "")).notes.is_empty());
    // Balls need no range, nor does what has that of its joint.
    self::import(&pendulum("type=\"ball\" limited=\"true\"", "", ""));
    let servo = "<actuator><position joint=\"pin\" inheritrange=\"1\" ctrllimited=\"true\"/></actuator>";
    self::import(&pendulum("range=\"-1 1\"", "", servo));
}

#[test]
fn a_model_without_a_name_is_called_like_its_file() {
    assert_eq!(import(&pendulum("", "", "")).name, "walker");
    assert_eq!(import(&pendulum("", "", "").replace("<mujoco>", "<mujoco model=\"My rod\">")).name, "My_rod");
}

/// A geom of a type that is fitted to the mesh of a box of 0.2, 0.4 and 0.6 m about (1, 0, 0), of which only vertices
/// are given.
fn fitted(kind: &str, compiler: &str) -> String {
    let corner = |index: usize| {
        let sign = |bit: usize| if index & bit == 0 { -1.0 } else { 1.0 };
        format!("{} {} {} ", 1.0 + 0.1 * sign(1), 0.2 * sign(2), 0.3 * sign(4))
    };
    let vertices: String = (0..8).map(corner).collect();
    format!(
        "<mujoco><compiler {compiler}/><asset><mesh name=\"block\" vertex=\"{vertices}\"/></asset><worldbody>\n\
         <body name=\"rod\"><joint axis=\"0 1 0\"/>\n<geom type=\"{kind}\" mesh=\"block\"/></body></worldbody></mujoco>"
    )
}

#[test]
fn vertices_without_faces_are_a_hull_and_forms_are_fitted_to_meshes() {
    let import = import(&fitted("mesh", ""));
    assert_eq!(import.notes, []);
    let model = declaration(&import);
    let rod = model.content.objects.iter().find(|object| object.name == "rod").unwrap();
    let Some(MassDeclaration::Given { m, .. }) = &rod.mass else { panic!("no mass") };
    let m: f64 = m.to_string().parse().unwrap();
    assert!((m - 48.0).abs() < 1e-4, "{m}");
    let sizes = |kind: &str, key: &str| -> Vec<f64> {
        let text = self::import(&fitted(kind, "")).text;
        let rest = text.split_once(&format!("shape = \"{kind}\"")).unwrap().1;
        let rest = rest.split_once(&format!("{key} = ")).unwrap().1;
        let end = rest.find(if rest.starts_with('[') { ']' } else { ',' }).unwrap();
        rest[..end].trim_start_matches('[').split(", ").map(|number| number.parse().unwrap()).collect()
    };
    let near = |found: Vec<f64>, wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{found} is not {wanted}");
        }
    };
    near(sizes("box", "lengths"), &[0.2, 0.4, 0.6]);
    near(sizes("ellipsoid", "lengths"), &[0.2, 0.4, 0.6]);
    near(sizes("sphere", "diameter"), &[0.4]);
    near(sizes("cylinder", "diameter"), &[0.3]);
    near(sizes("cylinder", "length"), &[0.6]);
    let found = errors(&fitted("box", "fitaabb=\"true\""));
    assert!(found.contains("has the mesh `block` and the type `box`") && found.contains("walker.xml:3:"), "{found}");
    for vertices in ["", "1 0 0", "0 0 0 1 0 0 0 1 0 1 1 0", "0 0 0 0 0 0 0 0 0 0 0 0"] {
        let whole = fitted("mesh", "");
        let start = whole.find("vertex=\"").unwrap() + 8;
        let end = start + whole[start..].find('"').unwrap();
        let flat = format!("{}{vertices}{}", &whole[..start], &whole[end..]);
        let notes = self::import(&flat).summary().join("\n");
        assert!(notes.contains("with mesh block: left out: the mesh has vertices without faces"), "{notes}");
    }
}

/// Friction of contacts between two geoms, a box and the ground.
fn rubbing(ground: &str, block: &str, option: &str) -> f64 {
    let import = import(&format!(
        "<mujoco>{option}<worldbody><geom type=\"plane\" size=\"5 5 1\" {ground}/><body name=\"b\" pos=\"0 0 0.1\"><freejoint/>\
         <geom type=\"box\" size=\"0.1 0.1 0.1\" {block}/></body></worldbody></mujoco>"
    ));
    declaration(&import);
    // The pair of two materials stands between those of each with itself; like ones are one.
    let pairs: Vec<&str> = import.text.split("[[material_pairs]]").skip(1).collect();
    let pair = if pairs.len() == 3 { pairs[1] } else { pairs[0] };
    let rest = pair.split_once("mu_k = ").unwrap().1;
    rest.lines().next().unwrap().parse().unwrap()
}

#[test]
fn friction_of_a_pair_is_the_larger_one_of_the_greatest_priority() {
    for (ground, block, wanted) in [
        ("friction=\"0.1\"", "friction=\"0.4\"", 0.4),
        ("condim=\"3\" friction=\"0.1\"", "condim=\"1\"", 1.0),
        ("condim=\"1\" friction=\"0.7\"", "condim=\"3\" friction=\"0.2\"", 0.7),
        ("condim=\"1\"", "condim=\"1\" friction=\"0.2\"", 0.0),
        ("friction=\"0.1\" priority=\"1\"", "friction=\"0.4\"", 0.1),
        ("condim=\"1\" priority=\"1\"", "friction=\"0.4\"", 0.0),
        ("condim=\"1\"", "friction=\"0.4\" priority=\"2\"", 0.4),
    ] {
        assert_eq!(rubbing(ground, block, ""), wanted, "{ground}, {block}");
    }
    let option = "<option o_friction=\"0.05 0.05\"><flag override=\"enable\"/></option>";
    assert_eq!(rubbing("", "friction=\"0.4\" priority=\"2\"", option), 0.05);
    assert_eq!(rubbing("condim=\"1\"", "condim=\"1\"", option), 0.0);
}

#[test]
fn meshes_are_moved_and_turned_before_they_are_scaled() {
    // Means of the corners, as MuJoCo 4 places them.
    for (mesh, wanted) in [
        ("scale=\"0.3 0.3 0.3\" refpos=\"0.1 0 0\"", [0.045, 0.075, 0.075]),
        ("scale=\"0.3 0.6 0.2\" refpos=\"0.1 0 0\"", [0.045, 0.15, 0.05]),
        ("scale=\"0.3 0.6 0.2\" refquat=\"1 1 0 0\"", [0.075, 0.15, -0.05]),
        ("scale=\"0.3 0.3 0.3\" refquat=\"1 1 0 0\" refpos=\"0 0.1 0\"", [0.075, 0.075, -0.045]),
        ("scale=\"-0.3 0.6 0.2\" refquat=\"1 1 0 0\" refpos=\"0 0.1 0\"", [-0.075, 0.15, -0.03]),
        ("scale=\"-0.3 -0.3 -0.3\" refquat=\"1 1 0 0\"", [-0.075, -0.075, 0.075]),
    ] {
        let import = import(&format!(
            "<mujoco><asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" {mesh}/></asset><worldbody>\
             <body name=\"b\"><joint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>"
        ));
        assert_eq!(import.notes, []);
        let mass = import.text.split_once("mass = ").unwrap().1;
        let center = mass.split_once("center = [").unwrap().1.split_once(']').unwrap().0;
        let center: Vec<f64> = center.split(", ").map(|number| number.parse().unwrap()).collect();
        for (found, wanted) in center.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-8, "{mesh}: {center:?}");
        }
        declaration(&import);
    }
}

#[test]
fn all_actuators_start_from_defaults_of_general_ones() {
    let with_inner =
        |outer: &str, inner: &str| format!("<default>{outer}<default class=\"c\">{inner}</default></default>");
    for (outer, inner, actuator, wanted) in [
        ("<position kp=\"7\"/>", "", "general", "7*a - 7*pin.phi"),
        ("<position kp=\"50\" kv=\"2\"/>", "", "general", "50*a - 50*pin.phi - 2*pin.w"),
        ("<position kp=\"7\"/>", "", "motor", "a"),
        ("<velocity kv=\"7\"/>", "", "position", "a - 1*pin.phi"),
        ("<velocity kv=\"7\"/>", "", "velocity", "7*a - 7*pin.w"),
        (
            "<general gainprm=\"4\" biastype=\"affine\" biasprm=\"1 2 -3\"/>",
            "",
            "position",
            "4*a - 4*pin.phi - 3*pin.w",
        ),
        ("<general gainprm=\"4\" biastype=\"affine\" biasprm=\"1 2 -3\"/>", "", "velocity", "4*a - 4*pin.w"),
        ("<general gaintype=\"affine\" gainprm=\"4 2 -3\"/>", "", "position", "a - 1*pin.phi"),
        ("<general gaintype=\"affine\" gainprm=\"4 2 -3\"/>", "", "damper", "(-3*pin.w)*a"),
        ("<position kp=\"4\" kv=\"2\"/>", "<velocity kv=\"9\"/>", "position", "4*a - 4*pin.phi - 2*pin.w"),
        ("<position kp=\"4\" kv=\"2\"/>", "<general gainprm=\"3\"/>", "velocity", "3*a - 3*pin.w"),
        ("<position kp=\"4\"/><velocity kv=\"3\"/>", "", "position", "a - 1*pin.phi"),
        ("<cylinder area=\"3\" bias=\"1 2 -3\"/>", "", "position", "a - 1*pin.phi"),
        ("<position kp=\"5\" timeconst=\"0.2\"/>", "", "general", "5*a_activation.y - 5*pin.phi"),
        ("<general dyntype=\"filter\" dynprm=\"0.3\"/>", "", "position", "a - 1*pin.phi"),
    ] {
        let rest = format!(
            "{}<actuator><{actuator} class=\"c\" name=\"a\" joint=\"pin\"/></actuator>",
            with_inner(outer, inner)
        );
        let import = import(&pendulum("", "", &rest));
        let wanted = format!("torque = \"{wanted}\"");
        assert!(import.text.contains(&wanted), "{outer}{inner} {actuator}: no {wanted} in\n{}", import.text);
        assert_eq!(import.notes, []);
        declaration(&import);
    }
    let rest = "<default><position kp=\"5\" dampratio=\"1\"/></default><actuator><general joint=\"pin\"/></actuator>";
    let import = import(&pendulum("", "", rest));
    assert!(import.summary().join("").contains("`dampratio` is left out"), "{:?}", import.notes);
}

#[test]
fn what_is_switched_off_does_not_act() {
    let joint = "range=\"-30 30\" frictionloss=\"2\"";
    let rest = "<equality><joint joint1=\"pin\"/></equality><option><flag constraint=\"disable\"/></option>";
    let off = import(&pendulum(joint, "", rest));
    assert_eq!(off.notes, []);
    for part in ["stops", "friction", "motion", "collides"] {
        assert!(!off.text.contains(part), "{part} is in\n{}", off.text);
    }
    let on = import(&pendulum(joint, "", ""));
    assert!(on.text.contains("stops") && on.text.contains("friction"), "{}", on.text);
    let actuators = "<actuator><motor name=\"m\" joint=\"pin\" group=\"2\"/><motor name=\"n\" joint=\"pin\"/></actuator>\
                     <option actuatorgroupdisable=\"1 2\"/>";
    let some = import(&pendulum("", "", actuators));
    assert!(some.text.contains("torque = \"n\"") && !some.text.contains("[inputs]\nm"), "{}", some.text);
    assert!(some.summary().join("").contains("<motor \"m\">: left out: `actuatorgroupdisable`"), "{:?}", some.notes);
}

#[test]
fn children_collide_with_parents_where_these_are_not_filtered() {
    let two = |option: &str| {
        format!(
            "<mujoco>{option}<worldbody><body name=\"p\"><joint name=\"a\" axis=\"0 1 0\"/><geom size=\"0.1\"/>\
             <body name=\"b\" pos=\"0 0 0.35\"><joint name=\"slide\" type=\"slide\"/><geom size=\"0.1\"/></body></body>\
             </worldbody></mujoco>"
        )
    };
    let slide = |text: &str| {
        let joint = text.split_once("[joints.slide]").unwrap().1;
        joint.split_once("\n\n").map_or(joint, |(joint, _)| joint).to_owned()
    };
    let off = import(&two("<option><flag filterparent=\"disable\"/></option>"));
    assert!(slide(&off.text).contains("collides = true"), "{}", off.text);
    assert!(!slide(&import(&two("")).text).contains("collides"));
}

#[test]
fn what_changes_the_motion_and_is_not_read_is_listed() {
    let rest = "<tendon><fixed name=\"t\" actuatorfrcrange=\"-0.1 0.1\"><joint joint=\"pin\" coef=\"1\"/></fixed></tendon>\n\
                <default><default class=\"x\"><joint springyield=\"0.1\"/></default></default>\n\
                <sensor><framelinacc name=\"f\" objtype=\"xbody\" objname=\"rod\" cutoff=\"2\"/></sensor>\
                <option collision=\"predefined\"/>";
    let joint = "damping=\"1 2 3\" stiffness=\"5 200\" springyield=\"0.05\" actuatorgravcomp=\"true\" actuatorfrcrange=\"-1 1\"";
    let import = import(&pendulum(joint, "solmix=\"2\"", rest));
    let notes: Vec<String> = import.notes.iter().map(ToString::to_string).collect();
    let notes = notes.join("\n");
    for part in [
        "walker.xml:3: <joint \"pin\">: only the first number of `damping` counts",
        "walker.xml:3: <joint \"pin\">: only the first number of `stiffness` counts",
        "walker.xml:3: <joint \"pin\">: `springyield` is left out",
        "walker.xml:3: <joint \"pin\">: `actuatorgravcomp` is left out",
        "walker.xml:4: <geom> of <body \"rod\">: `solmix` is left out",
        "<fixed \"t\">: `actuatorfrcrange` is left out",
        "walker.xml:6: <joint>: `springyield` is left out",
        "<framelinacc \"f\">: `cutoff` is left out",
        "<framelinacc \"f\">: shows the acceleration without the gravity",
        "<option>: `collision` is left out",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
}

#[test]
fn two_orientations_and_height_fields_that_do_not_exist_are_refused() {
    let whole = pendulum("", "", "").replace("name=\"rod\"", "name=\"rod\" euler=\"10 20 30\" quat=\"1 0 0 0\"");
    let found = errors(&whole);
    assert!(found.contains("<body \"rod\"> has two orientations, `quat` and `euler`"), "{found}");
    assert!(found.contains("walker.xml:2:"), "{found}");
    let found = errors(&pendulum("", "type=\"box\" hfield=\"x\"", ""));
    assert!(found.contains("there is no height field `x`") && found.contains("walker.xml:4:"), "{found}");
}

#[test]
fn what_is_carried_by_a_fixed_body_collides_with_the_world() {
    let text = "<mujoco><worldbody><geom type=\"plane\" size=\"5 5 1\"/><body pos=\"0 0 1\"><body name=\"b\">\
                <joint name=\"pin\" axis=\"0 1 0\"/><geom size=\"0.1\"/></body></body></worldbody></mujoco>";
    let import = import(text);
    let joint = import.text.split_once("[joints.pin]").unwrap().1;
    assert!(joint.contains("collides = true"), "{}", import.text);
}

#[test]
fn defaults_of_bodies_around_hold_for_free_joints() {
    let text = "<mujoco><default><default class=\"c\"><joint damping=\"2\"/></default></default><worldbody>\
                <body name=\"b\" childclass=\"c\"><joint type=\"free\"/><geom size=\"0.1\"/></body></worldbody></mujoco>";
    assert!(import(text).summary().join("").contains("free joint of b: `damping` is left out"));
}

/// Mass of a body as the model file has it.
fn mass(compiler: &str, content: &str) -> String {
    let text = import(&format!(
        "<mujoco><compiler {compiler}/><worldbody><body name=\"rod\" pos=\"0.1 0.2 0.3\">\n\
         <joint name=\"pin\" axis=\"0 1 0\"/>{content}</body></worldbody></mujoco>"
    ))
    .text;
    let rod = text.split_once("[objects.rod]").unwrap().1;
    rod.split_once("mass = { ").unwrap().1.split_once(" }").unwrap().0.to_owned()
}

const INERTIAL: &str = "<inertial pos=\"1 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>";
const HEAVY: &str = "<geom type=\"box\" size=\"0.5 0.5 0.5\" mass=\"6\"/>";

#[test]
fn an_inertial_inside_a_frame_is_that_of_the_body() {
    let content = format!("<frame pos=\"0 0 3\"><frame pos=\"0 1 0\">{INERTIAL}</frame></frame>{HEAVY}");
    assert_eq!(mass("", &content), "m = 2, center = [1, 1, 3], inertia = [1, 1, 1]");
    assert_eq!(mass("inertiafromgeom=\"true\"", &content), "m = 6, inertia = [1, 1, 1]");
}

#[test]
fn an_inertial_counts_where_geoms_are_asked_for_and_none_is_heavy() {
    for geom in ["", "<geom size=\"1\" mass=\"0\"/>", "<geom size=\"1\" group=\"4\"/>"] {
        let compiler = "inertiafromgeom=\"true\" inertiagrouprange=\"0 3\"";
        assert_eq!(mass(compiler, &format!("{INERTIAL}{geom}")), "m = 2, center = [1, 0, 0], inertia = [1, 1, 1]");
    }
}

#[test]
fn bodies_without_mass_get_the_least_one_where_mujoco_puts_it() {
    let compiler = "boundmass=\"0.5\" boundinertia=\"0.25\"";
    let massless = INERTIAL.replace("mass=\"2\"", "mass=\"0\"");
    assert_eq!(mass(compiler, &massless), "m = 0.5, center = [1, 0, 0], inertia = [1, 1, 1]");
    let nothing = "m = 0.5, center = [0.1, 0.2, 0.3], inertia = [0.25, 0.25, 0.25]";
    assert_eq!(mass(compiler, "<geom size=\"1\" pos=\"5 0 0\" mass=\"0\"/>"), nothing);
}

#[test]
fn two_inertials_of_a_body_are_an_error() {
    let twice = pendulum("", "", "").replace("</body>", &format!("{INERTIAL}\n{INERTIAL}</body>"));
    let found = errors(&twice);
    assert!(found.contains("<body \"rod\"> has two <inertial>") && found.contains("walker.xml:6:"), "{found}");
}

#[test]
fn a_geom_with_a_mesh_and_no_type_is_a_sphere_that_is_fitted() {
    let text = fitted("sphere", "");
    assert_eq!(import(&text.replace(" type=\"sphere\"", "")).text, import(&text).text);
}

#[test]
fn springs_and_dampers_by_time_constants_of_balls_are_listed() {
    let notes = import(&pendulum("type=\"ball\" springdamper=\"0.1 1\"", "", "")).summary().join("\n");
    assert!(notes.contains("<joint \"pin\">: `springdamper` of ball joints is left out"), "{notes}");
}

#[test]
fn what_is_excluded_in_either_order_is_not_said_to_begin_too_deep() {
    let body = |name: &str| format!("<body name=\"{name}\"><joint axis=\"0 1 0\"/><geom size=\"0.1\"/></body>");
    let model = |contact: &str| format!("<mujoco><worldbody>{}{}</worldbody>{contact}</mujoco>", body("a"), body("b"));
    let exclude = |a: &str, b: &str| format!("<contact><exclude body1=\"{a}\" body2=\"{b}\"/></contact>");
    assert_eq!(import(&model("")).notes.len(), 1);
    assert_eq!(import(&model(&exclude("a", "b"))).notes, []);
    assert_eq!(import(&model(&exclude("b", "a"))).notes, []);
}

#[test]
fn limits_and_springs_that_do_not_count_here_are_listed() {
    let actuators = "<actuator><motor name=\"jet\" site=\"tip\" delay=\"0.1\"/></actuator>";
    let whole =
        pendulum("actuatorfrcrange=\"-1 1\"", "", actuators).replace("</body>", "<site name=\"tip\"/></body>").replace(
            "</worldbody>",
            "<body name=\"ball\"><joint type=\"free\" springdamper=\"0.1 1\"/><geom size=\"0.1\"/></body></worldbody>",
        );
    let import = import(&whole);
    let notes: Vec<String> = import.notes.iter().map(ToString::to_string).collect();
    let notes = notes.join("\n");
    for part in [
        "<motor \"jet\">: `delay` is left out",
        "<motor \"jet\">: its force counts beside the `actuatorfrcrange` of `pin`",
        "`springdamper` is left out",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
    let silent = pendulum("range=\"-1 1\"", "", "<compiler autolimits=\"false\"/>");
    let import = self::import(&silent);
    assert!(import.notes.iter().any(|note| note.to_string().contains("`range` is no limit")), "{:?}", import.notes);
    assert!(!import.text.contains("stops"), "{}", import.text);
}
