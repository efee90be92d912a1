//! A model file and the same model written in Rust are equal declarations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs::declaration::builder::{
    AssemblyBuilder, Members, ModelBuilder, actuator, bushing, cone, cuboid, cut_force_sensor, cylinder, cylindrical,
    input, instance, motion_sensor, object, parameter, planar, prismatic, revolute, sphere, spherical, spring,
    universal, world_force,
};
use mbs::declaration::{Content, Declaration, Experiment, Location, ParameterKind, Stops};
use mbs::expr::{Expr, Extrapolation, Interpolation};
use mbs::material::MaterialPair;
use mbs::solid::Axis;
use mbs_model::{MemoryFiles, parse, template};

fn from_text(text: &str) -> Declaration {
    let model = parse(text, "model.toml", &mut MemoryFiles::new());
    anywhere(model.unwrap_or_else(|errors| panic!("{errors}")).declaration)
}

/// The same declaration without files and places.
fn anywhere(mut declaration: Declaration) -> Declaration {
    declaration.files.clear();
    declaration.parameters.iter_mut().for_each(|it| it.location = Location::default());
    declaration.inputs.iter_mut().for_each(|it| it.location = Location::default());
    declaration.outputs.iter_mut().for_each(|it| it.location = Location::default());
    declaration.tables.iter_mut().for_each(|it| it.location = Location::default());
    content_anywhere(&mut declaration.content);
    for assembly in &mut declaration.assemblies {
        assembly.location = Location::default();
        assembly.parameters.iter_mut().for_each(|it| it.location = Location::default());
        content_anywhere(&mut assembly.content);
    }
    declaration
}

fn content_anywhere(content: &mut Content) {
    for object in &mut content.objects {
        object.location = Location::default();
        object.solid.iter_mut().for_each(|it| it.location = Location::default());
        object.visuals.iter_mut().for_each(|it| it.location = Location::default());
    }
    content.joints.iter_mut().for_each(|it| it.location = Location::default());
    content.forces.iter_mut().for_each(|it| it.location = Location::default());
    content.sensors.iter_mut().for_each(|it| it.location = Location::default());
    for instance in &mut content.instances {
        instance.location = Location::default();
        instance.arguments.iter_mut().for_each(|(.., location)| *location = Location::default());
    }
}

#[test]
fn the_template_is_this_pendulum() {
    let built = ModelBuilder::new("Pendulum")
        .description("A pendulum with friction in its hinge")
        .gravity((0, -9.81, 0))
        .experiment(Experiment { stop: 10.0, ..Experiment::default() })
        .parameter(parameter("L", 1.0).unit("m").min(0.01).description("Length of the rod"))
        .parameter(parameter("phi0", "deg(60)").unit("rad").display_unit("deg").description("Angle at the start"))
        .parameter(parameter("width", "L/20"))
        .object(object("rod").solid(cuboid(["width", "L", "width"]).r((0, "-L/2", 0)).material("Steel")))
        .object(object("tip").on("rod").r((0, "-L", 0)).visual(sphere("2*width").color([1.0, 165.0 / 255.0, 0.0, 1.0])))
        .joint(revolute("hinge", "world", "rod", "z").position("phi0").damping(0.5))
        .output("hinge.phi")
        .output("hinge.w")
        .output_expression("height", "tip.r_abs[2] + L", "m")
        .build()
        .unwrap();
    assert_eq!(from_text(&template("Pendulum")), built);
}

