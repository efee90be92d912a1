//! Every error has the right line and column, and names the remedy.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs::declaration::Location;
use mbs_model::{Errors, MemoryFiles, ModelError, SourceText, parse, render};

fn errors(text: &str) -> Vec<ModelError> {
    let files = MemoryFiles::new()
        .with("empty.stl", "")
        .with("bad.obj", "v 1 2\n")
        .with("bad.csv", "0,0\n0,1\n")
        .with("a.txt", "");
    match parse(text, "model.toml", &mut files.clone()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(Errors { errors }) => errors,
    }
}

/// The only error of a text: its place, and words of its message and hint. `hint` is empty when there is none.
#[track_caller]
fn only(text: &str, place: (u32, u32), message: &str, hint: &str) {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{}", Errors { errors });
    let error = &errors[0];
    assert_eq!((error.line, error.column), place, "{error}");
    assert!(error.message.contains(message), "{error}");
    match &error.hint {
        Some(given) => assert!(!hint.is_empty() && given.contains(hint), "{error}"),
        None => assert_eq!(hint, "", "{error}"),
    }
}

const REVOLUTE: &str = "[joints.j]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"a\"\naxis = \"z\"\n";

#[test]
fn unknown_keys_are_named_with_the_nearest_right_one() {
    only("gravty = [0, 0, 0]\n", (1, 1), "unknown key `gravty`", "did you mean `gravity`?");
    only("[objects.rod]\n  masss = 2\n", (2, 3), "unknown key `masss` in [objects.rod]", "did you mean `mass`?");
    only("[objects.rod]\nfree = true\nzzzz = 2\n", (3, 1), "unknown key `zzzz`", "known are");
}

#[test]
fn keys_of_another_variant_or_place_are_explained() {
    let text = "[objects.a]\nsolid = { shape = \"box\", lengths = [1, 2, 3], mass = 1, diameter = 3 }\n";
    only(text, (2, 57), "unknown key `diameter` in [objects.a.solid]", "belongs to the shape `sphere`, `cylinder`");
    only("[objects.a]\nmaterial = \"Steel\"\n", (2, 1), "unknown key `material`", "write it as `solid.material`");
    only(&format!("{REVOLUTE}force = 1\n"), (6, 1), "unknown key `force`", "`torque`");
    let tube = REVOLUTE.replace("revolute", "cylindrical");
    only(&format!("{tube}damping = 1\n"), (6, 1), "unknown key `damping`", "`dof.s.damping` or `dof.phi.damping`");
}

#[test]
fn keys_under_names_of_other_formats_are_one_mistake() {
    let joint = "[joints.j]\ntype = \"fixed\"\n";
    only(&format!("{joint}parent = \"world\"\nto = \"a\"\n"), (3, 1), "unknown key `parent`", "did you mean `from`?");
    only(&format!("{joint}from = \"world\"\nchild = \"a\"\n"), (4, 1), "unknown key `child`", "did you mean `to`?");
    let solid = |shape: &str| format!("[objects.a]\nsolid = {{ shape = {shape}, mass = 1 }}\n");
    only(&solid("\"box\", size = [1, 2, 3]"), (2, 26), "unknown key `size`", "did you mean `lengths`?");
    only(&solid("\"sphere\", radius = 1"), (2, 29), "unknown key `radius`", "`diameter`? It is twice the radius.");
    only("[objects.a]\nmass = { mass = 1 }\n", (2, 10), "unknown key `mass`", "did you mean `m`?");
    only("[experiment]\nstop_time = 1\n", (2, 1), "unknown key `stop_time`", "did you mean `stop`?");
}

#[test]
fn missing_keys_are_reported_at_the_name_of_their_table() {
    only("[joints.j]\ntype = \"fixed\"\nfrom = \"world\"\n", (1, 9), "missing key `to` in [joints.j]", "Second object");
    // A misspelt key is one mistake, not two.
    only(
        "[joints.j]\ntype = \"fixed\"\nfrom = \"world\"\nt = \"a\"\n",
        (4, 1),
        "unknown key `t`",
        "did you mean `to`?",
    );
    only(
        "[joints.j]\ntyp = \"fixed\"\nfrom = \"world\"\nto = \"a\"\n",
        (2, 1),
        "unknown key `typ`",
        "did you mean `type`?",
    );
    only("[joints.j]\nfrom = \"world\"\nto = \"a\"\n", (1, 9), "missing key `type`", "one of `fixed`, `revolute`");
    only("[objects.a]\nsolid = { mass = 1 }\n", (2, 1), "missing key `shape` in [objects.a.solid]", "`sphere`");
    only("[objects.a]\nsolid = { shape = \"sphere\", mass = 1 }\n", (2, 1), "missing key `diameter`", "Diameter. [m]");
}

