//! Limits, nominal values and display units of results.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fmi2::description::VariableType;
use multibody_fmu::{Role, Session};

#[test]
fn results_of_every_model_stay_within_their_limits() {
    let mut limited = 0;
    for folder in crate::support::model_folders() {
        let interface = crate::support::interface(&folder);
        let experiment = interface.declaration.experiment.clone();
        let mut session = Session::new(interface.clone());
        session.initialize(experiment.start, None).unwrap();
        let bounded = interface.variables.iter().enumerate().filter(|(_, v)| v.min.is_some() || v.max.is_some());
        let bounded: Vec<_> = bounded.filter(|(_, v)| matches!(v.role, Role::Output | Role::Local)).collect();
        limited += bounded.len();
        for step in 1..=20 {
            session.do_step((experiment.start + 0.02 * f64::from(step)).min(experiment.stop)).unwrap();
            for (k, variable) in &bounded {
                let value = session.get(*k).unwrap();
                let inside = variable.min.is_none_or(|min| value >= min) && variable.max.is_none_or(|max| value <= max);
                assert!(inside, "{}: {} = {value}", folder.display(), variable.name);
            }
        }
    }
    assert!(limited > 100, "only {limited} results have limits");
}

#[test]
fn angles_are_shown_in_degrees_and_limits_are_those_of_the_quantity() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus");
    let interface = crate::support::interface(&root.join("BoxPlanarMotion"));
    let description = &interface.description;
    let mut angles = 0;
    for variable in &description.variables {
        match &variable.kind {
            VariableType::Real(real) => {
                let shown = real.display_unit.as_deref();
                let unit = real.unit.as_deref().unwrap_or("1");
                angles += usize::from(unit == "rad/s");
                assert_eq!(shown.is_some(), ["rad", "rad/s", "rad/s2"].contains(&unit), "{}", variable.name);
                let of_one = variable.name.contains("quaternion").then_some((-1.0, 1.0));
                assert_eq!(real.min.zip(real.max), of_one, "{}", variable.name);
                assert_eq!(real.min == Some(0.0), variable.name == "energy.kinetic", "{}", variable.name);
            }
            VariableType::Integer(integer) => assert_eq!((integer.min, integer.max), (Some(0), None)),
            _ => {}
        }
    }
    assert!(angles > 0);
}

#[test]
fn lengths_of_small_models_have_small_nominal_values() {
    let nominal = |scale: f64| {
        let model = format!(
            "name = \"Arm\"\n[joints.hinge]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"arm\"\naxis = \"z\"\n\
             [objects.arm]\nsolid = {{ shape = \"box\", lengths = [{0}, {0}, {0}], mass = 1, r = [{scale}, 0, 0] }}\n",
            0.1 * scale
        );
        let model = mbs_model::parse(&model, "model.toml", &mut mbs_model::MemoryFiles::new());
        let declaration = model.unwrap_or_else(|errors| panic!("{errors}")).declaration;
        let interface = multibody_fmu::Interface::new(declaration).unwrap();
        let of = |name: &str| interface.variables[interface.find(name).unwrap()].nominal;
        assert_eq!((of("hinge.phi"), of("hinge.w"), of("arm.r_abs[1]")), (None, None, of("arm.v_abs[1]")));
        of("arm.r_abs[1]")
    };
    assert!((0.2..0.3).contains(&nominal(0.2).unwrap()));
    assert_eq!(nominal(3.0), None, "at most one metre, which is the default");
}