#[test]
fn joints_of_all_kinds_are_equal() {
    let text = r#"
        name = "Joints"
        gravity = { mu = 3.986e14, center = [1, 0, 0] }
        [objects.a]
        mass = { m = 2, center = [0, 0, 1], inertia = [1, 2, 3] }
        [joints.slider]
        type = "prismatic"
        from = "world"
        to = "a"
        axis = [1, "x", 0]
        v = 0.2
        spring = 10
        friction = { force = 2 }
        stops = { upper = 1, stiffness = 100 }
        flange = true
        [joints.cross]
        type = "universal"
        from = "a"
        to = "b"
        axes = ["x", "-y"]
        phi = [0.1, 0.2]
        dof.phi2.motion = "sin(time)"
        [joints.tube]
        type = "cylindrical"
        from = "a"
        to = "b"
        axis = "z"
        s = 0.5
        dof.phi.torque = "u"
        [joints.plate]
        type = "planar"
        from = "a"
        to = "b"
        normal = "z"
        axis = "x"
        w = 3
        dof.s2.spring = { stiffness = 5, rest = 1 }
        [joints.socket]
        type = "spherical"
        description = "a socket"
        from = "a"
        to = "b"
        rotation = [0, 0, 1]
        w = [1, 2, 3]
        dof.w3.damping = 4
    "#;
    let text = text.replace("phi = [0.1, 0.2]", "phi = [0.1, 0]");
    let stops = Stops { upper: Some(Expr::number(1.0)), stiffness: Expr::number(100.0), ..Stops::default() };
    let built = ModelBuilder::new("Joints")
        .point_gravity(3.986e14, [1.0, 0.0, 0.0])
        .object(object("a").mass(2.0, (0, 0, 1), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]))
        .joint(
            prismatic("slider", "world", "a", (1, "x", 0))
                .velocity(0.2)
                .spring(10, 0)
                .friction(2, 0.01)
                .stops(stops)
                .flange(),
        )
        .joint(
            universal("cross", "a", "b", "x", "-y")
                .on("phi[1]")
                .position(0.1)
                .on("phi[2]")
                .position(0)
                .motion("sin(time)"),
        )
        .joint(cylindrical("tube", "a", "b", "z").position(0.5).on("phi").force("u"))
        .joint(planar("plate", "a", "b", "z", "x").on("w").velocity(3).on("s[2]").spring(5, 1))
        .joint(
            spherical("socket", "a", "b")
                .description("a socket")
                .cardan((0, 0, 1))
                .velocity(1)
                .on("w[2]")
                .velocity(2)
                .on("w[3]")
                .velocity(3)
                .damping(4),
        )
        .build()
        .unwrap();
    assert_eq!(from_text(&text), built);
}

