//! Models that a new project may start with.

/// A model to start from, with the files it names.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// What the user calls it.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    text: &'static str,
    /// Files beside the model file: name and content.
    pub files: &'static [(&'static str, &'static str)],
}

/// All templates, the one of plain `mbfmu new` first.
pub const TEMPLATES: [Template; 9] = [
    Template {
        name: "pendulum",
        summary: "one body, one joint, parameters and outputs, with comments",
        text: include_str!("template.toml"),
        files: &[],
    },
    Template {
        name: "robot",
        summary: "arm with a gripper that carries a box: the end of the tutorial",
        text: include_str!("../../../docs/tutorial/step10.toml"),
        files: &[],
    },
    Template {
        name: "suspension",
        summary: "double wishbone suspension: two loops in space, spring and damper",
        text: include_str!("../../../fmus/DoubleWishbone/model.toml"),
        files: &[],
    },
    Template {
        name: "crane",
        summary: "travelling crane with a rope of changing length and a controller against sway",
        text: include_str!("../../../docs/models/crane.toml"),
        files: &[],
    },
    Template {
        name: "gripper",
        summary: "two fingers that hold a block by friction",
        text: include_str!("../../../docs/models/gripper.toml"),
        files: &[],
    },
    Template {
        name: "docking",
        summary: "two free bodies, thrusters with feedback, attaching and releasing",
        text: include_str!("../../../docs/models/docking.toml"),
        files: &[],
    },
    Template {
        name: "cam",
        summary: "disc cam, flat follower and spring: contact that is lost at high speed",
        text: include_str!("../../../docs/models/cam.toml"),
        files: &[],
    },
    Template {
        name: "bearing",
        summary: "thrust ball bearing with rolling balls in a cage",
        text: include_str!("../../../docs/models/bearing.toml"),
        files: &[],
    },
    Template {
        name: "vehicle",
        summary: "car with soft tyres on a height field, driven by inputs",
        text: include_str!("../../../fmus/CarOnTerrain/model.toml"),
        files: &[("terrain.csv", include_str!("../../../fmus/CarOnTerrain/terrain.csv"))],
    },
];

impl Template {
    /// The model file of a model with a name.
    ///
    /// Converts the name to a C identifier.
    #[must_use]
    pub fn model(&self, name: &str) -> String {
        let own = |line: &str| line.starts_with("name = ");
        let named = format!("name = \"{}\"", crate::names::identifier(name));
        let lines: Vec<&str> = self.text.lines().map(|line| if own(line) { named.as_str() } else { line }).collect();
        lines.join("\n") + "\n"
    }
}

/// The text of a new model with a name.
#[must_use]
pub fn template(name: &str) -> String {
    TEMPLATES[0].model(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_named_once_and_at_its_top() {
        for template in TEMPLATES {
            let text = template.model("My");
            let named = text.lines().filter(|line| line.starts_with("name = ")).count();
            assert_eq!(named, 1, "{}", template.name);
            let table = text.lines().position(|line| line.starts_with('[')).unwrap_or(0);
            let name = text.lines().position(|line| line == "name = \"My\"").unwrap_or(usize::MAX);
            assert!(name < table, "{}", template.name);
        }
    }
}
