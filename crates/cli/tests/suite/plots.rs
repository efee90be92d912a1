//! `mbfmu plot` over time and over other variables, of one and of two runs, with and without units.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::Desk;

const OSCILLATOR: &str = r#"
name = "Oscillator"
experiment = { stop = 2, step = 0.01 }
outputs = ["rail.s", "rail.v", { name = "twice", value = "2*rail.s", unit = "m", description = "Two, of it" }]
[parameters]
c = { value = 100, unit = "N/m" }
[objects.body]
mass = 1
[joints.rail]
type = "prismatic"
from = "world"
to = "body"
axis = "x"
s = 0.1
spring = { stiffness = "c" }
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("Oscillator/model.toml", OSCILLATOR);
    desk
}

fn panels(svg: &str) -> usize {
    svg.matches("<clipPath").count()
}

#[test]
fn what_is_no_real_number_has_no_unit() {
    let desk = Desk::new();
    let switched = r#"
        name = "Switched"
        outputs = ["on", "gear", "rail.v", { name = "ratio", value = "rail.v/2" }]
        inputs = { on = { kind = "boolean", start = true }, gear = { kind = "integer", start = 1 } }
        objects.cart.solid = { shape = "sphere", diameter = 1, mass = 1 }
        joints.rail = { type = "prismatic", from = "world", to = "cart", axis = "x", force = "if on then gear else 0" }
        experiment = { stop = 1, step = 0.1 }
    "#;
    desk.write("S.toml", switched);
    desk.works("pack S.toml -o S.fmu");
    for (source, name) in [("S.toml", "native"), ("S.fmu", "fmu")] {
        desk.works(&format!("simulate {source} -o {name}.csv"));
        let units = desk.text(&format!("{name}.units.csv"));
        let lines: Vec<&str> = units.lines().skip(2).collect();
        assert_eq!(lines[..2], ["on,,", "gear,,"], "{units}");
        assert!(lines[2].starts_with("rail.v,m/s,") && lines[3] == "ratio,1,", "{units}");
        desk.works(&format!("simulate {source} -o {name}.parquet"));
        for plotted in [source, &format!("{name}.csv"), &format!("{name}.parquet")] {
            desk.works(&format!("plot {plotted} on gear rail.v ratio -o p.svg"));
            assert_eq!(panels(&desk.text("p.svg")), 3, "{plotted}");
        }
        desk.works(&format!("simulate {source} --outputs on,gear -o inputs.csv"));
        desk.works("simulate S.toml --inputs inputs.csv -o again.csv");
    }
}

#[test]
fn units_of_a_file_stand_beside_it_and_sort_its_curves() {
    let desk = desk();
    desk.works("simulate Oscillator -o run.csv");
    let units = desk.text("run.units.csv");
    let lines: Vec<&str> = units.lines().collect();
    assert_eq!(lines[..2], ["name,unit,description", "time,s,Simulation time"]);
    assert!(lines[2].starts_with("rail.s,m,") && lines[3].starts_with("rail.v,m/s,"), "{units}");
    assert_eq!(lines[4], "twice,m,\"Two, of it\"");
    assert!(desk.text("run.csv").starts_with("time,rail.s,rail.v,twice\n"), "headers are names alone");

    desk.works("plot run.csv -o known.svg");
    let known = desk.text("known.svg");
    assert_eq!(panels(&known), 2);
    assert!(known.contains("[m]") && known.contains("rail.v [m/s]"), "{known}");
    std::fs::remove_file(desk.path("run.units.csv")).unwrap();
    desk.works("plot run.csv -o unknown.svg");
    assert_eq!(panels(&desk.text("unknown.svg")), 3);

    desk.write("other.csv", "Time [s],a [m],b[1] [m],c\n0,1,2,3\n1,2,3,4\n");
    desk.works("plot other.csv -o other.svg");
    let other = desk.text("other.svg");
    assert_eq!(panels(&other), 2);
    assert!(other.contains("\nb[1]\n") && other.contains("[m]"), "{other}");
    desk.works("simulate Oscillator -o - --stop 0.1");
    desk.works("simulate Oscillator -o run.parquet");
    assert!(!desk.path("run.units.csv").exists(), "only CSV needs it");
}

#[test]
fn a_phase_plane_has_the_other_variable_below() {
    let desk = desk();
    desk.works("plot Oscillator rail.v --x rail.s -o model.svg");
    desk.works("simulate Oscillator -o run.csv");
    desk.works("plot run.csv rail.v --x rail.s -o file.svg");
    for name in ["model.svg", "file.svg"] {
        let text = desk.text(name);
        assert!(text.contains("\nrail.s [m]\n") && text.contains("rail.v [m/s]") && !text.contains("time"), "{name}");
    }
    desk.fails("plot run.csv rail.v --x rail", 1, &["`rail` means several variables", "`rail.s`"]);
    desk.fails("plot Oscillator rail.v --x rai.s", 1, &["there is no variable `rai.s`", "rail.s"]);
}

#[test]
fn variables_along_the_horizontal_axis_share_one_unit() {
    let desk = desk();
    desk.write("m.csv", "time,s [m],v [m/s]\n0,0.1,0\n1,0.3,1\n");
    desk.write("mm.csv", "time,s [mm],v [m/s]\n0,100,0\n1,300,1\n");
    desk.works("plot m.csv v --x s --with mm.csv -o both.svg");
    let both = desk.text("both.svg");
    let curves: Vec<&str> = both.split("<path ").skip(1).filter_map(|path| path.split('"').nth(1)).collect();
    assert!(both.contains("\ns [m]\n") && curves.len() == 2 && curves[0] == curves[1], "{both}");
    desk.write("newton.csv", "time,s [N],v [m/s]\n0,0.1,0\n1,0.3,1\n");
    let says = ["newton: the column `s [N]` is in another kind of unit", "`s` is in m"];
    desk.fails("plot m.csv v --x s --with newton.csv", 1, &says);
}

