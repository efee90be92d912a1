//! Models to start from.

#![allow(clippy::unwrap_used, clippy::panic)]

use mbs_model::TEMPLATES;

use crate::support::Desk;

#[test]
fn every_template_passes_its_check_under_another_name_and_moves() {
    let desk = Desk::new();
    for template in TEMPLATES {
        let name = format!("My_{}", template.name);
        desk.works(&format!("new {name} --template {}", template.name));
        let ran = desk.run(&format!("check {name}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.starts_with(&format!("{name}: ")), "{}", ran.out);
        assert!(!ran.out.contains("warning"), "{}", ran.out);
        let rows = desk.works(&format!("simulate {name} --stop 0.1 --step 0.05 -o -"));
        let rows: Vec<&str> = rows.lines().collect();
        assert!(
            rows.len() == 4 && rows[1].split_once(',').unwrap().1 != rows[3].split_once(',').unwrap().1,
            "{rows:?}"
        );
    }
}

#[test]
fn templates_are_listed_with_what_they_show() {
    let desk = Desk::new();
    let (list, help) = (desk.works("new --template list"), desk.works("new --help"));
    for template in TEMPLATES {
        let line = list.lines().find(|line| line.starts_with(template.name)).unwrap();
        assert!(line.ends_with(template.summary), "{line}");
        assert!(help.contains(&format!("- {}:", template.name)), "{help}");
    }
    assert!(desk.files().is_empty());
}

#[test]
fn unknown_templates_and_missing_names_are_told() {
    let desk = Desk::new();
    desk.fails("new Car --template vehicel", 2, &["'vehicel'", "pendulum", "'vehicle'"]);
    desk.fails("new --template vehicle", 2, &["mbfmu new NAME --template vehicle"]);
    desk.fails("new", 2, &["NAME"]);
    assert!(desk.files().is_empty());
}

#[test]
fn a_block_that_slips_out_of_the_gripper_is_not_crushed() {
    let desk = Desk::new();
    desk.works("new MyGripper --template gripper");
    let sweep =
        "sweep MyGripper grip=1,2,2.4,4,12 --outputs max(block.r_abs[3]),block.r_abs[3],slide.s,left.s -o s.csv";
    desk.works(sweep);
    let text = desk.text("s.csv");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let [grip, highest, block, slide, left] = row[..] else { panic!("{row:?}") };
        // m g / (2 mu_k) = 2.35 N carries the block, a tenth more lifts it.
        assert_eq!(highest > 0.149, grip > 3.0, "{grip} N: {highest} m");
        assert_eq!(highest < 0.031, grip < 2.3, "{grip} N: {highest} m");
        let rest = [block - 0.03, slide, left - 0.04];
        assert!(rest.iter().all(|distance| distance.abs() < 1e-6), "{grip} N: {rest:?}");
    }
}
