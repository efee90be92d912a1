//! URDF files become model files.

use std::path::{Path, PathBuf};

use mbs::declaration::{Attachment, Declaration, JointKind, MassDeclaration};
use mbs::expr::Expr;
use mbs_import::{Base, Drive, Import, Options, Shapes, read_text};
use mbs_model::MemoryFiles;

const ARM: &str = include_str!("../data/arm.urdf");
const SQUARE: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

fn import(text: &str, options: &Options) -> Import {
    let mut files = MemoryFiles::new().with("/ws/arm/meshes/part.stl", SQUARE);
    read_text(text, Path::new("/ws/arm/urdf/arm.urdf"), options, &mut files).unwrap_or_else(|errors| panic!("{errors}"))
}

fn declaration(import: &Import) -> Declaration {
    import.model().unwrap_or_else(|errors| panic!("{errors}\n{}", import.text)).declaration
}

fn errors(text: &str) -> String {
    read_text(text, Path::new("arm.urdf"), &Options::default(), &mut MemoryFiles::new()).unwrap_err().to_string()
}

fn number(expression: &Expr) -> f64 {
    expression.to_string().parse().unwrap_or(f64::NAN)
}

#[test]
fn links_and_joints_become_objects_and_joints() {
    let import = import(ARM, &Options::default());
    let model = declaration(&import);
    assert_eq!(model.name, "arm_2");
    let names: Vec<&str> = model.content.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "base",
            "shoulder_frame",
            "upper_arm",
            "upper_arm_shape",
            "slide_joint_frame",
            "slide",
            "finger",
            "sensor",
            "camera"
        ]
    );
    let joints: Vec<(&str, &str, &str)> =
        model.content.joints.iter().map(|j| (j.name.as_str(), j.from.as_str(), j.to.as_str())).collect();
    assert_eq!(
        joints,
        [
            ("shoulder", "shoulder_frame", "upper_arm"),
            ("slide_joint", "slide_joint_frame", "slide"),
            ("grip", "slide", "finger")
        ]
    );
    assert!(matches!(model.content.joints[0].kind, JointKind::Revolute { .. }));
    assert!(matches!(model.content.joints[1].kind, JointKind::Prismatic { .. }));
}

#[test]
fn inertias_are_turned_into_the_axes_of_the_link() {
    let model = declaration(&import(ARM, &Options::default()));
    let arm = model.content.objects.iter().find(|object| object.name == "upper_arm").unwrap();
    let Some(MassDeclaration::Given { m, center, inertia }) = &arm.mass else { panic!("no mass") };
    assert_eq!((number(m), number(&center[0])), (2.0, 0.1));
    let wanted = [0.02, 0.01, 0.025, -0.001, 0.0, 0.0];
    for (found, wanted) in inertia.iter().zip(wanted) {
        assert!((number(found) - wanted).abs() < 1e-16, "{found} is not {wanted}");
    }
}

#[test]
fn limits_become_stops_and_limits_of_drives() {
    let import = import(ARM, &Options::default());
    let text = &import.text;
    assert!(text.contains("torque = \"clamp(shoulder_tau, -30, 30)\""), "{text}");
    assert!(text.contains("force = \"clamp(slide_joint_f, -5, 5)\""), "{text}");
    // Joints start within their limits.
    assert!(text.contains(
        "axis = \"y\"\nphi = 0.5\ndamping = 0.1\nfriction = { torque = 0.2 }\nstops = { lower = 0.5, upper = 1.5"
    ));
    let model = declaration(&import);
    assert_eq!(model.inputs.len(), 2);
    let free = import_with(Options { without_limits: true, drive: Drive::None, ..Options::default() });
    assert!(!free.text.contains("stops") && !free.text.contains("torque = \""), "{}", free.text);
}

fn import_with(options: Options) -> Import {
    import(ARM, &options)
}

