#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn builtin_values_are_physical_and_found_by_name() {
    let table = MaterialTable::builtin();
    assert_eq!(table.names().count(), 7);
    for name in table.names() {
        table.material(name).unwrap().validate().unwrap();
    }
    let pairs = table.pairs.iter().flat_map(|(a, of_a)| of_a.iter().map(move |(b, pair)| (a, b, pair)));
    for (a, b, pair) in pairs {
        pair.validate(a, b).unwrap();
        table.material(a).unwrap();
        table.material(b).unwrap();
    }
    let steel = table.material("Steel").unwrap();
    assert_eq!((steel.density, steel.conductivity), (8000.0, Some(50.0)));
    assert!((steel.plane_strain_modulus() - 2.0e11 / 0.91).abs() < 1.0);
}

#[test]
fn pairs_do_not_depend_on_the_order() {
    let table = MaterialTable::builtin();
    let pair = table.pair("BilliardTable", "BilliardBall").unwrap();
    assert_eq!(Ok(pair), table.pair("BilliardBall", "BilliardTable"));
    assert_eq!((pair.pair.cor, pair.pair.mu_k, pair.pair.v_min, pair.is_mean), (0.0, 0.8, 0.01, false));
}

#[test]
fn a_missing_pair_is_the_mean_of_each_with_itself() {
    let found = MaterialTable::builtin().pair("Steel", "DryWood").unwrap();
    assert!(found.is_mean);
    assert!((found.pair.cor - 0.65).abs() < 1e-15 && (found.pair.mu_k - 0.4).abs() < 1e-15);
    assert_eq!(found.pair.w_min, 0.01);
    let error = MaterialTable::builtin().pair("Steel", "BilliardCue").unwrap_err();
    assert!(error.to_string().contains("`Steel` and `BilliardCue`"), "{error}");
}

#[test]
fn unknown_materials_come_with_the_nearest_one() {
    let error = MaterialTable::builtin().material("Aluminum").unwrap_err();
    assert_eq!(error.to_string(), "unknown material `Aluminum`; did you mean `Aluminium`?");
    let error = MaterialTable::empty().pair("Steel", "Steel").unwrap_err();
    assert_eq!(error.to_string(), "unknown material `Steel`; add it to the materials of the model");
}

#[test]
fn entries_of_the_model_replace_builtin_ones() {
    let mut table = MaterialTable::builtin();
    let steel = Material { density: 7850.0, ..table.material("Steel").unwrap().clone() };
    table.insert(steel).unwrap();
    assert_eq!(table.material("Steel").unwrap().density, 7850.0);
    table.insert_pair("DryWood", "Steel", MaterialPair::new(0.1, 0.2, 0.3)).unwrap();
    assert_eq!(table.pair("Steel", "DryWood").unwrap().pair.mu_r, 0.3);
}

#[test]
fn unphysical_values_are_refused_with_their_unit() {
    let mut table = MaterialTable::builtin();
    let steel = table.material("Steel").unwrap().clone();
    let error = table.insert(Material { density: -1.0, ..steel.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "density of material Steel is -1 kg/m³; it must be positive and finite");
    let error = table.insert(Material { poissons_ratio: 0.6, ..steel }).unwrap_err();
    assert!(error.to_string().contains("at most 0.5"), "{error}");
    let error = table.insert_pair("Steel", "Steel", MaterialPair::new(1.5, 0.0, 0.0)).unwrap_err();
    assert_eq!(error.to_string(), "cor of pair Steel, Steel is 1.5; it must be between 0 and 1");
    let pair = MaterialPair::new(0.5, 0.3, 0.0);
    let falling = MaterialPair { stribeck: Some(Stribeck { mu_s: 0.4, v_s: 0.0 }), ..pair };
    let error = table.insert_pair("Steel", "Steel", falling).unwrap_err();
    assert_eq!(error.to_string(), "v_s of pair Steel, Steel is 0 m/s; it must be at least `v_min`, best much more");
    let error = table.insert_pair("Steel", "Steel", MaterialPair { k_red: -1.0, ..pair }).unwrap_err();
    assert_eq!(error.to_string(), "k_red of pair Steel, Steel is -1; it must be positive");
    let error = table.insert_pair("Steel", "Wood", MaterialPair::new(0.5, 0.0, 0.0)).unwrap_err();
    assert!(matches!(error, MaterialError::UnknownMaterial { .. }));
}
