//! How solids collide: pieces, groups, pairs that ignore each other, and laws of pairs.

use std::collections::BTreeSet;
use std::fmt::Arguments;
use std::rc::Rc;

use super::Elaboration;
use super::flatten::{Item, Items};
use super::names::{evaluate_indices, join, look_up};
use super::scope::ParameterScope;
use crate::collision::{ConvexShape, hull_excess};
use crate::declaration::{Collision, Declaration, Location, Object, Solid};
use crate::expr::nearest;
use crate::material::ContactLaw;
use crate::math::Vec3;
use crate::scene::{ObjectId, Scene, SceneError, ShapeInstance, SolidCollision};
use crate::solid::Shape;

/// Group of solids that name none.
const DEFAULT_GROUP: &str = "default";
/// Index of all copies of an instance with `count`.
const ALL_COPIES: &str = "[*]";
/// Depth of a hollow that is noted, over the size of the mesh: the hull of a round body with flat triangles is no note.
const HOLLOW: f64 = 0.01;
/// Groups have one bit each.
const MOST_GROUPS: usize = u32::BITS as usize;

/// Collision groups of a model: the default one, then the others in alphabetical order.
pub(super) struct CollisionGroups<'a>(Vec<&'a str>);

impl<'a> CollisionGroups<'a> {
    /// All groups that solids of a model belong to.
    pub fn of(declaration: &'a Declaration, errors: &mut Vec<SceneError>) -> Self {
        let in_assemblies = declaration.assemblies.iter().flat_map(|assembly| &assembly.content.objects);
        let collision = |object: &'a Object| object.solid.as_ref()?.collision.as_ref();
        let names: BTreeSet<&str> = declaration
            .content
            .objects
            .iter()
            .chain(in_assemblies)
            .filter_map(|object| collision(object)?.group.as_deref())
            .filter(|&name| name != DEFAULT_GROUP)
            .collect();
        let groups: Vec<&str> = std::iter::once(DEFAULT_GROUP).chain(names).collect();
        if groups.len() > MOST_GROUPS {
            let message = format!(
                "the solids of the model belong to {} collision groups (`{DEFAULT_GROUP}` included), but at most {MOST_GROUPS} are possible: let solids that collide with the same others share a `group`",
                groups.len()
            );
            errors.push(SceneError::new(Location::default(), message));
        }
        Self(groups)
    }

    /// The bit of a group.
    ///
    /// # Errors
    /// No solid belongs to the group; the name of the most similar one, if there is one.
    fn bit(&self, name: &str) -> Result<u32, Option<String>> {
        match self.0.iter().position(|&known| known == name) {
            Some(index) => Ok(1_u32.checked_shl(index as u32).unwrap_or(0)),
            None => Err(nearest(name, self.0.iter().copied()).map(|near| format!("did you mean `{near}`?"))),
        }
    }
}

impl<'a> Elaboration<'a> {
    /// The shape as it collides; it needs a material with contact data.
    pub(super) fn collision(
        &mut self,
        collision: &Collision,
        shape: &Shape<f64>,
        solid: &Solid,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
    ) -> Option<SolidCollision> {
        let location = solid.location;
        if solid.material.is_none() {
            self.fail(location, format!("{what}: a solid that collides needs a material"));
            return None;
        }
        let smoothing = match &collision.smoothing {
            Some(expr) => self.number(expr, scope, location, format_args!("{what}: smoothing")),
            None => ConvexShape::default_smoothing(shape),
        };
        let category = self.group_bit(collision.group.as_deref().unwrap_or(DEFAULT_GROUP), location, what);
        let mask = match &collision.collides_with {
            None => u32::MAX,
            Some(groups) => groups.iter().fold(0, |mask, group| mask | self.group_bit(group, location, what)),
        };
        self.note_hull(shape, what);
        let pieces = ConvexShape::pieces(shape, smoothing);
        match pieces.and_then(|pieces| Ok((pieces, ConvexShape::whole(shape, smoothing)?))) {
            Ok((pieces, whole)) => Some(SolidCollision { pieces, whole, ground_points: Vec::new(), category, mask }),
            Err(error) => {
                self.fail(location, format!("{what}: {error}"));
                None
            }
        }
    }

    /// Notes that contacts take the convex hull of a mesh with hollows, unless the model says so.
    fn note_hull(&mut self, shape: &Shape<f64>, what: Arguments<'_>) {
        let Shape::Mesh { mesh, scale } = shape else { return };
        if mesh.hull_is_meant() || !mesh.convex_parts().is_empty() {
            return;
        }
        let scale = Vec3::from(*scale);
        let vertices: Vec<Vec3> = mesh.vertices().iter().map(|&at| Vec3::from(at).component_mul(&scale)).collect();
        let Ok(excess) = hull_excess(&vertices, mesh.triangles()) else { return };
        let [low, high] = vertices.iter().fold([vertices[0]; 2], |[low, high], at| [low.inf(at), high.sup(at)]);
        if excess > HOLLOW * (high - low).norm() {
            self.scene.remarks.push(format!(
                "{what}: its mesh is not convex, and contacts take the convex hull, which stands out from the surface by up to {excess:.2e} m; \
                 write `convex_parts = {{ max_deviation = {:.0e} }}` to keep the hollows, or `convex_parts = 1` if the hull is meant",
                0.05 * excess
            ));
        }
    }

