//! Every wrong use of the command has an exit code and a message with a remedy.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Desk, run_new_program, write_zip};

#[test]
fn wrong_use_has_exit_code_2() {
    let desk = Desk::with_pendulum();
    for (arguments, says) in [
        ("simulate", "required"),
        ("simulate Pendulum --stpo 1", "--stop"),
        ("simulate Pendulum --stop x", "invalid value 'x'"),
        ("linearize Pendulum --at -1", "--at is -1 s, before the start"),
        ("simulate Pendulum --stop -1", "before the start time"),
        ("simulate Pendulum --step 0", "must be positive"),
        ("simulate Pendulum --step 1e-12", "too many"),
        ("simulate Pendulum --tolerance 2", "between 0 and 1"),
        ("simulate Pendulum --set L", "NAME=VALUE"),
        ("simulate Pendulum --set L=long", "not a number"),
        ("simulate Pendulum --all --outputs hinge.w", "cannot be used with"),
        ("simulate Pendulum --wall-limit inf", "the limit of wall time is inf s, but must be positive and finite"),
        (
            "simulate Pendulum --wall-limit 1e300",
            "the limit of wall time is 1e300 s, but must be between 1e-9 s and 1.8e19 s",
        ),
        ("simulate Pendulum --wall-limit nan", "the limit of wall time is NaN s, but must be positive and finite"),
        ("view Pendulum --fps 0", "must be positive"),
        ("view Pendulum --fps 1e6", "--fps is 1000000, but must be at most 1000 pictures per second"),
        ("view Pendulum --port 8000", "--live"),
        ("view Pendulum --port 8000 --stop 1 -o x.html", "--port is for a page that is served: it needs --live"),
        ("view Pendulum -o x.mp4", ".html or .glb"),
        ("plot Pendulum -o x.pdf", ".svg or .png"),
        ("frobnicate", "unrecognized subcommand"),
    ] {
        desk.fails(arguments, 2, &[says]);
    }
    assert_eq!(desk.files(), ["Pendulum"], "nothing is written");
}

#[test]
fn a_missing_or_wrong_model_is_named() {
    let desk = Desk::new();
    desk.write("empty/.keep", "");
    desk.write("robot.urdf", "<robot/>");
    desk.write("notes.txt", "");
    desk.fails("check Nothing", 1, &["there is no model `Nothing`", "mbfmu new"]);
    desk.fails("check empty", 1, &["the folder empty has no model.toml"]);
    desk.fails("check robot.urdf", 1, &["the robot has no links", "robot.urdf:1:1"]);
    desk.fails("check notes.txt", 1, &["notes.txt is not a model", ".fmu"]);
}

#[test]
fn new_overwrites_nothing_and_refuses_bad_names() {
    let desk = Desk::with_pendulum();
    desk.write("Pendulum/model.toml", "mine");
    desk.fails("new Pendulum", 1, &["Pendulum exists already"]);
    assert_eq!(desk.text("Pendulum/model.toml"), "mine");
    desk.fails("new 2-link", 1, &["`2-link` cannot be the name of a model", "`link`"]);
    desk.fails("new nowhere/Arm", 1, &["cannot make the folder nowhere/Arm"]);
}

#[test]
fn all_errors_of_a_model_come_with_file_line_and_hint() {
    let desk = Desk::with_pendulum();
    let model = desk
        .text("Pendulum/model.toml")
        .replace("axis = \"z\"", "axsi = \"z\"")
        .replace("material = \"Steel\"", "material = \"Stel\"");
    desk.write("Pendulum/model.toml", &model);
    let line = 1 + model.lines().position(|line| line.contains("axsi")).unwrap();
    desk.fails("check Pendulum", 1, &["axsi", &format!("model.toml:{line}:"), "did you mean `axis`"]);
    for command in ["describe", "pack", "simulate", "plot", "view"] {
        desk.fails(&format!("{command} Pendulum"), 1, &["axsi"]);
    }
    let model = model.replace("axsi", "axis").replace("L/20", "L/0*1");
    desk.write("Pendulum/model.toml", &model);
    desk.fails("check Pendulum", 1, &["model.toml:"]);
}

