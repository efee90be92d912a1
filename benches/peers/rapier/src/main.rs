//! Steps a scene of `../compare.py` with Rapier.
//!
//!     rapier-peer STEP STEPS EVERY OUTPUT < scene
//!
//! A scene has one item a line: `gravity X Y Z`, `material DENSITY FRICTION RESTITUTION`, `box HALF-LENGTHS CENTRE`
//! (fixed), `ball RADIUS CENTRE`. Prints the seconds of all steps, without the construction of the scene. OUTPUT gets
//! position, velocity and angular velocity of all balls, as little-endian f64, at the start and after every EVERY steps;
//! with EVERY = 0 at the end only, so that nothing is written while time is taken.

use std::io::{Read, Write};
use std::time::Instant;

use rapier3d::prelude::*;

fn sample(out: &mut Vec<u8>, world: &PhysicsWorld, balls: &[RigidBodyHandle]) {
    for ball in balls {
        let body = &world.bodies[*ball];
        for vector in [body.translation(), body.linvel(), body.angvel()] {
            for value in [vector.x, vector.y, vector.z] {
                out.extend_from_slice(&f64::from(value).to_le_bytes());
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [step, steps, every, output] = arguments.as_slice() else { panic!("STEP STEPS EVERY OUTPUT") };
    let steps: usize = steps.parse().unwrap();
    let every: usize = every.parse().unwrap();

    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = step.parse().unwrap();
    let mut material = [0.0; 3];
    let mut balls = Vec::new();
    for line in text.lines() {
        let (kind, values) = line.split_once(' ').unwrap();
        let v: Vec<f32> = values.split_whitespace().map(|value| value.parse().unwrap()).collect();
        let made = |shape: ColliderBuilder| shape.density(material[0]).friction(material[1]).restitution(material[2]);
        match kind {
            "gravity" => world.gravity = Vector::new(v[0], v[1], v[2]),
            "material" => material.copy_from_slice(&v),
            "box" => {
                let body = RigidBodyBuilder::fixed().translation(Vector::new(v[3], v[4], v[5]));
                world.insert(body, made(ColliderBuilder::cuboid(v[0], v[1], v[2])));
            }
            "ball" => {
                // Tolerances of lengths, 5 mm and 20 mm for bodies of 1 m, in proportion.
                world.integration_parameters.length_unit = 2.0 * v[0];
                let body = RigidBodyBuilder::dynamic().translation(Vector::new(v[1], v[2], v[3])).can_sleep(false);
                balls.push(world.insert(body, made(ColliderBuilder::ball(v[0]))).0);
            }
            _ => panic!("{kind}"),
        }
    }

    let mut samples = Vec::new();
    if every > 0 {
        sample(&mut samples, &world, &balls);
    }
    let start = Instant::now();
    for k in 1..=steps {
        world.step();
        if every > 0 && k % every == 0 {
            sample(&mut samples, &world, &balls);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    if every == 0 {
        sample(&mut samples, &world, &balls);
    }
    std::fs::File::create(output).unwrap().write_all(&samples).unwrap();
    println!("{seconds}");
}