#[test]
fn two_runs_share_panels_and_are_told_apart() {
    let desk = desk();
    desk.works("plot Oscillator rail.s --with-set c=400 -o both.svg");
    let both = desk.text("both.svg");
    assert!(both.contains("\nrail.s (Oscillator)\n") && both.contains("\nrail.s (c=400)\n"), "{both}");
    assert_eq!((panels(&both), both.matches("<path").count()), (1, 2));
    desk.works("simulate Oscillator --set c=400 -o stiff.csv");
    desk.works("plot stiff.csv rail.s --with Oscillator -o mixed.svg");
    assert!(desk.text("mixed.svg").contains("\nrail.s (stiff)\n"));
    desk.fails("plot Oscillator --with stiff.csv --with-set c=1", 2, &["--with-set is for models"]);
    desk.write("empty.csv", "time,x\n0,1\n");
    desk.fails("plot Oscillator rail.s --with empty.csv", 1, &["error: empty: there is no variable `rail.s`"]);
    desk.write("other.toml", &OSCILLATOR.replace("rail", "slide").replace("Oscillator", "Other"));
    desk.fails("plot stiff.csv rail.s --with other.toml", 1, &["error: Other: there is no variable `rail.s`"]);
    desk.fails("plot stiff.csv rail.s --x rail.v --with empty.csv", 1, &["error: empty: there is no variable"]);
}

#[test]
fn a_file_without_the_unit_of_a_variable_shares_the_panel_of_the_others() {
    let desk = Desk::new();
    let dimensionless = OSCILLATOR.replace("unit = \"m\", description", "description");
    desk.write("Oscillator/model.toml", &dimensionless);
    desk.works("simulate Oscillator -o run.csv");
    // MAT files have no unit for what has no dimension.
    desk.works("simulate Oscillator --set c=50 -o soft.mat");
    desk.works("plot run.csv rail.s twice --with soft.mat -o both.svg");
    let both = desk.text("both.svg");
    assert_eq!((panels(&both), both.matches("<path").count()), (2, 4), "{both}");
}

#[test]
fn result_files_of_all_formats_give_the_same_plot_and_share_one() {
    let desk = desk();
    for name in ["run.csv", "run.parquet", "run.mat"] {
        desk.works(&format!("simulate Oscillator -o {name}"));
        desk.works(&format!("plot {name} -o {name}.svg"));
    }
    assert_eq!(desk.text("run.csv.svg"), desk.text("run.parquet.svg"));
    assert_eq!(desk.text("run.csv.svg"), desk.text("run.mat.svg"));
    desk.works("simulate Oscillator --set c=400 -o stiff.parquet");
    desk.works("plot run.csv rail.s --with run.parquet --with stiff.parquet --with Oscillator -o all.svg");
    let all = desk.text("all.svg");
    assert_eq!((panels(&all), all.matches("<path").count()), (1, 4));
    for name in ["run.csv", "run.parquet", "stiff", "Oscillator"] {
        assert!(all.contains(&format!("\nrail.s ({name})\n")), "{name} is not in {all}");
    }
    desk.fails(
        "plot Oscillator --with run.csv --with run.mat --with-set c=1",
        2,
        &["--with-set is for one second run"],
    );
}

#[test]
fn limits_and_logarithms() {
    let desk = desk();
    desk.works("plot Oscillator rail.s --xlim 0.5:1 --ylim=-0.2:0.2 -o zoom.svg");
    let zoom = desk.text("zoom.svg");
    assert!(zoom.contains("\n0.50\n") && zoom.contains("\n1.00\n") && zoom.contains("\n\u{2212}0.20\n"), "{zoom}");
    desk.works("plot Oscillator rail.s --x time -o over_time.svg");
    desk.works("plot Oscillator rail.s --log y -o log.svg");
    assert!(desk.text("log.svg").contains("\n0.1\n"));
    desk.write("signs.csv", "time,up,down\n0,1,-1\n1,2,-2\n");
    let said = desk.run("plot signs.csv --log y -o signs.svg");
    assert!(said.code == 0 && said.err.contains("`down` is left out"), "{}", said.err);
    let none = desk.run("plot signs.csv down --log y -o none.svg");
    assert!(none.code == 1 && none.err.contains("nothing is positive"), "{}", none.err);
    for wrong in ["1", "2:1", ":", "a:b", "1:1", "0,2", "0:1:2", "0..2"] {
        desk.fails(&format!("plot Oscillator --xlim {wrong}"), 2, &["--xlim is", "FROM:TO"]);
    }
    for (options, says) in [
        ("--log y --ylim=-1:2", "--ylim has the limit -1, but limits of a logarithmic axis must be above 0"),
        ("--log xy --xlim=0:", "--xlim has the limit 0, but"),
    ] {
        desk.fails(&format!("plot Oscillator rail.s {options}"), 2, &[says]);
    }
    desk.works("plot Oscillator rail.s --log y --xlim=0:1 -o time.svg");
    desk.write("header.csv", "time,x\n");
    desk.fails("plot header.csv", 1, &["header.csv has no rows"]);
    assert!(!desk.path("Oscillator.svg").exists());
}