    fn group_bit(&mut self, group: &str, location: Location, what: Arguments<'_>) -> u32 {
        self.groups.bit(group).unwrap_or_else(|hint| {
            let message = format!("{what}: no solid belongs to the collision group `{group}`");
            self.errors.push(SceneError::new(location, message).with_hint(hint));
            0
        })
    }

    /// Notes pairs of objects that ignore each other, and those whose contacts have a law of their own; an instance stands
    /// for all its members, one with `count` for all copies.
    pub(super) fn find_object_pairs(&mut self, items: &Items<'a>) {
        for item in &items.objects {
            let Some(solid) = &item.member.solid else { continue };
            let Some(collision) = &solid.collision else { continue };
            let Some(&own) = self.object_names.get(&join(&item.prefix, &item.member.name)) else { continue };
            let ignored = self.pairs_of(own, &collision.ignores, items, item, solid.location);
            self.scene.ignored_pairs.extend(ignored);
            let laws = [(&collision.rigid_with, ContactLaw::Rigid), (&collision.elastic_with, ContactLaw::Elastic)];
            for (references, law) in laws {
                for pair in self.pairs_of(own, references, items, item, solid.location) {
                    self.set_law(pair, law, solid.location);
                }
            }
        }
    }

    fn set_law(&mut self, [a, b]: [ObjectId; 2], law: ContactLaw, location: Location) {
        let pair = if a.index() < b.index() { [a, b] } else { [b, a] };
        if *self.scene.pair_laws.entry(pair.map(ObjectId::index)).or_insert(law) != law {
            let [a, b] = pair.map(|object| &self.scene.objects[object].path);
            let message = format!("the contacts of `{a}` with `{b}` are declared rigid and elastic");
            self.fail(location, message);
        }
    }

    /// Pairs of an object with those that references mean.
    fn pairs_of(
        &mut self,
        own: ObjectId,
        references: &[String],
        items: &Items<'a>,
        item: &Item<'a, Object>,
        location: Location,
    ) -> Vec<[ObjectId; 2]> {
        let mut pairs = Vec::new();
        for reference in references {
            if let Some(array) = self.find_array(reference, items, item, location) {
                pairs.extend(self.with_members(own, format!("{array}[")));
            } else if !reference.ends_with(ALL_COPIES)
                && let Some(other) = self.find_object(reference, &item.prefix, &item.scope, location)
            {
                pairs.extend((own != other).then_some([own, other]));
                pairs.extend(self.with_members(own, format!("{}.", self.scene.objects[other].path)));
            }
        }
        pairs
    }

    /// Path of the instance with `count` that a reference without index, or with `[*]`, means; refuses `[*]` of
    /// anything else.
    fn find_array(
        &mut self,
        reference: &str,
        items: &Items<'a>,
        item: &Item<'a, Object>,
        location: Location,
    ) -> Option<Rc<str>> {
        let stem = reference.strip_suffix(ALL_COPIES);
        // Wrong indices are reported where the object is resolved.
        let name = evaluate_indices(stem.unwrap_or(reference), &item.scope).ok();
        let found = name.and_then(|name| look_up(&items.arrays, &item.prefix, &name));
        if let (Some(stem), None) = (stem, &found) {
            let hint =
                nearest(stem, items.arrays.keys().map(String::as_str)).map(|near| format!("did you mean `{near}[*]`?"));
            let message = format!("there is no instance `{stem}` with `count`");
            self.errors.push(SceneError::new(location, message).with_hint(hint));
        }
        found
    }

    /// Pairs of an object with all whose paths begin so.
    fn with_members(&self, own: ObjectId, beginning: String) -> Vec<[ObjectId; 2]> {
        let members = self.object_names.range(beginning.clone()..).take_while(|(path, _)| path.starts_with(&beginning));
        members.map(|(_, &id)| id).filter(|&id| id != own).map(|id| [own, id]).collect()
    }
}

/// Where there is flat ground, shapes with corners meet it with these: a face or an edge that lies on it has no single
/// contact point. Contact hinges hold cylinders and cones as they are.
pub(super) fn give_tips(scene: &mut Scene) {
    let has_hinges = scene.has_hinges();
    let is_ground = |shape: &ShapeInstance| {
        shape.collision.as_ref().is_some_and(|solid| solid.pieces.iter().any(ConvexShape::is_half_space))
    };
    if !scene.objects.iter().any(|(_, object)| object.shapes.iter().any(is_ground)) {
        return;
    }
    for shape in scene.objects.iter_mut().flat_map(|(_, object)| &mut object.shapes) {
        let is_hinged = |solid: &SolidCollision| has_hinges && solid.pieces.iter().any(|own| own.frustum().is_some());
        if let Some(solid) = shape.collision.as_mut().filter(|solid| !is_hinged(solid)) {
            solid.ground_points = ConvexShape::ground_points(&shape.shape, &solid.pieces);
        }
    }
}
