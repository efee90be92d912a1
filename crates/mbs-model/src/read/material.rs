//! Materials and contact properties of pairs of them.

use mbs::material::{ContactLaw, Damping, Material, MaterialError, MaterialPair, Restitution, Stribeck};

use super::Reader;
use crate::format::signal::{MU_R, PAIR_K_RED, RESTITUTION, V_MIN, W_MIN};
use crate::node::{Entry, Node, Table};
use crate::problem::{Problem, Span};

impl Reader<'_> {
    /// `[materials]`; values outside their range are reported.
    pub fn materials(&mut self, table: &Table) -> Vec<Material> {
        let entries = table.table("materials").map_or(&[] as &[Entry], |map| &map.entries);
        entries.iter().filter_map(|entry| self.material(entry)).collect()
    }

    fn material(&mut self, entry: &Entry) -> Option<Material> {
        let table = entry.node.table()?;
        let before = self.problems.len();
        // A material with wrong properties is declared anyway.
        let _ = self.known_materials.insert(placeholder(&entry.key));
        let material = Material {
            name: entry.key.clone(),
            density: self.constant(table, "density")?,
            youngs_modulus: self.constant(table, "youngs_modulus")?,
            poissons_ratio: self.constant(table, "poissons_ratio")?,
            melting_temperature: self.constant(table, "melting_temperature"),
            specific_heat: self.constant(table, "specific_heat"),
            conductivity: self.constant(table, "conductivity"),
            expansion: self.constant(table, "expansion"),
        };
        if self.problems.len() == before
            && let Err(error) = self.known_materials.insert(material.clone())
        {
            let value = property_in(&error, table).unwrap_or_else(|| entry.key_span.clone());
            self.problems.push(Problem::new(value, error.to_string(), None));
        }
        Some(material)
    }

    /// `[[material_pairs]]`; unknown materials and values outside their range are reported.
    pub fn material_pairs(&mut self, table: &Table) -> Vec<(String, String, MaterialPair)> {
        let nodes = table.node("material_pairs").and_then(Node::array).unwrap_or(&[]);
        nodes.iter().filter_map(|node| self.material_pair(node)).collect()
    }

    fn material_pair(&mut self, node: &Node) -> Option<(String, String, MaterialPair)> {
        let table = node.table()?;
        let names = table.node("materials")?;
        let [first, second] = names.array()? else { return None };
        let (first, second) = (first.text()?.to_owned(), second.text()?.to_owned());
        let mu_k = self.constant(table, "mu_k")?;
        let (cor, damping) = self.damping(node, table)?;
        let standard = MaterialPair::new(cor, mu_k, self.known_number(table, &MU_R));
        let pair = MaterialPair {
            damping,
            mu_spin: self.constant(table, "mu_spin"),
            stribeck: self.stribeck(table),
            stiction: self.is_true(table, "stiction"),
            k_red: self.known_number(table, &PAIR_K_RED),
            law: table.node("law").and_then(Node::text).map(|law| match law {
                "rigid" => ContactLaw::Rigid,
                _ => ContactLaw::Elastic,
            }),
            restitution: match self.word(table, &RESTITUTION) {
                "poisson" => Restitution::Poisson,
                _ => Restitution::Newton,
            },
            v_min: self.known_number(table, &V_MIN),
            w_min: self.known_number(table, &W_MIN),
            ..standard
        };
        if let Err(error) = self.known_materials.insert_pair(&first, &second, pair) {
            let value = property_in(&error, table).or_else(|| match &error {
                MaterialError::UnknownMaterial { name, .. } => element(names, name),
                _ => None,
            });
            self.problems.push(Problem::new(value.unwrap_or_else(|| names.span.clone()), error.to_string(), None));
        }
        Some((first, second, pair))
    }

    /// Restitution and damping: one of three ways to give them; none or more than one are reported.
    fn damping(&mut self, node: &Node, table: &Table) -> Option<(f64, Option<Damping>)> {
        let given: Vec<&Entry> = ["cor", "d", "relaxation"].iter().filter_map(|key| table.get(key)).collect();
        match given[..] {
            [] => {
                let hint = "give the coefficient of restitution `cor`, a damping coefficient `d` [s/m], or a `relaxation` time [s]";
                self.report(&node.span, "nothing says how contacts of this pair are damped", Some(hint));
                None
            }
            [only] => {
                let value = self.constant(table, &only.key)?;
                Some(match only.key.as_str() {
                    "d" => (0.0, Some(Damping::Coefficient(value))),
                    "relaxation" => (0.0, Some(Damping::Relaxation(value))),
                    _ => (value, None),
                })
            }
            [first, second, ..] => {
                let message = format!("`{}` and `{}` say the same in two ways", first.key, second.key);
                self.report(&second.key_span, &message, Some("leave one of them out"));
                None
            }
        }
    }

    /// Static friction and the speed at which it has fallen; one without the other is reported.
    fn stribeck(&mut self, table: &Table) -> Option<Stribeck> {
        if let (Some(alone), None) | (None, Some(alone)) = (table.get("mu_s"), table.get("v_s")) {
            let (hint, message) = ("give both `mu_s` and `v_s`, or neither", "friction that falls needs two numbers");
            self.report(&alone.key_span.clone(), message, Some(hint));
        }
        Some(Stribeck { mu_s: self.constant(table, "mu_s")?, v_s: self.constant(table, "v_s")? })
    }
}

/// Where the property that an error is about is given.
fn property_in(error: &MaterialError, table: &Table) -> Option<Span> {
    match error {
        MaterialError::Property { property, .. } => table.node(property).map(|node| node.span.clone()),
        _ => None,
    }
}

/// The element of an array that is this text.
fn element(array: &Node, text: &str) -> Option<Span> {
    array.array()?.iter().find(|node| node.text() == Some(text)).map(|node| node.span.clone())
}

/// A material of which only the name matters.
fn placeholder(name: &str) -> Material {
    Material {
        name: name.to_owned(),
        density: 1.0,
        youngs_modulus: 1.0,
        poissons_ratio: 0.0,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    }
}
