//! Materials and pairs by name.

use super::builtin::{materials, pairs};
use super::{ContactLaw, Material, MaterialError, MaterialPair};
use crate::expr::nearest;
use std::collections::{BTreeMap, BTreeSet};

/// A pair found in a [`MaterialTable`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLookup {
    /// The properties.
    pub pair: MaterialPair,
    /// Whether they are not declared but the mean of those of each material with itself; worth a line in the log.
    pub is_mean: bool,
}

/// Materials and pairs by name: the built-in ones, and those of a model, which come first.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialTable {
    materials: BTreeMap<String, Material>,
    /// By the name that is first in alphabetical order, then by the other one.
    pub(super) pairs: BTreeMap<String, BTreeMap<String, MaterialPair>>,
    /// Pairs that are not built in.
    added: BTreeSet<(String, String)>,
}

impl Default for MaterialTable {
    fn default() -> MaterialTable {
        MaterialTable::builtin()
    }
}

impl MaterialTable {
    /// A table without entries.
    pub fn empty() -> MaterialTable {
        MaterialTable { materials: BTreeMap::new(), pairs: BTreeMap::new(), added: BTreeSet::new() }
    }

    /// The built-in materials and pairs.
    pub fn builtin() -> MaterialTable {
        let materials = materials().map(|m| (m.name.clone(), m)).collect();
        let mut table = MaterialTable { materials, ..MaterialTable::empty() };
        pairs().for_each(|(a, b, pair)| table.set_pair(a, b, pair));
        table
    }

    /// Adds a material, or replaces the one of the same name.
    ///
    /// # Errors
    /// A property outside its range.
    pub fn insert(&mut self, material: Material) -> Result<(), MaterialError> {
        material.validate()?;
        self.materials.insert(material.name.clone(), material);
        Ok(())
    }

    /// Adds the behaviour of two known materials in contact, in either order, or replaces the built-in one.
    ///
    /// # Errors
    /// Unknown materials, a property outside its range, or a pair that was added before.
    pub fn insert_pair(&mut self, a: &str, b: &str, pair: MaterialPair) -> Result<(), MaterialError> {
        self.material(a)?;
        self.material(b)?;
        pair.validate(a, b)?;
        if !self.added.insert(ordered(a, b)) {
            return Err(MaterialError::RepeatedPair { a: a.to_string(), b: b.to_string() });
        }
        self.set_pair(a, b, pair);
        Ok(())
    }

    fn set_pair(&mut self, a: &str, b: &str, pair: MaterialPair) {
        let (first, second) = ordered(a, b);
        self.pairs.entry(first).or_default().insert(second, pair);
    }

    /// The data of a pair itself, without allocation: contacts ask for it while the model runs.
    fn own_pair(&self, a: &str, b: &str) -> Option<&MaterialPair> {
        self.pairs.get(a.min(b))?.get(a.max(b))
    }

    /// A material by name.
    ///
    /// # Errors
    /// Names the unknown material and the nearest known one.
    pub fn material(&self, name: &str) -> Result<&Material, MaterialError> {
        self.materials.get(name).ok_or_else(|| MaterialError::UnknownMaterial {
            name: name.to_string(),
            nearest: nearest(name, self.materials.keys().map(String::as_str)).map(String::from),
        })
    }

    /// Behaviour of two materials in contact, the same for either order. A pair that is not declared is the mean of
    /// each material with itself, when both are known.
    ///
    /// # Errors
    /// Unknown materials, or no data for the pair.
    pub fn pair(&self, a: &str, b: &str) -> Result<PairLookup, MaterialError> {
        self.material(a)?;
        self.material(b)?;
        if let Some(&pair) = self.own_pair(a, b) {
            return Ok(PairLookup { pair, is_mean: false });
        }
        match (self.own_pair(a, a), self.own_pair(b, b)) {
            (Some(own_a), Some(own_b)) => Ok(PairLookup { pair: own_a.mean(own_b), is_mean: true }),
            _ => Err(MaterialError::UnknownPair { a: a.to_string(), b: b.to_string() }),
        }
    }

    /// Whether a pair of materials is declared rigid.
    pub fn has_rigid_pairs(&self) -> bool {
        self.pairs.values().flat_map(BTreeMap::values).any(|pair| pair.law == Some(ContactLaw::Rigid))
    }

    /// Pairs of materials, but for those that are built in, whose friction at rest differs from that of sliding.
    pub fn pairs_with_mu_s(&self) -> impl Iterator<Item = [&str; 2]> {
        let differs = |pair: &&MaterialPair| pair.stribeck.is_some_and(|own| own.mu_s != pair.mu_k);
        let own = move |a: &str, b: &str| self.own_pair(a, b).filter(differs).is_some();
        self.added.iter().filter(move |(a, b)| own(a, b)).map(|(a, b)| [a.as_str(), b.as_str()])
    }

    /// Whether a pair of materials, but for those that are built in, has rolling resistance.
    pub fn declares_mu_r(&self, a: &str, b: &str) -> bool {
        let (a, b) = ordered(a, b);
        self.added.contains(&(a.clone(), b.clone())) && self.own_pair(&a, &b).is_some_and(|pair| pair.mu_r > 0.0)
    }

    /// Names of all materials in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.materials.keys().map(String::as_str)
    }
}

fn ordered(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
}
