//! Writes sample animations (HTML and glTF) into the folder given as first argument, to be looked at:
//! every shape, a double pendulum, and a few hundred bouncing spheres.
#![allow(clippy::disallowed_methods, reason = "what it shows need not have the same bits everywhere")]

use mbs_present::view::{
    AnimatedBody, AnimatedShape, Animation, Axis, Details, Geometry, Layer, Pose, Poses, render_glb, render_html,
};
use std::error::Error;
use std::f64::consts::TAU;
use std::path::Path;

const COLORS: [[f32; 4]; 7] = [
    [0.13, 0.47, 0.71, 1.0],
    [0.84, 0.37, 0.0, 1.0],
    [0.0, 0.62, 0.45, 1.0],
    [0.8, 0.47, 0.65, 1.0],
    [0.93, 0.7, 0.13, 1.0],
    [0.34, 0.71, 0.91, 1.0],
    [0.55, 0.57, 0.6, 1.0],
];

fn at(p: [f64; 3]) -> Pose {
    Pose { p, ..Pose::IDENTITY }
}

fn turned(p: [f64; 3], axis: [f64; 3], angle: f64) -> Pose {
    let (s, c) = (0.5 * angle).sin_cos();
    Pose { p, q: [c, s * axis[0], s * axis[1], s * axis[2]] }
}

fn shape(geometry: Geometry, pose: Pose, color: [f32; 4]) -> AnimatedShape {
    AnimatedShape { name: "shape".into(), pose, color, geometry, layer: Layer::Picture }
}

fn body(name: &str, poses: Poses, shapes: Vec<AnimatedShape>) -> AnimatedBody {
    AnimatedBody { name: name.into(), poses, exists: None, shapes }
}

fn times(end: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| end * i as f64 / (count - 1) as f64).collect()
}

fn pyramid() -> Geometry {
    let vertices = vec![[-0.5, -0.5, -0.4], [0.5, -0.5, -0.4], [0.5, 0.5, -0.4], [-0.5, 0.5, -0.4], [0.0, 0.0, 0.6]];
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    Geometry::Mesh { vertices, triangles }
}

fn forms() -> Vec<(&'static str, Geometry)> {
    let (x, y, z) = (Axis::X, Axis::Y, Axis::Z);
    vec![
        ("sphere", Geometry::Sphere { diameter: 1.0 }),
        ("ellipsoid", Geometry::Ellipsoid { lengths: [1.3, 0.8, 0.5] }),
        ("box", Geometry::Box { lengths: [1.0, 0.7, 0.4] }),
        ("cylinder", Geometry::Cylinder { axis: y, diameter: 0.6, length: 1.1, inner_diameter: 0.0 }),
        ("tube", Geometry::Cylinder { axis: z, diameter: 1.0, length: 0.6, inner_diameter: 0.7 }),
        ("cone", Geometry::Cone { axis: z, diameter: 0.9, top_diameter: 0.0, length: 1.0 }),
        ("frustum", Geometry::Cone { axis: x, diameter: 0.9, top_diameter: 0.4, length: 0.8 }),
        ("capsule", Geometry::Capsule { axis: x, diameter: 0.45, length: 0.8 }),
        ("beam", Geometry::Beam { axis: x, length: 0.8, width: 0.4, thickness: 0.15 }),
        ("mesh", pyramid()),
        ("glass", Geometry::Sphere { diameter: 0.9 }),
        ("frame", Geometry::Frame { length: 0.8 }),
    ]
}

/// Every form, slowly turning; the last row appears only after a second.
fn shapes() -> Animation {
    let times = times(6.0, 121);
    let mut bodies = vec![body(
        "floor",
        Poses::Static(at([2.25, -1.5, -0.8])),
        vec![shape(Geometry::Plane { axis: Axis::Z, size: 8.0 }, Pose::IDENTITY, [0.86, 0.87, 0.88, 1.0])],
    )];
    for (i, (name, geometry)) in forms().into_iter().enumerate() {
        let p = [1.5 * (i % 4) as f64, -1.5 * (i / 4) as f64, 0.0];
        let poses = times.iter().map(|t| turned(p, [0.0, 0.0, 1.0], TAU * t / 6.0)).collect();
        let mut color = COLORS[i % COLORS.len()];
        color[3] = if name == "glass" { 0.4 } else { 1.0 };
        let mut one = body(name, Poses::Moving(poses), vec![shape(geometry, Pose::IDENTITY, color)]);
        one.exists = (i >= 8).then(|| times.iter().map(|t| *t >= 1.0).collect());
        bodies.push(one);
    }
    Animation {
        title: "Every shape".into(),
        up: Axis::Z,
        times,
        bodies,
        details: Details::default(),
        chapters: Vec::new(),
    }
}