#[test]
fn wrong_types_and_lengths_are_reported_at_the_value() {
    only("name = 3\n", (1, 8), "`name` must be a string, not a number", "");
    only("[objects.a]\nfree = \"true\"\n", (2, 8), "must be true or false or a table, not a string", "without quotes");
    only("[objects.a]\nfixed = true\nr = [1, 2]\n", (3, 5), "`objects.a.r` must have 3 elements, it has 2", "");
    only(
        "[objects.a]\nfixed = true\nr = [1, true, 3]\n",
        (3, 9),
        "`objects.a.r[2]` must be a number or an expression",
        "",
    );
    only("objects = 3\n", (1, 11), "`objects` must be a table, not a number", "");
    only("gravity = [0, 0, inf]\n", (1, 18), "must be a finite number", "");
    only("gravity = \"nonne\"\n", (1, 11), "cannot be \"nonne\"", "did you mean `none`?");
    only("[parameters]\na = 1979-05-27\n", (2, 5), "not a date", "");
    only("[parameters]\na = 99999999999999999999\n", (2, 5), "finite number", "");
    only(&REVOLUTE.replace("\"z\"", "\"w\""), (5, 8), "`joints.j.axis` cannot be \"w\"", "known are `x`, `y`, `z`");
    only(&REVOLUTE.replace("\"a\"", "\"a b\""), (4, 6), "not the path of anything", "names joined by dots");
    only(&REVOLUTE.replace("revolute", "revolut"), (2, 8), "unknown type `revolut`", "did you mean `revolute`?");
    // Its keys are not mistakes besides.
    only("[forces.f]\ntype = \"force\"\nobject = \"a\"\n", (2, 8), "unknown type `force`", "known are `world`");
    only("[experiment]\nstop = \"2*x\"\n", (2, 8), "without names", "");
    only("[experiment]\nstop = \"60°\"\n", (2, 11), "angles are in radians: 60° is written `deg(60)`", "");
    only("[experiment]\nstop = \"10 s\"\n", (2, 12), "numbers carry no units", "");
    only("[experiment]\nstart = 5\nstop = \"x\"\n", (3, 8), "without names", "");
    only("[experiment]\ntolerance = \"1e-6 m\"\n", (2, 19), "numbers carry no units", "");
    only(
        "[experiment]\nstart = \"equilibrum\"\n",
        (2, 9),
        "`experiment.start` cannot be \"equilibrum\"",
        "did you mean `equilibrium`?",
    );
    only("[start]\nslide.s = 0.3\n", (2, 1), "`start.slide` must be a number", "quotes: `\"slide.s\" = …`");
    only("[start]\na.b.s = 0.3\n", (2, 1), "`start.a` must be a number", "quotes: `\"a.b.s\" = …`");
    only("outputs = [\"a b*\"]\n", (1, 12), "`outputs[1]` is not the path of anything", "names joined by dots");
}

#[test]
fn errors_inside_expressions_point_at_the_character() {
    only("[parameters]\na = \"1 + * 2\"\n", (2, 10), "unexpected `*`", "");
    only("[parameters]\na = '1 + * 2'\n", (2, 10), "unexpected `*`", "");
    only("[parameters]\na = { value = \"µ + \\u0078 $\" }\n", (2, 27), "`$`", "");
    only("[parameters]\na = \"\"\"\n  1 +\n  * 2\"\"\"\n", (4, 3), "unexpected `*`", "");
    only("[parameters]\na = \"sin(time\"\n", (2, 14), "ends too early", "");
    only("[parameters]\na = \"\"\n", (2, 6), "", "");
}

#[test]
fn toml_errors_are_found_all_at_once() {
    let errors = errors("a = \n[objects.b\nc = 1 2\n");
    assert!(errors.len() >= 2, "{}", Errors { errors });
    assert_eq!(errors[0].line, 1);
    only("a = [1,\n[objects.b]\nfree = true\n", (2, 2), "", "may not be closed");
}

#[test]
fn all_errors_of_a_file_are_reported_in_order() {
    let text = "name = \"a b\"\nx = 1\n[objects.time]\nfree = true\n[objects.b]\nfree = 3\n[parameters]\na = \"1+\"\n";
    let lines: Vec<u32> = errors(text).iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 2, 3, 6, 8]);
}

