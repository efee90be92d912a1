//! From `new` to an FMU that gives the same results, as a modeller goes.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Desk, rod_on_hinge, with_closed_pipe};

#[test]
fn a_new_model_passes_its_check_and_simulates_plots_and_shows() {
    let desk = Desk::new();
    let next = desk.works("new Pendulum");
    assert!(next.contains("mbfmu check Pendulum"), "{next}");
    let summary = desk.works("check Pendulum");
    assert!(summary.starts_with("Pendulum: 1 body, 1 joint, 2 states, "), "{summary}");
    let plausible = summary.lines().nth(1).unwrap();
    assert!(plausible.contains(" kg that move, ") && plausible.contains("8000 kg/m³ (`rod`)"), "{plausible}");
    assert_eq!(summary.lines().count(), 2);
    desk.works("simulate Pendulum");
    desk.works("plot Pendulum");
    desk.works("plot Pendulum hinge tip.r_abs -o p.png");
    desk.works("view Pendulum --stop 1");
    desk.works("view Pendulum --stop 1 -o p.glb");
    assert_eq!(
        desk.files(),
        [
            "Pendulum",
            "Pendulum.html",
            "Pendulum.svg",
            "Pendulum_result.csv",
            "Pendulum_result.units.csv",
            "p.glb",
            "p.png"
        ]
    );
    assert!(desk.read("p.png").starts_with(b"\x89PNG"));
    assert!(desk.read("p.glb").starts_with(b"glTF"));
    assert!(desk.text("Pendulum.html").contains("\"rod\""));
}

#[test]
fn the_packed_fmu_gives_the_same_bytes_as_the_model() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum");
    let summary = desk.works("check Pendulum.fmu");
    assert!(summary.contains("34 functions"), "{summary}");
    for arguments in
        ["", "--all", "--set L=0.5 --stop 3.1 --step 0.3", "--start -0.05 --stop 0.3 --step 0.007 --tolerance 1e-9"]
    {
        desk.works(&format!("simulate Pendulum {arguments} -o native.csv"));
        desk.works(&format!("simulate Pendulum.fmu {arguments} -o fmu.csv"));
        assert_eq!(desk.text("native.csv"), desk.text("fmu.csv"), "{arguments}");
    }
}

#[test]
fn packing_twice_gives_the_same_bytes() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum -o a.fmu");
    desk.works("pack Pendulum/model.toml -o b.fmu");
    assert!(desk.read("a.fmu") == desk.read("b.fmu"));
}

