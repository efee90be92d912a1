//! Which objects of a model can meet at its start, how they then press on each other, and by which constants.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use mbs::collision::MOST_FACES;
use mbs::scene::Scene;
use mbs::topology::{Topology, Touch, meeting_objects};

use crate::counting::count;

/// Rows of the table.
const MOST: usize = 200;

/// The pairs of objects that can meet.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// None if the model has too many shapes to list their pairs.
    meetings: Option<Vec<Meeting>>,
}

/// Two objects that can meet.
#[derive(Debug, Clone)]
struct Meeting {
    objects: [String; 2],
    touches: BTreeSet<Touch>,
    pairs_of_shapes: usize,
    laws: Vec<Law>,
}

/// What two materials have with each other.
#[derive(Debug, Clone)]
struct Law {
    materials: [String; 2],
    cor: f64,
    mu_k: f64,
    mu_r: f64,
    /// Whether it is the mean of what each material has with itself.
    is_mean: bool,
}

/// Ways to touch; two objects whose shapes touch in several ways are counted by the first of them.
const BY_WEIGHT: [Touch; 4] = [Touch::FlatAtOnePoint, Touch::Patch, Touch::LowestPoints, Touch::Point];

impl Meeting {
    fn weightiest(&self) -> Option<Touch> {
        BY_WEIGHT.into_iter().find(|kind| self.touches.contains(kind))
    }
}

impl Contacts {
    /// Lists them for the structure a model starts with.
    #[must_use]
    pub fn of(scene: &Scene, topology: &Topology) -> Self {
        let law = |[a, b]: &[String; 2]| {
            let found = scene.materials.pair(a, b).ok()?;
            let (pair, materials) = (found.pair, [a.clone(), b.clone()]);
            Some(Law { materials, cor: pair.cor, mu_k: pair.mu_k, mu_r: pair.mu_r, is_mean: found.is_mean })
        };
        let meetings = meeting_objects(topology).map(|meetings| {
            let meeting = |meeting: mbs::topology::MeetingObjects| Meeting {
                objects: meeting.objects.map(|object| scene.objects[object].path.clone()),
                touches: meeting.touches,
                pairs_of_shapes: meeting.pairs,
                laws: meeting.materials.iter().filter_map(law).collect(),
            };
            meetings.into_iter().map(meeting).collect()
        });
        Self { meetings }
    }

    /// Objects with flat sides that touch at one point only, which the modeller may not have meant.
    pub fn remarks(&self) -> Option<String> {
        let meetings = self.meetings.as_ref()?;
        let mut flat = meetings.iter().filter(|meeting| meeting.touches.contains(&Touch::FlatAtOnePoint));
        let [a, b] = &flat.next()?.objects;
        let others = match flat.count() {
            0 => String::new(),
            more => format!(" (and {})", count(more, "more pair", "more pairs")),
        };
        Some(format!(
            "`{a}` and `{b}`{others} touch at one point, even with flat sides: one of them is a mesh whose convex hull has \
             more than {MOST_FACES} faces; take one with fewer, or boxes and cylinders in its place"
        ))
    }

    /// All pairs, one in a line; for each pair of materials a line.
    pub fn table(&self) -> String {
        let Some(meetings) = self.meetings.as_deref().filter(|meetings| !meetings.is_empty()) else {
            return String::new();
        };
        let width =
            |k: usize| meetings.iter().map(|meeting| meeting.objects[k].chars().count()).chain([5]).max().unwrap_or(5);
        let widths = [width(0), width(1)];
        let names = |[a, b]: [&str; 2]| format!("{a:<0$}  {b:<1$}", widths[0], widths[1]);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}  {:<12} {:>6}  {:>5} {:>5} {:>6}  materials",
            names(["first", "other"]),
            "touch",
            "shapes",
            "cor",
            "mu_k",
            "mu_r"
        );
        for meeting in &meetings[..meetings.len().min(MOST)] {
            let [a, b] = &meeting.objects;
            let touches: Vec<&str> = meeting.touches.iter().map(|touch| word(*touch)).collect();
            for law in &meeting.laws {
                let [first, other] = &law.materials;
                let _ = writeln!(
                    text,
                    "{}  {:<12} {:>6}  {:>5} {:>5} {:>6}  {first} on {other}{}",
                    names([a, b]),
                    touches.join("+"),
                    meeting.pairs_of_shapes,
                    rounded(law.cor),
                    rounded(law.mu_k),
                    rounded(law.mu_r),
                    if law.is_mean { " (mean of both)" } else { "" }
                );
            }
        }
        if let Some(more) = meetings.len().checked_sub(MOST).filter(|more| *more > 0) {
            let _ = writeln!(text, "{more} more");
        }
        text.push_str(
            "touch: patch = faces, edges and corners; point = one point; lowest = lowest points on a half-space; coarse = one \
             point\nalthough both have flat sides. shapes: pairs of convex shapes.\n",
        );
        text
    }
}

/// One line, which ends; nothing for a model whose objects cannot meet.
impl fmt::Display for Contacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(meetings) = &self.meetings else {
            return writeln!(f, "contacts: too many shapes to list which of them can meet");
        };
        if meetings.is_empty() {
            return Ok(());
        }
        write!(f, "contacts: {} can meet", count(meetings.len(), "pair of objects", "pairs of objects"))?;
        let parts: Vec<String> = BY_WEIGHT
            .iter()
            .filter_map(|kind| {
                let pairs = meetings.iter().filter(|meeting| meeting.weightiest() == Some(*kind)).count();
                (pairs > 0).then(|| format!("{pairs} {}", sentence(*kind)))
            })
            .collect();
        writeln!(f, " ({})", parts.join(", "))
    }
}

fn sentence(touch: Touch) -> &'static str {
    match touch {
        Touch::Patch => "with faces, edges and corners",
        Touch::Point => "at one point",
        Touch::LowestPoints => "with lowest points on flat ground",
        Touch::FlatAtOnePoint => "at one point although both are flat",
    }
}

fn word(touch: Touch) -> &'static str {
    match touch {
        Touch::Patch => "patch",
        Touch::Point => "point",
        Touch::LowestPoints => "lowest",
        Touch::FlatAtOnePoint => "coarse",
    }
}

/// A mean without the digits that are rounding errors.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
