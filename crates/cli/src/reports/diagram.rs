//! The topology of a model as text: an indented tree, or Graphviz source.

use mbs::scene::Scene;
use mbs::spatial::WORLD;
use mbs::topology::{Mobilizer, Node, Topology};

/// What is said of objects that do not exist when a run begins.
const ABSENT: &str = "absent at the start";

/// The spanning forest with details of each node.
pub struct Forest {
    /// Name of the model.
    model: String,
    nodes: Vec<Entry>,
    /// Paths of the objects that an action inserts later.
    absent: Vec<String>,
}

/// A super-object and how it moves on its parent.
struct Entry {
    parent: usize,
    /// Joint or free object it is called after.
    name: String,
    /// Kind of motion.
    motion: &'static str,
    /// Paths of its objects.
    objects: Vec<String>,
    /// Mass [kg].
    mass: f64,
    /// Node it is a part of, when its joint closes a loop.
    part_of: Option<usize>,
}

impl Forest {
    /// Collects the nodes of a topology.
    pub fn new(scene: &Scene, topology: &Topology) -> Self {
        let mut nodes: Vec<Entry> = topology.nodes.iter().map(entry).collect();
        let mut absent = Vec::new();
        for (id, object) in scene.objects.iter().filter(|(_, object)| object.path != "world") {
            let node = topology.placements[id.index()].node;
            let place = if scene.exists(id) { &mut nodes[node].objects } else { &mut absent };
            place.push(object.path.clone());
        }
        for closure in &topology.closures {
            nodes[closure.leaf].part_of = Some(closure.body.node);
        }
        Self { model: scene.name.clone(), nodes, absent }
    }

    /// An indented tree.
    pub fn tree(&self) -> String {
        let mut text = format!("{}\n{}\n", self.model, self.label(WORLD));
        self.branches(WORLD, "", &mut text);
        if !self.absent.is_empty() {
            text.push_str(&format!("{ABSENT}: {}\n", self.absent.join(", ")));
        }
        text
    }

    fn branches(&self, parent: usize, indent: &str, text: &mut String) {
        let children: Vec<usize> =
            (WORLD + 1..self.nodes.len()).filter(|node| self.nodes[*node].parent == parent).collect();
        for (place, child) in children.iter().enumerate() {
            let is_last = place + 1 == children.len();
            let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            text.push_str(&format!("{indent}{branch}{}\n", self.label(*child)));
            self.branches(*child, &format!("{indent}{below}"), text);
        }
    }

    fn label(&self, node: usize) -> String {
        let entry = &self.nodes[node];
        let objects = entry.objects.join(", ");
        let head = if node == WORLD { "world".to_owned() } else { format!("{} ({})", entry.name, entry.motion) };
        let mass = if node == WORLD { String::new() } else { format!("  {} kg", significant(entry.mass)) };
        if let Some(body) = entry.part_of {
            return format!("{head} closes a loop: part of {}{mass}", self.nodes[body].objects.join(", "));
        }
        if objects.is_empty() { format!("{head}{mass}") } else { format!("{head}: {objects}{mass}") }
    }

    /// Graphviz source: nodes are super-objects, edges their motions.
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph {} {{\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
            quoted(&[&self.model])
        );
        for (number, entry) in self.nodes.iter().enumerate() {
            let first = if number == WORLD { "world".to_owned() } else { format!("{} kg", significant(entry.mass)) };
            if let Some(body) = entry.part_of {
                text.push_str(&format!("  n{number} -> n{body} [style=dashed, dir=none, label=\"same body\"];\n"));
            }
            let lines: Vec<&str> = entry.objects.iter().map(String::as_str).chain([first.as_str()]).collect();
            text.push_str(&format!("  n{number} [label={}];\n", quoted(&lines)));
            if number != WORLD {
                text.push_str(&format!(
                    "  n{} -> n{number} [label={}];\n",
                    entry.parent,
                    quoted(&[&entry.name, entry.motion])
                ));
            }
        }
        if !self.absent.is_empty() {
            let lines: Vec<&str> = self.absent.iter().map(String::as_str).chain([ABSENT]).collect();
            text.push_str(&format!("  absent [style=\"rounded,dashed\", label={}];\n", quoted(&lines)));
        }
        text.push_str("}\n");
        text
    }
}

fn entry(node: &Node) -> Entry {
    Entry {
        parent: node.parent,
        name: node.name.clone(),
        motion: motion(&node.mobilizer),
        objects: Vec::new(),
        mass: node.inertia.m,
        part_of: None,
    }
}

fn motion(mobilizer: &Mobilizer) -> &'static str {
    match mobilizer {
        Mobilizer::World => "world",
        Mobilizer::Axis { rotation, translation, .. } => match (*rotation != 0.0, *translation != 0.0) {
            (true, false) => "revolute",
            (false, _) => "prismatic",
            (true, true) => "screw",
        },
        Mobilizer::Driven { rotation, translation, .. } => match (*rotation != 0.0, *translation != 0.0) {
            (true, false) => "driven revolute",
            (false, _) => "driven prismatic",
            (true, true) => "driven screw",
        },
        Mobilizer::DrivenBall(ball) => match ball.translates {
            true => "driven free",
            false => "driven spherical",
        },
        Mobilizer::Spherical => "spherical",
        Mobilizer::Free => "free",
    }
}

/// Six significant digits, without trailing zeros.
fn significant(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    rounded.to_string()
}

/// A Graphviz string of several lines.
fn quoted(lines: &[&str]) -> String {
    let escaped: Vec<String> = lines.iter().map(|line| line.replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", escaped.join("\\n"))
}
