//! Declarations written in Rust.
//!
//! Numbers may be given as `f64`, `i32`, expressions in text, or [`Expr`]; vectors as arrays or as tuples, which may
//! mix them: `(0, "-L/2", 0)`. Nothing fails until [`ModelBuilder::build`], which reports everything that is wrong.
//!
//! ```
//! use mbs::declaration::builder::{ModelBuilder, Members, cuboid, object, parameter, revolute, sphere};
//!
//! let pendulum = ModelBuilder::new("Pendulum")
//!     .gravity([0.0, -9.81, 0.0])
//!     .parameter(parameter("L", 1.0).unit("m").min(0.01).description("Length of the rod"))
//!     .object(object("rod").solid(cuboid((0.05, "L", 0.05)).r((0, "-L/2", 0)).material("Steel")))
//!     .object(object("tip").on("rod").r((0, "-L", 0)).visual(sphere(0.1)))
//!     .joint(revolute("hinge", "world", "rod", "z").position("pi/3").damping(0.5))
//!     .output("hinge.phi")
//!     .build()?;
//! assert_eq!(pendulum.content.joints[0].to, "rod");
//! # Ok::<(), mbs::declaration::builder::BuildError>(())
//! ```

mod action;
mod component;
mod element;
mod instance;
mod joint;
mod object;
mod shape;
mod signal;
mod value;

pub use action::{ActionsBuilder, actions};
pub use component::{ComponentBuilder, component};
pub use element::{
    ForceBuilder, SensorBuilder, actuator, bushing, cut_force_sensor, damper, motion_sensor, spring, world_force,
};
pub use instance::{InstanceBuilder, instance};
pub use joint::{JointBuilder, cylindrical, fixed, free, planar, prismatic, revolute, screw, spherical, universal};
pub use object::{ObjectBuilder, object};
pub use shape::{
    ShapeBuilder, beam, capsule, cone, cuboid, cylinder, ellipsoid, half_space, height_field, mesh, sphere,
};
pub use signal::{InputBuilder, ParameterBuilder, input, parameter};
pub use value::{IntoDirection, IntoExpr, IntoVector, Problems};

use super::{Assembly, Content, Declaration, Experiment, Gravity, Output, OutputValue, TableDeclaration};
use crate::expr::{Expr, Extrapolation, Interpolation};
use crate::material::{ConstantsRule, ContactLaw, ImpactOrder, Material, MaterialPair, Resting};

/// Everything that is wrong with a declaration written in Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// One sentence each, naming the object.
    pub problems: Vec<String>,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for BuildError {}

/// A model or an assembly under construction: what takes members.
pub trait Members: Sized {
    /// The members so far, and the problems.
    fn members(&mut self) -> (&mut Content, &mut Problems);

    /// Adds an object.
    #[must_use]
    fn object(mut self, object: ObjectBuilder) -> Self {
        let (content, problems) = self.members();
        content.objects.push(object.finish(problems));
        self
    }

    /// Adds a joint.
    #[must_use]
    fn joint(mut self, joint: JointBuilder) -> Self {
        let (content, problems) = self.members();
        content.joints.push(joint.finish(problems));
        self
    }

    /// Adds a force element.
    #[must_use]
    fn force(mut self, force: ForceBuilder) -> Self {
        let (content, problems) = self.members();
        content.forces.push(force.finish(problems));
        self
    }

    /// Adds a sensor.
    #[must_use]
    fn sensor(mut self, sensor: SensorBuilder) -> Self {
        self.members().0.sensors.push(sensor.finish());
        self
    }

    /// Adds a component.
    #[must_use]
    fn component(mut self, component: ComponentBuilder) -> Self {
        let (content, problems) = self.members();
        content.components.push(component.finish(problems));
        self
    }

    /// Adds an action program.
    #[must_use]
    fn actions(mut self, actions: ActionsBuilder) -> Self {
        let (content, problems) = self.members();
        content.actions.push(actions.finish(problems));
        self
    }

    /// Adds an instance of an assembly.
    #[must_use]
    fn instance(mut self, instance: InstanceBuilder) -> Self {
        let (content, problems) = self.members();
        content.instances.push(instance.finish(problems));
        self
    }
}

/// A model under construction.
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    declaration: Declaration,
    problems: Problems,
}

impl Members for ModelBuilder {
    fn members(&mut self) -> (&mut Content, &mut Problems) {
        (&mut self.declaration.content, &mut self.problems)
    }
}