#[test]
fn names_are_identifiers_without_other_meaning() {
    only("name = \"a-b\"\n", (1, 8), "C identifier", "`a_b`");
    only("[objects.\"a b\"]\nfree = true\n", (1, 10), "is not a name", "");
    only("[parameters]\ntime = 1\n", (2, 1), "meaning of its own", "");
    only("[tables]\nsin = { points = [[0, 0], [1, 1]] }\n", (2, 1), "built-in function", "another name");
    only("outputs = [{ name = \"1x\", value = 1 }]\n", (1, 21), "is not a name", "");
}

#[test]
fn expressions_without_quotes_are_shown_with_them() {
    for (value, column) in
        [("0.32+0.06", 10), ("0.1-0.2", 9), ("1e-3*2", 10), ("2*h", 6), ("-h", 6), ("1/3", 6), ("0.3 + h", 6)]
    {
        let text = format!("[objects.a]\nfixed = true\nr = [{value}, 0, 0]\n");
        let errors = errors(&text);
        assert_eq!(errors.len(), 1, "{}", Errors { errors });
        assert_eq!((errors[0].line, errors[0].column), (3, column), "{}", errors[0]);
        assert_eq!(errors[0].hint.as_deref(), Some(&*format!("expressions stand in quotes: `\"{value}\"`")));
    }
    only("[parameters]\na = b\n", (2, 5), "must be quoted", "`\"b\"`");
}

#[test]
fn repeated_names_are_errors() {
    only("[parameters]\na = 1\na = 2\n", (3, 1), "duplicate key", "");
    let text = format!("[objects.j]\n{REVOLUTE}");
    only(&text, (2, 9), "the name `j` of this joint is already used for the object at model.toml:1", "");
    only("[parameters]\nF = 1\n[inputs]\nF = {}\n", (4, 1), "already used for the parameter", "");
    only("[assemblies.A]\nparameters.x = 1\nobjects.x = {}\n", (3, 9), "already used for the parameter", "");
}

#[test]
fn masses_must_be_said_once() {
    let solid = |rest: &str| format!("[objects.a]\nsolid = {{ shape = \"sphere\", diameter = 1{rest} }}\n");
    only(&solid(""), (2, 1), "not said what the mass", "material");
    only(&solid(", mass = 1, density = 2"), (2, 53), "`mass` and `density` contradict", "keep one");
    only(&solid(", massless = true, mass = 1"), (2, 43), "contradict", "keep one");
    only(&format!("{}mass = 3\n", solid(", mass = 1")), (2, 43), "contradicts the `mass` of the object", "remove one");
    let inertia = "[objects.a]\nmass = { m = 1, inertia = [1, 2, 3, 4] }\n";
    only(inertia, (2, 27), "must have 3 or 6 elements, it has 4", "Ixx");
}

#[test]
fn a_place_of_what_is_inserted_needs_its_frame() {
    let insert = |place: &str| {
        format!(
            "[objects.a]\nfree = true\nmass = {{ m = 1, inertia = [1, 1, 1] }}\nassembly_root = true\nexists = false\n\
             [actions.p]\nsteps = [{{ insert = \"a\", {place} }}]\n"
        )
    };
    for place in ["r = [1, 0, 0]", "rotation = [0, 0, 1]", "v = [1, 0, 0]", "w = [1, 0, 0]"] {
        only(&insert(place), (7, 26), "no effect without `at`", "at = \"world\"");
    }
}

#[test]
fn places_of_objects_must_make_sense() {
    only("[objects.a]\nr = [1, 2, 3]\n", (2, 1), "no effect on `a`", "parent");
    only("[objects.a]\nfixed = true\nfree = true\n", (1, 10), "both fixed and free", "");
    only("[objects.a]\nfixed = true\nrotation = { axis = \"z\" }\n", (3, 1), "either `axis` and `angle`", "deg(30)");
    only("[instances.a]\nassembly = \"R\"\nindex = \"k\"\n", (3, 1), "no effect without `count`", "");
    only("[instances.a]\nassembly = \"R\"\ncount = 2\nindex = \"time\"\n", (4, 9), "meaning of its own", "");
    only("[instances.a]\nassembly = \"R\"\nmoved_by_joint = true\nfree = true\n", (1, 12), "both free and moved", "");
    only(
        "[instances.a]\nassembly = \"R\"\nmoved_by_joint = true\nr = [0, 0, 1]\n",
        (4, 1),
        "no effect on `a`",
        "parent",
    );
}