#[test]
fn mimic_joints_are_geared_to_what_they_follow() {
    let import = import(ARM, &Options::default());
    assert!(
        import.text.contains("[components.grip_mimic]\ntype = \"gear\"\na = \"grip\"\nratio = -2\n"),
        "{}",
        import.text
    );
    assert!(import.text.contains("type = \"clutch\"\na = \"grip_mimic.b\"\nb = \"slide_joint\"\nu = 1\n"));
    let model = declaration(&import);
    assert_eq!(number(&model.content.joints[2].dofs[0].position), 0.3);
    // What follows a joint has no drive of its own.
    assert!(model.content.joints[2].dofs[0].force.is_none());
}

#[test]
fn what_follows_a_joint_that_does_not_exist_is_free() {
    let import = import(&ARM.replace("<mimic joint=\"slide\"", "<mimic joint=\"slider\""), &Options::default());
    assert!(import.summary().join("\n").contains("ignored: there is no joint `slider`"));
    assert!(import.text.contains("grip_tau") && !import.text.contains("gear"), "{}", import.text);
}

#[test]
fn servos_are_sized_by_what_joints_carry() {
    let position = import_with(Options { drive: Drive::Position, ..Options::default() });
    assert!(position.text.contains("slide_joint_s_ref = { unit = \"m\""), "{}", position.text);
    // 0.6 kg, and 9e-4 kg m² that turns by -2 rad with every metre.
    let force = "force = \"clamp(0.6036*(servo^2*(slide_joint_s_ref - s) - 2*servo*v), -5, 5)\"";
    assert!(position.text.contains(force), "{}", position.text);
    assert!(position.text.contains("servo = { value = 30, unit = \"rad/s\""));
    declaration(&position);
    let velocity = import_with(Options { drive: Drive::Velocity, ..Options::default() });
    assert!(velocity.text.contains("0.6036*servo*(clamp(slide_joint_v_ref, -1, 1) - v)"), "{}", velocity.text);
    declaration(&velocity);
}

