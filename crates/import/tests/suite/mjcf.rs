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
                     <option><flag limit=\"disable\"/></option>";
    let import = import(&pendulum("margin=\"0.1\"", "margin=\"0.2\" gap=\"0.1\" priority=\"1\"", actuators));
    let notes = import.summary().join("\n");
    for part in [
        "walker.xml:3: <joint \"pin\">: `margin` is left out",
        "walker.xml:4: <geom> of <body \"rod\">: `margin` of contacts is left out",
        "`gap` of contacts is left out",
        "`priority` of contacts is left out",
        "`actrange`, `actearly` is left out",
        "<flag>: `limit=\"disable\"` is left out",
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

/// A geom of a type that is fitted to the mesh of a box of 0.2, 0.4 and 0.6 m about (1, 0, 0), of which only vertices are given.
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