#[test]
fn unknown_variables_are_answered_with_near_ones() {
    let desk = Desk::with_pendulum();
    desk.fails("plot Pendulum hinge.phii", 1, &["there is no variable `hinge.phii`", "did you mean `hinge.phi`?"]);
    desk.fails("plot Pendulum *.xyz", 1, &["no variable matches `*.xyz`"]);
    desk.fails("simulate Pendulum --outputs zebra", 1, &["there is no variable"]);
    desk.fails("simulate Pendulum --set l0=1", 1, &["there is no parameter or input `l0`"]);
    desk.fails("simulate Pendulum --set width=1", 1, &["`width` cannot be set"]);
    desk.fails("simulate Pendulum --set L=-1", 1, &["`L` is -1 m", "0.01"]);
}

/// A slide that an input moves.
const SLIDE: &str = r#"
name = "Slide"
experiment = { stop = 1, step = 0.25, tolerance = 1e-8 }
outputs = ["drive.s", "ref"]
inputs.ref = { start = 0.1, unit = "m" }
objects.a.mass = 2
joints.drive = { type = "prismatic", from = "world", to = "a", axis = "z", motion = { input = "ref", filter = 0.05 } }
"#;

#[test]
fn units_in_the_header_of_inputs_are_converted() {
    let desk = Desk::new();
    desk.write("Slide.toml", SLIDE);
    desk.write("si.csv", "time,ref\n0,0.1\n0.5,0.2\n1,0.15\n");
    desk.write("mm.csv", "time [ms],ref [mm]\n0,100\n500,200\n1000,150\n");
    desk.works("simulate Slide.toml --inputs si.csv -o si-run.csv");
    desk.works("simulate Slide.toml --inputs mm.csv -o mm-run.csv");
    assert_eq!(desk.text("si-run.csv"), desk.text("mm-run.csv"));
    let text = desk.text("mm-run.csv");
    let column = text.lines().next().unwrap().split(',').position(|name| name == "ref").unwrap();
    let last: f64 = text.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap();
    assert!((last - 0.15).abs() < 1e-12, "{text}");
}

#[test]
fn wrong_input_files_are_named_with_their_line() {
    let desk = Desk::with_pendulum();
    for (text, says) in [
        ("t,u\n", "must be called `time`"),
        ("time,u\n0,1\n", "there is no input `u`"),
        ("time,\n0,1\n", "a column has no name"),
        ("time,L\n0,1\n", "`L` is a parameter, not an input"),
        ("time\n1\n0\n", "before that of the row above"),
        ("time\n", "no rows"),
        ("time\n0\nx\n", "`x` in column `time` is not a number"),
    ] {
        desk.write("in.csv", text);
        desk.fails("simulate Pendulum --inputs in.csv", 1, &[says, "in.csv:"]);
    }
    desk.write("Slide.toml", SLIDE);
    for (text, says) in [
        ("time,ref [s]\n0,1\n", ["`ref [s]`", "write `ref [m]`"]),
        ("time,ref [foot]\n0,1\n", ["foot", "write `ref [m]`"]),
        ("time [m],ref\n0,1\n", ["`time [m]`", "write `time [s]`"]),
    ] {
        desk.write("in.csv", text);
        desk.fails("simulate Slide.toml --inputs in.csv", 1, &[says[0], says[1], "in.csv:1"]);
    }
    desk.write("in.csv", "time,G\n0,1\n");
    let ran = desk.run("simulate Slide.toml --inputs in.csv");
    assert!(ran.err.contains("variables: `ref`\n"), "{}", ran.err);
    desk.fails("simulate Pendulum --inputs missing.csv", 1, &["cannot read missing.csv"]);
}

#[test]
fn values_beyond_the_limits_of_an_input_are_found_before_the_run_with_their_line() {
    let desk = Desk::new();
    let limits = "{ start = 0.1, unit = \"m\", min = 0, max = 0.5 }";
    desk.write("Slide.toml", &SLIDE.replace("{ start = 0.1, unit = \"m\" }", limits));
    for (text, says) in [
        ("time,ref\n0,0.1\n2,0.5\n5,0.6\n9,-1\n", ["`ref` is 0.6 m, but must be at most 0.5 m", "in.csv:4"]),
        ("time,ref [mm]\n0,100\n9,-1000\n", ["`ref` is -1 m, but must be at least 0 m", "in.csv:3"]),
    ] {
        desk.write("in.csv", text);
        desk.fails("simulate Slide.toml --inputs in.csv", 1, &says);
    }
    desk.works("pack Slide.toml");
    desk.fails("simulate Slide.fmu --inputs in.csv", 1, &["`ref` is -1 m, but must be at least 0 m", "in.csv:3"]);
    assert!(!desk.path("Slide_result.csv").exists());
}