#[test]
fn what_is_not_taken_over_is_listed() {
    let import = import(ARM, &Options::default());
    let notes = import.summary().join("\n");
    for part in [
        "<transmission \"t1\">, <transmission \"t2\"> (2 times): ignored: every joint gets the drive",
        "<safety_controller> of <joint \"shoulder\">: ignored",
        "the mesh meshes/missing.stl does not exist",
        "joint `pan`: is fixed: what it carries has no mass",
        "repaired, the largest principal moment kept",
        "arm.urdf:24: ",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
    assert!(import.text.contains("# - upper.arm -> upper_arm"));
    assert!(import.text.starts_with("# Imported from arm.urdf by `mbfmu import`."));
}

#[test]
fn meshes_and_colours_come_along() {
    let import = import(ARM, &Options::default());
    assert_eq!(import.files.keys().collect::<Vec<_>>(), [&PathBuf::from("meshes/part.stl")]);
    assert!(import.text.contains("shape = \"mesh\", file = \"meshes/part.stl\", scale = 0.001"));
    assert!(import.text.contains("color = [0, 0, 1, 1]"));
    let none = import_with(Options { shapes: Shapes::None, ..Options::default() });
    assert!(none.files.is_empty() && !none.text.contains("shape ="), "{}", none.text);
    let collision = import_with(Options { shapes: Shapes::Collision, ..Options::default() });
    assert!(collision.files.is_empty() && collision.text.contains("collides = true"), "{}", collision.text);
}

#[test]
fn the_base_is_fixed_or_floats() {
    let fixed = declaration(&import(ARM, &Options::default()));
    assert_eq!(fixed.content.objects[0].attachment, Attachment::Fixed);
    let floating = declaration(&import_with(Options { base: Base::Floating, ..Options::default() }));
    assert!(matches!(floating.content.objects[0].attachment, Attachment::Free(_)));
    let world = ARM.replace("\"base\"", "\"world\"");
    let model = declaration(&import(&world, &Options::default()));
    assert!(model.content.objects.iter().all(|object| object.name != "world"));
    assert_eq!(model.content.objects[0].name, "shoulder_frame");
}

#[test]
fn planar_and_floating_joints_are_taken_over() {
    let text = ARM
        .replace("name=\"grip\" type=\"continuous\"", "name=\"grip\" type=\"planar\"")
        .replace("<mimic joint=\"slide\" multiplier=\"-2\" offset=\"0.3\"/>", "");
    let model = declaration(&import(&text, &Options::default()));
    assert!(matches!(model.content.joints[2].kind, JointKind::Planar { .. }));
    let text = text.replace("type=\"planar\"", "type=\"floating\"");
    let model = declaration(&import(&text, &Options::default()));
    assert!(matches!(model.content.joints[2].kind, JointKind::Free));
}

#[test]
fn errors_of_the_engine_point_into_the_description() {
    let model = import(ARM, &Options::default()).model().unwrap();
    let slide = model.declaration.content.joints.iter().find(|joint| joint.name == "slide_joint").unwrap();
    assert_eq!(slide.location.line, 36);
    assert_eq!(model.declaration.files, ["/ws/arm/urdf/arm.urdf"]);
    assert!(model.error(slide.location, "wrong", None).to_string().contains("<joint name=\"slide\""));
}

#[test]
fn malformed_files_are_refused_with_line_and_element() {
    for (from, to, parts) in [
        ("</robot>", "", &["this is not XML", "never closed"][..]),
        (
            "<child link=\"slide\"/>",
            "<child link=\"slid\"/>",
            &["there is no link `slid`", "did you mean `slide`?", "arm.urdf:38:"],
        ),
        ("<child link=\"slide\"/>", "", &["<joint \"slide\"> needs a <child>", "arm.urdf:36:"]),
        (
            "<child link=\"slide\"/>",
            "<child link=\"upper.arm\"/>",
            &["link `upper.arm` is the child of two joints, `shoulder` and `slide`"],
        ),
        ("type=\"prismatic\"", "type=\"prismatik\"", &["there is no type of joint `prismatik`", "known are fixed"]),
        ("type=\"prismatic\"", "", &["<joint \"slide\"> needs the attribute `type`"]),
        (
            "<mass value=\"2\"/>",
            "<mass value=\"heavy\"/>",
            &["`value` of <mass> of <link \"upper.arm\"> has `heavy`", "arm.urdf:8:"],
        ),
        ("<mass value=\"2\"/>", "<mass value=\"-2\"/>", &["must not be negative"]),
        ("<mass value=\"2\"/>", "", &["needs a <mass>"]),
        ("<mass value=\"2\"/>", "<mass value=\"nan\"/>", &["`nan` where a number belongs, finite"]),
        (
            "xyz=\"0 0 1\" rpy",
            "xyz=\"0 1\" rpy",
            &["`xyz` of <origin> of <joint \"shoulder\"> must be 3 numbers, it has 2"],
        ),
        ("<axis xyz=\"0 2 0\"/>", "<axis xyz=\"0 0 0\"/>", &["the axis of <joint \"shoulder\"> must not be zero"]),
        ("<mimic joint=\"slide\"", "<mimic joint=\"grip\"", &["joint `grip` follows itself"]),
        (
            "<link name=\"camera\"/>",
            "<link name=\"camera\"/><link name=\"lost\"/>",
            &["2 links are roots, `base` and `lost`"],
        ),
        (
            "<link name=\"camera\"/>",
            "<link name=\"base\"/>",
            &["there are two links `base`", "there is no link `camera`"],
        ),
        ("<joint name=\"pan\"", "<joint name=\"slide\"", &["there are two joints `slide`"]),
        ("<robot name", "<robots name", &["this is not XML"]),
        (
            "<parent link=\"base\"/>",
            "<parent link=\"camera\"/>",
            &["joints `shoulder`, `slide`", "carry each other's links in a circle", "remove one of them"],
        ),
    ] {
        assert!(ARM.contains(from), "{from}");
        let found = errors(&ARM.replacen(from, to, 1));
        for part in parts {
            assert!(found.contains(part), "{part} is not in\n{found}");
        }
    }
    assert!(errors("<mujoc/>").contains("<mujoc> is neither the <robot> of a URDF nor"));
    assert!(errors("<robot name=\"r\"/>").contains("the robot has no links"));
}

#[test]
fn xacro_is_refused_with_the_command_that_expands_it() {
    let text = ARM
        .replace("<robot name", "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name")
        .replace("<link name=\"base\"/>", "<xacro:arm/><link name=\"base\"/>");
    let found = errors(&text);
    assert!(found.contains("run `xacro arm.urdf > arm_expanded.urdf`"), "{found}");
    let found = read_text(ARM, Path::new("arm.urdf.xacro"), &Options::default(), &mut MemoryFiles::new()).unwrap_err();
    assert!(found.to_string().contains("run `xacro arm.urdf.xacro > arm.urdf`"), "{found}");
    // A name space alone is no macro.
    let plain = ARM.replace("<robot name", "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name");
    declaration(&import(&plain, &Options::default()));
}

#[test]
fn misspelt_attributes_are_listed_with_what_was_meant() {
    let text = ARM
        .replacen("<origin xyz=", "<origin xyx=", 1)
        .replace("<robot name=\"arm", "<robot version=\"1.0\" name=\"arm");
    let notes = import(&text, &Options::default()).summary().join("\n");
    assert!(notes.contains("ignored: there is no attribute `xyx`; did you mean `xyz`?"), "{notes}");
    assert!(notes.contains("arm.urdf:7: <origin> of <link"), "{notes}");
    let notes = import(ARM, &Options::default()).summary().join("\n");
    assert!(!notes.contains("there is no attribute"), "{notes}");
}

#[test]
fn all_joints_of_a_circle_are_named_and_removing_one_helps() {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
        )
    };
    let tree =
        format!("<robot>\n{}{}{}{}", link("a"), link("b"), link("c"), joint("j", "a", "b") + &joint("k", "b", "c"));
    let found = errors(&format!("{tree}{}</robot>", joint("l", "c", "a")));
    assert!(found.contains("joints `j`, `k`, `l` carry each other's links in a circle"), "{found}");
    assert!(found.contains("arm.urdf:2:") && found.contains("remove one of them"), "{found}");
    declaration(&import(&format!("{tree}</robot>"), &Options::default()));
    let found = errors(&format!("{tree}{}{}</robot>", link("d"), joint("m", "d", "d")));
    assert!(found.contains("joint `m` carries a link with itself"), "{found}");
}

