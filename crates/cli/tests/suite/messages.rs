//! Warnings about models that are likely to be wrong, and the ways to name variables.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Desk, rod_on_hinge};

fn rod(hinge: &str) -> String {
    rod_on_hinge("name = \"Rod\"", hinge)
}

/// A tetrahedron with edges of 300.
const PART: &str = "v 0 0 0\nv 300 0 0\nv 0 300 0\nv 0 0 300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[test]
fn an_object_that_is_free_and_moved_by_a_joint_is_pointed_out() {
    let desk = Desk::new();
    desk.write("rod.toml", &rod("").replace("[objects.rod]", "[objects.rod]\nfree = true"));
    let said = desk.works("check rod.toml");
    assert!(said.contains("warning: `rod` is free and moved by the joint `hinge` as well"), "{said}");
    desk.write("rod.toml", &rod(""));
    assert!(!desk.works("check rod.toml").contains("warning"));
}

#[test]
fn angles_beyond_a_turn_densities_of_no_material_and_meshes_in_millimetres_are_pointed_out() {
    let desk = Desk::new();
    desk.write("rod.toml", &rod("phi = 45"));
    let said = desk.works("check rod.toml");
    assert!(
        said.contains("warning: `hinge.phi` starts at 45 rad, more than a turn; in degrees write `deg(45)`"),
        "{said}"
    );
    assert!(said.contains("12.8 kg that move") && said.contains("greatest density 8000 kg/m³ (`rod`)"), "{said}");
    desk.write("rod.toml", &rod("phi = \"deg(45)\"").replace("material = \"Steel\"", "mass = 100"));
    let said = desk.works("check rod.toml");
    assert!(
        said.contains("warning: `rod` has a density of 6.250e4 kg/m³, more than any material: 100 kg in 1.6"),
        "{said}"
    );
    assert!(!said.contains("hinge.phi"), "{said}");
    desk.write("part.obj", PART);
    let mesh = "shape = \"mesh\", file = \"part.obj\", material = \"Steel\"";
    desk.write(
        "rod.toml",
        &rod("phi = 45").replace("shape = \"box\", lengths = [0.04, 1, 0.04], material = \"Steel\"", mesh),
    );
    let said = desk.works("check rod.toml");
    assert!(
        said.contains("the mesh of `rod` is 300 m long; if its file is in millimetres, give it `scale = 0.001`"),
        "{said}"
    );
}

#[test]
fn degrees_gravity_in_millimetres_and_negative_coefficients_are_pointed_out() {
    let desk = Desk::new();
    let model = |hinge: &str, more: &str| rod_on_hinge(&format!("name = \"Rod\"\n{more}"), hinge);
    desk.write("rod.toml", &model("phi = \"1 + sin(30)\"", "gravity = [0, 0, -9810]"));
    let said = desk.works("check rod.toml");
    assert!(
        said.contains(
            "warning: the angle in `sin(30)` is 30 rad, more than a turn; in degrees write `sin(deg(30))` (rod.toml:"
        ),
        "{said}"
    );
    assert!(said.contains("warning: gravity is 9810 m/s²; lengths are in metres"), "{said}");
    desk.write("rod.toml", &model("phi = \"1 + sin(deg(30)) + cos(-6)\"\nspring = -5\ndamping = -0.5", ""));
    let said = desk.works("check rod.toml");
    assert!(
        said.contains("warning: the stiffness of `hinge` along `phi` is negative, -5: it pushes away from rest"),
        "{said}"
    );
    assert!(
        said.contains("warning: the damping of `hinge` along `phi` is negative, -0.5: it feeds energy in"),
        "{said}"
    );
    assert_eq!(said.matches("warning").count(), 2, "{said}");
}

