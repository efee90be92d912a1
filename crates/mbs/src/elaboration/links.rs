//! Joints, force elements and sensors.

use std::fmt::Arguments;

use super::components::Consumer;
use super::flatten::{Item, Items};
use super::names::{evaluate_indices, join, look_up};
use super::{Elaboration, Site, inside};
use crate::declaration as declared;
use crate::declaration::{DirectionLaw, Dof, ForceKind, JointKind, Location, Rotation, SensorKind, StartKind};
use crate::expr::{Expr, nearest};
use crate::force::{DirectionForce, DofLaw, FrictionLaw, Signal, SpringLaw, StopLaw};
use crate::math::{Quaternion, Vec3};
use crate::scene::{
    DofData, Force, ForceType, Joint, JointId, JointType, Mobility, ObjectId, PrescribedMotion, SceneError, Sensor,
    SensorType, flange,
};
use crate::spatial::AxisMotion;

/// How far loops may change a start value; `is_default` marks a value that need not have been declared.
fn mobility(kind: StartKind, is_default: bool) -> Mobility {
    match kind {
        StartKind::Free => Mobility::Free,
        StartKind::Guess => Mobility::Guess,
        StartKind::Implied if is_default => Mobility::Free,
        StartKind::Implied | StartKind::Fixed => Mobility::Fixed,
    }
}

/// What is added to the name of an input for its first and second derivative.
const INPUT_RATES: [&str; 2] = [".rate", ".acceleration"];

/// What is added to the name of an input for what a filter makes of it, before the filter's ordinal.
const FILTERED: &str = ".filtered";

/// Derivative of a name in a motion: of the time, of an input, of an input's first derivative; all others are constant.
fn rate_of(name: &str, inputs: &[String]) -> Expr {
    if name == "time" {
        return Expr::number(1.0);
    }
    let [first, second] = INPUT_RATES;
    let is_input = |name: &str| inputs.iter().any(|input| input == name);
    let rate = match name.strip_suffix(first) {
        Some(input) if is_input(input) => Some(format!("{input}{second}")),
        _ if is_input(name) => Some(format!("{name}{first}")),
        _ => None,
    };
    rate.and_then(|rate| Expr::parse(&rate).ok()).unwrap_or_default()
}

impl<'a> Elaboration<'a> {
    pub(super) fn connect(&mut self, items: &Items<'a>) {
        self.connect_joints(items);
        for item in &items.forces {
            self.add_force(item);
        }
        for item in &items.sensors {
            self.add_sensor(item);
        }
    }

    pub(super) fn connect_joints(&mut self, items: &Items<'a>) {
        self.scene.joints.reserve(items.joints.len());
        for item in &items.joints {
            self.add_joint(item);
        }
    }

    fn resolve<T>(&mut self, item: &Item<'a, T>, reference: &str, location: Location) -> Option<ObjectId> {
        self.find_object(reference, &item.prefix, &item.scope, location)
    }

    fn add_joint(&mut self, item: &Item<'a, declared::Joint>) {
        let joint = item.member;
        let path = join(&item.prefix, &joint.name);
        let (from, to) =
            (self.resolve(item, &joint.from, joint.location), self.resolve(item, &joint.to, joint.location));
        let what = format_args!("joint `{path}`");
        let kind = self.joint_type(item, what);
        let rotation = self.rotation(&joint.rotation, &item.scope, joint.location, what);
        if joint.dofs.len() != joint.kind.dof_names().len() {
            let (expected, found) = (joint.kind.dof_names().len(), joint.dofs.len());
            self.fail(
                joint.location,
                format!("{what}: a {} joint has {expected} degrees of freedom, not {found}", joint.kind.name()),
            );
        }
        let names = joint.kind.dof_names();
        let dofs: Vec<DofData> =
            joint.dofs.iter().zip(names).map(|(dof, names)| self.dof(item, dof, *names, &path)).collect();
        let rotation = Quaternion::from_matrix(&rotation);
        let motion = match kind {
            JointType::Spherical => self.follow_ball(&path, false, &rotation, None),
            JointType::Free => {
                let at = |k: usize| dofs.get(k).map_or(0.0, |dof| dof.position);
                self.follow_ball(&path, false, &rotation, Some([at(3), at(4), at(5)]))
            }
            JointType::Fixed | JointType::Chain(_) => None,
        };
        let (Some(from), Some(to)) = (from, to) else { return };
        if from == to {
            return self
                .fail(joint.location, format!("{what} connects `{}` with itself", self.scene.objects[from].path));
        }
        let id = self.scene.joints.insert(Joint {
            path: path.clone(),
            description: joint.description.clone(),
            location: joint.location,
            kind,
            from,
            to,
            dofs,
            rotation,
            rotation_mobility: mobility(joint.rotation_kind, joint.rotation == Rotation::Identity),
            motion,
            collision: joint.collision,
            dof_names: names,
        });
        self.joint_names.insert(path, id);
    }

