//! Names of contact results.
//!
//! `contact.A_B.f_n` belongs to the contact of the objects with the paths A and B, in either order; forces are those on
//! the object named second. `A.contact.f[1]` belongs to the resultant of all contacts of A. A model of a few colliding
//! objects lists all of them; a larger one those that its outputs name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Catalogue;
use crate::expr::{is_pattern, nearest, selects};
use crate::scene::{ContactPart, ObjectContactPart, ObjectId, Quantity, Scene};
use crate::topology::{Topology, compile};

/// Variables of a pair: name, unit, number of components (0: a scalar), meaning.
const PAIR: [(ContactPart, &str, &str, usize, &str); 14] = [
    (ContactPart::NormalForce, "f_n", "N", 0, "normal force"),
    (ContactPart::FrictionForce, "f_t", "N", 3, "friction force"),
    (ContactPart::Force, "f", "N", 3, "contact force"),
    (ContactPart::Torque, "t", "N.m", 3, "rolling and spinning torque"),
    (ContactPart::Penetration, "delta", "m", 0, "penetration"),
    (ContactPart::PenetrationRate, "delta_dot", "m/s", 0, "approach velocity"),
    (ContactPart::Point, "r", "m", 3, "contact point"),
    (ContactPart::Normal, "n", "1", 3, "normal from the first to the second,"),
    (ContactPart::SlidingVelocity, "v_t", "m/s", 3, "sliding velocity"),
    (ContactPart::SlipSpeed, "slip", "m/s", 0, "sliding speed"),
    (ContactPart::Sticking, "sticking", "1", 0, "whether friction holds: not sliding"),
    (ContactPart::Area, "area", "m2", 0, "contact area"),
    (ContactPart::HighestPressure, "p_max", "Pa", 0, "greatest elastic pressure"),
    (ContactPart::Active, "active", "1", 0, "whether there is a contact"),
];

/// Variable of a pair that only models with rigid contacts have.
const IMPACTS: &str = "impacts";

/// Variable of a pair that only models with contact hinges have.
const CARRIERS: &str = "carriers";

/// Variables of an object.
const OBJECT: [(ObjectContactPart, &str, &str, usize, &str); 3] = [
    (ObjectContactPart::Force, "f", "N", 3, "force of all contacts"),
    (ObjectContactPart::Torque, "t", "N.m", 3, "torque of all contacts about the origin"),
    (ObjectContactPart::Count, "count", "1", 0, "number of contacts"),
];

impl Catalogue<'_> {
    /// Contact results of the pairs and objects that the model's outputs name; of all in small models.
    pub(super) fn contacts(&mut self, scene: &Scene, topology: &Topology) {
        let colliding = Colliding::of(scene, topology);
        let (pairs, objects) = colliding.wanted(&scene.names_in_outputs(), scene.lists_contacts);
        for objects in pairs {
            self.contact_of_pair(scene, objects);
        }
        for object in objects {
            self.contact_of_object(scene, object);
        }
    }

    fn contact_of_pair(&mut self, scene: &Scene, objects: [ObjectId; 2]) {
        let [a, b] = objects.map(|object| scene.objects[object].path.as_str());
        for (part, name, unit, components, words) in PAIR {
            let whole = format!("contact.{a}_{b}.{name}");
            let by = if matches!(components, 3) && !matches!(part, ContactPart::Point | ContactPart::Normal) {
                format!("{words} on {b} by {a}")
            } else {
                format!("{words} of {a} and {b}")
            };
            self.components(&whole, unit, &by, components, |component| Quantity::Contact { objects, part, component });
        }
        if scene.has_rigid_contacts() {
            let words = format_args!("number of impulses between {a} and {b} so far");
            self.add(format_args!("contact.{a}_{b}.{IMPACTS}"), "1", words, Quantity::Impacts(objects), false);
        }
        if scene.has_hinges() {
            let words =
                format_args!("what a hinge holds between {a} and {b}: 3 a face, 2 an edge, 1 a point, 0 nothing");
            let quantity = Quantity::Contact { objects, part: ContactPart::Carriers, component: 0 };
            self.add(format_args!("contact.{a}_{b}.{CARRIERS}"), "1", words, quantity, false);
        }
    }

    fn contact_of_object(&mut self, scene: &Scene, object: ObjectId) {
        let path = &scene.objects[object].path;
        for (part, name, unit, components, words) in OBJECT {
            let whole = format!("{path}.contact.{name}");
            let words = format!("{words} of {path}");
            self.components(&whole, unit, &words, components, |component| Quantity::ObjectContact {
                object,
                part,
                component,
            });
        }
    }

    fn components(&mut self, name: &str, unit: &str, words: &str, count: usize, quantity: impl Fn(usize) -> Quantity) {
        if count == 0 {
            return self.add(format_args!("{name}"), unit, format_args!("{words}"), quantity(0), false);
        }
        for k in 0..count {
            self.add(format_args!("{name}[{}]", k + 1), unit, format_args!("{words}"), quantity(k), false);
        }
    }
}