impl ModelBuilder {
    /// A model with a name, a C identifier.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let declaration = Declaration { name: name.into(), ..Declaration::default() };
        Self { declaration, problems: Problems::default() }
    }

    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.declaration.description = description.into();
        self
    }

    /// Version of the model.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.declaration.version = version.into();
        self
    }

    /// Author of the model.
    #[must_use]
    pub fn author(mut self, author: impl Into<String>) -> Self {
        self.declaration.author = author.into();
        self
    }

    /// Licence of the model.
    #[must_use]
    pub fn license(mut self, license: impl Into<String>) -> Self {
        self.declaration.license = license.into();
        self
    }

    /// Copyright notice.
    #[must_use]
    pub fn copyright(mut self, copyright: impl Into<String>) -> Self {
        self.declaration.copyright = copyright.into();
        self
    }

    /// How the constants of all contacts follow their motion.
    #[must_use]
    pub fn contact_constants(mut self, rule: ConstantsRule) -> Self {
        self.declaration.contact.constants = rule;
        self
    }

    /// Default law of contacts, and the order of impacts between touching bodies.
    #[must_use]
    pub fn contact_law(mut self, law: ContactLaw, impacts: ImpactOrder) -> Self {
        (self.declaration.contact.law, self.declaration.contact.impacts) = (law, impacts);
        self
    }

    /// What rigid bodies that stay together rest on.
    #[must_use]
    pub fn resting(mut self, resting: Resting) -> Self {
        self.declaration.contact.resting = resting;
        self
    }

    /// Factor on the stiffness of all contacts.
    #[must_use]
    pub fn k_red(mut self, factor: impl IntoExpr) -> Self {
        self.declaration.contact.k_red = self.problems.expr("k_red", factor);
        self
    }

    /// The same gravity everywhere, in the world \[m/s²\].
    #[must_use]
    pub fn gravity(mut self, acceleration: impl IntoVector) -> Self {
        self.declaration.gravity = Gravity::Uniform(self.problems.vector("gravity", acceleration));
        self
    }

    /// Attraction `mu / d²` towards a point of the world; `mu` in m³/s², the point in m.
    #[must_use]
    pub fn point_gravity(mut self, mu: impl IntoExpr, center: impl IntoVector) -> Self {
        let mu = self.problems.expr("gravity", mu);
        self.declaration.gravity = Gravity::Point { mu, center: self.problems.vector("gravity", center) };
        self
    }

    /// Defaults of a simulation.
    #[must_use]
    pub fn experiment(mut self, experiment: Experiment) -> Self {
        self.declaration.experiment = experiment;
        self
    }

    /// Adds a parameter; its value may use those added before.
    #[must_use]
    pub fn parameter(mut self, parameter: ParameterBuilder) -> Self {
        self.declaration.parameters.push(parameter.finish(&mut self.problems));
        self
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, input: InputBuilder) -> Self {
        self.declaration.inputs.push(input.finish());
        self
    }

    /// Makes an existing variable, or a group of them, an output.
    #[must_use]
    pub fn output(mut self, path: impl Into<String>) -> Self {
        self.declaration.outputs.push(output(path.into(), OutputValue::Variable, String::new()));
        self
    }

    /// Adds a calculated output with its unit.
    #[must_use]
    pub fn output_expression(mut self, name: &str, value: impl IntoExpr, unit: &str) -> Self {
        let value = OutputValue::Expression(self.problems.expr(&format!("output {name}"), value));
        self.declaration.outputs.push(output(name.to_owned(), value, unit.to_owned()));
        self
    }

    /// Adds a function of one argument given by points, x ascending.
    #[must_use]
    pub fn table(
        mut self,
        name: &str,
        points: &[[f64; 2]],
        interpolation: Interpolation,
        extrapolation: Extrapolation,
    ) -> Self {
        let points = points.iter().map(|point| point.map(Expr::number)).collect();
        let table =
            TableDeclaration { name: name.to_owned(), points, interpolation, extrapolation, ..Default::default() };
        self.declaration.tables.push(table);
        self
    }

    /// Adds a material.
    #[must_use]
    pub fn material(mut self, material: Material) -> Self {
        self.declaration.materials.push(material);
        self
    }

    /// Adds contact properties of two materials.
    #[must_use]
    pub fn material_pair(mut self, first: &str, second: &str, pair: MaterialPair) -> Self {
        self.declaration.material_pairs.push((first.to_owned(), second.to_owned(), pair));
        self
    }

    /// Adds an assembly, for instances of it.
    #[must_use]
    pub fn assembly(mut self, assembly: AssemblyBuilder) -> Self {
        self.problems.append(&format!("assembly {}", assembly.assembly.name), assembly.problems);
        self.declaration.assemblies.push(assembly.assembly);
        self
    }

    /// The declaration.
    ///
    /// # Errors
    /// Everything that is wrong: expressions that cannot be read, solids without mass, degrees of freedom that the
    /// joint does not have.
    pub fn build(self) -> Result<Declaration, BuildError> {
        match self.problems.into_sentences() {
            problems if problems.is_empty() => Ok(self.declaration),
            problems => Err(BuildError { problems }),
        }
    }
}

fn output(name: String, value: OutputValue, unit: String) -> Output {
    Output { name, description: String::new(), location: Default::default(), value, unit }
}

/// An assembly under construction.
#[derive(Debug, Clone)]
pub struct AssemblyBuilder {
    assembly: Assembly,
    problems: Problems,
}

impl Members for AssemblyBuilder {
    fn members(&mut self) -> (&mut Content, &mut Problems) {
        (&mut self.assembly.content, &mut self.problems)
    }
}

impl AssemblyBuilder {
    /// An assembly with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { assembly: Assembly { name: name.into(), ..Assembly::default() }, problems: Problems::default() }
    }

    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.assembly.description = description.into();
        self
    }

    /// Adds a parameter; its value may use those added before.
    #[must_use]
    pub fn parameter(mut self, parameter: ParameterBuilder) -> Self {
        self.assembly.parameters.push(parameter.finish(&mut self.problems));
        self
    }
}

#[cfg(test)]
mod tests;