    fn joint_type(&mut self, item: &Item<'a, declared::Joint>, what: Arguments<'_>) -> JointType {
        let scope = &item.scope;
        let location = item.member.location.of("axis");
        let rotation = |axis| AxisMotion { axis, rotation: 1.0, translation: 0.0 };
        let translation = |axis| AxisMotion { axis, rotation: 0.0, translation: 1.0 };
        match &item.member.kind {
            JointKind::Fixed => JointType::Fixed,
            JointKind::Spherical => JointType::Spherical,
            JointKind::Free => JointType::Free,
            JointKind::Revolute { axis } => {
                JointType::Chain(vec![rotation(self.direction(axis, scope, location, format_args!("{what}: axis")))])
            }
            JointKind::Prismatic { axis } => {
                JointType::Chain(vec![translation(self.direction(axis, scope, location, format_args!("{what}: axis")))])
            }
            JointKind::Screw { axis, pitch } => {
                let axis = self.direction(axis, scope, location, format_args!("{what}: axis"));
                let pitch = self.number(pitch, scope, location.of("pitch"), format_args!("{what}: pitch"));
                JointType::Chain(vec![AxisMotion { axis, rotation: 1.0, translation: pitch / std::f64::consts::TAU }])
            }
            JointKind::Universal { axes } => {
                let location = location.of("axes");
                let first = self.direction(&axes[0], scope, location, format_args!("{what}: first axis"));
                let second = self.direction(&axes[1], scope, location, format_args!("{what}: second axis"));
                if first.cross(&second).norm() < 1e-6 {
                    self.fail(
                        location,
                        format!("{what}: both axes are parallel; a universal joint needs two directions"),
                    );
                }
                JointType::Chain(vec![rotation(first), rotation(second)])
            }
            JointKind::Cylindrical { axis } => {
                let axis = self.direction(axis, scope, location, format_args!("{what}: axis"));
                JointType::Chain(vec![translation(axis), rotation(axis)])
            }
            JointKind::Planar { normal, axis } => {
                let normal = self.direction(normal, scope, location.of("normal"), format_args!("{what}: normal"));
                let axis = self.direction(axis, scope, location, format_args!("{what}: axis"));
                let along = self.in_plane(&normal, &axis, location, what);
                JointType::Chain(vec![translation(along), translation(normal.cross(&along)), rotation(normal)])
            }
        }
    }

    fn in_plane(&mut self, normal: &Vec3, axis: &Vec3, location: Location, what: Arguments<'_>) -> Vec3 {
        let along = axis - normal * axis.dot(normal);
        if along.norm() > 1e-6 {
            return along.normalize();
        }
        self.fail(location, format!("{what}: axis and normal are parallel; the axis must lie in the plane"));
        Vec3::x()
    }