fn link(length: f64, color: [f32; 4]) -> Vec<AnimatedShape> {
    let beam = Geometry::Beam { axis: Axis::X, length, width: 0.12, thickness: 0.05 };
    let pin = Geometry::Cylinder { axis: Axis::Z, diameter: 0.07, length: 0.12, inner_diameter: 0.0 };
    vec![
        shape(beam, at([0.5 * length, 0.0, 0.0]), color),
        shape(pin.clone(), Pose::IDENTITY, COLORS[6]),
        shape(pin, at([length, 0.0, 0.0]), COLORS[6]),
    ]
}

/// Two links swinging in the xy-plane, y up; made of sines, not simulated.
fn pendulum() -> Animation {
    let times = times(10.0, 401);
    let angles: Vec<(f64, f64)> =
        times.iter().map(|t| (0.9 * (2.2 * t).cos() - TAU / 4.0, 1.3 * (3.1 * t + 0.4).sin() - TAU / 4.0)).collect();
    let z = [0.0, 0.0, 1.0];
    let first = angles.iter().map(|(a, _)| turned([0.0; 3], z, *a)).collect();
    let second = angles.iter().map(|(a, b)| turned([a.cos(), a.sin(), 0.06], z, *b)).collect();
    let mount = Geometry::Box { lengths: [0.3, 0.12, 0.3] };
    let bodies = vec![
        body("mount", Poses::Static(at([0.0, 0.12, 0.0])), vec![shape(mount, Pose::IDENTITY, COLORS[6])]),
        body("upper link", Poses::Moving(first), link(1.0, COLORS[0])),
        body("lower link", Poses::Moving(second), link(0.8, COLORS[1])),
    ];
    Animation {
        title: "Double pendulum".into(),
        up: Axis::Y,
        times,
        bodies,
        details: Details::default(),
        chapters: Vec::new(),
    }
}

/// `count` spheres hopping on a table, each with its own height and rhythm.
fn spheres(count: usize, frames: usize) -> Animation {
    let times = times(8.0, frames);
    let side = (count as f64).sqrt().ceil() as usize;
    let table = Geometry::Box { lengths: [0.12 * side as f64 + 0.1, 0.12 * side as f64 + 0.1, 0.05] };
    let mut bodies = vec![body(
        "table",
        Poses::Static(at([0.0, 0.0, -0.025])),
        vec![shape(table, Pose::IDENTITY, [0.15, 0.42, 0.32, 1.0])],
    )];
    for i in 0..count {
        let place = |n: usize| 0.12 * (n as f64 - 0.5 * (side as f64 - 1.0));
        let (x, y, rhythm) = (place(i % side), place(i / side), 1.0 + 0.37 * ((i * 7) % 11) as f64 / 11.0);
        let hop = |t: f64| 0.045 + 0.4 * ((rhythm * t + i as f64 * 0.61) * 2.0).sin().abs();
        let poses = times.iter().map(|t| turned([x, y, hop(*t)], [0.6, 0.8, 0.0], 3.0 * t)).collect();
        let ball = shape(Geometry::Sphere { diameter: 0.09 }, Pose::IDENTITY, COLORS[i % 6]);
        bodies.push(body(&format!("ball{}", i + 1), Poses::Moving(poses), vec![ball]));
    }
    Animation {
        title: format!("{count} spheres"),
        up: Axis::Z,
        times,
        bodies,
        details: Details::default(),
        chapters: Vec::new(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: gallery FOLDER")?;
    let all =
        [("shapes", shapes()), ("pendulum", pendulum()), ("spheres", spheres(300, 200)), ("large", spheres(1000, 500))];
    for (name, animation) in all {
        std::fs::write(Path::new(&folder).join(format!("{name}.html")), render_html(&animation)?)?;
        std::fs::write(Path::new(&folder).join(format!("{name}.glb")), render_glb(&animation)?)?;
    }
    Ok(())
}