#[test]
fn angles_of_stops_and_springs_beyond_a_turn_are_pointed_out_with_their_place() {
    let desk = Desk::new();
    desk.write(
        "rod.toml",
        &rod("stops = { lower = -45, upper = 3, stiffness = 10 }\nspring = { stiffness = 1, rest = 30 }"),
    );
    let said = desk.works("check rod.toml");
    for says in [
        "warning: the lower stop of `hinge.phi` is at -45 rad, more than a turn; in degrees write `deg(-45)` (rod.toml:7:",
        "warning: the spring of `hinge.phi` rests at 30 rad, more than a turn; in degrees write `deg(30)` (rod.toml:7:",
    ] {
        assert!(said.contains(says), "{said}");
    }
    assert_eq!(said.matches("warning").count(), 2, "{said}");
}

#[test]
fn warnings_and_errors_of_the_start_in_an_array_point_into_its_assembly() {
    let desk = Desk::new();
    let array = |member: &str| {
        format!("name = \"A\"\n[assemblies.B]\n{member}[instances.b]\nassembly = \"B\"\ncount = 6\nr = [\"i\", 0, 0]\n")
    };
    let rod = "objects.rod = { solid = { shape = \"box\", lengths = [1, 0.1, 0.1], mass = 2 } }\n";
    let hinge = "joints.hinge = { type = \"revolute\", from = \"origin\", to = \"rod\", axis = \"z\", phi = 30 }\n";
    desk.write("m.toml", &array(&format!("{rod}{hinge}")));
    let said = desk.works("check m.toml");
    let warning = "`b[1].hinge.phi` starts at 30 rad, more than a turn; in degrees write `deg(30)` (so are 5 other copies) (m.toml:4:8)";
    assert!(said.contains(warning) && said.matches("warning").count() == 1, "{said}");
    desk.write("m.toml", &array("objects.p = { free = true, mass = 1 }\n"));
    desk.fails("check m.toml", 1, &["has nothing to move", "--> m.toml:3:9"]);
}

#[test]
fn contacts_that_are_no_variables_are_told_how_to_become_some() {
    let desk = Desk::new();
    let ball = |k: usize| {
        let solid = "{ shape = \"sphere\", diameter = 0.1, material = \"Steel\", collides = true }";
        format!("b{k} = {{ free = true, r = [{k}, 0, 0], solid = {solid} }}\n")
    };
    let balls: String = (0..6).map(ball).collect();
    desk.write("m.toml", &format!("name = \"Balls\"\n[objects]\n{balls}"));
    let hint = ["no variable `contact.b0_b1.f_n`", "contacts are variables where `outputs` of the model names them"];
    desk.fails("simulate m.toml --outputs contact.b0_b1.f_n", 1, &hint);
    desk.fails("plot m.toml contact.b0_b1.f_n", 1, &hint);
    desk.write("m.toml", &format!("name = \"Balls\"\noutputs = [\"contact.b0_b1\"]\n[objects]\n{balls}"));
    desk.works("simulate m.toml --stop 0.1 --outputs contact.b1_b0.f_n -o r.csv");
}

#[test]
fn inputs_and_parameters_on_which_nothing_depends_are_pointed_out() {
    let desk = Desk::new();
    let names = "name = \"Rod\"\n[parameters]\nlost = { value = 1, description = \"lost\" }\nbase = 2\ntwice = \"2*base\"\n\
                 [inputs]\nidle = {}\npush = { unit = \"N.m\" }\n";
    desk.write("rod.toml", &rod_on_hinge(names, "torque = \"twice*push\""));
    let said = desk.works("check rod.toml");
    for name in ["input `idle`", "parameter `lost`"] {
        assert!(said.contains(&format!("warning: nothing in the model depends on the {name} (rod.toml:")), "{said}");
    }
    assert_eq!(said.matches("warning").count(), 2, "{said}");
    let refused = desk.run("simulate rod.toml --set twice=3");
    assert!(refused.err.contains("`twice` cannot be set: it follows from other parameters"), "{}", refused.err);
}