#[test]
fn files_that_cannot_be_written_are_named_and_leave_nothing_behind() {
    let desk = Desk::with_pendulum();
    desk.fails("simulate Pendulum -o nowhere/out.csv", 1, &["cannot write nowhere/out.csv"]);
    desk.fails("pack Pendulum -o Pendulum", 1, &["cannot write Pendulum: it is a folder"]);
    assert_eq!(desk.files(), ["Pendulum"]);
}

#[test]
fn a_failed_run_keeps_the_results_of_the_one_before() {
    let desk = Desk::with_pendulum();
    desk.works("simulate Pendulum -o out.csv");
    let before = desk.text("out.csv");
    desk.fails("simulate Pendulum --set L=-1 -o out.csv", 1, &[]);
    assert_eq!(desk.text("out.csv"), before);
    assert_eq!(desk.files(), ["Pendulum", "out.csv", "out.units.csv"]);
}

#[test]
fn a_missing_library_is_an_error_that_says_how_to_get_it() {
    let desk = Desk::with_pendulum();
    desk.fails("pack Pendulum --library nothing.so", 1, &["--library names nothing.so"]);
    let output = desk.command("pack Pendulum").env("MBFMU_SHELL", "gone.so").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("MBFMU_SHELL names gone.so"));
    let copy = desk.path("mbfmu");
    std::fs::copy(env!("CARGO_BIN_EXE_mbfmu"), &copy).unwrap();
    let mut command = std::process::Command::new(copy);
    let output =
        run_new_program(command.args(["pack", "Pendulum"]).current_dir(desk.path("")).env_remove("MBFMU_SHELL"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && text.contains("cargo build --release -p mbfmu-shell"), "{text}");
}

#[test]
fn archives_that_reach_outside_are_refused_and_write_nothing() {
    let desk = Desk::new();
    for name in ["../evil.txt", "/tmp/mbfmu-evil.txt", "resources/../../evil.txt", "..\\evil.txt"] {
        write_zip(&desk.path("evil.fmu"), &[("modelDescription.xml", b"<x/>".as_slice()), (name, b"evil".as_slice())]);
        desk.fails("check evil.fmu", 1, &["is refused", "would lead out"]);
        desk.fails("simulate evil.fmu", 1, &["is refused"]);
    }
    assert_eq!(desk.files(), ["evil.fmu"]);
    assert!(!std::path::Path::new("/tmp/mbfmu-evil.txt").exists());
}

#[test]
fn damaged_fmus_are_refused_with_the_cause() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum -o good.fmu");
    let guid = guid(&desk.works("describe good.fmu"));
    let with = |file: &'static str, change: &dyn Fn(Vec<u8>) -> Option<Vec<u8>>| {
        desk.repack("good.fmu", "bad.fmu", |name, bytes| if name.contains(file) { change(bytes) } else { Some(bytes) });
    };
    desk.write("bad.fmu", "no archive");
    desk.fails("check bad.fmu", 1, &["bad.fmu is not a sound archive"]);
    with("modelDescription.xml", &|_| None);
    desk.fails("check bad.fmu", 1, &["it has no modelDescription.xml"]);
    with("modelDescription.xml", &|bytes| Some(bytes[..bytes.len() / 2].to_vec()));
    desk.fails("check bad.fmu", 1, &["modelDescription.xml:"]);
    let other = guid.replace(['a', 'b', 'c', 'd', 'e', 'f'], "0");
    with("modelDescription.xml", &|bytes| Some(String::from_utf8(bytes).unwrap().replace(&guid, &other).into_bytes()));
    desk.fails("check bad.fmu", 1, &["the GUID of the model description", &other, &guid]);
    let ran = desk.run("simulate bad.fmu");
    assert!(ran.code == 1 && ran.err.contains("refused fmi2Instantiate"), "{}", ran.err);
    with("binaries/", &|_| None);
    desk.fails("check bad.fmu", 1, &["no library for this platform"]);
    with("binaries/", &|_| Some(b"no library".to_vec()));
    desk.fails("check bad.fmu", 1, &["cannot be loaded"]);
    with("declaration.json", &|_| None);
    desk.fails("view bad.fmu", 1, &["was not packed by mbfmu"]);
    desk.fails("pack good.fmu", 1, &["is an FMU already"]);
}