#[test]
fn elements_must_do_something() {
    only("[forces.f]\ntype = \"world\"\nat = \"a\"\n", (1, 9), "neither `force` nor `torque`", "N·m");
    only(&format!("{REVOLUTE}motion = \"time\"\nphi = 1\n"), (7, 1), "`phi` follows from `motion`", "remove");
    only(&format!("{REVOLUTE}stops = {{ stiffness = 1 }}\n"), (6, 1), "`lower`, `upper` or both", "");
}

#[test]
fn values_out_of_range_are_reported() {
    only("[experiment]\nstop = -1\n", (2, 8), "must be after the start time 0 s", "");
    only("[experiment]\ntolerance = 0\n", (2, 13), "must be positive", "");
    only("[materials]\nX = { density = -1, youngs_modulus = 1e9, poissons_ratio = 0.3 }\n", (2, 17), "density", "");
    only(
        "[[material_pairs]]\nmaterials = [\"Stel\", \"Steel\"]\ncor = 1\nmu_k = 0\n",
        (2, 14),
        "unknown material `Stel`",
        "",
    );
    only("[[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\ncor = 2\nmu_k = 0\n", (3, 7), "between 0 and 1", "");
    only(
        "[materials]\nX = { density = 1, youngs_modulus = -1, poissons_ratio = 0.3 }\n\n\
         [[material_pairs]]\nmaterials = [\"X\", \"X\"]\ncor = 1\nmu_k = 0\n",
        (2, 37),
        "youngs_modulus",
        "",
    );
    let pair =
        |more: &str| format!("[[material_pairs]]\nmaterials = [\"Steel\", \"DryWood\"]\ncor = 1\nmu_k = 0.5\n{more}");
    only(&pair("mu_s = 0.4\nv_s = 0.5\n"), (5, 8), "at least `mu_k`", "");
    only(&pair("mu_s = 0.6\nv_s = 0.005\n"), (6, 7), "at least `v_min`", "");
    only(
        &pair(&pair("").replace("\"Steel\", \"DryWood\"", "\"DryWood\", \"Steel\"")),
        (6, 13),
        "the pair of materials `DryWood`, `Steel` is given twice",
        "",
    );
    only(
        "[objects.a]\nsolid = { shape = \"sphere\", diameter = 1, mass = 1, group = \"sparks\" }\n",
        (2, 53),
        "`group` says nothing about a shape that does not collide",
        "collides = true",
    );
    only(
        "[objects.a]\nsolid = { shape = \"height_field\", lengths = [1, 1], thickness = 0.1 }\n",
        (2, 11),
        "either `heights` or a `file`",
        "",
    );
    only("[tables]\nt = { points = [[0, 1], [0, 2]] }\n", (2, 25), "x must ascend", "");
    only("[tables]\nt = {}\n", (2, 1), "either `points` or `file`", "points");
    only(
        "[objects.a]\nvisual = { shape = \"sphere\", diameter = 1, color = \"reddish\" }\n",
        (2, 52),
        "not a colour",
        "#rrggbb",
    );
    only(
        "[objects.a]\nvisual = { shape = \"sphere\", diameter = 1, color = [2, 0, 0] }\n",
        (2, 52),
        "not a colour",
        "0 to 1",
    );
}

#[test]
fn files_that_are_missing_or_damaged_are_named_with_their_cause() {
    let mesh = |file: &str| format!("[objects.a]\nvisual = {{ shape = \"mesh\", file = \"{file}\" }}\n");
    only(&mesh("no.stl"), (2, 35), "the file no.stl does not exist", "");
    only(&mesh("empty.stl"), (2, 35), "empty.stl: is not an STL file", "");
    only(&mesh("bad.obj"), (2, 35), "bad.obj: line 1", "");
    only(&mesh("a.txt"), (2, 35), "unknown format", "");
    only("[tables]\nt = { file = \"bad.csv\" }\n", (2, 14), "bad.csv: line 2: x must ascend", "");
}

#[test]
fn rendering_shows_the_line_and_underlines_the_place() {
    let errors = errors("# é\n[objects.rod]\n\tmasss = 2\n");
    let expected = "error: unknown key `masss` in [objects.rod]
 --> model.toml:3:2
  |
3 |  masss = 2
  |  ^^^^^
  = help: did you mean `mass`?";
    assert_eq!(errors[0].render(), expected);
}