    fn dof(
        &mut self,
        item: &Item<'a, declared::Joint>,
        dof: &Dof,
        names: (&'static str, &'static str),
        path: &str,
    ) -> DofData {
        let (position_name, velocity_name) = names;
        let (scope, location) = (&item.scope, item.member.location);
        let own = if position_name.is_empty() { velocity_name } else { position_name };
        let what = format_args!("joint `{path}`: {own}");
        // Where a joint has several degrees of freedom, a key does not tell which one is meant.
        let at = |key: &'static str| if item.member.dofs.len() == 1 { location.of(key) } else { location };
        let mut value = |expr: &Expr, key: &'static str, label: &str| {
            self.number(expr, scope, at(key), format_args!("{what}: {label}"))
        };
        let position = value(&dof.position, position_name, "start position");
        let velocity = value(&dof.velocity, velocity_name, "start velocity");
        let damping = dof.damping.as_ref().map_or(0.0, |d| value(d, "damping", "damping"));
        let spring = dof.spring.as_ref().map(|s| SpringLaw {
            stiffness: value(&s.stiffness, "spring.stiffness", "stiffness"),
            rest: value(&s.rest, "spring.rest", "rest"),
        });
        let friction = dof.friction.as_ref().map(|f| FrictionLaw {
            force: value(&f.force, "friction", "friction"),
            v_reg: value(&f.v_reg, "friction.v_reg", "v_reg"),
        });
        let stops = dof.stops.as_ref().map(|s| StopLaw {
            lower: s.lower.as_ref().map_or(f64::NEG_INFINITY, |x| value(x, "stops.lower", "lower stop")),
            upper: s.upper.as_ref().map_or(f64::INFINITY, |x| value(x, "stops.upper", "upper stop")),
            stiffness: value(&s.stiffness, "stops.stiffness", "stop stiffness"),
            dissipation: value(&s.dissipation, "stops.dissipation", "stop dissipation"),
        });
        let filter = dof.motion_filter.as_ref().map(|time| value(time, "motion.filter", "filter of the motion"));
        let mut law = DofLaw { spring, damping, friction, stops, drive: None, flange: None };
        self.check_law(&law, what, &at);
        let locals = [(position_name, 0), (velocity_name, 1)];
        let site = Site { scope, prefix: &item.prefix, location, what: format_args!("{what}: force"), locals: &locals };
        law.drive = dof.force.as_ref().map(|force| self.signal(force, &site));
        if dof.flange {
            let name = format!("{path}.{}", flange(position_name, velocity_name).0);
            law.flange = self.input_names.get(&name).copied();
        }
        let motion = match self.is_referred(path, Some(position_name)) && !position_name.is_empty() {
            true => self.follow_reference(&format!("{path}.{position_name}"), position),
            false => dof.motion.as_ref().and_then(|motion| self.motion(motion, filter, item, what, &locals)),
        };
        if dof.motion.is_some() && (law != DofLaw::default() || dof.flange) {
            let remedy = "a prescribed motion overcomes every force on its degree of freedom; remove spring, damping, friction, stops, force and flange";
            self.fail(location, format!("{what}: {remedy}, or the motion"));
        }
        let is_zero = |value: &Expr| value.as_constant() == Some(0.0);
        DofData {
            position,
            velocity,
            position_mobility: mobility(dof.position_kind, is_zero(&dof.position)),
            velocity_mobility: mobility(dof.velocity_kind, is_zero(&dof.velocity)),
            law,
            motion,
        }
    }

    fn check_law(&mut self, law: &DofLaw, what: Arguments<'_>, at: &dyn Fn(&'static str) -> Location) {
        if let Some(friction) = law.friction.filter(|f| f.v_reg <= 0.0) {
            self.fail(
                at("friction.v_reg"),
                format!(
                    "{what}: v_reg of the friction is {}, but must be positive ({} is usual)",
                    friction.v_reg,
                    declared::Friction::V_REG
                ),
            );
        }
        if let Some(stops) = law.stops {
            if stops.lower >= stops.upper {
                self.fail(
                    at("stops.lower"),
                    format!("{what}: the lower stop {} is not below the upper stop {}", stops.lower, stops.upper),
                );
            }
            if stops.stiffness <= 0.0 {
                self.fail(
                    at("stops.stiffness"),
                    format!("{what}: the stop's stiffness is {}, but must be positive", stops.stiffness),
                );
            }
        }
    }

    fn motion(
        &mut self,
        motion: &Expr,
        filter: Option<f64>,
        item: &Item<'a, declared::Joint>,
        what: Arguments<'_>,
        locals: &[(&str, usize)],
    ) -> Option<PrescribedMotion> {
        let location = item.member.location;
        let site =
            Site { scope: &item.scope, prefix: &item.prefix, location, what: format_args!("{what}: motion"), locals };
        if filter.is_none()
            && let Some(motion) = self.path_motion(motion, &site)
        {
            return motion;
        }
        self.consumer = Consumer::PrescribedMotions;
        let is_readable = self.compile_signal(motion, &site).is_some();
        self.consumer = Consumer::Mechanics;
        if !is_readable {
            return None;
        }
        let filtered = match filter {
            Some(time) => Some(self.filtered(motion, time, &site)?),
            None => None,
        };
        let motion = filtered.as_ref().map_or(motion, |(motion, _)| motion);
        let bound = motion.substitute(&|name| site.scope.values.get(name).map(|&value| Expr::number(value)));
        let rates = bound.and_then(|bound| {
            let inputs = match &filtered {
                Some((_, inputs)) => inputs.clone(),
                None => self.motion_inputs(&bound, &site),
            };
            let rate = bound.derivative_by(&|name| Some(rate_of(name, &inputs)))?;
            let second = rate.derivative_by(&|name| Some(rate_of(name, &inputs)))?;
            Ok((rate, second))
        });
        match rates {
            Ok((rate, second)) => {
                self.consumer = Consumer::PrescribedMotions;
                let motion = PrescribedMotion {
                    position: self.signal(motion, &site),
                    velocity: self.signal(&rate, &site),
                    acceleration: self.signal(&second, &site),
                };
                self.consumer = Consumer::Mechanics;
                Some(motion)
            }
            Err(error) => {
                let message =
                    format!("{what}: the motion `{}` cannot be differentiated twice: {}", motion.text(), error.message);
                self.errors.push(SceneError::new(location, message).with_hint(error.hint));
                None
            }
        }
    }

    /// Inputs a motion follows, as the motion calls them. Their derivatives get names of their own.
    fn motion_inputs(&mut self, motion: &Expr, site: &Site<'_>) -> Vec<String> {
        let mut inputs = Vec::new();
        for variable in motion.variables() {
            let Some(input) = look_up(&self.input_names, site.prefix, &variable.name) else { continue };
            let slot = self.scene.signals.add_input_rates(input);
            for (order, suffix) in INPUT_RATES.into_iter().enumerate() {
                let name = format!("{}{suffix}", self.scene.inputs[input].name);
                self.input_rate_names.insert(name, slot + order);
            }
            inputs.push(variable.name);
        }
        inputs
    }

    /// A motion with filters in the place of its inputs, and what they are called.
    fn filtered(&mut self, motion: &Expr, time: f64, site: &Site<'_>) -> Option<(Expr, Vec<String>)> {
        if time.is_nan() || time <= 0.0 {
            let message = format!("{}: the time constant of the filter is {time} s, but must be positive", site.what);
            self.errors.push(SceneError::new(site.location, message));
            return None;
        }
        let mut names = Vec::new();
        for variable in motion.variables() {
            let Some(input) = look_up(&self.input_names, site.prefix, &variable.name) else { continue };
            let slot = self.scene.signals.add_input_filter(input, time);
            let suffix = format!("{FILTERED}{slot}");
            let whole = format!("{}{suffix}", self.scene.inputs[input].name);
            for (order, rate) in [""].into_iter().chain(INPUT_RATES).enumerate() {
                self.input_rate_names.insert(format!("{whole}{rate}"), slot + order);
            }
            names.push((variable.name.clone(), format!("{}{suffix}", variable.name)));
        }
        if names.is_empty() {
            let message = format!("{} = `{}` has no input that a filter could smooth", site.what, motion.text());
            let hint = "name an input, or write the expression alone: motion = \"...\"".to_owned();
            self.errors.push(SceneError::new(site.location, message).with_hint(Some(hint)));
            return None;
        }
        let renamed = |name: &str| {
            let (_, filtered) = names.iter().find(|(input, _)| input == name)?;
            Expr::parse(filtered).ok()
        };
        match motion.substitute(&renamed) {
            Ok(motion) => Some((motion, names.iter().map(|(_, filtered)| filtered.clone()).collect())),
            Err(error) => {
                self.errors.push(SceneError::new(site.location, format!("{}: {}", site.what, error.message)));
                None
            }
        }
    }

    /// A motion that is the position of a reference path, whose rates are known.
    fn path_motion(&mut self, motion: &Expr, site: &Site<'_>) -> Option<Option<PrescribedMotion>> {
        let is_path = |name: &str| look_up(&self.path_slots, site.prefix, name).is_some();
        let used = motion.variables().into_iter().find(|variable| is_path(&variable.name))?;
        let text = motion.text();
        let (Some((name, axis)), true) = (text.split_once(".position["), text == used.name) else {
            let message = format!("{}: `{text}` cannot be differentiated twice", site.what);
            let hint = "the position of a path is a motion by itself only, e.g. `arm.position[1]`".to_owned();
            self.errors.push(SceneError::new(site.location, message).with_hint(Some(hint)));
            return Some(None);
        };
        let mut part = |part: &str| match Expr::parse(&format!("{name}.{part}[{axis}")) {
            Ok(expr) => self.signal(&expr, site),
            Err(_) => Signal::Constant(0.0),
        };
        let (position, velocity, acceleration) = (part("position"), part("velocity"), part("acceleration"));
        Some(Some(PrescribedMotion { position, velocity, acceleration }))
    }

    fn add_force(&mut self, item: &Item<'a, declared::ForceElement>) {
        let element = item.member;
        let path = join(&item.prefix, &element.name);
        let what = format_args!("force `{path}`");
        let kind = match &element.kind {
            ForceKind::World(force) => self.world_force(item, force, what),
            ForceKind::PointToPoint(line) => self.line(item, line, what),
            ForceKind::Bushing(bushing) => self.bushing(item, bushing, what),
        };
        if let Some(kind) = kind {
            self.scene.forces.insert(Force { path, kind });
        }
    }

    fn force_site<'s>(
        item: &'s Item<'a, declared::ForceElement>,
        what: Arguments<'s>,
        locals: &'s [(&'s str, usize)],
    ) -> Site<'s> {
        Site { scope: &item.scope, prefix: &item.prefix, location: item.member.location, what, locals }
    }

    fn world_force(
        &mut self,
        item: &Item<'a, declared::ForceElement>,
        force: &declared::WorldForce,
        what: Arguments<'_>,
    ) -> Option<ForceType> {
        let location = item.member.location;
        let at = self.resolve(item, &force.at, location);
        let world = self.scene.world();
        let resolved_in = force.resolved_in.as_ref().map_or(Some(world), |name| self.resolve(item, name, location));
        let mut vector = |v: &[Expr; 3], label: &str| -> [Signal; 3] {
            std::array::from_fn(|k| {
                self.signal(&v[k], &Self::force_site(item, format_args!("{what}: {label}[{}]", k + 1), &[]))
            })
        };
        let (f, t) = (vector(&force.force, "force"), vector(&force.torque, "torque"));
        Some(ForceType::World { at: at?, force: f, torque: t, resolved_in: resolved_in? })
    }

    fn line(
        &mut self,
        item: &Item<'a, declared::ForceElement>,
        line: &declared::PointToPoint,
        what: Arguments<'_>,
    ) -> Option<ForceType> {
        let location = item.member.location;
        let (from, to) = (self.resolve(item, &line.from, location), self.resolve(item, &line.to, location));
        let mut value = |expr: &Option<Expr>, label: &str| {
            expr.as_ref().map(|expr| self.number(expr, &item.scope, location, format_args!("{what}: {label}")))
        };
        let stiffness = value(&line.stiffness, "stiffness").unwrap_or(0.0);
        let damping = value(&line.damping, "damping").unwrap_or(0.0);
        let rest_length = value(&line.rest_length, "rest_length");
        let what_force = format_args!("{what}: force");
        let site = Self::force_site(item, what_force, &[("s", 0), ("v", 1)]);
        let force = line.force.as_ref().map(|force| self.signal(force, &site));
        let (from, to) = (from?, to?);
        if from == to {
            self.fail(location, format!("{what} connects `{}` with itself", self.scene.objects[from].path));
        }
        Some(ForceType::Line {
            from,
            to,
            stiffness,
            rest_length,
            rests_at_start: rest_length.is_none(),
            damping,
            force,
        })
    }

    fn bushing(
        &mut self,
        item: &Item<'a, declared::ForceElement>,
        bushing: &declared::Bushing,
        what: Arguments<'_>,
    ) -> Option<ForceType> {
        let location = item.member.location;
        let (from, to) = (self.resolve(item, &bushing.from, location), self.resolve(item, &bushing.to, location));
        let translation = self.directions(item, &bushing.translation, format_args!("{what}: translation"));
        let rotation = self.directions(item, &bushing.rotation, format_args!("{what}: rotation"));
        Some(ForceType::Bushing { from: from?, to: to?, translation, rotation })
    }

    fn directions(
        &mut self,
        item: &Item<'a, declared::ForceElement>,
        laws: &[DirectionLaw; 3],
        what: Arguments<'_>,
    ) -> [DirectionForce; 3] {
        std::array::from_fn(|k| {
            let law = &laws[k];
            let label = format_args!("{what} {}", ["x", "y", "z"][k]);
            let mut value = |expr: &Option<Expr>| {
                expr.as_ref().map_or(0.0, |expr| self.number(expr, &item.scope, item.member.location, label))
            };
            let (stiffness, damping) = (value(&law.stiffness), value(&law.damping));
            let site = Self::force_site(item, label, &[("s", 0), ("v", 1)]);
            DirectionForce { stiffness, damping, law: law.law.as_ref().map(|law| self.signal(law, &site)) }
        })
    }

    fn add_sensor(&mut self, item: &Item<'a, declared::Sensor>) {
        let sensor = item.member;
        let location = sensor.location;
        let kind = match &sensor.kind {
            SensorKind::Motion { frame, relative_to, resolved_in, pose, velocity, acceleration } => {
                let world = self.scene.world();
                let frame = self.resolve(item, frame, location);
                let relative_to = relative_to.as_ref().map_or(Some(world), |name| self.resolve(item, name, location));
                let resolved_in = resolved_in.as_ref().map_or(relative_to, |name| self.resolve(item, name, location));
                let measures = [*pose, *velocity, *acceleration];
                let (Some(frame), Some(relative_to), Some(resolved_in)) = (frame, relative_to, resolved_in) else {
                    return;
                };
                SensorType::Motion { frame, relative_to, resolved_in, measures }
            }
            SensorKind::CutForce { joint, resolved_in } => {
                let Some(joint) = self.find_joint(item, joint) else { return };
                let from = self.scene.joints[joint].from;
                let resolved_in = resolved_in.as_ref().map_or(Some(from), |name| self.resolve(item, name, location));
                let Some(resolved_in) = resolved_in else { return };
                SensorType::CutForce { joint, resolved_in }
            }
        };
        let path = join(&item.prefix, &sensor.name);
        self.scene.sensors.push(Sensor { path, description: sensor.description.clone(), kind });
    }

    fn find_joint(&mut self, item: &Item<'a, declared::Sensor>, reference: &str) -> Option<JointId> {
        let location = item.member.location;
        let name = evaluate_indices(reference, &item.scope).map_err(|message| self.fail(location, message)).ok()?;
        let found = look_up(&self.joint_names, &item.prefix, &name);
        if found.is_none() {
            let near = nearest(&name, self.joint_names.keys().map(String::as_str)).map(str::to_owned);
            let message = format!("there is no joint `{name}`{}", inside(&item.prefix));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            self.errors.push(SceneError::new(location, message).with_hint(hint));
        }
        found
    }
}