/// A model with more pairs than this must name the pairs to be output.
const MOST_PAIRS: usize = 500;

/// Objects with shapes that collide, in the order of their declaration.
struct Colliding<'a> {
    scene: &'a Scene,
    /// Topology in which everything exists, also what is absent at the start.
    topology: Cow<'a, Topology>,
    objects: Vec<ObjectId>,
    /// Range of each object's shapes, by index of the object.
    shapes: BTreeMap<usize, Vec<u32>>,
    by_path: BTreeMap<&'a str, ObjectId>,
}

/// The topology of a scene in which everything exists; the present one if that cannot be simulated.
fn with_everything<'a>(scene: &Scene, topology: &'a Topology) -> Cow<'a, Topology> {
    if !scene.structure.absent.contains(&true) {
        return Cow::Borrowed(topology);
    }
    let mut whole = scene.clone();
    Arc::make_mut(&mut whole.structure).absent.fill(false);
    compile(&whole).map_or(Cow::Borrowed(topology), Cow::Owned)
}

/// Whether a condition holds for a component of some part; a scalar part is a component, too.
fn any_component<'p>(mut parts: impl Iterator<Item = &'p str>, holds: impl Fn(&str) -> bool) -> bool {
    parts.any(|part| (1..=3).any(|k| holds(&format!("{part}[{k}]"))))
}

/// Why a name stands for no pair.
enum Mismatch {
    /// No way to split the name gives two colliding objects.
    Unknown,
    /// Both collide, but never with each other.
    Excluded([ObjectId; 2]),
}

impl<'a> Colliding<'a> {
    fn of(scene: &'a Scene, topology: &'a Topology) -> Self {
        let mut shapes: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut objects = Vec::new();
        for (number, shape) in topology.shapes.iter().enumerate() {
            let of_object = shapes.entry(shape.object.index()).or_default();
            if of_object.is_empty() {
                objects.push(shape.object);
            }
            of_object.push(number as u32);
        }
        let by_path = objects.iter().map(|&object| (scene.objects[object].path.as_str(), object)).collect();
        Self { scene, topology: with_everything(scene, topology), objects, shapes, by_path }
    }

    fn may_meet(&self, [a, b]: [ObjectId; 2]) -> bool {
        let shapes = |object: ObjectId| self.shapes.get(&object.index()).map_or(&[][..], Vec::as_slice);
        let allows = |i: u32, j: u32| self.topology.collision_filter.may_meet(i, j);
        shapes(a).iter().any(|&i| shapes(b).iter().any(|&j| allows(i, j)))
    }

    fn pairs(&self) -> Vec<[ObjectId; 2]> {
        let after = |k: usize| self.objects[k + 1..].iter().map(move |&b| [self.objects[k], b]);
        (0..self.objects.len()).flat_map(after).filter(|&pair| self.may_meet(pair)).collect()
    }

    /// All pairs and objects, or none, and those that some names mean, each once.
    fn wanted(&self, names: &BTreeSet<String>, all: bool) -> (Vec<[ObjectId; 2]>, Vec<ObjectId>) {
        let (mut pairs, mut objects) =
            if all { (self.pairs(), self.objects.clone()) } else { (Vec::new(), Vec::new()) };
        for name in names {
            if is_pattern(name) {
                pairs.extend(self.pairs_of(name));
                objects.extend(self.objects.iter().filter(|object| self.has_contact(name, **object)));
                continue;
            }
            if name == "contact" {
                pairs.extend(Some(self.pairs()).filter(|all| all.len() <= MOST_PAIRS).into_iter().flatten());
            } else if let Some(rest) = name.strip_prefix("contact.") {
                pairs.extend(self.pair(rest).ok());
            }
            let paths = name.match_indices(".contact").map(|(at, _)| &name[..at]);
            objects.extend(paths.filter_map(|path| self.by_path.get(path)));
        }
        let mut seen = BTreeSet::new();
        pairs.retain(|pair| seen.insert(pair.map(ObjectId::index)));
        let mut seen = BTreeSet::new();
        objects.retain(|object: &ObjectId| seen.insert(object.index()));
        (pairs, objects)
    }