#[test]
fn a_value_that_is_given_twice_is_wrong_use() {
    let desk = Desk::new();
    let model = "[objects.body]\nmass = \"m\"\n[joints.slide]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"body\"\naxis = \"x\"\n\
                 force = \"f\"\n[parameters]\nm = 1\n[inputs]\nf = { unit = \"N\" }\n";
    desk.write("m.toml", &format!("name = \"M\"\n{model}"));
    desk.write("in.csv", "time,f\n0,0\n1,1\n");
    let of_table = "`f` is set or swept, but the table of --inputs gives it over time";
    for (arguments, says) in [
        ("simulate m.toml --set f=50 --inputs in.csv", of_table),
        ("sweep m.toml f=1,2 --inputs in.csv", of_table),
        ("plot m.toml slide.s --inputs in.csv --with-set f=50", of_table),
        ("sweep m.toml m=1,2 --set m=5", "`m` is swept, and set by --set"),
    ] {
        desk.fails(arguments, 2, &[says, "leave out one of them"]);
    }
    assert_eq!(desk.files(), ["in.csv", "m.toml"]);
    desk.works("sweep m.toml m=1,2 --inputs in.csv -o s.csv");
    desk.works("sweep m.toml m=1,2 --outputs m,slide.s,slide.s,max(m) -o s.csv");
    assert_eq!(desk.text("s.csv").lines().next(), Some("m,slide.s,max(m)"), "every column once");
}

fn guid(xml: &str) -> String {
    roxmltree::Document::parse(xml).unwrap().root_element().attribute("guid").unwrap().to_owned()
}

#[test]
fn an_fmu_that_refuses_a_value_ends_the_run_with_its_message() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum");
    let ran = desk.run("simulate Pendulum.fmu --set L=-1");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("fmi2SetReal") && ran.err.contains("-1 m") && ran.err.contains("0.01 m"), "{}", ran.err);
}

#[test]
fn what_a_command_reads_is_not_what_it_writes() {
    let desk = Desk::with_pendulum();
    desk.write("in.csv", "time,f\n0,1\n");
    desk.works("pack Pendulum");
    let model = desk.text("Pendulum/model.toml");
    let fmu = desk.read("Pendulum.fmu");
    for arguments in ["pack Pendulum -o Pendulum/model.toml", "simulate Pendulum -o ./Pendulum/../Pendulum/model.toml"]
    {
        desk.fails(arguments, 1, &["would be replaced", "-o"]);
    }
    desk.fails("simulate Pendulum.fmu -o Pendulum.fmu", 1, &["Pendulum.fmu would be replaced"]);
    desk.fails("simulate Pendulum --inputs in.csv -o in.csv", 1, &["in.csv would be replaced"]);
    assert_eq!((desk.text("Pendulum/model.toml"), desk.read("Pendulum.fmu")), (model, fmu));
    assert_eq!(desk.text("in.csv"), "time,f\n0,1\n");
}

#[test]
fn tables_and_start_values_that_a_command_reads_stay() {
    let desk = Desk::new();
    let model = "[objects.body]\nmass = 1\n[joints.slide]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"body\"\naxis = \"x\"\n\
                 force = \"push(time) + f\"\n[tables]\npush = { file = \"tab.csv\" }\n[inputs]\nf = { unit = \"N\" }\n";
    desk.write("m/model.toml", &format!("name = \"M\"\n{model}"));
    let files = [
        ("m/tab.csv", "0,0\n1,1\n"),
        ("in.csv", "time,f\n0,1\n"),
        ("x.units.csv", "time,f\n0,1\n"),
        ("st.csv", "start = { \"slide.s\" = 1 }\n"),
        ("st.toml", "start = { \"slide.s\" = 1 }\n"),
    ];
    files.iter().for_each(|(name, text)| desk.write(name, text));
    for (arguments, kept) in [
        ("simulate m -o m/tab.csv", "m/tab.csv"),
        ("simulate m --from st.csv -o st.csv", "st.csv"),
        ("simulate m --inputs x.units.csv -o x.csv", "x.units.csv"),
        ("sweep m f=1,2 --from st.csv -o st.csv", "st.csv"),
        ("sweep m max_work=1e9 --inputs in.csv -o in.csv", "in.csv"),
        ("pack m --from st.toml -o st.toml", "st.toml"),
    ] {
        let before = desk.read(kept);
        desk.fails(arguments, 1, &[&format!("{kept} would be replaced"), "-o"]);
        assert_eq!(desk.read(kept), before);
    }
}

