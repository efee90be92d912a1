//! Which objects of a model can meet at its start, how they then press on each other, and by which constants.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use mbs::collision::MOST_FACES;
use mbs::material::{Damping, MaterialPair, PairLookup};
use mbs::scene::Scene;
use mbs::solid::Shape;
use mbs::topology::{ContactKind, PotentialContact, Topology, visit_potential_contacts};

use crate::counting::count;

/// Rows of the table.
const MOST: usize = 200;

/// Objects with meshes of several parts that are listed.
const MOST_MESHES: usize = 10;

/// Kinds of contacts; two objects whose shapes meet in several ways are counted by the first of them.
const BY_RANK: [ContactKind; 4] =
    [ContactKind::FineMesh, ContactKind::Patch, ContactKind::GroundPoints, ContactKind::Point];

/// The pairs of objects that can meet.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// None if the model has too many shapes to visit their pairs.
    pairs: Option<Pairs>,
    /// Number of objects that collide but are absent at the start.
    absent: usize,
    /// Objects with meshes of several convex parts, and the number of parts.
    parts: Vec<(String, usize)>,
}

/// Numbers of pairs; only those that are listed are kept.
#[derive(Debug, Clone, Default)]
struct Pairs {
    listed: Vec<Pair>,
    number: usize,
    /// In the order of [`BY_RANK`].
    numbers: [usize; BY_RANK.len()],
    /// The first with flat sides that touch at one point only.
    fine: Option<[String; 2]>,
}

impl Pairs {
    fn add(&mut self, scene: &Scene, contact: &PotentialContact<'_>) {
        let names = || contact.objects.map(|object| scene.objects[object].path.clone());
        self.number += 1;
        let rank = contact.kinds().filter_map(|kind| BY_RANK.iter().position(|other| *other == kind)).min();
        if let Some(rank) = rank {
            self.numbers[rank] += 1;
            if BY_RANK[rank] == ContactKind::FineMesh && self.fine.is_none() {
                self.fine = Some(names());
            }
        }
        if self.listed.len() < MOST {
            let law = |materials: [String; 2]| {
                let law = scene.materials.pair(&materials[0], &materials[1]).ok()?;
                Some((materials, law))
            };
            self.listed.push(Pair {
                names: names(),
                kinds: contact.kinds().collect(),
                shape_pairs: contact.shape_pairs.len(),
                laws: contact.materials().into_iter().filter_map(law).collect(),
            });
        }
    }
}

/// Two objects that can meet.
#[derive(Debug, Clone)]
struct Pair {
    names: [String; 2],
    kinds: BTreeSet<ContactKind>,
    /// Number of pairs of convex shapes.
    shape_pairs: usize,
    /// Pairs of materials with their constants.
    laws: Vec<([String; 2], PairLookup)>,
}

impl Contacts {
    /// Lists them for the structure a model starts with.
    #[must_use]
    pub fn of(scene: &Scene, topology: &Topology) -> Self {
        let mut pairs = Pairs::default();
        let are_few = visit_potential_contacts(topology, |contact| pairs.add(scene, contact));
        let parts = scene.objects.iter().filter_map(|(_, object)| {
            let meshes = object.shapes.iter().filter(|own| matches!(own.shape, Shape::Mesh { .. }));
            let count = meshes.filter_map(|own| Some(own.collision.as_ref()?.pieces.len())).max()?;
            (count > 1).then(|| (object.path.clone(), count))
        });
        let collides = |id| scene.objects[id].shapes.iter().any(|own| own.collision.is_some());
        let absent = scene.objects.iter().filter(|(id, _)| !scene.exists(*id) && collides(*id)).count();
        Self { pairs: are_few.then_some(pairs), absent, parts: parts.collect() }
    }

    /// Objects with flat sides that touch at one point only, which the modeller may not have meant.
    pub fn remark(&self) -> Option<String> {
        let pairs = self.pairs.as_ref()?;
        let [a, b] = pairs.fine.as_ref()?;
        let number = BY_RANK.iter().zip(pairs.numbers).find(|(kind, _)| **kind == ContactKind::FineMesh);
        let others = match number.map_or(0, |(_, number)| number - 1) {
            0 => String::new(),
            more => format!(" (and {})", count(more, "more pair", "more pairs")),
        };
        Some(format!(
            "`{a}` and `{b}`{others} touch at one point, even with flat sides: one of them is a mesh whose convex hull has \
             more than {MOST_FACES} faces; take one with fewer, or boxes and cylinders in its place"
        ))
    }