    /// Pairs with results that match a pattern of contacts.
    fn pairs_of(&self, pattern: &str) -> Vec<[ObjectId; 2]> {
        if !pattern.starts_with("contact.") {
            return Vec::new();
        }
        let has_part = |pair: &[ObjectId; 2]| {
            let [a, b] = self.paths(*pair);
            let parts = PAIR.iter().map(|(_, part, ..)| *part).chain([IMPACTS]);
            any_component(parts, |part| selects(pattern, &format!("contact.{a}_{b}.{part}")))
        };
        let all = Some(self.pairs()).filter(|all| all.len() <= MOST_PAIRS);
        all.into_iter().flatten().filter(has_part).collect()
    }

    /// Whether results of the contacts of an object match a pattern that names contacts.
    fn has_contact(&self, pattern: &str, object: ObjectId) -> bool {
        let path = &self.scene.objects[object].path;
        let parts = OBJECT.iter().map(|(_, part, ..)| *part);
        pattern.contains(".contact") && any_component(parts, |part| selects(pattern, &format!("{path}.contact.{part}")))
    }

    /// The pair that `A_B`, perhaps followed by a part, means.
    fn pair(&self, name: &str) -> Result<[ObjectId; 2], Mismatch> {
        let mut mismatch = Mismatch::Unknown;
        let splits = name.match_indices('_').filter_map(|(at, _)| Some((*self.by_path.get(&name[..at])?, at + 1)));
        for (a, from) in splits {
            for b in self.heads(&name[from..]) {
                if a != b && self.may_meet([a, b]) {
                    return Ok([a, b]);
                }
                mismatch = Mismatch::Excluded([a, b]);
            }
        }
        Err(mismatch)
    }

    /// Objects whose path is a name or its beginning up to a dot, the longest first.
    fn heads<'n>(&'n self, name: &'n str) -> impl Iterator<Item = ObjectId> + 'n {
        let dots = name.rmatch_indices('.').map(|(at, _)| at);
        std::iter::once(name.len()).chain(dots).filter_map(|end| self.by_path.get(&name[..end]).copied())
    }

    fn explain(&self, name: &str) -> String {
        if self.objects.len() < 2 {
            return "fewer than two objects of the model collide; solids need `collides = true`".to_owned();
        }
        match self.pair(name) {
            Ok(pair) => {
                let parts: Vec<&str> = PAIR.iter().map(|(_, part, ..)| *part).collect();
                let [a, b] = self.paths(pair);
                format!("the contact of `{a}` and `{b}` has the parts {}", parts.join(", "))
            }
            Err(Mismatch::Excluded(pair)) => {
                let [a, b] = self.paths(pair);
                format!(
                    "`{a}` and `{b}` never collide with each other: they are parts of one body, both at rest, connected \
                     by a joint without `collides`, or excluded by a filter"
                )
            }
            Err(Mismatch::Unknown) => {
                let near =
                    self.nearest_pair(name).map_or(String::new(), |near| format!("; did you mean `contact.{near}`?"));
                format!("`contact.A_B` needs the paths of two objects that collide{near}")
            }
        }
    }

    fn paths(&self, pair: [ObjectId; 2]) -> [&'a str; 2] {
        pair.map(|object| self.scene.objects[object].path.as_str())
    }

    /// The pair with the name most similar to a misspelt one.
    fn nearest_pair(&self, name: &str) -> Option<String> {
        let head = name.rsplit_once('.').map_or(name, |(head, _)| head);
        let paths = || self.by_path.keys().take(MOST_PAIRS.isqrt());
        let pairs: Vec<String> =
            paths().flat_map(|a| paths().filter(move |b| *b != a).map(move |b| format!("{a}_{b}"))).collect();
        nearest(head, pairs.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// What is wrong with the name of a contact result that does not exist; none for names that are not of that kind.
#[must_use]
pub fn explain_contact_name(scene: &Scene, topology: &Topology, name: &str) -> Option<String> {
    let count = || Colliding::of(scene, topology).pairs().len();
    if is_pattern(name) && (!name.starts_with("contact.") || count() <= MOST_PAIRS) {
        return None;
    }
    if name == "contact" || is_pattern(name) {
        let count = count();
        return Some(format!(
            "{count} pairs of objects may collide; name those you want, for example `contact.A_B.f_n`"
        ));
    }
    let rest = name.strip_prefix("contact.")?;
    Some(Colliding::of(scene, topology).explain(rest))
}
