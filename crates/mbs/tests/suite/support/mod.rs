//! Random models for tests of laws; everything follows from the seed.
#![allow(dead_code, unused_imports, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs::declaration::{
    Attachment, Bushing, Content, Declaration, DirectionLaw, Dof, ForceElement, ForceKind, FreeStart, Gravity, Joint,
    JointKind, MassDeclaration, Object, PointToPoint, Pose, Rotation, Spring, WorldForce,
};
use mbs::expr::Expr;

mod bench;
mod run;

pub use bench::{Bench, Point};
pub use run::{Idle, Run, error_message, error_message_with};

/// A small deterministic generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Uniform in [-1, 1).
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bits as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (((self.number() + 1.0) / 2.0) * n as f64) as usize % n
    }

    pub fn expr(&mut self) -> Expr {
        Expr::number(self.number())
    }

    pub fn vector(&mut self) -> [Expr; 3] {
        std::array::from_fn(|_| self.expr())
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.number() + 1.0) / 2.0
    }

    pub fn pose(&mut self) -> Pose {
        Pose { r: self.vector(), rotation: Rotation::Cardan(self.vector()) }
    }
}

fn text(text: &str) -> Expr {
    Expr::parse(text).unwrap()
}

pub const JOINTS: [&str; 9] =
    ["revolute", "prismatic", "screw", "universal", "cylindrical", "planar", "spherical", "free", "fixed"];

/// Joints with degrees of freedom, in the order of [`JOINTS`].
pub const MOVING_JOINTS: &[&str] = JOINTS.split_at(JOINTS.len() - 1).0;

/// [`MOVING_JOINTS`] with `free` first: of a body that carries joints of all other types.
pub fn free_first() -> Vec<&'static str> {
    let others = MOVING_JOINTS.iter().copied().filter(|kind| *kind != "free");
    ["free"].into_iter().chain(others).collect()
}

pub fn joint_kind(name: &str, random: &mut Random) -> JointKind {
    match name {
        "revolute" => JointKind::Revolute { axis: random.vector() },
        "prismatic" => JointKind::Prismatic { axis: random.vector() },
        "screw" => JointKind::Screw { axis: random.vector(), pitch: Expr::number(0.7) },
        "universal" => JointKind::Universal { axes: [random.vector(), random.vector()] },
        "cylindrical" => JointKind::Cylindrical { axis: random.vector() },
        "planar" => JointKind::Planar { normal: random.vector(), axis: random.vector() },
        "spherical" => JointKind::Spherical,
        "free" => JointKind::Free,
        "fixed" => JointKind::Fixed,
        other => panic!("`{other}` is no joint of the laws"),
    }
}

/// Laws on plain coordinates and damping on rotations.
fn dof(name: &str, random: &mut Random, forces: bool) -> Dof {
    let mut dof = Dof { position: random.expr(), velocity: random.expr(), ..Dof::default() };
    if forces {
        dof.damping = Some(Expr::number(0.3));
        if !name.is_empty() {
            dof.spring = Some(Spring { stiffness: Expr::number(2.0), rest: random.expr() });
            let drive = if name.starts_with("phi") { "0.4*sin(2*time) - 0.2*phi^3" } else { "0.5*cos(time)" };
            dof.force = (name == "phi" || !name.starts_with("phi")).then(|| text(drive));
        }
    }
    dof
}

pub fn joint(name: &str, kind: &str, from: &str, to: &str, random: &mut Random, forces: bool) -> Joint {
    let kind = joint_kind(kind, random);
    let dofs = kind.dof_names().iter().map(|(position, _)| dof(position, random, forces)).collect();
    let rotation = Rotation::Cardan(random.vector());
    Joint {
        collision: false,
        name: name.into(),
        description: String::new(),
        location: Default::default(),
        kind,
        from: from.into(),
        to: to.into(),
        dofs,
        rotation,
        rotation_kind: mbs::declaration::StartKind::Implied,
    }
}

/// A body moved by a joint, with a centre of mass off its origin and a generic inertia.
pub fn body(name: &str, random: &mut Random) -> Object {
    let mass = MassDeclaration::Given {
        m: Expr::number(1.5 + random.number()),
        center: random.vector(),
        inertia: [0.9, 1.1, 1.3, 0.05, -0.1, 0.08].map(Expr::number),
    };
    Object { name: name.into(), attachment: Attachment::ByJoint, mass: Some(mass), ..Object::default() }
}