#[test]
fn an_empty_model_is_refused() {
    let desk = Desk::new();
    desk.write("empty.toml", "name = \"Nothing\"\n");
    for command in ["check", "simulate", "pack", "view", "plot"] {
        let says = [
            "the model `Nothing` is empty: it has no objects, joints, components or instances",
            "empty.toml",
            "mbfmu new",
        ];
        desk.fails(&format!("{command} empty.toml"), 1, &says);
    }
}

#[test]
fn an_fmu_is_packed_with_other_defaults() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum --set L=0.5 -o short.fmu");
    desk.works("pack Pendulum -o usual.fmu");
    desk.works("simulate short.fmu -o short.csv");
    desk.works("simulate usual.fmu --set L=0.5 -o set.csv");
    assert_eq!(desk.text("short.csv"), desk.text("set.csv"));
    assert!(desk.works("describe short.fmu").contains("start=\"0.5\""));
    assert!(desk.works("check short.fmu").contains("34 functions"), "the GUID is that of the new declaration");
    desk.fails("pack Pendulum --set L=-1", 1, &["`L` is -1 m", "0.01"]);
    desk.fails("pack Pendulum --set l0=1", 1, &["there is no parameter or input `l0`"]);
}

#[test]
fn patterns_choose_groups_and_contacts_are_named_in_either_order() {
    let desk = Desk::new();
    let fmus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fmus");
    let header = |arguments: &str| {
        let csv = desk.works(&format!("simulate {fmus}/{arguments} --stop 0.001 -o -"));
        csv.lines().next().unwrap().to_owned()
    };
    assert_eq!(header("Billiards16 --outputs ball1?.r_abs").split(',').count(), 1 + 6 * 3);
    assert_eq!(header("BallOnCushion --outputs contact.ball_table.f_n"), "time,contact.table_ball.f_n");
    desk.works(&format!("plot {fmus}/BallOnCushion contact.ball_table.f_n ba*.r_abs --stop 0.01 -o p.svg"));
    desk.works(&format!("simulate {fmus}/BallOnCushion --all --stop 0.01 -o r.csv"));
    desk.works("plot r.csv contact.ball_table.f_n ba*.r_abs");
    desk.fails("plot r.csv ball.r_bas", 1, &["there is no variable `ball.r_bas`", "did you mean `ball.r_abs`?"]);
}

#[track_caller]
fn wrong(model: &str, says: &[&str]) -> String {
    let desk = Desk::new();
    desk.write("m.toml", model);
    desk.fails("check m.toml", 1, says);
    desk.run("check m.toml").err
}

#[test]
fn errors_of_the_start_have_a_place() {
    let deep = "name = \"Deep\"\n[objects.a]\nfree = true\nsolid = { shape = \"sphere\", diameter = 1, material = \"Steel\", collides = true }\n\
        [objects.b]\nfree = true\nr = [0.5, 0, 0]\nsolid = { shape = \"sphere\", diameter = 1, material = \"Steel\", collides = true }\n";
    wrong(deep, &["`a` and `b` penetrate each other", "--> m.toml:2:", "[objects.a]"]);
    let idle = format!(
        "{}\n[objects.idle]\n[joints.slide]\ntype = \"prismatic\"\nfrom = \"rod\"\nto = \"idle\"\naxis = \"x\"\n",
        rod("")
    );
    wrong(&idle, &["`slide` has nothing to move", "m.toml:15:", "[joints.slide]"]);
    let open = format!(
        "{}\n[joints.far]\ntype = \"spherical\"\nfrom = \"world\"\nto = \"end\"\n[objects.end]\nparent = \"rod\"\nr = [0, 9, 0]\n",
        rod("")
    );
    wrong(&open, &["cannot be closed", "--> m.toml:"]);
    let unit = format!("{}[parameters]\nL = {{ value = 1, unit = \"furlong\" }}\n", rod(""));
    wrong(&unit, &["unknown unit \"furlong\"", "--> m.toml:", "furlong"]);
    wrong(&unit.replace("furlong", "Newtons.m"), &["unknown unit \"Newtons\" in \"Newtons.m\"; did you mean \"N\"?"]);
}