#[test]
fn an_fmu_has_description_declaration_documentation_licences_and_picture() {
    let desk = Desk::with_pendulum();
    std::fs::write(desk.path("Pendulum/picture.png"), b"\x89PNG\r\n\x1a\n...").unwrap();
    desk.works("pack Pendulum");
    let archive = zip::ZipArchive::new(std::fs::File::open(desk.path("Pendulum.fmu")).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    for part in [
        "modelDescription.xml",
        "resources/declaration.json",
        "documentation/index.html",
        "documentation/licenses/README.txt",
        "model.png",
    ] {
        assert!(names.iter().any(|name| name == part), "{part} is not in {names:?}");
    }
    assert!(names.iter().any(|name| name.starts_with("binaries/") && name.contains("/Pendulum.")));
    assert!(names.is_sorted());
    desk.write("Pendulum/picture.png", "no picture");
    desk.fails("pack Pendulum", 1, &["picture.png is not a PNG picture"]);
}

#[test]
fn the_documentation_is_well_formed_and_names_parameters_with_units() {
    let desk = Desk::with_pendulum();
    let model = desk.text("Pendulum/model.toml").replace("Length of the rod", "Length <of> the \\\"rod\\\" & more");
    desk.write("Pendulum/model.toml", &model);
    desk.works("pack Pendulum");
    desk.repack("Pendulum.fmu", "copy.fmu", |name, bytes| {
        if name == "documentation/index.html" {
            let page = String::from_utf8(bytes.clone())
                .unwrap()
                .replacen("<!DOCTYPE html>", "", 1)
                .replace("<meta charset=\"utf-8\">", "");
            let page = roxmltree::Document::parse(&page).unwrap();
            let cells: Vec<&str> =
                page.descendants().filter(|node| node.has_tag_name("td")).filter_map(|node| node.text()).collect();
            assert!(cells.windows(2).any(|pair| pair == ["L", "m"]), "{cells:?}");
            assert!(cells.contains(&"Length <of> the \"rod\" & more"), "{cells:?}");
        }
        Some(bytes)
    });
}

#[test]
fn a_view_of_an_fmu_says_that_it_runs_natively_and_equals_that_of_the_model() {
    let desk = Desk::with_pendulum();
    desk.works("pack Pendulum");
    desk.works("view Pendulum --stop 0.5 -o a.glb");
    let ran = desk.run("view Pendulum.fmu --stop 0.5 -o b.glb");
    assert!(ran.code == 0 && ran.err.contains("natively"), "{}", ran.err);
    assert!(desk.read("a.glb") == desk.read("b.glb"));
}

#[test]
fn statistics_are_one_json_object_on_standard_output() {
    let desk = Desk::with_pendulum();
    let out = desk.works("simulate Pendulum --stats --step 0.1 -o out.csv");
    let statistics: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(statistics["communication_steps"], 100);
    for counter in
        ["steps", "residual_evaluations", "jacobian_evaluations", "root_evaluations", "events", "restarts", "segments"]
    {
        assert!(statistics[counter].is_u64(), "{counter} in {out}");
    }
    for time in ["wall_seconds", "wall_seconds_initialization", "wall_seconds_integration"] {
        assert!(statistics[time].as_f64().unwrap() >= 0.0, "{time} in {out}");
    }
    desk.works("pack Pendulum");
    let of_fmu: serde_json::Value =
        serde_json::from_str(&desk.works("simulate Pendulum.fmu --stats -o out.csv")).unwrap();
    assert!(of_fmu["steps"].is_null() && of_fmu["communication_steps"] == 500);
}

#[test]
fn results_on_standard_output_are_results_only() {
    let desk = Desk::with_pendulum();
    let ran = desk.run("simulate Pendulum --stop 0.2 --step 0.1 --outputs hinge.phi --stats -o -");
    assert_eq!(ran.out.lines().collect::<Vec<_>>()[0], "time,hinge.phi");
    assert_eq!(ran.out.lines().count(), 4);
    assert!(ran.err.contains("\"communication_steps\":2"), "{}", ran.err);
    assert_eq!(desk.files(), ["Pendulum"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_not_an_error() {
    let desk = Desk::with_pendulum();
    for arguments in ["simulate Pendulum --all --step 0.0005 -o -", "describe Pendulum", "schema"] {
        let ran = with_closed_pipe(desk.command(arguments));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments}");
    }
}

#[test]
fn inputs_are_interpolated_and_the_same_for_model_and_fmu() {
    let desk = Desk::new();
    desk.write("Pendulum/model.toml", MODEL_WITH_INPUT);
    let name = input_name(&desk.works("describe Pendulum"));
    desk.write("in.csv", &format!("time,{name}\n0,0\n0.5,10\n0.5,-10\n1,0\n"));
    desk.works("pack Pendulum");
    desk.works(&format!(
        "simulate Pendulum --inputs in.csv --stop 2 --step 0.1 --outputs {name},hinge.w -o native.csv"
    ));
    desk.works(&format!(
        "simulate Pendulum.fmu --inputs in.csv --stop 2 --step 0.1 --outputs {name},hinge.w -o fmu.csv"
    ));
    let native = desk.text("native.csv");
    assert_eq!(native, desk.text("fmu.csv"));
    // The input follows the line from 0 to 10 within 0.5 s.
    let row = native.lines().nth(4).unwrap();
    let values: Vec<f64> = row.split(',').map(|text| text.parse().unwrap()).collect();
    assert!((values[0] - 0.3).abs() < 1e-12 && (values[1] - 6.0).abs() < 1e-12, "{row}");
    assert!(native.lines().last().unwrap().split(',').nth(1).unwrap().parse::<f64>().unwrap() == 0.0);
}

const MODEL_WITH_INPUT: &str = r#"
name = "Pendulum"
outputs = ["hinge.w"]
[inputs]
drive = { unit = "N.m" }
[objects.rod]
solid = { shape = "box", lengths = [0.1, 1, 0.1], r = [0, -0.5, 0], material = "Steel" }
[joints.hinge]
type = "revolute"
from = "world"
to = "rod"
axis = "z"
torque = "drive"
"#;

fn input_name(xml: &str) -> String {
    let description = roxmltree::Document::parse(xml).unwrap();
    let input = description.descendants().find(|node| node.attribute("causality") == Some("input")).unwrap();
    input.attribute("name").unwrap().to_owned()
}

#[test]
fn the_topology_is_printed_as_tree_and_for_graphviz() {
    let desk = Desk::with_pendulum();
    assert_eq!(desk.works("describe Pendulum --topology"), "Pendulum\nworld\n└─ hinge (revolute): rod, tip  20 kg\n");
    let dot = desk.works("describe Pendulum --topology=dot");
    assert!(
        dot.starts_with("digraph \"Pendulum\" {") && dot.contains("n0 -> n1 [label=\"hinge\\nrevolute\"]"),
        "{dot}"
    );
}

#[test]
fn the_schema_is_json_and_the_description_is_xml() {
    let desk = Desk::with_pendulum();
    let schema: serde_json::Value = serde_json::from_str(&desk.works("schema")).unwrap();
    assert!(schema.is_object());
    let xml = desk.works("describe Pendulum");
    assert_eq!(roxmltree::Document::parse(&xml).unwrap().root_element().attribute("modelName"), Some("Pendulum"));
    desk.works("pack Pendulum");
    assert_eq!(desk.works("describe Pendulum.fmu"), xml);
}

#[test]
fn a_bare_name_is_looked_for_in_the_folder_of_models() {
    let desk = Desk::new();
    desk.write("fmus/.keep", "");
    desk.works("new fmus/Crane");
    assert!(desk.works("check Crane").starts_with("Crane: "));
    desk.fails("check Cranes", 1, &["there is no model `Cranes`", "did you mean `Crane`?"]);
}

#[test]
fn a_result_file_is_plotted_without_a_simulation() {
    let desk = Desk::with_pendulum();
    desk.works("simulate Pendulum -o r.csv");
    desk.works("plot r.csv hinge.phi --stop 5");
    assert!(desk.text("r.svg").contains("hinge.phi"));
    desk.works("plot r.csv -o all.svg");
    assert!(desk.text("all.svg").contains("height"));
}

#[test]
fn check_counts_the_states_of_components() {
    let desk = Desk::new();
    let text = "name = \"Drives\"\n[components]\ni = { type = \"integrator\", u = \"1\" }\nl = { type = \"gain\", k = 1, u = \"1 - l.y\" }\n\
                m = { type = \"mass\", m = 1 }\n";
    desk.write("Drives/model.toml", text);
    let summary = desk.works("check Drives");
    assert!(summary.contains("0 joints, 3 states"), "{summary}");
}

#[test]
fn check_takes_other_parameters() {
    let desk = Desk::new();
    let ball = "[objects.ball]\nfree = true\nsolid = { shape = \"sphere\", diameter = 0.1, mass = \"m\" }\n";
    desk.write("ball.toml", &format!("[parameters]\nm = {{ value = 2, min = 0.1 }}\n{ball}"));
    assert!(desk.works("check ball.toml").contains("\n2 kg that move"));
    assert!(desk.works("check ball.toml --set m=5").contains("\n5 kg that move"));
    desk.fails("check ball.toml --set m=0", 1, &["`m`", "0.1"]);
    desk.fails("check ball.toml --set n=1", 1, &["`n`"]);
}

#[test]
fn a_model_in_which_nothing_moves_moves_no_mass() {
    let desk = Desk::new();
    desk.write(
        "still.toml",
        "[objects.rock]\nfixed = true\nsolid = { shape = \"sphere\", diameter = 1, material = \"Steel\" }\n",
    );
    let summary = desk.works("check still.toml");
    assert!(summary.contains("\n0 kg that move"), "{summary}");
}

#[test]
fn a_result_has_the_format_that_its_name_says() {
    let desk = Desk::with_pendulum();
    let simulate = "simulate Pendulum --stop 0.1 -o";
    desk.fails(&format!("{simulate} r.xyz"), 2, &["r.xyz must end with .csv, .parquet or .mat"]);
    desk.works(&format!("{simulate} r.CSV"));
    desk.works(&format!("{simulate} r"));
    assert_eq!(desk.text("r"), desk.text("r.CSV"));
    desk.works(&format!("{simulate} r.parquet"));
    assert!(desk.read("r.parquet").starts_with(b"PAR1"));
    desk.write("cut.parquet", "PAR1");
    desk.fails("plot cut.parquet", 1, &["cut.parquet is cut off, or no Parquet file"]);
}

/// The matrices of a MAT file of level 4: name, rows, columns, bytes of the elements.
fn matrices(mut bytes: &[u8]) -> Vec<(String, [usize; 2], Vec<u8>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let number = |k: usize| u32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().unwrap()) as usize;
        let size = match number(0) {
            0 => 8,
            20 => 4,
            51 => 1,
            other => panic!("elements of type {other}"),
        };
        let [rows, columns, imaginary, length] = [1, 2, 3, 4].map(number);
        assert_eq!(imaginary, 0);
        let name = std::str::from_utf8(&bytes[20..20 + length - 1]).unwrap().to_owned();
        let data = &bytes[20 + length..];
        found.push((name, [rows, columns], data[..rows * columns * size].to_vec()));
        bytes = &data[rows * columns * size..];
    }
    found
}

#[test]
fn a_mat_file_has_the_layout_of_modelica_tools() {
    let desk = Desk::with_pendulum();
    desk.works("simulate Pendulum --stop 0.1 --outputs hinge.phi,energy.total -o r.mat");
    desk.works("simulate Pendulum --stop 0.1 --outputs hinge.phi,energy.total -o r.csv");
    let found = matrices(&desk.read("r.mat"));
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"]);
    let texts = |k: usize| -> Vec<String> {
        let (_, [width, _], bytes) = &found[k];
        bytes.chunks(*width).map(|text| String::from_utf8_lossy(text).trim_end().to_owned()).collect()
    };
    assert_eq!(texts(1), ["time", "hinge.phi", "energy.total"]);
    assert_eq!(texts(2)[1], "angle of hinge [rad]");
    let info: Vec<i32> = found[3].2.chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(info, [0, 1, 0, -1, 2, 2, 0, -1, 2, 3, 0, -1]);
    let numbers =
        |k: usize| -> Vec<f64> { found[k].2.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect() };
    assert_eq!(numbers(4), [0.0, 0.1]);
    let text = desk.text("r.csv");
    let rows = text.lines().skip(1).flat_map(|line| line.split(',').map(|cell| cell.parse::<f64>().unwrap()));
    assert_eq!(numbers(5), rows.collect::<Vec<f64>>());
    desk.works("plot r.mat -o mat.svg");
    desk.works("plot r.csv -o csv.svg");
    assert_eq!(desk.text("mat.svg"), desk.text("csv.svg"));
    std::fs::write(desk.path("cut.mat"), &desk.read("r.mat")[..400]).unwrap();
    desk.fails("plot cut.mat", 1, &["cut.mat ends within a matrix"]);
}

#[test]
fn inputs_and_parameters_that_outputs_name_are_columns_also_of_the_fmu() {
    let desk = Desk::new();
    let hinge = "torque = \"M\"\n[inputs]\nM = { unit = \"N.m\", start = 2 }\n[parameters]\nk = 3";
    let outputs = "name = \"Turned\"\noutputs = [\"hinge.phi\", \"M\", \"k\", \"rod\"]";
    desk.write("turned.toml", &rod_on_hinge(outputs, hinge));
    desk.works("simulate turned.toml --stop 0.1 -o r.csv");
    let text = desk.text("r.csv");
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    assert_eq!(header[..3], ["time", "k", "M"]);
    assert!(header.contains(&"hinge.phi") && text.lines().nth(1).unwrap().starts_with("0.0,3.0,2.0,"), "{text}");
    desk.works("pack turned.toml");
    desk.works("simulate Turned.fmu --stop 0.1 -o fmu.csv");
    assert_eq!(desk.text("fmu.csv"), text);
    desk.works("sweep turned.toml k=1,2 --stop 0.1 -o s.csv");
    assert!(desk.text("s.csv").lines().next().unwrap().contains(",M,"));
}

#[test]
fn an_equilibrium_is_looked_for_from_the_start_values_also_where_runs_begin_at_one() {
    let desk = Desk::new();
    let text = "gravity = [0, 0, -9.81]\nexperiment = { start = \"equilibrium\" }\n[inputs]\nF = { unit = \"N\" }\n[objects.load]\n\
                mass = 5\n[joints.rope]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"load\"\naxis = \"z\"\nforce = \"F\"\n";
    desk.write("hoist.toml", text);
    desk.fails("simulate hoist.toml", 1, &["`rope.s` cannot rest"]);
    let found = desk.works("equilibrium hoist.toml --fix rope.s --trim F");
    assert!(found.contains("49.0"), "{found}");
    desk.works("linearize hoist.toml --equilibrium --fix rope.s --trim F");
}