#[test]
fn a_robot_without_a_name_is_called_like_its_file() {
    let text = ARM.replace(" name=\"arm-2\"", "");
    assert_eq!(import(&text, &Options::default()).name, "arm");
}

#[test]
fn an_attribute_that_stands_twice_is_called_so() {
    let found = errors("<robot name=\"r\">\n<link name=\"a\" name=\"b\"/>\n</robot>");
    assert!(found.contains("this is not XML: an element has the attribute `name` twice"), "{found}");
    assert!(found.contains("arm.urdf:2:16"), "{found}");
}

#[test]
fn elements_that_are_there_twice_are_refused_and_missing_products_of_inertia_noted() {
    let robot = |joint: &str, inertia: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"1\"/>\n{inertia}</inertial></link>\n\
             <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\n{joint}</joint></robot>"
        )
    };
    let whole = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>";
    for (tag, joint) in [
        ("origin", "<origin xyz=\"1 0 0\"/><origin xyz=\"2 0 0\"/>"),
        ("axis", "<axis xyz=\"1 0 0\"/><axis xyz=\"0 1 0\"/>"),
        ("dynamics", "<dynamics damping=\"1\"/><dynamics damping=\"2\"/>"),
    ] {
        let found = errors(&robot(joint, whole));
        assert!(found.contains(&format!("joint `j` has two <{tag}>")) && found.contains("arm.urdf:5:"), "{found}");
    }
    let found = errors(&robot("", &whole.repeat(2)));
    assert!(found.contains("two <inertia>") && found.contains("arm.urdf:3:"), "{found}");
    let found = import(&robot("", "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixz=\"0\"/>"), &Options::default());
    let notes = found.summary().join("\n");
    assert!(notes.contains("`ixy`, `iyz` is not given and taken for zero"), "{notes}");
}
