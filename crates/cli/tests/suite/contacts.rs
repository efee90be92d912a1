//! Which pairs of objects can meet, as `mbfmu check` tells it.

#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;
use std::fmt::Write as _;

use crate::support::Desk;

/// Two boxes, a ball and a capsule over a ground, and a lid that ignores the ball.
const MODEL: &str = r#"
[materials]
Oak = { density = 700, youngs_modulus = 1e9, poissons_ratio = 0.3 }
Felt = { density = 300, youngs_modulus = 1e6, poissons_ratio = 0.3 }

[[material_pairs]]
materials = ["Oak", "Oak"]
cor = 0.25
mu_k = 0.35
mu_r = 0.01

[[material_pairs]]
materials = ["Felt", "Felt"]
cor = 0.15
mu_k = 0.55
mu_r = 0.03

[objects.ground]
fixed = true
solid = { shape = "half_space", material = "Oak", collides = true }
[objects.low]
free = true
r = [0, 0, 1]
solid = { shape = "box", lengths = [0.2, 0.2, 0.2], material = "Oak", collides = true }
[objects.ball]
free = true
r = [0, 0, 2]
solid = { shape = "sphere", diameter = 0.2, material = "Felt", collides = true }
[objects.pill]
free = true
r = [0, 0, 3]
solid = { shape = "capsule", diameter = 0.1, length = 0.3, material = "Oak", collides = true }
[objects.lid]
fixed = true
r = [0, 0, 4]
solid = { shape = "box", lengths = [1, 1, 0.1], material = "Oak", collides = true, ignores = ["ball"] }
"#;

#[test]
fn objects_that_are_absent_at_the_start_are_counted_beside_the_pairs() {
    let desk = Desk::new();
    let stones = "[assemblies.Stone.objects.stone]\nparent = \"origin\"\n\
                  solid = { shape = \"sphere\", diameter = 0.1, material = \"Oak\", collides = true }\n\
                  [instances.s]\nassembly = \"Stone\"\ncount = 4\nfree = true\nassembly_root = true\nexists = false\n";
    desk.write("m.toml", &format!("{MODEL}{stones}"));
    let summary = desk.works("check m.toml");
    let line = summary.lines().find(|line| line.starts_with("contacts: ")).unwrap();
    assert!(line.starts_with("contacts: 8 pairs of objects can meet (4 with"), "{line}");
    assert!(line.ends_with("3 at one point); 4 more objects collide, but are absent at the start"), "{line}");
}

#[test]
fn check_counts_and_lists_the_pairs_of_objects_that_can_meet() {
    let desk = Desk::new();
    std::fs::write(desk.path("m.toml"), MODEL).unwrap();
    // Ground and lid are at rest, and the ball passes the lid: eight of ten pairs.
    let summary = desk.works("check m.toml");
    let line = summary.lines().find(|line| line.starts_with("contacts: ")).unwrap();
    assert_eq!(
        line,
        "contacts: 8 pairs of objects can meet (4 with faces, edges and corners, 1 with lowest points on flat \
         ground, 3 at one point)"
    );
    assert!(!summary.contains("low "), "{summary}");

    let table = desk.works("check m.toml --contacts");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |a: &str, b: &str| {
        rows.iter().find(|row| row.len() > 3 && row[0] == a && row[1] == b).map(|row| row[2..].join(" "))
    };
    assert_eq!(row("ground", "low").unwrap(), "patch 1 0.25 0.35 0.01 Oak on Oak");
    assert_eq!(row("ground", "ball").unwrap(), "point 1 0.2 0.45 0.02 Oak on Felt (mean of both)");
    assert_eq!(row("ground", "pill").unwrap(), "ground 2 0.25 0.35 0.01 Oak on Oak");
    assert!(row("low", "pill").unwrap().starts_with("patch+point 3 "), "{table}");
    assert!(row("ball", "lid").is_none() && row("ground", "lid").is_none(), "{table}");
    assert!(row("pill", "lid").is_some());
}