#[test]
fn errors_of_the_engine_are_rendered_alike() {
    let text = "[joints.rev]\ntype = \"revolute\"\n";
    let location = Location { file: 0, line: 1, column: 9, key: None };
    let files = ["m.toml".to_owned()];
    let shown = render(
        location,
        "joint `rev`: unknown object `rot`",
        Some("did you mean `rod`?"),
        &files,
        &[SourceText::new("m.toml", text)],
    );
    let expected = "error: joint `rev`: unknown object `rot`
 --> m.toml:1:9
  |
1 | [joints.rev]
  |         ^^^
  = help: did you mean `rod`?";
    assert_eq!(shown, expected);
    let without_text = render(location, "joint", None, &files, &[]);
    assert_eq!(without_text, "error: joint\n --> m.toml:1:9");
    assert_eq!(render(Location::default(), "built in Rust", None, &[], &[]), "error: built in Rust");
    let beyond = Location { file: 7, line: 900, column: 900, key: None };
    assert!(render(beyond, "x", None, &files, &[SourceText::new("m.toml", text)]).starts_with("error: x"));
}

#[test]
fn very_long_lines_are_cut_around_the_place() {
    let text = format!("[parameters]\na = \"{}+ * {}\"\n", "1 +".repeat(30000), "2".repeat(100));
    for error in errors(&text) {
        assert!(error.render().lines().all(|line| line.chars().count() < 250));
    }
}

#[test]
fn a_tolerance_of_one_or_more_stands_where_it_was_written() {
    only("experiment = { tolerance = 2 }\n", (1, 28), "the relative tolerance is 2, but must be below 1", "1e-6");
}

#[test]
fn degrees_are_answered_with_the_function_that_converts_them() {
    only(&format!("{REVOLUTE}phi = \"60 deg\"\n"), (6, 11), "in radians): write `deg(60)`", "");
    only(&format!("{REVOLUTE}phi = \"60 mm\"\n"), (6, 11), "`mm` follows a number", "");
}

#[test]
fn an_error_of_a_value_stands_at_the_value_not_at_its_table() {
    let text = format!("{REVOLUTE}w = 1\nphi = \"nope + 1\"\n[joints.k]\nphi = \"nope\"\n");
    let source = [SourceText::new("m.toml", text.as_str())];
    let files = ["m.toml".to_owned()];
    let of_joint = Location { file: 0, line: 1, column: 9, key: None };
    let place = |message: &str| {
        let error = ModelError::from_location(of_joint, message, None, &files, &source);
        (error.line, error.column)
    };
    assert_eq!(place("joint `j`: phi = `nope + 1` has no value: unknown name `nope`"), (7, 8));
    assert_eq!(place("joint `j`: phi = `nope` has no value"), (1, 9), "the value of another table is not meant");
    assert_eq!(place("joint `j` has no axis"), (1, 9));
}

#[test]
fn an_error_of_a_value_is_found_in_tables_below_and_in_escapes() {
    let text = format!("{REVOLUTE}[joints.j.spring]\nstiffness = \"no\\u0070e\"\nrest = 0\n");
    let source = [SourceText::new("m.toml", text.as_str())];
    let of_joint = Location { file: 0, line: 1, column: 9, key: None };
    let message = "joint `j`: stiffness = `nope` has no value";
    let error = ModelError::from_location(of_joint, message, None, &["m.toml".to_owned()], &source);
    assert_eq!((error.line, error.column), (7, 14), "{error}");
    assert!(error.to_string().contains("\n  |              ^^^^^^^^^"), "{error}");
}

#[test]
fn an_error_of_a_key_stands_at_its_value() {
    let text = "outputs = [\"a\", { name = \"b\", unit = \"foo\", value = 1 }]\n[parameters]\nk = { value = 3, unit = \"N/mx\" }\n\
                plain = 7\n[objects.box]\nfree = true\nsolid = { shape = \"box\", material = \"Stel\" }\n";
    let source = [SourceText::new("m.toml", text)];
    let place = |line: u32, column: u32, key: &'static str| {
        let location = Location { file: 0, line, column, key: None }.of(key);
        let error = ModelError::from_location(location, "wrong", None, &["m.toml".to_owned()], &source);
        (error.line, error.column)
    };
    assert_eq!(place(3, 1, "unit"), (3, 25));
    assert_eq!(place(3, 1, "value"), (3, 15));
    assert_eq!(place(4, 1, "value"), (4, 9), "a plain value is that of its name");
    assert_eq!(place(1, 17, "unit"), (1, 38), "an element of a list");
    assert_eq!(place(5, 10, "material"), (7, 37), "a table within");
    assert_eq!(place(3, 1, "display_unit"), (3, 1), "a key that is not there");
}
