//! Shapes that collide, their poses, and the filter of pairs.

use super::contact_laws::ContactLaws;
use super::super_objects::SuperObjects;
use super::{CollisionShape, Topology};
use crate::broad_phase::{PairFilter, PairRole, ShapeFilter};
use crate::collision::{ConvexShape, Polyhedron};
use crate::contact::Curvature;
use crate::material::Material;
use crate::math::Pose;
use crate::scene::Scene;
use crate::spatial::WORLD;

/// Pairs are watched within this fraction of the largest moving shape's radius.
const WATCHED: f64 = 0.2;

/// Collects colliding shapes and the pairs that may collide: not within a super-object, not across a joint unless it
/// allows that, not across filters. Shapes of absent objects keep their numbers and collide with none, so that a pair
/// has one name throughout a run. Objects must be placed.
pub(super) fn place_shapes(scene: &Scene, groups: &SuperObjects, topology: &mut Topology) {
    if topology.shapes.is_empty() {
        topology.shapes = shapes(scene);
        topology.contact_laws = ContactLaws::new(scene, &topology.shapes);
        topology.collision_filter = PairFilter::new(Vec::new(), &ignored_shapes(scene, &topology.shapes), &[]);
    }
    topology.collision_margin = 0.0;
    if topology.shapes.is_empty() {
        return;
    }
    let mut largest = 0.0_f64;
    let (filter, mut number) = (&mut topology.collision_filter, 0);
    filter.clear_shapes();
    for (id, object) in scene.objects.iter() {
        let frame = topology.placements[id.index()];
        let body = groups.of[id.index()] as u32;
        let whose = if frame.node == WORLD { ShapeFilter::fixed(body) } else { ShapeFilter::moving(body) };
        let exists = scene.exists(id);
        for instance in &object.shapes {
            let Some(collision) = &instance.collision else { continue };
            let [category, mask] = if exists { [collision.category, collision.mask] } else { [0, 0] };
            for (_, role) in collision.parts() {
                let placed = &mut topology.shapes[number];
                filter.add_shape(ShapeFilter { category, mask, role, ..whose });
                (placed.node, placed.x_bs) = (frame.node, frame.x_bc * instance.x_cs);
                let radius = placed.shape.bounding_radius();
                if frame.node != WORLD && radius.is_finite() {
                    largest = largest.max(radius);
                }
                number += 1;
            }
        }
    }
    let joined = scene.joints.iter().filter(|(id, joint)| !joint.collision && scene.joint_exists(*id));
    let bodies = joined.map(|(_, joint)| [joint.from, joint.to].map(|id| groups.of[id.index()] as u32));
    filter.exclude_bodies(bodies.map(|[a, b]| (a, b)));
    filter.find_partners();
    topology.collision_margin = WATCHED * largest;
}

/// All shapes that collide in any segment, not placed yet.
fn shapes(scene: &Scene) -> Vec<CollisionShape> {
    let mut shapes = Vec::new();
    for (object, declared) in scene.objects.iter() {
        for instance in &declared.shapes {
            let Some(collision) = &instance.collision else { continue };
            let thickness = |shape: &ConvexShape, role: PairRole| match role.is_ground_point() {
                true => collision.pieces.first().map_or(0.0, half_thickness),
                false => half_thickness(shape),
            };
            let material = instance.material.as_deref().and_then(|name| scene.materials.material(name).ok());
            let modulus = material.map_or(1.0, Material::plane_strain_modulus);
            shapes.extend(collision.parts().map(|(shape, role)| CollisionShape {
                node: WORLD,
                x_bs: Pose::identity(),
                thickness: thickness(shape, role),
                shape: shape.clone(),
                curvature: Curvature::of_shape(&instance.shape),
                modulus,
                material: instance.material.clone().unwrap_or_default(),
                object,
            }));
        }
    }
    shapes
}

/// Pairs of shapes of objects that ignore each other.
fn ignored_shapes(scene: &Scene, shapes: &[CollisionShape]) -> Vec<(u32, u32)> {
    let mut of_object = vec![Vec::new(); scene.objects.capacity()];
    for (number, shape) in shapes.iter().enumerate() {
        of_object[shape.object.index()].push(number as u32);
    }
    let pairs = scene.ignored_pairs.iter().map(|pair| pair.map(|object| &of_object[object.index()]));
    pairs.flat_map(|[a, b]| a.iter().flat_map(move |&i| b.iter().map(move |&j| (i, j)))).collect()
}

fn half_thickness(shape: &ConvexShape) -> f64 {
    // A part of a mesh may be a sliver of a body that is not thin.
    let part = shape.polyhedron().filter(|own| !own.walls().is_empty() && own.round_side().is_none());
    if let Some(half) = part.and_then(Polyhedron::half_thickness) {
        return half;
    }
    shape.bore().map_or_else(
        || {
            let b = shape.bounding_box(&Pose::identity());
            0.5 * (b.max - b.min).min()
        },
        |[_, half_wall]| half_wall,
    )
}