#[test]
fn pairs_whose_damping_is_given_otherwise_have_it_in_place_of_the_restitution() {
    let desk = Desk::new();
    let model = MODEL.replace("cor = 0.25", "relaxation = 2e-5").replace("cor = 0.15", "d = 0.3");
    std::fs::write(desk.path("m.toml"), model).unwrap();
    let table = desk.works("check m.toml --contacts");
    assert!(table.contains(" relaxation=2e-5s  0.35   0.01  Oak on Oak"), "{table}");
    assert!(table.contains(" d=0.3s/m ") || !table.contains("Felt on Felt"), "{table}");
    assert!(table.contains("cor: where damping is not given by it"), "{table}");
}

#[test]
fn check_warns_of_flat_sides_that_would_touch_at_one_point() {
    let desk = Desk::new();
    std::fs::write(desk.path("fine.obj"), barrel(600)).unwrap();
    let model = MODEL.replace("shape = \"box\", lengths = [0.2, 0.2, 0.2]", "shape = \"mesh\", file = \"fine.obj\"");
    std::fs::write(desk.path("m.toml"), &model).unwrap();
    let fine = desk.works("check m.toml --contacts");
    assert!(fine.contains("warning: `ground` and `low` (and 2 more pairs) touch at one point"), "{fine}");
    assert!(fine.contains("more than 1000 faces"), "{fine}");

    // The remedy of the message.
    std::fs::write(desk.path("fine.obj"), barrel(300)).unwrap();
    let coarse = desk.works("check m.toml --contacts");
    assert!(!coarse.contains("even with flat sides") && !coarse.contains("although both are flat"), "{coarse}");
    assert!(coarse.contains("(4 with faces, edges and corners"), "{coarse}");
}

#[test]
fn a_model_whose_objects_cannot_meet_has_no_line_and_no_table_of_contacts() {
    let desk = Desk::with_pendulum();
    let plain = desk.works("check Pendulum");
    assert_eq!(desk.works("check Pendulum --contacts"), plain);
    assert!(!plain.contains("contacts"), "{plain}");
    desk.works("pack Pendulum");
    desk.fails("check Pendulum.fmu --contacts", 2, &["--contacts lists the contacts of a model"]);
}

/// A barrel with two frusta of `n` sides each: `2 n + 2` faces.
fn barrel(n: usize) -> String {
    let mut text = String::new();
    for (z, r) in [(-0.1, 0.08), (0.0, 0.1), (0.1, 0.08)] {
        for k in 0..n {
            let phi = 2.0 * PI * k as f64 / n as f64;
            writeln!(text, "v {} {} {z}", r * elementary::cos(phi), r * elementary::sin(phi)).unwrap();
        }
    }
    let at = |ring: usize, k: usize| 1 + ring * n + k % n;
    for ring in 0..2 {
        for k in 0..n {
            let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
            writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
        }
    }
    for k in 1..n - 1 {
        writeln!(text, "f {} {} {}", at(0, 0), at(0, k + 1), at(0, k)).unwrap();
        writeln!(text, "f {} {} {}", at(2, 0), at(2, k), at(2, k + 1)).unwrap();
    }
    text
}

/// A planar joint with the world keeps a box from the floor, which belongs to the world.
#[test]
fn what_a_joint_keeps_from_all_collisions_is_noted() {
    let model = |joint: &str, more: &str| {
        format!(
            r#"
            name = "Planar"
            gravity = [0, 0, -9.81]
            [objects]
            floor = {{ fixed = true, solid = {{ shape = "half_space", material = "DryWood", collides = true }} }}
            box = {{ solid = {{ shape = "box", lengths = [1, 1, 1], material = "DryWood", collides = true }} }}
            [joints]
            plane = {{ type = "planar", from = "world", to = "box", normal = "y", axis = "x", s = [0, -2]{joint} }}
            {more}
            "#
        )
    };
    let desk = Desk::new();
    let check = |text: String| {
        desk.write("m.toml", &text);
        let ran = desk.run("check m.toml");
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out + &ran.err
    };
    let said = check(model("", ""));
    let words = "`box` collides with nothing: the joint `plane` connects it with the body of `floor`";
    assert!(said.contains(words) && said.contains("`collides = true` in the joint"), "{said}");
    assert!(!check(model(", collides = true", "")).contains("collides with nothing"));
    let other = "[objects.ball]\nfree = true\nr = [0, 0, 9]\n\
                 solid = { shape = \"sphere\", diameter = 1, material = \"DryWood\", collides = true }";
    assert!(!check(model("", other)).contains("collides with nothing"), "it may meet the ball");
}