#[test]
fn a_mass_that_is_zero_in_a_run_leaves_the_outputs_of_its_body() {
    let desk = Desk::new();
    desk.write(
        "m.toml",
        "name = \"Arm\"\noutputs = [\"lump\"]\nparameters.m = 1\nobjects.a.mass = { m = 1, center = [0.3, 0, 0], inertia = [1, 1, 1] }\n\
         objects.lump = { parent = \"a\", r = [0.5, 0, 0], mass = \"m\" }\n\
         joints.j = { type = \"revolute\", from = \"world\", to = \"a\", axis = \"y\" }\n",
    );
    desk.works("simulate m.toml --set m=0 --stop 0.1 -o run.csv");
    let text = desk.text("run.csv");
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("time,lump.r_abs[1],"), "{text}");
    assert!(lines.next().unwrap().starts_with("0.0,0.5,0.0,0.0,1.0,0.0,0.0,0.0,"), "{text}");
}

#[test]
fn laws_that_cannot_be_used_are_shown_where_they_stand() {
    let joint = "name = \"J\"\n[objects.a]\nmass = { m = 1, center = [1, 0, 0], inertia = [1, 1, 1] }\n\
        [joints.j]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"a\"\naxis = \"y\"\ntorque = \"10 + tau\"\n";
    wrong(joint, &["joint `j`: phi: force = `10 + tau` cannot be used: unknown name `tau`", "--> m.toml:9:11"]);
    let force = format!("{}\n[forces.f]\ntype = \"world\"\nat = \"rod\"\nforce = [0, \"1 + fy\", 0]\n", rod(""));
    wrong(&force, &["force[2] = `1 + fy` cannot be used: unknown name `fy`", "force = [0, \"1 + fy\", 0]"]);
}

#[test]
fn a_free_point_mass_is_told_to_need_an_inertia() {
    let point = "name = \"P\"\n[objects.p]\nfree = true\nmass = { m = 2 }\n";
    wrong(
        point,
        &["it has 2 kg but no mass or inertia in the direction of its rotation", "give it an `inertia`", "m.toml:2:"],
    );
}

