//! Friction of solids, as far as numbers on geoms can express it.

use std::collections::BTreeMap;

use mbs::scene::Scene;

use super::plan::listed;

/// Default friction of geoms in MuJoCo.
pub(super) const IMPLIED: f64 = 1.0;

/// Numbers of MJCF for materials, of which the larger one is the friction of a contact, and what these cannot express.
#[derive(Debug, Default)]
pub(super) struct Friction {
    pub of_material: BTreeMap<String, f64>,
    pub notes: Vec<String>,
}

impl Friction {
    /// The friction of a contact is that of its pair of materials.
    pub fn new(scene: &Scene) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let shapes = scene.objects.iter().flat_map(|(_, object)| &object.shapes);
        for material in shapes.filter(|s| s.collision.is_some()).filter_map(|s| s.material.as_deref()) {
            *counts.entry(material).or_default() += 1;
        }
        let names: Vec<&str> = counts.keys().copied().collect();
        let mut pairs = Vec::new();
        for (index, a) in names.iter().enumerate() {
            for b in &names[index..] {
                let meets = a != b || counts[a] > 1;
                pairs.extend(scene.materials.pair(a, b).ok().filter(|_| meets).map(|found| (*a, *b, found.pair)));
            }
        }
        let mut friction = Self::default();
        for (a, b, pair) in &pairs {
            for name in [a, b] {
                let least = friction.of_material.entry((*name).to_owned()).or_insert(pair.mu_k);
                *least = least.min(pair.mu_k);
            }
        }
        let of = |name: &str| friction.of_material.get(name).copied().unwrap_or(IMPLIED);
        let wrong = pairs.iter().filter(|(a, b, pair)| of(a).max(of(b)) != pair.mu_k);
        let wrong: Vec<String> =
            wrong.map(|(a, b, pair)| format!("{a} on {b} ({} in place of {})", of(a).max(of(b)), pair.mu_k)).collect();
        if !wrong.is_empty() {
            let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
            let message = "friction of pairs that is not the larger one of two numbers, as it is in MuJoCo:";
            friction.notes.push(format!("{message} {}", listed(&wrong)));
        }
        let has = |what: fn(&mbs::material::MaterialPair) -> bool| pairs.iter().any(|(.., pair)| what(pair));
        let parts = [
            ("stiffness", !pairs.is_empty()),
            ("restitution", has(|pair| pair.cor != 0.0)),
            ("static friction", has(|pair| pair.stribeck.is_some())),
            ("rolling resistance", has(|pair| pair.mu_r != 0.0 || pair.mu_spin.is_some_and(|mu| mu != 0.0))),
        ];
        let parts: Vec<&str> = parts.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
        if !parts.is_empty() {
            friction.notes.push(format!("{} of contacts: left out", parts.join(", ")));
        }
        friction
    }
}