#[test]
fn values_of_inputs_and_parameters_are_of_their_kind() {
    let model = |lines: &str| {
        format!(
            "name = \"Kinds\"\n{lines}\n[objects.a]\nfree = true\nmass = {{ m = 1, center = [0, 0, 0], inertia = [1, 1, 1] }}\n"
        )
    };
    let cases = [
        ("inputs.n = { kind = \"integer\", start = 1.5 }", "input `n` is 1.5, but must be a whole number"),
        ("inputs.n = { kind = \"integer\", start = 1e10 }", "-2147483647 to 2147483647"),
        ("inputs.b = { kind = \"boolean\", start = 2 }", "true (1) or false (0)"),
        ("inputs.n = { kind = \"integer\", min = 3 }", "must be at least 3"),
        ("parameters.n = { kind = \"integer\", value = 1, min = 0.5 }", "has min = 0.5, but it must be a whole number"),
        ("parameters.n = { kind = \"integer\", value = 1e10 }", "-2147483647 to 2147483647"),
    ];
    for (line, says) in cases {
        let desk = Desk::new();
        desk.write("Kinds/model.toml", &model(line));
        desk.fails("check Kinds", 1, &[says, "model.toml:2"]);
    }
}

#[test]
fn units_that_are_not_converted_are_pointed_out() {
    let desk = Desk::new();
    let body = "[objects.a]\nfree = true\nmass = { m = 1, center = [0, 0, 0], inertia = [1, 1, 1] }\n";
    desk.write("U/model.toml", &format!("name = \"U\"\nparameters.l = {{ value = 1, unit = \"mm\" }}\n{body}"));
    let ran = desk.run("check U");
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("parameter `l` is a number of mm") && ran.err.contains("display_unit"), "{}", ran.err);
    desk.write(
        "U/model.toml",
        &format!("name = \"U\"\nparameters.l = {{ value = 1, unit = \"m\", display_unit = \"mm\" }}\n{body}"),
    );
    assert_eq!(desk.run("check U").err, "");
}

#[test]
fn pack_makes_no_fmu_that_cannot_run_without_a_word() {
    let desk = Desk::with_pendulum();
    desk.write("text.so", "hello");
    desk.fails("pack Pendulum --library text.so", 1, &["text.so, which is not the library of an FMU"]);
    let long = "N".repeat(201);
    desk.write("Long/model.toml", &desk.text("Pendulum/model.toml").replacen("Pendulum", &long, 1));
    desk.fails("pack Long", 1, &["has 201 letters", "at most 200"]);
    desk.write("Free/model.toml", "name = \"Free\"\n[objects.a]\nsolid = { shape = \"sphere\", diameter = 1, mass = 1 }\n[joints.j]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"a\"\naxis = \"x\"\n");
    let ran = desk.run("pack Free --kinematic");
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("warning: with the default values") && ran.err.contains("`j`"), "{}", ran.err);
    assert_eq!(desk.run("pack Free").err, "");
}

/// What `mbfmu check` says is wrong with a text, and where.
fn place_of_error(text: &str) -> (String, String) {
    let desk = Desk::new();
    desk.write("m.toml", &format!("name = \"M\"\n{text}\n"));
    let ran = desk.run("check m.toml");
    assert_eq!((ran.code, ran.err.matches("error: ").count()), (1, 1), "{text}\n{}", ran.err);
    let place = ran.err.split("--> m.toml:").nth(1).unwrap_or_else(|| panic!("{}", ran.err));
    let caret = ran.err.lines().find(|line| line.contains('^')).unwrap().matches('^').count();
    (ran.err.clone(), format!("{} {caret}", place.lines().next().unwrap()))
}