#[test]
fn a_mistake_in_an_array_is_told_once() {
    let array = "name = \"A\"\n[assemblies.Link]\n[assemblies.Link.objects.body]\nsolid = { shape = \"box\", lengths = [1, 1, \"Q\"], material = \"Steel\" }\n\
        [assemblies.Link.joints.j]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"body\"\naxis = \"z\"\n[instances.a]\nassembly = \"Link\"\ncount = 15\n";
    let said = wrong(array, &["`Q` has no value", "(so are 14 other copies)", "m.toml:4:44"]);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

#[test]
fn a_mistake_in_a_repeated_assembly_is_told_once() {
    let copies = |length: &str| {
        format!(
            "name = \"A\"\n[assemblies.Link]\nparameters.L = 1\n\
             objects.body = {{ solid = {{ shape = \"capsule\", axis = \"y\", diameter = 0.1, length = \"{length}\", mass = 1 }} }}\n\
             joints.j = {{ type = \"revolute\", from = \"origin\", to = \"body\", axis = \"z\" }}\n\
             [instances]\na = {{ assembly = \"Link\" }}\nb = {{ assembly = \"Link\", arguments = {{ L = 2 }} }}\n\
             c = {{ assembly = \"Link\", count = 4, arguments = {{ L = \"2.5 - i\" }} }}\n"
        )
    };
    for (length, says) in [
        (
            "-L",
            "`a.body`: length of the capsule is -1 m; it must be zero or positive, and finite (so are 3 other copies)",
        ),
        ("Q", "`a.body`: capsule: length = `Q` has no value: unknown name `Q` (so are 5 other copies)"),
        (
            "L - 2.5",
            "`a.body`: length of the capsule is -1.5 m; it must be zero or positive, and finite (so are 5 other copies)",
        ),
    ] {
        let said = wrong(&copies(length), &[says, "m.toml:4:"]);
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
    }
    // Two mistakes of one object stay two.
    let two = rod("friction = { torque = 1, v_reg = 0 }\nstops = { lower = -1, upper = 1, stiffness = 0 }");
    let said = wrong(&two, &["v_reg of the friction is 0", "the stop's stiffness is 0"]);
    assert!(said.matches("error: ").count() == 2 && !said.contains("other cop"), "{said}");
}

#[test]
fn a_wrong_value_of_a_joint_is_shown_itself() {
    for (keys, says, place) in [
        (
            "stops = { lower = 1, upper = -1, stiffness = 5 }",
            "the lower stop 1 is not below the upper stop -1",
            ":12:19",
        ),
        ("spring = { stiffness = 3 }\nstops = { lower = 0, stiffness = -5 }", "the stop's stiffness is -5", ":13:34"),
        ("friction = { torque = 1, v_reg = 0 }", "v_reg of the friction is 0", ":12:34"),
        ("damping = \"inf\"", "damping is inf, but must be a finite number", ":12:11"),
    ] {
        wrong(&rod(keys), &[says, &format!("m.toml{place}")]);
    }
    let axis = rod("").replace("axis = \"z\"", "axis = [0, 0, \"1 - 1\"]");
    wrong(&axis, &["axis has length 0", "axis = [0, 0, \"1 - 1\"]\n"]);
    wrong(
        &rod("w = 1\nphi = \"nope\""),
        &["start position = `nope` has no value", "m.toml:13:8", "13 | phi = \"nope\""],
    );
}

#[test]
fn parameters_that_read_what_has_no_number_yet_are_told_why() {
    let wrong = |parameters: &str, says: &[&str]| {
        let desk = Desk::new();
        desk.write("rod.toml", &rod_on_hinge(&format!("name = \"Rod\"\n[parameters]\n{parameters}"), ""));
        desk.fails("check rod.toml", 1, says);
    };
    wrong("a = \"2*b\"\nb = 3", &["unknown name `b`", "declare `b` above `a`", "rod.toml:4"]);
    wrong("a = \"a + 1\"", &["the value of `a` cannot follow from itself"]);
    wrong(
        "who = { kind = \"string\", value = \"\" }\na = \"2*who\"",
        &["`who` is a String, which expressions cannot read"],
    );
    wrong(
        "a = { value = 4, min = 5, max = 3, unit = \"m\" }",
        &["parameter `a` has min = 5 m above max = 3 m, so that no value is allowed"],
    );
    wrong("a = 1\n[inputs]\nu = { min = 1, max = -1 }", &["input `u` has min = 1 above max = -1"]);
}

#[test]
fn a_string_in_a_force_is_told_to_be_none_that_expressions_can_read() {
    let desk = Desk::new();
    let force = "[forces.push]\ntype = \"world\"\nat = \"rod\"\nforce = [\"2*s1\", 0, 0]\n";
    desk.write("rod.toml", &rod_on_hinge("name = \"Rod\"\ninputs = { s1 = { kind = \"string\" } }", force));
    desk.fails("check rod.toml", 1, &["`s1` is a String, which expressions cannot read"]);
}

/// Pendulums, as many as a parameter says.
fn row(parameter: &str) -> String {
    format!(
        r#"
name = "Row"
gravity = [0, -9.81, 0]
experiment = {{ stop = 0.1 }}
parameters = {{ n = {parameter} }}
instances.p = {{ assembly = "Pendulum", count = "n", r = ["i", 0, 0] }}
outputs = ["p[1].hinge.phi"]
[assemblies.Pendulum]
objects = {{ rod = {{ mass = {{ m = 1, center = [0, -0.3, 0], inertia = [0.01, 0.01, 0.01] }} }} }}
joints = {{ hinge = {{ type = "revolute", from = "origin", to = "rod", axis = "z", phi = 0.3 }} }}
"#
    )
}

#[test]
fn a_tunable_parameter_that_changes_the_structure_is_pointed_out() {
    let desk = Desk::new();
    desk.write("row.toml", &row("{ value = 3, kind = \"integer\", min = 1, tunable = true }"));
    let said = desk.works("check row.toml");
    assert!(
        said.contains(
            "warning: parameter `n` is tunable, but a run refuses other values, such as 4: they change the structure"
        ),
        "{said}"
    );
    let tuned = row("{ value = 3, kind = \"integer\", min = 1 }, g = { value = 9.81, tunable = true }")
        .replace("[0, -9.81, 0]", "[0, \"-g\", 0]");
    desk.write("row.toml", &tuned);
    let said = desk.works("check row.toml");
    assert!(!said.contains("tunable"), "{said}");
}

#[test]
fn copies_that_a_smaller_number_leaves_out_are_named() {
    let desk = Desk::new();
    desk.write("row.toml", &row("{ value = 5, kind = \"integer\", min = 1 }"));
    let run = |n: usize| desk.run(&format!("simulate row.toml --set n={n} -o r.csv")).err;
    assert!(run(4).contains("note: `p[5]` does not exist with these parameters: its variables have constant"));
    assert!(run(3).contains("note: `p[4]` and `p[5]` do not exist"), "{}", run(3));
    assert!(run(1).contains("note: 4 copies, `p[2]` to `p[5]`, do not exist"), "{}", run(1));
    assert!(!run(5).contains("exist") && !run(5).contains("note"), "{}", run(5));
    assert!(run(6).contains("note: `p[6]` has no variables: "), "{}", run(6));
    assert!(run(9).contains("note: 4 copies, `p[6]` to `p[9]`, have no variables: "), "{}", run(9));
    desk.works("sweep row.toml n=4,5 --stop 0.1 --step 0.1 --outputs max(p[5].hinge.phi) -o s.csv");
    let swept = desk.text("s.csv");
    let cells: Vec<&str> = swept.lines().map(|line| line.split_once(',').unwrap().1).collect();
    assert!(cells[1] == "NaN" && cells[2] != "NaN", "{swept}");
}

#[test]
fn plots_whose_limits_show_nothing_are_told() {
    let desk = Desk::with_pendulum();
    let plot = |options: &str| desk.run(&format!("plot Pendulum hinge.phi hinge.w {options} -o p.svg")).err;
    assert!(plot("--xlim 100:200").contains("note: the plot is empty: all 2 curves lie beyond the limits"));
    assert!(plot("--ylim 1e6:").contains("note: the plot is empty"));
    let alone = desk.run("plot Pendulum hinge.phi --ylim 1e6: -o p.svg").err;
    assert!(alone.contains("note: the plot is empty: `hinge.phi` lies beyond the limits"), "{alone}");
    assert!(!plot("--xlim 0.1:0.2").contains("note"), "{}", plot("--xlim 0.1:0.2"));
}

#[test]
fn values_of_components_are_refused_with_their_units() {
    let wrong = |component: &str, says: &str| {
        let desk = Desk::new();
        desk.write("rod.toml", &rod_on_hinge("name = \"Rod\"", &format!("[components]\nc = {{ {component} }}\n")));
        desk.fails("check rod.toml", 1, &[says]);
    };
    wrong("type = \"sample-hold\", u = \"time\", period = -0.1", "`period` is -0.1 s, but must be above zero");
    let brake = "type = \"end-stop\", a = \"hinge\", lower = 2, upper = 1, stiffness = 1000";
    wrong(brake, "`lower` is 2 rad, but must be below `upper` = 1 rad");
    wrong(brake, "rod.toml:13:47\n");
    wrong("type = \"mass\", m = -1", "`m` is -1 kg, but must be above zero");
    wrong("type = \"gain\", u = \"time\", k = \"1/0\"", "`k`");
}

/// Two masses on rails, each with a tip that has no mass.
const TWO: &str = r#"
name = "Two"
outputs = ["m[*].b.r_abs", "m[?].tip.v_abs[1]", "*.v"]
parameters.c = 3
[assemblies.M.objects]
b = { solid = { shape = "sphere", diameter = 0.1, material = "Steel", collides = true } }
tip = { parent = "b", r = [0.1, 0, 0] }
[assemblies.M.joints]
rail = { type = "prismatic", from = "origin", to = "b", axis = "x" }
[instances.m]
assembly = "M"
count = 2
r = [0, "i", 0]
"#;

#[test]
fn outputs_of_a_model_may_be_patterns() {
    let desk = Desk::new();
    let header = |outputs: &str| {
        desk.write("Two.toml", &TWO.replace(r#"["m[*].b.r_abs", "m[?].tip.v_abs[1]", "*.v"]"#, outputs));
        desk.works("simulate Two.toml --stop 0.1 -o run.csv");
        desk.text("run.csv").lines().next().unwrap().to_owned()
    };
    let chosen = header(r#"["m[*].b.r_abs", "m[?].tip.v_abs[1]", "*.v"]"#);
    for name in ["m[1].b.r_abs[3]", "m[2].b.r_abs[1]", "m[2].tip.v_abs[1]", "m[1].rail.v"] {
        assert!(chosen.split(',').any(|column| column == name), "{name} is not in {chosen}");
    }
    assert_eq!(chosen.split(',').count(), 1 + 6 + 2 + 2, "{chosen}");
    let contacts = header(r#"["contact.m[2].b_*.f_n"]"#);
    assert_eq!(contacts, "time,contact.m[1].b_m[2].b.f_n");
    let all = header(r#"["*"]"#);
    assert!(!all.split(',').any(|column| column == "c"), "a pattern leaves parameters out: {all}");
    desk.write("Two.toml", &TWO.replace("m[*].b.r_abs", "m[*].b.r_asb"));
    desk.fails("check Two.toml", 1, &["no variable matches `m[*].b.r_asb`", "Two.toml:3:12", "did you mean"]);
    desk.write("Two.toml", &TWO.replace("m[*].b.r_abs", "m[*] b"));
    desk.fails("check Two.toml", 1, &["`outputs[1]` is not the path of anything: \"m[*] b\""]);
    desk.write("Two.toml", TWO);
    let empty = desk.command("simulate Two.toml").args(["--outputs", ""]).output().unwrap();
    assert_eq!(empty.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&empty.stderr).contains("the name of a variable is empty"));
}

#[test]
fn the_topology_marks_what_is_absent_at_the_start() {
    let desk = Desk::new();
    let sphere = "solid = { shape = \"sphere\", diameter = 0.1, mass = 2 }";
    let body =
        |name: &str, more: &str| format!("[objects.{name}]\nfree = true\nassembly_root = true\n{more}{sphere}\n");
    let tip = "[objects.tip]\nparent = \"part\"\nr = [0, 0, 0.1]\n";
    desk.write("M.toml", &format!("name = \"M\"\n{}{}{tip}", body("here", ""), body("part", "exists = false\n")));
    let tree = desk.works("describe M.toml --topology");
    assert!(tree.contains("here (free): here  2 kg\n"), "{tree}");
    assert!(tree.starts_with("M\nworld\n") && tree.ends_with("\nabsent at the start: part, tip\n"), "{tree}");
    let dot = desk.works("describe M.toml --topology=dot");
    assert!(dot.contains("  absent [style=\"rounded,dashed\", label=\"part\\ntip\\nabsent at the start\"];"), "{dot}");
}