/// A random forest of `n` bodies; joint directions are random, so that some are crossed backwards.
pub fn random_tree(seed: u64, n: usize, forces: bool) -> Declaration {
    let mut random = Random::new(seed);
    let mut content = Content::default();
    for k in 1..=n {
        let name = format!("b{k}");
        let parent =
            if k == 1 || random.below(6) == 0 { "world".to_owned() } else { format!("f{}", 1 + random.below(k - 1)) };
        let mut object = body(&name, &mut random);
        if random.below(8) == 0 {
            object.attachment = Attachment::Free(FreeStart { v: random.vector(), w: random.vector() });
            object.parent = Some(parent);
            object.pose = random.pose();
        } else {
            let kind = JOINTS[random.below(JOINTS.len())];
            let reversed = random.below(3) == 0;
            let forces = forces && !(reversed && matches!(kind, "spherical" | "free"));
            let (from, to) = if reversed { (name.clone(), parent) } else { (parent, name.clone()) };
            content.joints.push(joint(&format!("j{k}"), kind, &from, &to, &mut random, forces));
        }
        content.objects.push(object);
        let frame = Object { name: format!("f{k}"), parent: Some(name), pose: random.pose(), ..Object::default() };
        content.objects.push(frame);
    }
    if forces {
        add_elements(&mut content, n, &mut random);
    }
    Declaration {
        name: "Random".into(),
        gravity: Gravity::Uniform([0.3, -9.81, 0.5].map(Expr::number)),
        content,
        ..Declaration::default()
    }
}

/// A random forest with joints that close loops, some of them through the world and some sharing bodies.
pub fn random_loops(seed: u64, n: usize, loops: usize, forces: bool) -> Declaration {
    let mut model = random_tree(seed, n, forces);
    let mut random = Random::new(seed + 500);
    for k in 1..=loops {
        let kind = JOINTS[random.below(7)];
        let from = if random.below(3) == 0 { "world".to_owned() } else { format!("f{}", 1 + random.below(n)) };
        let mut to = random.below(n);
        if from == format!("f{}", 1 + to) {
            to = (to + 1) % n;
        }
        let to = format!("b{}", 1 + to);
        if from == "world" || from[1..] != to[1..] {
            model.content.joints.push(joint(&format!("c{k}"), kind, &from, &to, &mut random, forces));
        }
    }
    model
}

fn add_elements(content: &mut Content, n: usize, random: &mut Random) {
    let mut add = |kind: ForceKind, k: usize| {
        content.forces.push(ForceElement {
            name: format!("e{k}"),
            description: String::new(),
            location: Default::default(),
            kind,
        });
    };
    for k in 0..n / 2 + 1 {
        let frame = |random: &mut Random| format!("f{}", 1 + random.below(n));
        let (from, mut to) = (frame(random), frame(random));
        if from == to {
            to = "world".to_owned();
        }
        let kind = match k % 3 {
            0 => ForceKind::PointToPoint(PointToPoint {
                from,
                to,
                stiffness: Some(Expr::number(5.0)),
                damping: Some(Expr::number(0.4)),
                force: Some(text("0.1*s^2 + 0.05*v")),
                ..PointToPoint::default()
            }),
            1 => {
                let law = |k: f64| DirectionLaw {
                    stiffness: Some(Expr::number(k)),
                    damping: Some(Expr::number(0.1)),
                    law: None,
                };
                ForceKind::Bushing(Bushing {
                    from,
                    to,
                    translation: [law(3.0), law(2.0), law(1.0)],
                    rotation: [law(0.5), law(0.6), law(0.7)],
                })
            }
            _ => ForceKind::World(WorldForce {
                at: from.clone(),
                force: [text("3*sin(time)"), Expr::number(1.0), Expr::number(-2.0)],
                torque: [Expr::number(0.3), Expr::number(0.1), text("0.2*time")],
                resolved_in: (k % 2 == 0).then_some(from),
            }),
        };
        add(kind, k);
    }
}