#[test]
fn wrong_units_and_limits_are_shown_at_their_own_place() {
    const BALL: &str = "objects.b = { free = true, mass = 1 }";
    for (declared, place, says) in [
        ("[parameters]\nk = { value = 3, unit = \"N/mx\" }", "4:25 6", "unknown unit \"mx\""),
        ("[parameters.k]\nvalue = 3\nunit = \"N/mx\"", "5:8 6", "unknown unit \"mx\""),
        ("[parameters]\nk = { value = 3, unit = \"m\", display_unit = \"kg\" }", "4:45 4", "the display unit \"kg\""),
        ("[inputs]\nu = { start = 3, unit = \"foo\" }", "4:25 5", "unknown unit \"foo\""),
        ("outputs = [\"b.r_abs\", { name = \"a\", value = 1, unit = \"foo\" }]", "3:55 5", "unknown unit \"foo\""),
        ("[inputs]\nu = { start = 3, max = 2 }", "4:15 1", "must be at most 2"),
        ("[inputs]\nu = { start = 3, max = 2, min = 4 }", "4:33 1", "so that no value is allowed"),
        ("[inputs]\nu = { nominal = 0, unit = \"m\" }", "4:17 1", "nominal value of input `u` is 0 m"),
        ("[parameters]\nn = { kind = \"integer\", value = 1.5 }", "4:33 3", "must be a whole number"),
    ] {
        let (said, at) = place_of_error(&format!("{BALL}\n{declared}"));
        assert!(at == place && said.contains(says), "{declared}: {place} {says}\n{said}");
    }
}

#[test]
fn an_argument_out_of_range_is_shown_in_the_instance() {
    let (said, at) = place_of_error(
        "[assemblies.A]\nparameters = { L = { value = 1, min = 0.5 } }\nobjects.o = { mass = \"L\" }\n\
         [instances.i]\nassembly = \"A\"\narguments = { L = 0.1 }",
    );
    assert!(at.starts_with("7:15") && said.contains("must be at least 0.5"), "{said}");
}

#[test]
fn materials_without_data_are_shown_at_the_solid_that_names_them() {
    let solids = |ground: &str, box_: &str| {
        format!(
            "[materials]\nRb = {{ density = 1100, youngs_modulus = 5e7, poissons_ratio = 0.4 }}\n\
             [objects.road]\nfixed = true\nsolid = {{ shape = \"half_space\", massless = true, material = \"{ground}\", collides = true }}\n\
             [objects.box]\nfree = true\nr = [0, 0, 1]\n[objects.box.solid]\nshape = \"sphere\"\ndiameter = 1\nmass = 1\n\
             material = \"{box_}\"\ncollides = true"
        )
    };
    for (ground, box_, place, says) in [
        ("Steel", "Rbb", "14:12 5", "unknown material `Rbb`; did you mean `Rb`?"),
        ("Stel", "Steel", "6:61 6", "unknown material `Stel`"),
        ("Steel", "Rb", "14:12 4", "no contact properties for the materials"),
    ] {
        let (said, at) = place_of_error(&solids(ground, box_));
        assert!(at == place && said.contains(says), "{ground} {box_}: {place}\n{said}");
    }
    let (said, at) = place_of_error(
        "objects.b = { free = true, solid = { shape = \"sphere\", diameter = 1, material = \"Stel\" } }",
    );
    assert!(at == "2:81 6" && said.contains("unknown material `Stel`"), "{said}");
}

#[test]
fn the_own_coordinates_of_a_law_are_offered() {
    let planar = |force: &str| {
        format!(
            "objects.a.mass = {{ m = 1, inertia = [1, 1, 1] }}\n[joints.p]\ntype = \"planar\"\nfrom = \"world\"\nto = \"a\"\n\
             normal = \"z\"\naxis = \"x\"\ndof.s1 = {{ force = \"{force}\" }}"
        )
    };
    assert!(place_of_error(&planar("-3*v")).0.contains("did you mean `v[1]`?"));
    assert!(place_of_error(&planar("-3*speed")).0.contains("its own coordinates are called `s[1]`, `v[1]` here"));
}