    /// All pairs: a line for each pair of materials of each; nothing for a model whose objects cannot meet.
    pub fn table(&self) -> String {
        let Some(pairs) = self.pairs.as_ref().filter(|pairs| pairs.number > 0) else { return String::new() };
        let shown = &pairs.listed;
        let width = |k: usize| shown.iter().map(|pair| pair.names[k].chars().count()).fold("first".len(), usize::max);
        let widths = [width(0), width(1)];
        let dampings = shown.iter().flat_map(|pair| &pair.laws).map(|(_, law)| damping(&law.pair).chars().count());
        let of_damping = dampings.fold(5, usize::max);
        let names = |[a, b]: [&str; 2]| format!("{a:<0$}  {b:<1$}", widths[0], widths[1]);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}  {:<15} {:>6}  {:>of_damping$} {:>5} {:>6}  materials",
            names(["first", "other"]),
            "contact",
            "shapes",
            "cor",
            "mu_k",
            "mu_r"
        );
        for pair in shown {
            let kinds: Vec<&str> = pair.kinds.iter().map(|kind| word(*kind)).collect();
            for ([first, other], law) in &pair.laws {
                let _ = writeln!(
                    text,
                    "{}  {:<15} {:>6}  {:>of_damping$} {:>5} {:>6}  {first} on {other}{}",
                    names([&pair.names[0], &pair.names[1]]),
                    kinds.join("+"),
                    pair.shape_pairs,
                    damping(&law.pair),
                    rounded(law.pair.mu_k),
                    rounded(law.pair.mu_r),
                    if law.is_mean { " (mean of both)" } else { "" }
                );
            }
        }
        if pairs.number > shown.len() {
            let _ = writeln!(text, "{} more", pairs.number - shown.len());
        }
        text.push_str(
            "contact: patch = faces, edges and corners; point = one point; ground = lowest points on a half-space; fine-mesh = \
             one point,\nthough both have flat sides. shapes: pairs of convex shapes.\n",
        );
        if of_damping > 5 {
            text.push_str("cor: where damping is not given by it, what is given instead.\n");
        }
        text
    }
}

/// One line, which ends; nothing for a model whose objects cannot meet.
impl fmt::Display for Contacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(pairs) = &self.pairs else {
            return writeln!(f, "contacts: too many shapes to list which of them can meet");
        };
        if pairs.number == 0 && self.absent == 0 {
            return Ok(());
        }
        write!(f, "contacts: {} can meet", count(pairs.number, "pair of objects", "pairs of objects"))?;
        let kinds = BY_RANK.into_iter().zip(pairs.numbers).filter(|(_, number)| *number > 0);
        let parts: Vec<String> = kinds.map(|(kind, number)| format!("{number} {}", phrase(kind))).collect();
        if !parts.is_empty() {
            write!(f, " ({})", parts.join(", "))?;
        }
        match self.absent {
            0 => writeln!(f)?,
            1 => writeln!(f, "; one more object collides, but is absent at the start")?,
            absent => writeln!(f, "; {absent} more objects collide, but are absent at the start")?,
        }
        if self.parts.is_empty() {
            return Ok(());
        }
        let shown = self.parts.iter().take(MOST_MESHES).map(|(path, count)| format!("`{path}` {count}"));
        let more = if self.parts.len() > MOST_MESHES { ", ..." } else { "" };
        writeln!(f, "convex parts of meshes: {}{more}", shown.collect::<Vec<_>>().join(", "))
    }
}

fn phrase(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Patch => "with faces, edges and corners",
        ContactKind::Point => "at one point",
        ContactKind::GroundPoints => "with lowest points on flat ground",
        ContactKind::FineMesh => "at one point although both are flat",
    }
}

fn word(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Patch => "patch",
        ContactKind::Point => "point",
        ContactKind::GroundPoints => "ground",
        ContactKind::FineMesh => "fine-mesh",
    }
}

/// What the damping of a pair follows from: `cor`, or what is given instead.
fn damping(pair: &MaterialPair) -> String {
    match pair.damping {
        None => rounded(pair.cor).to_string(),
        Some(Damping::Coefficient(d)) => format!("d={}s/m", short(d)),
        Some(Damping::Relaxation(time)) => format!("relaxation={}s", short(time)),
    }
}

/// A number with at most six significant digits, a small one with a power of ten.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if rounded == 0.0 || rounded >= 1e-3 { rounded.to_string() } else { format!("{rounded:e}") }
}

/// A mean without the digits that are rounding errors.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