#[test]
fn arrays_of_robots_with_forces_sensors_and_tables_are_equal() {
    let text = r#"
        name = "RobotArray"
        version = "2"
        author = "me"
        outputs = ["robot[2].arm.r_abs"]
        [parameters]
        n = { value = 3, kind = "integer", max = 100 }
        fast = true
        [inputs]
        F = { unit = "N", start = 1, min = -5, max = 5, nominal = 2 }
        [tables]
        pull = { points = [[0, 1e4], [5, 0]], extrapolation = "linear" }
        [[material_pairs]]
        materials = ["Steel", "DryWood"]
        cor = 0.5
        mu_k = 0.4
        [assemblies.R3]
        description = "an arm"
        parameters.m = 1
        [assemblies.R3.objects.base]
        fixed = true
        solid = { shape = "cylinder", diameter = 0.1, length = 0.3, inner_diameter = 0.05, massless = true }
        [assemblies.R3.objects.arm]
        solid = { shape = "cone", axis = "x", diameter = 0.1, top_diameter = 0.05, length = 1, mass = "m" }
        [assemblies.R3.joints.rev]
        type = "revolute"
        from = "base"
        to = "arm"
        axis = "y"
        [instances.robot]
        assembly = "R3"
        count = "n"
        index = "k"
        r = ["2*k", 0, 0]
        rotation = { axis = "z", angle = "deg(30)*k" }
        arguments = { m = "k" }
        [objects.ball]
        free = { v = [1, 0, 0] }
        r = [0, 0, 1]
        solid = { shape = "sphere", diameter = 0.1, density = 800, visible = false }
        expose = false
        [forces.push]
        type = "world"
        at = "ball"
        force = [0, "F", "pull(time)"]
        resolved_in = "ball"
        [forces.coil]
        type = "spring"
        from = "world"
        to = "ball"
        stiffness = 100
        rest_length = 0.5
        [forces.rope]
        type = "actuator"
        from = "world"
        to = "ball"
        force = "-v"
        [forces.mount]
        type = "bushing"
        from = "world"
        to = "ball"
        stiffness = [1, 2, 3]
        damping = 0
        law = ["", "s^3", ""]
        rotational_law = ["", "", "v^3"]
        [sensors.tip]
        type = "motion"
        frame = "robot[1].arm"
        relative_to = "ball"
        measure = ["velocity"]
        [sensors.cut]
        type = "cut-force"
        joint = "robot[1].rev"
        resolved_in = "world"
    "#;
    let arm = AssemblyBuilder::new("R3")
        .description("an arm")
        .parameter(parameter("m", 1))
        .object(object("base").fixed().solid(cylinder(Axis::Z, 0.1, 0.3).inner_diameter(0.05).massless()))
        .object(object("arm").solid(cone(Axis::X, 0.1, 0.05, 1).mass("m")))
        .joint(revolute("rev", "base", "arm", "y"));
    let robots =
        instance("robot", "R3").count("n").index("k").r(("2*k", 0, 0)).turned("z", "deg(30)*k").argument("m", "k");
    let ball = object("ball")
        .free_with((1, 0, 0), (0, 0, 0))
        .r((0, 0, 1))
        .solid(sphere(0.1).density(800).hidden())
        .expose(false);
    let built = ModelBuilder::new("RobotArray")
        .version("2")
        .author("me")
        .output("robot[2].arm.r_abs")
        .parameter(parameter("n", 3).kind(ParameterKind::Integer).max(100.0))
        .parameter(parameter("fast", true).kind(ParameterKind::Boolean))
        .input(input("F").unit("N").start(1.0).range(-5.0, 5.0).nominal(2.0))
        .table("pull", &[[0.0, 1e4], [5.0, 0.0]], Interpolation::Linear, Extrapolation::Linear)
        .material_pair("Steel", "DryWood", MaterialPair::new(0.5, 0.4, 0.0))
        .assembly(arm)
        .instance(robots)
        .object(ball)
        .force(world_force("push", "ball", (0, "F", "pull(time)"), (0, 0, 0)).resolved_in("ball"))
        .force(spring("coil", "world", "ball", 100).rest_length(0.5))
        .force(actuator("rope", "world", "ball", "-v"))
        .force(
            bushing("mount", "world", "ball")
                .translation((1, 2, 3), (0, 0, 0))
                .translation_law(1, "s^3")
                .rotation_law(2, "v^3"),
        )
        .sensor(motion_sensor("tip", "robot[1].arm").relative_to("ball").measure(false, true, false))
        .sensor(cut_force_sensor("cut", "robot[1].rev").resolved_in("world"))
        .build()
        .unwrap();
    assert_eq!(from_text(text), built);
}

#[test]
fn declarations_survive_storage() {
    let model = parse(&template("Pendulum"), "model.toml", &mut MemoryFiles::new()).unwrap();
    let stored = serde_json::to_string(&model.declaration).unwrap();
    assert_eq!(serde_json::from_str::<Declaration>(&stored).unwrap(), model.declaration);
}

#[test]
fn matrices_in_files_are_those_written_in_the_model() {
    let model = |a: &str| {
        let text = format!(
            "name = \"System\"\n[components.system]\ntype = \"state-space\"\nA = {a}\nB = [[1], [0]]\nC = [[0, 1]]\nu = 1\n"
        );
        let mut files =
            MemoryFiles::new().with("a.csv", "# a remark\n-1; 2\n\n0.5 -3e0\n").with("wrong.csv", "1, 2\n3, x\n");
        mbs_model::parse(&text, "model.toml", &mut files).map(|model| model.declaration.content.components)
    };
    assert_eq!(model("\"a.csv\"").unwrap()[0].values, model("[[-1, 2], [0.5, -3]]").unwrap()[0].values);
    let wrong = model("\"wrong.csv\"").unwrap_err().render();
    assert!(wrong.contains("line 2: `x` is not a number") && wrong.contains("wrong.csv"), "{wrong}");
    assert!(model("\"absent.csv\"").unwrap_err().render().contains("absent.csv"));
}
