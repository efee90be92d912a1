"""The tables of a model file as methods. Generated from the model format by crates/python/generate.py."""

from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict, Union

from ._section import Section, given

Number = Union[float, str]
Vector = Sequence[Number]


About = TypedDict("About", {
    "author": "str",
    "copyright": "str",
    "license": "str",
    "version": "str",
}, total=False)
"""Who made the model, and who may use it."""


Contact = TypedDict("Contact", {
    "constants": "str",
    "impacts": "str",
    "k_red": "Number",
    "law": "str",
    "resting": "str",
}, total=False)
"""Settings of all contacts."""


ConvexParts = TypedDict("ConvexParts", {
    "max_deviation": "Number",
}, total=False)
"""Convex parts that keep the surface of a mesh within a given distance: planes cut it at concave
edges.
"""


DofAngularVelocity = TypedDict("DofAngularVelocity", {
    "damping": "Number",
    "flange": "bool",
    "friction": "FrictionRotation",
    "torque": "Number",
}, total=False)
"""What acts on one component of the angular velocity of a spherical or free joint."""


DofOfACylindricalJoint = TypedDict("DofOfACylindricalJoint", {
    "phi": "DofRotation",
    "s": "DofTranslation",
}, total=False)
"""Dof of a cylindrical joint."""


DofOfAFreeJoint = TypedDict("DofOfAFreeJoint", {
    "r1": "DofTranslation",
    "r2": "DofTranslation",
    "r3": "DofTranslation",
    "w1": "DofAngularVelocity",
    "w2": "DofAngularVelocity",
    "w3": "DofAngularVelocity",
}, total=False)
"""Dof of a free joint."""


DofOfAPlanarJoint = TypedDict("DofOfAPlanarJoint", {
    "phi": "DofRotation",
    "s1": "DofTranslation",
    "s2": "DofTranslation",
}, total=False)
"""Dof of a planar joint."""


DofOfASphericalJoint = TypedDict("DofOfASphericalJoint", {
    "w1": "DofAngularVelocity",
    "w2": "DofAngularVelocity",
    "w3": "DofAngularVelocity",
}, total=False)
"""Dof of a spherical joint."""


DofOfAUniversalJoint = TypedDict("DofOfAUniversalJoint", {
    "phi1": "DofRotation",
    "phi2": "DofRotation",
}, total=False)
"""Dof of a universal joint."""


DofRotation = TypedDict("DofRotation", {
    "damping": "Number",
    "flange": "bool",
    "friction": "FrictionRotation",
    "motion": "Union[Number, Motion]",
    "spring": "Union[Number, SpringRotation]",
    "stops": "StopsRotation",
    "torque": "Number",
}, total=False)
"""What acts on one rotation of a joint with several degrees of freedom."""


DofTranslation = TypedDict("DofTranslation", {
    "damping": "Number",
    "flange": "bool",
    "force": "Number",
    "friction": "FrictionTranslation",
    "motion": "Union[Number, Motion]",
    "spring": "Union[Number, SpringTranslation]",
    "stops": "StopsTranslation",
}, total=False)
"""What acts on one translation of a joint with several degrees of freedom."""


Experiment = TypedDict("Experiment", {
    "analysis": "str",
    "max_step": "Number",
    "max_work": "Number",
    "start": "Union[str, Number]",
    "step": "Number",
    "stop": "Number",
    "tolerance": "Number",
}, total=False)
"""Defaults of a simulation."""


Free = TypedDict("Free", {
    "v": "Sequence[Number]",
    "w": "Sequence[Number]",
}, total=False)
"""Start velocity of a free object."""


FrictionRotation = TypedDict("FrictionRotation", {
    "torque": "Number",
    "v_reg": "Number",
}, total=False)
"""Dry friction `-torque tanh(w / v_reg)`."""


FrictionTranslation = TypedDict("FrictionTranslation", {
    "force": "Number",
    "v_reg": "Number",
}, total=False)
"""Dry friction `-force tanh(v / v_reg)`."""


Gravity = TypedDict("Gravity", {
    "mu": "Number",
    "center": "Sequence[Number]",
}, total=False)
"""Attraction `mu / d²` towards a point."""


LineOfAPath = TypedDict("LineOfAPath", {
    "tool": "str",
    "joints": "Sequence[str]",
    "v_max": "Number",
    "a_max": "Number",
    "base": "str",
    "dw_max": "Number",
    "turns_freely": "bool",
    "w_max": "Number",
}, total=False)
"""A tool that moves along straight lines, as fast as its limits and those of the axes allow; the axes
follow by inverse kinematics.
"""


Mass = TypedDict("Mass", {
    "m": "Number",
    "center": "Sequence[Number]",
    "inertia": "Sequence[Number]",
}, total=False)
"""Mass properties as numbers."""


MaterialPairs = TypedDict("MaterialPairs", {
    "materials": "Sequence[str]",
    "mu_k": "Number",
    "cor": "Number",
    "d": "Number",
    "k_red": "Number",
    "law": "str",
    "mu_r": "Number",
    "mu_s": "Number",
    "mu_spin": "Number",
    "relaxation": "Number",
    "restitution": "str",
    "stiction": "bool",
    "v_min": "Number",
    "v_s": "Number",
    "w_min": "Number",
}, total=False)
"""Contact properties of two materials, or of a material with itself."""


Motion = TypedDict("Motion", {
    "input": "Number",
    "filter": "Number",
}, total=False)
"""A prescribed coordinate that follows inputs without jumps: every input passes a critically damped
filter of third order, `1/(1 + T s)^3`.
"""


Outputs = TypedDict("Outputs", {
    "name": "str",
    "value": "Number",
    "description": "str",
    "unit": "str",
}, total=False)
"""An output that is calculated, in a list of outputs."""


Rotation = TypedDict("Rotation", {
    "angle": "Number",
    "axis": "Union[str, Sequence[Number]]",
    "quaternion": "Sequence[Number]",
}, total=False)
"""A rotation: either `axis` and `angle`, or `quaternion`."""


SpringRotation = TypedDict("SpringRotation", {
    "stiffness": "Number",
    "rest": "Number",
}, total=False)
"""Torque `-stiffness (phi - rest)`."""


SpringTranslation = TypedDict("SpringTranslation", {
    "stiffness": "Number",
    "rest": "Number",
}, total=False)
"""Force `-stiffness (s - rest)`."""


StartValue = TypedDict("StartValue", {
    "guess": "Number",
}, total=False)
"""A start value that loops may change."""


Steps = TypedDict("Steps", {
    "angle": "Number",
    "angular_velocity": "Number",
    "at": "str",
    "attach": "Sequence[Union[str, Sequence[str]]]",
    "choice": "Number",
    "delete": "str",
    "distance": "Number",
    "else": "Sequence[Steps]",
    "if": "str",
    "insert": "str",
    "line": "str",
    "move": "str",
    "otherwise": "str",
    "r": "Sequence[Number]",
    "release": "str",
    "repeat": "Union[bool, Number]",
    "rotation": "Union[Sequence[Number], Rotation]",
    "snap": "bool",
    "steps": "Sequence[Steps]",
    "to": "Sequence[Sequence[Number]]",
    "until": "str",
    "v": "Sequence[Number]",
    "velocity": "Number",
    "w": "Sequence[Number]",
    "wait": "Number",
    "while": "str",
}, total=False)
"""A step either changes the structure (`attach`, `release`, `delete`, `insert`; several in one step
happen at once), or waits, or repeats or chooses other steps. A pattern `part[*]` stands for all
copies of an array.
"""


StopsRotation = TypedDict("StopsRotation", {
    "stiffness": "Number",
    "dissipation": "Number",
    "lower": "Number",
    "upper": "Number",
}, total=False)
"""Compliant end stops: beyond a limit the torque `stiffness delta (1 + dissipation delta')` pushes
    back and never pulls.
"""


StopsTranslation = TypedDict("StopsTranslation", {
    "stiffness": "Number",
    "dissipation": "Number",
    "lower": "Number",
    "upper": "Number",
}, total=False)
"""Compliant end stops: beyond a limit the force `stiffness delta (1 + dissipation delta')` pushes back
    and never pulls.
"""



class Joints(Section):
    """A connection of two objects. Its frames are those of the two objects; its coordinates describe the
    motion of `to` relative to `from`.
    """

    _key = "joints"
    _noun = "joint"

    def fixed(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        collides: bool | None = None,
        description: str | None = None,
    ) -> str:
        """No motion.

        from_: First object, e.g. `"world"`.
        to: Second object.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        """
        return self._add(name, given({"type": "fixed", "from": from_, "to": to, "collides": collides, "description": description}))

    def revolute(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        axis: Union[str, Sequence[Number]],
        collides: bool | None = None,
        damping: Number | None = None,
        description: str | None = None,
        flange: bool | None = None,
        friction: FrictionRotation | None = None,
        motion: Union[Number, Motion] | None = None,
        phi: Union[Number, StartValue] | None = None,
        spring: Union[Number, SpringRotation] | None = None,
        stops: StopsRotation | None = None,
        torque: Number | None = None,
        w: Union[Number, StartValue] | None = None,
    ) -> str:
        """Rotation `phi` about an axis.

        from_: First object, e.g. `"world"`.
        to: Second object.
        axis: Axis: `"x"`, `"-z"`, … or a vector, in the frame of `from`; at coordinate zero the same in
            `to`.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        damping: Viscous damping. Unit: N·m·s/rad.
        description: One-line description.
        flange: Whether the FMU gets an input (`JOINT.tau`) for a torque from outside. Default: false.
        friction: Dry friction.
        motion: Prescribed coordinate: an expression in time, parameters, inputs or a reference path, twice
            differentiable; or a table with a filter of the inputs. It takes the freedom away. Unit: rad.
        phi: Angle at the start; `"free"` or a guess where loops decide. Unit: rad. Default: 0, in loops
            free.
        spring: Spring; a number is its stiffness. Unit: N·m/rad.
        stops: End stops.
        torque: Driving torque: an expression in time, inputs, parameters and the joint's own coordinates.
            Unit: N·m.
        w: Angular velocity at the start; likewise. Unit: rad/s. Default: 0, in loops free.
        """
        return self._add(name, given({"type": "revolute", "from": from_, "to": to, "axis": axis, "collides": collides, "damping": damping, "description": description, "flange": flange, "friction": friction, "motion": motion, "phi": phi, "spring": spring, "stops": stops, "torque": torque, "w": w}))

    def prismatic(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        axis: Union[str, Sequence[Number]],
        collides: bool | None = None,
        damping: Number | None = None,
        description: str | None = None,
        flange: bool | None = None,
        force: Number | None = None,
        friction: FrictionTranslation | None = None,
        motion: Union[Number, Motion] | None = None,
        s: Union[Number, StartValue] | None = None,
        spring: Union[Number, SpringTranslation] | None = None,
        stops: StopsTranslation | None = None,
        v: Union[Number, StartValue] | None = None,
    ) -> str:
        """Translation `s` along an axis.

        from_: First object, e.g. `"world"`.
        to: Second object.
        axis: Axis: `"x"`, `"-z"`, … or a vector, in the frame of `from`; at coordinate zero the same in
            `to`.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        damping: Viscous damping. Unit: N·s/m.
        description: One-line description.
        flange: Whether the FMU gets an input (`JOINT.f`) for a force from outside. Default: false.
        force: Driving force: an expression in time, inputs, parameters and the joint's own coordinates.
            Unit: N.
        friction: Dry friction.
        motion: Prescribed coordinate: an expression in time, parameters, inputs or a reference path, twice
            differentiable; or a table with a filter of the inputs. It takes the freedom away. Unit: m.
        s: Position at the start; `"free"` or a guess where loops decide. Unit: m. Default: 0, in loops
            free.
        spring: Spring; a number is its stiffness. Unit: N/m.
        stops: End stops.
        v: Velocity at the start; likewise. Unit: m/s. Default: 0, in loops free.
        """
        return self._add(name, given({"type": "prismatic", "from": from_, "to": to, "axis": axis, "collides": collides, "damping": damping, "description": description, "flange": flange, "force": force, "friction": friction, "motion": motion, "s": s, "spring": spring, "stops": stops, "v": v}))

    def screw(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        axis: Union[str, Sequence[Number]],
        pitch: Number,
        collides: bool | None = None,
        damping: Number | None = None,
        description: str | None = None,
        flange: bool | None = None,
        friction: FrictionRotation | None = None,
        motion: Union[Number, Motion] | None = None,
        phi: Union[Number, StartValue] | None = None,
        spring: Union[Number, SpringRotation] | None = None,
        stops: StopsRotation | None = None,
        torque: Number | None = None,
        w: Union[Number, StartValue] | None = None,
    ) -> str:
        """Rotation `phi` about an axis and translation `pitch·phi/2π` along it.

        from_: First object, e.g. `"world"`.
        to: Second object.
        axis: Axis: `"x"`, `"-z"`, … or a vector, in the frame of `from`; at coordinate zero the same in
            `to`.
        pitch: Translation per revolution. Unit: m.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        damping: Viscous damping. Unit: N·m·s/rad.
        description: One-line description.
        flange: Whether the FMU gets an input (`JOINT.tau`) for a torque from outside. Default: false.
        friction: Dry friction.
        motion: Prescribed coordinate: an expression in time, parameters, inputs or a reference path, twice
            differentiable; or a table with a filter of the inputs. It takes the freedom away. Unit: rad.
        phi: Angle at the start; `"free"` or a guess where loops decide. Unit: rad. Default: 0, in loops
            free.
        spring: Spring; a number is its stiffness. Unit: N·m/rad.
        stops: End stops.
        torque: Driving torque: an expression in time, inputs, parameters and the joint's own coordinates.
            Unit: N·m.
        w: Angular velocity at the start; likewise. Unit: rad/s. Default: 0, in loops free.
        """
        return self._add(name, given({"type": "screw", "from": from_, "to": to, "axis": axis, "pitch": pitch, "collides": collides, "damping": damping, "description": description, "flange": flange, "friction": friction, "motion": motion, "phi": phi, "spring": spring, "stops": stops, "torque": torque, "w": w}))

    def universal(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        axes: Sequence[Union[str, Sequence[Number]]],
        collides: bool | None = None,
        description: str | None = None,
        dof: DofOfAUniversalJoint | None = None,
        phi: Sequence[Number] | None = None,
        w: Sequence[Number] | None = None,
    ) -> str:
        """Rotation `phi[1]` about the first axis, fixed in `from`, then `phi[2]` about the second, fixed in
        `to`.

        from_: First object, e.g. `"world"`.
        to: Second object.
        axes: Both axes; they must not be parallel.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        dof: What acts on single degrees of freedom, by their names.
        phi: Angles at the start. Unit: rad. Default: [0, 0].
        w: Their rates at the start. Unit: rad/s. Default: [0, 0].
        """
        return self._add(name, given({"type": "universal", "from": from_, "to": to, "axes": axes, "collides": collides, "description": description, "dof": dof, "phi": phi, "w": w}))

    def cylindrical(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        axis: Union[str, Sequence[Number]],
        collides: bool | None = None,
        description: str | None = None,
        dof: DofOfACylindricalJoint | None = None,
        phi: Union[Number, StartValue] | None = None,
        s: Union[Number, StartValue] | None = None,
        v: Union[Number, StartValue] | None = None,
        w: Union[Number, StartValue] | None = None,
    ) -> str:
        """Translation `s` along and rotation `phi` about one axis.

        from_: First object, e.g. `"world"`.
        to: Second object.
        axis: Axis: `"x"`, `"-z"`, … or a vector, in the frame of `from`; at coordinate zero the same in
            `to`.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        dof: What acts on single degrees of freedom, by their names.
        phi: Angle at the start; `"free"` or a guess where loops decide. Unit: rad. Default: 0, in loops
            free.
        s: Position at the start; `"free"` or a guess where loops decide. Unit: m. Default: 0, in loops
            free.
        v: Velocity at the start; likewise. Unit: m/s. Default: 0, in loops free.
        w: Angular velocity at the start; likewise. Unit: rad/s. Default: 0, in loops free.
        """
        return self._add(name, given({"type": "cylindrical", "from": from_, "to": to, "axis": axis, "collides": collides, "description": description, "dof": dof, "phi": phi, "s": s, "v": v, "w": w}))

    def planar(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        normal: Union[str, Sequence[Number]],
        axis: Union[str, Sequence[Number]],
        collides: bool | None = None,
        description: str | None = None,
        dof: DofOfAPlanarJoint | None = None,
        phi: Union[Number, StartValue] | None = None,
        s: Sequence[Number] | None = None,
        v: Sequence[Number] | None = None,
        w: Union[Number, StartValue] | None = None,
    ) -> str:
        """Translations `s[1]` and `s[2]` in a plane, rotation `phi` about its normal.

        from_: First object, e.g. `"world"`.
        to: Second object.
        normal: Normal of the plane.
        axis: Direction of `s[1]`; that of `s[2]` is `normal × axis`.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        dof: What acts on single degrees of freedom, by their names.
        phi: Angle at the start; `"free"` or a guess where loops decide. Unit: rad. Default: 0, in loops
            free.
        s: Positions at the start. Unit: m. Default: [0, 0].
        v: Velocities at the start. Unit: m/s. Default: [0, 0].
        w: Angular velocity at the start; likewise. Unit: rad/s. Default: 0, in loops free.
        """
        return self._add(name, given({"type": "planar", "from": from_, "to": to, "normal": normal, "axis": axis, "collides": collides, "description": description, "dof": dof, "phi": phi, "s": s, "v": v, "w": w}))

    def spherical(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        collides: bool | None = None,
        description: str | None = None,
        dof: DofOfASphericalJoint | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        w: Sequence[Number] | None = None,
    ) -> str:
        """All rotations about a point.

        from_: First object, e.g. `"world"`.
        to: Second object.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        dof: What acts on single degrees of freedom, by their names.
        rotation: Orientation of `to` in `from` at the start: Cardan angles `[a, b, c]` about x, then the
            new y, then the new z; or a table. Unit: rad. Default: none.
        w: Angular velocity at the start, of `to` relative to `from` in the axes of `from`. Unit: rad/s.
            Default: [0, 0, 0].
        """
        return self._add(name, given({"type": "spherical", "from": from_, "to": to, "collides": collides, "description": description, "dof": dof, "rotation": rotation, "w": w}))

    def free(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        collides: bool | None = None,
        description: str | None = None,
        dof: DofOfAFreeJoint | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        v: Sequence[Number] | None = None,
        w: Sequence[Number] | None = None,
    ) -> str:
        """All motions.

        from_: First object, e.g. `"world"`.
        to: Second object.
        collides: Whether the bodies it connects may collide with each other. Default: false.
        description: One-line description.
        dof: What acts on single degrees of freedom, by their names.
        r: Position of `to` in `from` at the start. Unit: m. Default: [0, 0, 0].
        rotation: Orientation of `to` in `from` at the start: Cardan angles `[a, b, c]` about x, then the
            new y, then the new z; or a table. Unit: rad. Default: none.
        v: Velocity at the start, in the axes of `from`. Unit: m/s. Default: [0, 0, 0].
        w: Angular velocity at the start, of `to` relative to `from` in the axes of `from`. Unit: rad/s.
            Default: [0, 0, 0].
        """
        return self._add(name, given({"type": "free", "from": from_, "to": to, "collides": collides, "description": description, "dof": dof, "r": r, "rotation": rotation, "v": v, "w": w}))


class Forces(Section):
    """A force element."""

    _key = "forces"
    _noun = "force element"

    def world(
        self,
        name: str,
        *,
        at: str,
        description: str | None = None,
        force: Sequence[Number] | None = None,
        resolved_in: str | None = None,
        torque: Sequence[Number] | None = None,
    ) -> str:
        """Force and torque from outside at the origin of an object. At least one of `force` and `torque`.

        at: Object acted on.
        description: One-line description.
        force: Force: expressions in time, inputs and parameters. Unit: N. Default: [0, 0, 0].
        resolved_in: Object in whose axes they are given. Default: world.
        torque: Torque: expressions in time, inputs and parameters. Unit: N·m. Default: [0, 0, 0].
        """
        return self._add(name, given({"type": "world", "at": at, "description": description, "force": force, "resolved_in": resolved_in, "torque": torque}))

    def spring(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        stiffness: Number,
        description: str | None = None,
        rest_length: Number | None = None,
    ) -> str:
        """Spring between two points: pulls with `stiffness (s - rest_length)`, where `s` is the distance.

        from_: First object; the line starts at its origin.
        to: Second object; the line ends at its origin.
        stiffness: Stiffness. Unit: N/m.
        description: One-line description.
        rest_length: Length without force. Unit: m. Default: the distance at the start.
        """
        return self._add(name, given({"type": "spring", "from": from_, "to": to, "stiffness": stiffness, "description": description, "rest_length": rest_length}))

    def damper(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        damping: Number,
        description: str | None = None,
    ) -> str:
        """Damper between two points: pulls with `damping v`, where `v` is the rate of the distance.

        from_: First object; the line starts at its origin.
        to: Second object; the line ends at its origin.
        damping: Damping. Unit: N·s/m.
        description: One-line description.
        """
        return self._add(name, given({"type": "damper", "from": from_, "to": to, "damping": damping, "description": description}))

    def spring_damper(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        stiffness: Number,
        damping: Number,
        description: str | None = None,
        rest_length: Number | None = None,
    ) -> str:
        """Spring and damper in parallel.

        from_: First object; the line starts at its origin.
        to: Second object; the line ends at its origin.
        stiffness: Stiffness. Unit: N/m.
        damping: Damping. Unit: N·s/m.
        description: One-line description.
        rest_length: Length without force. Unit: m. Default: the distance at the start.
        """
        return self._add(name, given({"type": "spring-damper", "from": from_, "to": to, "stiffness": stiffness, "damping": damping, "description": description, "rest_length": rest_length}))

    def actuator(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        force: Number,
        damping: Number | None = None,
        description: str | None = None,
        rest_length: Number | None = None,
        stiffness: Number | None = None,
    ) -> str:
        """Force along the line between two points, e.g. of a cylinder, a rope or a nonlinear spring, if wanted
        with spring and damper in parallel.

        from_: First object; the line starts at its origin.
        to: Second object; the line ends at its origin.
        force: Pulling force: an expression in time, inputs, parameters, the distance `s` and its rate `v`.
            Unit: N.
        damping: Damping. Unit: N·s/m.
        description: One-line description.
        rest_length: Length without force. Unit: m. Default: the distance at the start.
        stiffness: Stiffness. Unit: N/m.
        """
        return self._add(name, given({"type": "actuator", "from": from_, "to": to, "force": force, "damping": damping, "description": description, "rest_length": rest_length, "stiffness": stiffness}))

    def bushing(
        self,
        name: str,
        *,
        from_: str,
        to: str,
        damping: Union[Number, Sequence[Number]] | None = None,
        description: str | None = None,
        law: Sequence[str] | None = None,
        rotational_damping: Union[Number, Sequence[Number]] | None = None,
        rotational_law: Sequence[str] | None = None,
        rotational_stiffness: Union[Number, Sequence[Number]] | None = None,
        stiffness: Union[Number, Sequence[Number]] | None = None,
    ) -> str:
        """Elastic connection in six directions, resolved in `from`; rotations by the rotation vector, below
        180 degrees. One number stands for all three directions.

        from_: First object.
        to: Second object.
        damping: Damping along x, y, z. Unit: N·s/m. Default: 0.
        description: One-line description.
        law: Additional forces along x, y, z: expressions in the displacement `s` \\[m\\], its rate `v`,
            time, inputs and parameters; `""` for none. Unit: N.
        rotational_damping: Damping about x, y, z. Unit: N·m·s/rad. Default: 0.
        rotational_law: Additional torques about x, y, z, as `law`, with the angle `s` \\[rad\\]. Unit: N·m.
        rotational_stiffness: Stiffness about x, y, z. Unit: N·m/rad. Default: 0.
        stiffness: Stiffness along x, y, z. Unit: N/m. Default: 0.
        """
        return self._add(name, given({"type": "bushing", "from": from_, "to": to, "damping": damping, "description": description, "law": law, "rotational_damping": rotational_damping, "rotational_law": rotational_law, "rotational_stiffness": rotational_stiffness, "stiffness": stiffness}))


class Sensors(Section):
    """A group of variables derived from the motion, called `NAME.r[1]` and so on."""

    _key = "sensors"
    _noun = "sensor"

    def motion(
        self,
        name: str,
        *,
        frame: str,
        description: str | None = None,
        measure: Sequence[str] | None = None,
        relative_to: str | None = None,
        resolved_in: str | None = None,
    ) -> str:
        """Motion of an object relative to another one, as an observer fixed there sees it: variables `r`,
        `quaternion`, `v`, `w`, `a`, `alpha`.

        frame: Measured object.
        description: One-line description.
        measure: What is measured. Default: ["pose", "velocity", "acceleration"].
        relative_to: Observer. Default: world.
        resolved_in: Object in whose axes vectors are given. Default: the observer.
        """
        return self._add(name, given({"type": "motion", "frame": frame, "description": description, "measure": measure, "relative_to": relative_to, "resolved_in": resolved_in}))

    def cut_force(
        self,
        name: str,
        *,
        joint: str,
        description: str | None = None,
        resolved_in: str | None = None,
    ) -> str:
        """Force `f` and torque `t` that a joint transmits from its `from` to its `to` side, at the origin of
        `to`. While attached frames lock the joint, they carry the load and both are 0.

        joint: Name of the joint.
        description: One-line description.
        resolved_in: Object in whose axes they are given. Default: the joint's `from`.
        """
        return self._add(name, given({"type": "cut-force", "joint": joint, "description": description, "resolved_in": resolved_in}))


class Components(Section):
    """A component: equations around the mechanics. Its outputs `NAME.y` may be used in expressions of
        other components and of forces.
    """

    _key = "components"
    _noun = "component"

    def gain(
        self,
        name: str,
        *,
        u: Number,
        k: Number,
        description: str | None = None,
    ) -> str:
        """`y = k u`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        k: Gain.
        description: One-line description.
        """
        return self._add(name, given({"type": "gain", "u": u, "k": k, "description": description}))

    def sum(
        self,
        name: str,
        *,
        u1: Number,
        description: str | None = None,
        k: Sequence[Number] | None = None,
        **more: Number,
    ) -> str:
        """`y = k[1] u1 + k[2] u2 + …`.

        u1: First input.
        description: One-line description.
        k: Factors; as many as there are inputs. Default: [1, 1].
        """
        return self._add(name, given({"type": "sum", "u1": u1, "description": description, "k": k, **more}))

    def limiter(
        self,
        name: str,
        *,
        u: Number,
        max: Number,
        description: str | None = None,
        min: Number | None = None,
    ) -> str:
        """`y` is `u` between `min` and `max`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        max: Upper limit of the output. Default: none.
        description: One-line description.
        min: Lower limit of the output. Default: -max.
        """
        return self._add(name, given({"type": "limiter", "u": u, "max": max, "description": description, "min": min}))

    def integrator(
        self,
        name: str,
        *,
        u: Number,
        description: str | None = None,
        k: Number | None = None,
        y: Number | None = None,
    ) -> str:
        """`y' = k u`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        description: One-line description.
        k: Gain. Default: 1.
        y: Start value. Default: 0.
        """
        return self._add(name, given({"type": "integrator", "u": u, "description": description, "k": k, "y": y}))

    def first_order(
        self,
        name: str,
        *,
        u: Number,
        T: Number,
        description: str | None = None,
        k: Number | None = None,
        y: Number | None = None,
    ) -> str:
        """`T y' + y = k u`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        T: Time constant. Unit: s.
        description: One-line description.
        k: Gain. Default: 1.
        y: Start value. Default: 0.
        """
        return self._add(name, given({"type": "first-order", "u": u, "T": T, "description": description, "k": k, "y": y}))

    def transfer_function(
        self,
        name: str,
        *,
        u: Number,
        b: Sequence[Number],
        a: Sequence[Number],
        description: str | None = None,
    ) -> str:
        """`y(s)/u(s)` as quotient of two polynomials, highest power first.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        b: Numerator.
        a: Denominator.
        description: One-line description.
        """
        return self._add(name, given({"type": "transfer-function", "u": u, "b": b, "a": a, "description": description}))

    def state_space(
        self,
        name: str,
        *,
        A: Union[Sequence[Sequence[Number]], str],
        B: Union[Sequence[Sequence[Number]], str],
        C: Union[Sequence[Sequence[Number]], str],
        D: Union[Sequence[Sequence[Number]], str] | None = None,
        description: str | None = None,
        order: Number | None = None,
        u: Number | None = None,
        x: Sequence[Number] | None = None,
        **more: Number,
    ) -> str:
        """`x' = A x + B u`, `y = C x + D u`. Inputs are `u1`, `u2`, … (`u` if there is one), outputs `y1`,
        `y2`, … (`y`).

        A: Rows of A, or a CSV file with them, relative to the model file.
        B: Rows of B, or a file.
        C: Rows of C, or a file.
        D: Rows of D, or a file. Default: 0.
        description: One-line description.
        order: Number of states that are used, the first ones: a parameter changes it at the start. Default:
            all.
        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        x: States at the start. Default: 0.
        """
        return self._add(name, given({"type": "state-space", "A": A, "B": B, "C": C, "D": D, "description": description, "order": order, "u": u, "x": x, **more}))

    def pi(
        self,
        name: str,
        *,
        u: Number,
        k: Number,
        T: Number,
        T_t: Number | None = None,
        description: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        x: Number | None = None,
    ) -> str:
        """`y = k (u + x)`, `x' = u/T`, limited with anti-windup.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        k: Gain.
        T: Integral time. Unit: s.
        T_t: Time constant of the anti-windup. Unit: s. Default: the integral time.
        description: One-line description.
        max: Upper limit of the output. Default: none.
        min: Lower limit of the output. Default: -max.
        x: State at the start. Default: 0.
        """
        return self._add(name, given({"type": "pi", "u": u, "k": k, "T": T, "T_t": T_t, "description": description, "max": max, "min": min, "x": x}))

    def pid(
        self,
        name: str,
        *,
        u: Number,
        k: Number,
        T_i: Number,
        N: Number | None = None,
        T_d: Number | None = None,
        T_t: Number | None = None,
        description: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        x: Number | None = None,
    ) -> str:
        """As `pi`, with the filtered derivative `T_d s/(1 + T_d s/N)` of `u`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        k: Gain.
        T_i: Integral time. Unit: s.
        N: Filter of the derivative. Default: 10.
        T_d: Derivative time. Unit: s. Default: 0.
        T_t: Time constant of the anti-windup. Unit: s. Default: the integral time.
        description: One-line description.
        max: Upper limit of the output. Default: none.
        min: Lower limit of the output. Default: -max.
        x: State at the start. Default: 0.
        """
        return self._add(name, given({"type": "pid", "u": u, "k": k, "T_i": T_i, "N": N, "T_d": T_d, "T_t": T_t, "description": description, "max": max, "min": min, "x": x}))

    def p_pi(
        self,
        name: str,
        *,
        reference: Number,
        phi: Number,
        w: Number,
        k1: Number,
        k2: Number,
        T2: Number,
        T_t: Number | None = None,
        description: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        w_reference: Number | None = None,
    ) -> str:
        """Cascade of servo drives: `y = k2 (e + x)`, `x' = e/T2`, `e = k1 (reference - phi) + w_reference -
            w`.

        reference: Wanted position.
        phi: Position.
        w: Velocity.
        k1: Gain of the position. Unit: 1/s.
        k2: Gain of the velocity.
        T2: Integral time of the velocity. Unit: s.
        T_t: Time constant of the anti-windup. Unit: s. Default: the integral time.
        description: One-line description.
        max: Upper limit of the output. Default: none.
        min: Lower limit of the output. Default: -max.
        w_reference: Wanted velocity, fed forward. Default: 0.
        """
        return self._add(name, given({"type": "p-pi", "reference": reference, "phi": phi, "w": w, "k1": k1, "k2": k2, "T2": T2, "T_t": T_t, "description": description, "max": max, "min": min, "w_reference": w_reference}))

    def constant(
        self,
        name: str,
        *,
        k: Number,
        description: str | None = None,
    ) -> str:
        """`y = k`.

        k: Value.
        description: One-line description.
        """
        return self._add(name, given({"type": "constant", "k": k, "description": description}))

    def step(
        self,
        name: str,
        *,
        description: str | None = None,
        height: Number | None = None,
        offset: Number | None = None,
        start: Number | None = None,
    ) -> str:
        """Jumps at `start`.

        description: One-line description.
        height: Height above `offset`. Default: 1.
        offset: Added to the signal. Default: 0.
        start: Time at which the signal begins. Unit: s. Default: 0.
        """
        return self._add(name, given({"type": "step", "description": description, "height": height, "offset": offset, "start": start}))

    def ramp(
        self,
        name: str,
        *,
        duration: Number,
        description: str | None = None,
        height: Number | None = None,
        offset: Number | None = None,
        start: Number | None = None,
    ) -> str:
        """Rises from `start` on for `duration`.

        duration: Time of the rise. Unit: s.
        description: One-line description.
        height: Height above `offset`. Default: 1.
        offset: Added to the signal. Default: 0.
        start: Time at which the signal begins. Unit: s. Default: 0.
        """
        return self._add(name, given({"type": "ramp", "duration": duration, "description": description, "height": height, "offset": offset, "start": start}))

    def trapezoid(
        self,
        name: str,
        *,
        rising: Number,
        description: str | None = None,
        falling: Number | None = None,
        height: Number | None = None,
        offset: Number | None = None,
        period: Number | None = None,
        start: Number | None = None,
        width: Number | None = None,
    ) -> str:
        """Rises, stays, falls; if wanted again and again.

        rising: Time of the rise. Unit: s.
        description: One-line description.
        falling: Time of the fall. Unit: s. Default: that of the rise.
        height: Height above `offset`. Default: 1.
        offset: Added to the signal. Default: 0.
        period: Time after which it begins again. Unit: s. Default: once.
        start: Time at which the signal begins. Unit: s. Default: 0.
        width: Time at the top. Unit: s. Default: 0.
        """
        return self._add(name, given({"type": "trapezoid", "rising": rising, "description": description, "falling": falling, "height": height, "offset": offset, "period": period, "start": start, "width": width}))

    def pulse(
        self,
        name: str,
        *,
        period: Number,
        description: str | None = None,
        height: Number | None = None,
        offset: Number | None = None,
        start: Number | None = None,
        width: Number | None = None,
    ) -> str:
        """Jumps up and down again and again.

        period: Period. Unit: s.
        description: One-line description.
        height: Height above `offset`. Default: 1.
        offset: Added to the signal. Default: 0.
        start: Time at which the signal begins. Unit: s. Default: 0.
        width: Part of the period at the top. Default: 0.5.
        """
        return self._add(name, given({"type": "pulse", "period": period, "description": description, "height": height, "offset": offset, "start": start, "width": width}))

    def sine(
        self,
        name: str,
        *,
        frequency: Number,
        amplitude: Number | None = None,
        description: str | None = None,
        offset: Number | None = None,
        phase: Number | None = None,
        start: Number | None = None,
    ) -> str:
        """`offset + amplitude sin(2 pi frequency (t - start) + phase)` from `start` on.

        frequency: Frequency. Unit: Hz.
        amplitude: Amplitude. Default: 1.
        description: One-line description.
        offset: Added to the signal. Default: 0.
        phase: Phase. Unit: rad. Default: 0.
        start: Time at which the signal begins. Unit: s. Default: 0.
        """
        return self._add(name, given({"type": "sine", "frequency": frequency, "amplitude": amplitude, "description": description, "offset": offset, "phase": phase, "start": start}))

    def sample_hold(
        self,
        name: str,
        *,
        u: Number,
        period: Number,
        description: str | None = None,
        offset: Number | None = None,
        y: Number | None = None,
    ) -> str:
        """`y` is the value of `u` at the last tick of a clock, after everything else that happens at that
        instant.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        period: Time between two ticks; tuned during a run it counts from the last tick. Unit: s.
        description: One-line description.
        offset: Time of the first tick, or of any before the start. Unit: s. Default: 0.
        y: Value before the first tick. Default: 0.
        """
        return self._add(name, given({"type": "sample-hold", "u": u, "period": period, "description": description, "offset": offset, "y": y}))

    def sampled_pid(
        self,
        name: str,
        *,
        u: Number,
        period: Number,
        k: Number,
        T_d: Number | None = None,
        T_i: Number | None = None,
        description: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        offset: Number | None = None,
    ) -> str:
        """PID controller that computes at the ticks of a clock and holds its output in between. While the
        output is limited it stops integrating what would drive it further.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        period: Time between two ticks; tuned during a run it counts from the last tick. Unit: s.
        k: Gain.
        T_d: Derivative time. Unit: s. Default: 0.
        T_i: Integral time. Unit: s. Default: no integral part.
        description: One-line description.
        max: Upper limit of the output. Default: none.
        min: Lower limit of the output. Default: -max.
        offset: Time of the first tick, or of any before the start. Unit: s. Default: 0.
        """
        return self._add(name, given({"type": "sampled-pid", "u": u, "period": period, "k": k, "T_d": T_d, "T_i": T_i, "description": description, "max": max, "min": min, "offset": offset}))

    def inertia(
        self,
        name: str,
        *,
        J: Number,
        description: str | None = None,
        flange: str | None = None,
        phi: Number | None = None,
        w: Number | None = None,
    ) -> str:
        """An inertia that turns with its flange. Geared to a joint it adds `ratio² J` to the joint's own
        inertia.

        J: Moment of inertia. Unit: kg·m².
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        phi: Angle at the start, if it turns on its own. Unit: rad. Default: 0.
        w: Angular velocity at the start, if it turns on its own. Unit: rad/s. Default: 0.
        """
        return self._add(name, given({"type": "inertia", "J": J, "description": description, "flange": flange, "phi": phi, "w": w}))

    def mass(
        self,
        name: str,
        *,
        m: Number,
        description: str | None = None,
        flange: str | None = None,
        s: Number | None = None,
        v: Number | None = None,
    ) -> str:
        """A mass that slides with its flange.

        m: Mass. Unit: kg.
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        s: Position at the start, if it slides on its own. Unit: m. Default: 0.
        v: Velocity at the start, if it slides on its own. Unit: m/s. Default: 0.
        """
        return self._add(name, given({"type": "mass", "m": m, "description": description, "flange": flange, "s": s, "v": v}))

    def gear(
        self,
        name: str,
        *,
        ratio: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        efficiency: Number | None = None,
        w_reg: Number | None = None,
    ) -> str:
        """Rigid gear: the position of `a` is `ratio` times that of `b`.

        ratio: Ratio.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange.
        description: One-line description.
        efficiency: Part of the power that the driven side receives; below 1 both sides need an inertia.
            Default: 1.
        w_reg: Velocity of `a` within which the loss fades out around standstill. Unit: rad/s. Default: 1.
        """
        return self._add(name, given({"type": "gear", "ratio": ratio, "a": a, "b": b, "description": description, "efficiency": efficiency, "w_reg": w_reg}))

    def elastic_gear(
        self,
        name: str,
        *,
        stiffness: Number,
        a: str | None = None,
        b: str | None = None,
        backlash: Number | None = None,
        damping: Number | None = None,
        description: str | None = None,
        motion: str | None = None,
        ratio: Number | None = None,
    ) -> str:
        """Elastic gear with backlash; stiffness, damping and backlash are those on the side of `b`.

        stiffness: Stiffness. Unit: N·m/rad or N/m.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange.
        backlash: Play, from one side to the other. Unit: rad or m. Default: 0.
        damping: Damping. Unit: N·m·s/rad or N·s/m. Default: 0.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        ratio: Position of `a` per position of `b`. Default: 1.
        """
        return self._add(name, given({"type": "elastic-gear", "stiffness": stiffness, "a": a, "b": b, "backlash": backlash, "damping": damping, "description": description, "motion": motion, "ratio": ratio}))

    def end_stop(
        self,
        name: str,
        *,
        stiffness: Number,
        a: str | None = None,
        b: str | None = None,
        damping: Number | None = None,
        description: str | None = None,
        lower: Number | None = None,
        motion: str | None = None,
        upper: Number | None = None,
    ) -> str:
        """Elastic stops of the position of `a` relative to `b`; they never pull.

        stiffness: Stiffness. Unit: N·m/rad or N/m.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        damping: Damping. Unit: N·m·s/rad or N·s/m. Default: 0.
        description: One-line description.
        lower: Lower limit. Unit: rad or m. Default: none.
        motion: Whether the flanges turn or slide. Default: rotation.
        upper: Upper limit. Unit: rad or m. Default: none.
        """
        return self._add(name, given({"type": "end-stop", "stiffness": stiffness, "a": a, "b": b, "damping": damping, "description": description, "lower": lower, "motion": motion, "upper": upper}))

    def friction(
        self,
        name: str,
        *,
        sliding: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
        static: Number | None = None,
        stribeck: Number | None = None,
        viscous: Number | None = None,
    ) -> str:
        """Dry friction that sticks: stuck it holds with whatever effort that takes, up to `static`; sliding it
            falls to `sliding` along the Stribeck curve. Outputs `effort` and `mode`.

        sliding: Sliding friction. Unit: N·m or N.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        static: Static friction. Unit: N·m or N. Default: the sliding one.
        stribeck: Velocity scale of the fall from static to sliding friction: at the velocity `w` the effort
            is `sliding + (static - sliding) exp(-(w/stribeck)²)`; 0 is a jump. Default: 0.
        viscous: Additional viscous friction. Unit: N·m·s/rad or N·s/m. Default: 0.
        """
        return self._add(name, given({"type": "friction", "sliding": sliding, "a": a, "b": b, "description": description, "motion": motion, "static": static, "stribeck": stribeck, "viscous": viscous}))

    def brake(
        self,
        name: str,
        *,
        u: Number,
        sliding: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
        static: Number | None = None,
        stribeck: Number | None = None,
        viscous: Number | None = None,
    ) -> str:
        """Friction whose efforts are multiplied by `u` (0 released, 1 applied).

        u: Factor on all efforts, viscous ones included: an expression as `u` of other components; below 0
            it counts as 0.
        sliding: Sliding friction. Unit: N·m or N.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        static: Static friction. Unit: N·m or N. Default: the sliding one.
        stribeck: Velocity scale of the fall from static to sliding friction: at the velocity `w` the effort
            is `sliding + (static - sliding) exp(-(w/stribeck)²)`; 0 is a jump. Default: 0.
        viscous: Additional viscous friction. Unit: N·m·s/rad or N·s/m. Default: 0.
        """
        return self._add(name, given({"type": "brake", "u": u, "sliding": sliding, "a": a, "b": b, "description": description, "motion": motion, "static": static, "stribeck": stribeck, "viscous": viscous}))

    def clutch(
        self,
        name: str,
        *,
        u: Number,
        sliding: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
        static: Number | None = None,
        stribeck: Number | None = None,
        viscous: Number | None = None,
    ) -> str:
        """As `brake`, between two flanges.

        u: Factor on all efforts, viscous ones included: an expression as `u` of other components; below 0
            it counts as 0.
        sliding: Sliding friction. Unit: N·m or N.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        static: Static friction. Unit: N·m or N. Default: the sliding one.
        stribeck: Velocity scale of the fall from static to sliding friction: at the velocity `w` the effort
            is `sliding + (static - sliding) exp(-(w/stribeck)²)`; 0 is a jump. Default: 0.
        viscous: Additional viscous friction. Unit: N·m·s/rad or N·s/m. Default: 0.
        """
        return self._add(name, given({"type": "clutch", "u": u, "sliding": sliding, "a": a, "b": b, "description": description, "motion": motion, "static": static, "stribeck": stribeck, "viscous": viscous}))

    def and_(
        self,
        name: str,
        *,
        u1: Number,
        u2: Number,
        description: str | None = None,
    ) -> str:
        """`y` is 1 when `u1` and `u2` are true (above 0.5), else 0.

        u1: A signal that is 0 or 1.
        u2: A signal that is 0 or 1.
        description: One-line description.
        """
        return self._add(name, given({"type": "and", "u1": u1, "u2": u2, "description": description}))

    def or_(
        self,
        name: str,
        *,
        u1: Number,
        u2: Number,
        description: str | None = None,
    ) -> str:
        """`y` is 1 when `u1` or `u2` is true (above 0.5), else 0.

        u1: A signal that is 0 or 1.
        u2: A signal that is 0 or 1.
        description: One-line description.
        """
        return self._add(name, given({"type": "or", "u1": u1, "u2": u2, "description": description}))

    def not_(
        self,
        name: str,
        *,
        u: Number,
        description: str | None = None,
    ) -> str:
        """`y` is 0 when `u` is true (above 0.5), else 1.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        description: One-line description.
        """
        return self._add(name, given({"type": "not", "u": u, "description": description}))

    def hysteresis(
        self,
        name: str,
        *,
        u: Number,
        low: Number,
        high: Number,
        description: str | None = None,
        y: Number | None = None,
    ) -> str:
        """`y` becomes 1 where `u` rises above `high` and 0 where it falls below `low`.

        u: Input: an expression in time, inputs, parameters, joint coordinates (`arm.phi`, `arm.w`), motions
            of bodies and sensors (`ball.r_abs[3]`, `gauge.v[1]`) and outputs of components (`NAME.y`).
        low: Lower threshold.
        high: Upper threshold.
        description: One-line description.
        y: Value at the start between the thresholds. Default: 0.
        """
        return self._add(name, given({"type": "hysteresis", "u": u, "low": low, "high": high, "description": description, "y": y}))

    def latch(
        self,
        name: str,
        *,
        set: Number,
        description: str | None = None,
        reset: Number | None = None,
        y: Number | None = None,
    ) -> str:
        """`y` becomes 1 when `set` does and 0 when `reset` does; `reset` wins.

        set: A signal that is 0 or 1.
        description: One-line description.
        reset: A signal that is 0 or 1. Default: 0.
        y: Value at the start. Default: 0.
        """
        return self._add(name, given({"type": "latch", "set": set, "description": description, "reset": reset, "y": y}))

    def table_2d(
        self,
        name: str,
        *,
        u1: Number,
        u2: Number,
        x: Sequence[Number],
        y: Sequence[Number],
        z: Union[Sequence[Sequence[Number]], str],
        description: str | None = None,
        interpolation: str | None = None,
    ) -> str:
        """Interpolation of `z` at `u1`, `u2`. Functions of one signal are `[tables]`, called in any
        expression.

        u1: First input, along `x`.
        u2: Second input, along `y`.
        x: Grid of `u1`, ascending.
        y: Grid of `u2`, ascending.
        z: Values: one row per element of `x`, or a CSV file with them, relative to the model file.
        description: One-line description.
        interpolation: Bilinear, or cubic pieces that are smooth and do not overshoot. Default: linear.
        """
        return self._add(name, given({"type": "table-2d", "u1": u1, "u2": u2, "x": x, "y": y, "z": z, "description": description, "interpolation": interpolation}))

    def spring(
        self,
        name: str,
        *,
        stiffness: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
        rest: Number | None = None,
    ) -> str:
        """Spring between two flanges.

        stiffness: Stiffness. Unit: N·m/rad or N/m.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        rest: Position of `a` minus that of `b` without force. Unit: rad or m. Default: 0.
        """
        return self._add(name, given({"type": "spring", "stiffness": stiffness, "a": a, "b": b, "description": description, "motion": motion, "rest": rest}))

    def damper(
        self,
        name: str,
        *,
        damping: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
    ) -> str:
        """Damper between two flanges.

        damping: Damping. Unit: N·m·s/rad or N·s/m.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        """
        return self._add(name, given({"type": "damper", "damping": damping, "a": a, "b": b, "description": description, "motion": motion}))

    def spring_damper(
        self,
        name: str,
        *,
        stiffness: Number,
        damping: Number,
        a: str | None = None,
        b: str | None = None,
        description: str | None = None,
        motion: str | None = None,
        rest: Number | None = None,
    ) -> str:
        """Spring and damper in parallel between two flanges.

        stiffness: Stiffness. Unit: N·m/rad or N/m.
        damping: Damping. Unit: N·m·s/rad or N·s/m.
        a: First flange: a joint, a flange of a component, or `ground`.
        b: Second flange. Default: ground.
        description: One-line description.
        motion: Whether the flanges turn or slide. Default: rotation.
        rest: Position of `a` minus that of `b` without force. Unit: rad or m. Default: 0.
        """
        return self._add(name, given({"type": "spring-damper", "stiffness": stiffness, "damping": damping, "a": a, "b": b, "description": description, "motion": motion, "rest": rest}))

    def torque(
        self,
        name: str,
        *,
        tau: Number,
        description: str | None = None,
        flange: str | None = None,
    ) -> str:
        """Torque on a flange.

        tau: Torque: an expression as `u` of other components. Unit: N·m.
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        """
        return self._add(name, given({"type": "torque", "tau": tau, "description": description, "flange": flange}))

    def force(
        self,
        name: str,
        *,
        f: Number,
        description: str | None = None,
        flange: str | None = None,
    ) -> str:
        """Force on a flange.

        f: Force: an expression as `u` of other components. Unit: N.
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        """
        return self._add(name, given({"type": "force", "f": f, "description": description, "flange": flange}))

    def speed(
        self,
        name: str,
        *,
        velocity: Number,
        description: str | None = None,
        flange: str | None = None,
        motion: str | None = None,
        position: Number | None = None,
    ) -> str:
        """Moves a flange with a given velocity, whatever force that takes.

        velocity: Velocity: an expression as `u` of other components. Unit: rad/s or m/s.
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        motion: Whether the flanges turn or slide. Default: rotation.
        position: Position at the start. Unit: rad or m. Default: 0.
        """
        return self._add(name, given({"type": "speed", "velocity": velocity, "description": description, "flange": flange, "motion": motion, "position": position}))

    def dc_motor(
        self,
        name: str,
        *,
        v: Number,
        R: Number,
        k: Number,
        J: Number | None = None,
        L: Number | None = None,
        description: str | None = None,
        flange: str | None = None,
        phi: Number | None = None,
        w: Number | None = None,
    ) -> str:
        """Permanent-magnet DC motor: `v = R i + L i' + k w`, torque `k i`.

        v: Voltage: an expression as `u` of other components. Unit: V.
        R: Resistance. Unit: Ω.
        k: Torque per current. Unit: N·m/A.
        J: Moment of inertia of the rotor. Unit: kg·m². Default: 0.
        L: Inductance. Unit: H. Default: 0.
        description: One-line description.
        flange: What it moves with: a joint with one degree of freedom, `JOINT.phi`, a flange `COMPONENT.a`,
            or `ground`.
        phi: Angle at the start, if it turns on its own. Unit: rad. Default: 0.
        w: Angular velocity at the start, if it turns on its own. Unit: rad/s. Default: 0.
        """
        return self._add(name, given({"type": "dc-motor", "v": v, "R": R, "k": k, "J": J, "L": L, "description": description, "flange": flange, "phi": phi, "w": w}))

    def heat_rod(
        self,
        name: str,
        *,
        length: Number,
        area: Number,
        conductivity: Number,
        density: Number,
        specific_heat: Number,
        Q_a: Number | None = None,
        Q_b: Number | None = None,
        T: Number | None = None,
        T_a: Number | None = None,
        T_b: Number | None = None,
        description: str | None = None,
        places: Sequence[Number] | None = None,
        volumes: Number | None = None,
    ) -> str:
        """Heat conduction along a rod of equal volumes. At each end either the temperature or the heat flow is
        given. Outputs `energy`, `mean`, `num_volumes`, `flow_a`, `flow_b` and the temperatures `T[1]`,
        `T[2]`, … at `places`.

        length: Length. Unit: m.
        area: Area of the cross section. Unit: m².
        conductivity: Thermal conductivity. Unit: W/(m·K).
        density: Density. Unit: kg/m³.
        specific_heat: Specific heat capacity. Unit: J/(kg·K).
        Q_a: Heat flow into end a. Unit: W. Default: 0.
        Q_b: Heat flow into end b. Unit: W. Default: 0.
        T: Temperature at the start. Unit: K. Default: 293.15.
        T_a: Temperature of end a: an expression as `u` of other components. Unit: K.
        T_b: Temperature of end b. Unit: K.
        description: One-line description.
        places: Distances from end a at which the temperature is an output. Unit: m.
        volumes: Number of volumes, a whole number from 1 to 1000000 or a signal that is rounded to one;
            where it changes, the temperature profile is transferred with its energy. Default: 10.
        """
        return self._add(name, given({"type": "heat-rod", "length": length, "area": area, "conductivity": conductivity, "density": density, "specific_heat": specific_heat, "Q_a": Q_a, "Q_b": Q_b, "T": T, "T_a": T_a, "T_b": T_b, "description": description, "places": places, "volumes": volumes}))

    def heat_capacity(
        self,
        name: str,
        *,
        C: Number,
        G: Number | None = None,
        Q: Number | None = None,
        T: Number | None = None,
        T_ambient: Number | None = None,
        description: str | None = None,
    ) -> str:
        """A body of one temperature: `C T' = Q + G (T_ambient - T)`.

        C: Heat capacity. Unit: J/K.
        G: Heat conductance to the surroundings. Unit: W/K. Default: 0.
        Q: Heat flow into it: an expression as `u` of other components. Unit: W. Default: 0.
        T: Temperature at the start. Unit: K. Default: that of the surroundings.
        T_ambient: Temperature of the surroundings. Unit: K. Default: 293.15.
        description: One-line description.
        """
        return self._add(name, given({"type": "heat-capacity", "C": C, "G": G, "Q": Q, "T": T, "T_ambient": T_ambient, "description": description}))

    def point_mass_rocket(
        self,
        name: str,
        *,
        m1: Number,
        m2: Number,
        thrust1: Number,
        thrust2: Number,
        burn1: Number,
        burn2: Number,
        description: str | None = None,
        drop: Number | None = None,
        gravity: Number | None = None,
        h1: Number | None = None,
        h2: Number | None = None,
        separation: Number | None = None,
    ) -> str:
        """Two stages that rise vertically, with two states while joined, four after the separation and two
        when the lower one is dropped.

        m1: Mass of the lower stage. Unit: kg.
        m2: Mass of the upper stage. Unit: kg.
        thrust1: Thrust of the lower stage at t = 0; falls linearly to zero. Unit: N.
        thrust2: Thrust of the upper stage at the separation. Unit: N.
        burn1: Time until the lower stage is burnt out. Unit: s.
        burn2: Time until the upper stage is burnt out. Unit: s.
        description: One-line description.
        drop: Time from which on the lower stage is no longer simulated. Unit: s. Default: 10.
        gravity: Gravity. Unit: m/s². Default: 9.81.
        h1: Height of the lower stage at the start. Unit: m. Default: 0.
        h2: Height of the upper stage at the start. Unit: m. Default: 0.
        separation: Time of the separation. Unit: s. Default: 5.
        """
        return self._add(name, given({"type": "point-mass-rocket", "m1": m1, "m2": m2, "thrust1": thrust1, "thrust2": thrust2, "burn1": burn1, "burn2": burn2, "description": description, "drop": drop, "gravity": gravity, "h1": h1, "h2": h2, "separation": separation}))

    def custom(
        self,
        name: str,
        *,
        component: str,
        description: str | None = None,
        values: Mapping[str, Union[Number, Sequence[Number]]] | None = None,
    ) -> str:
        """A component from the library the FMU is built with.

        component: Its type in that library.
        description: One-line description.
        values: Parameters, inputs and connections by name.
        """
        return self._add(name, given({"type": "custom", "component": component, "description": description, "values": values}))


class Objects(Section):
    """A frame with features. With `parent` or `fixed` it is rigidly placed, with `free` it moves freely,
    with none of them a joint moves it.
    """

    _key = "objects"
    _noun = "object"

    def add(
        self,
        name: str,
        *,
        assembly_root: bool | None = None,
        description: str | None = None,
        exists: bool | None = None,
        expose: bool | None = None,
        fixed: bool | None = None,
        free: Union[bool, Free] | None = None,
        lockable: bool | None = None,
        mass: Union[Number, Mass] | None = None,
        parent: str | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        solid: Mapping[str, Any] | None = None,
        visual: Mapping[str, Any] | None = None,
        visuals: Sequence[Mapping[str, Any]] | None = None,
    ) -> str:
        """A frame with features. With `parent` or `fixed` it is rigidly placed, with `free` it moves freely,
        with none of them a joint moves it.

        assembly_root: Root of an assembly, which is everything that is placed on it or carried by its
            joints: it can be attached, released, deleted and inserted as a whole while the simulation runs.
            Default: false.
        description: One-line description.
        exists: Whether the assembly exists from the start; else until it is inserted it does not. Default:
            true.
        expose: Whether pose and velocity are variables of the FMU. Default: true for bodies.
        fixed: Rigidly placed on the parent; without parent, on the world (in an assembly: on its `origin`).
            Default: true with `parent`.
        free: Moves freely relative to the parent (the world when there is none); a table gives the start
            velocity. Default: false.
        lockable: Whether it is a frame at which assemblies can be attached to each other. Default: false.
        mass: Mass properties without a shape, or instead of those of the solid. A number is a point mass at
            the origin. Unit: kg.
        parent: Object it is placed on, rigidly unless `free` is given.
        r: Position of the origin in the parent; at the start when the object is free. Unit: m. Default: [0,
            0, 0].
        rotation: Orientation in the parent: Cardan angles `[a, b, c]` about x, then the new y, then the new
            z; or a table. Unit: rad. Default: none.
        solid: Shape with mass.
        visual: Shape that is only drawn.
        visuals: Several shapes that are only drawn.
        """
        return self._add(name, given({"assembly_root": assembly_root, "description": description, "exists": exists, "expose": expose, "fixed": fixed, "free": free, "lockable": lockable, "mass": mass, "parent": parent, "r": r, "rotation": rotation, "solid": solid, "visual": visual, "visuals": visuals}))


class Instances(Section):
    """An assembly put into the model, once or as an array. The instance is a frame that its members call
    `origin`; they are addressed as `NAME.member`, in an array as `NAME[2].member`, counted from 1.
    """

    _key = "instances"
    _noun = "instance of an assembly"

    def add(
        self,
        name: str,
        *,
        assembly: str,
        arguments: Mapping[str, Number] | None = None,
        assembly_root: bool | None = None,
        chain: str | None = None,
        count: Number | None = None,
        exists: bool | None = None,
        free: Union[bool, Free] | None = None,
        index: str | None = None,
        moved_by_joint: bool | None = None,
        parent: str | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> str:
        """An assembly put into the model, once or as an array. The instance is a frame that its members call
        `origin`; they are addressed as `NAME.member`, in an array as `NAME[2].member`, counted from 1.

        assembly: Name of the assembly.
        arguments: Values for parameters of the assembly; in an array they may use the index.
        assembly_root: Root of an assembly, which is everything that is placed on it or carried by its
            joints: it can be attached, released, deleted and inserted as a whole while the simulation runs.
            Default: false.
        chain: Makes an array a chain: every copy but the first is placed on this member of the copy before
            it.
        count: Number of copies; makes it an array. May depend on parameters.
        exists: Whether the assembly exists from the start; else until it is inserted it does not. Default:
            true.
        free: Moves freely relative to the parent (the world when there is none); a table gives the start
            velocity. Default: false.
        index: Name of the index (from 1) that pose and arguments of an array may use. Default: i.
        moved_by_joint: Whether a joint moves the frame. Default: false.
        parent: Object it is placed on, rigidly unless `free` is given.
        r: Position of the frame in the parent; at the start when it is free. Unit: m. Default: [0, 0, 0].
        rotation: Orientation of the frame in the parent: Cardan angles `[a, b, c]` about x, then the new y,
            then the new z; or a table. Unit: rad. Default: none.
        """
        return self._add(name, given({"assembly": assembly, "arguments": arguments, "assembly_root": assembly_root, "chain": chain, "count": count, "exists": exists, "free": free, "index": index, "moved_by_joint": moved_by_joint, "parent": parent, "r": r, "rotation": rotation}))


class Paths(Section):
    """A reference path of several axes that action programs move from point to point, as fast as the
    limits of all axes allow. Expressions of forces use it as `NAME.position[1]`, `NAME.velocity[1]`,
    `NAME.acceleration[1]`; the position is also a `motion` of a joint.
    """

    _key = "paths"
    _noun = "reference path"

    def add(
        self,
        name: str,
        *,
        start: Sequence[Number],
        v_max: Sequence[Number],
        a_max: Sequence[Number],
        description: str | None = None,
        line: LineOfAPath | None = None,
    ) -> str:
        """A reference path of several axes that action programs move from point to point, as fast as the
        limits of all axes allow. Expressions of forces use it as `NAME.position[1]`, `NAME.velocity[1]`,
        `NAME.acceleration[1]`; the position is also a `motion` of a joint.

        start: Position of every axis at the start.
        v_max: Largest speed of every axis.
        a_max: Largest acceleration of every axis.
        description: One-line description.
        line: The tool that steps with `line` move along straight lines.
        """
        return self._add(name, given({"start": start, "v_max": v_max, "a_max": a_max, "description": description, "line": line}))


class Actions(Section):
    """An action program: steps one after the other, that change the structure of the model or wait.
        Programs run side by side. A program with neither `when` nor `input` starts with the simulation.
    """

    _key = "actions"
    _noun = "action program"

    def add(
        self,
        name: str,
        *,
        steps: Sequence[Steps],
        description: str | None = None,
        input: bool | None = None,
        when: str | None = None,
    ) -> str:
        """An action program: steps one after the other, that change the structure of the model or wait.
            Programs run side by side. A program with neither `when` nor `input` starts with the simulation.

        steps: The steps.
        description: One-line description.
        input: Whether the FMU has a Boolean input with the name of the program that starts it whenever it
            becomes true while the program is not running. Default: false.
        when: Starts the program whenever this condition becomes true while the program is not running, also
            when it is true at the start.
        """
        return self._add(name, given({"steps": steps, "description": description, "input": input, "when": when}))


class Parameters(Section):
    """A parameter with its properties."""

    _key = "parameters"
    _noun = "parameter"

    def add(
        self,
        name: str,
        value: Union[bool, Number],
        *,
        description: str | None = None,
        display_unit: str | None = None,
        kind: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        tunable: bool | None = None,
        unit: str | None = None,
    ) -> str:
        """A parameter with its properties.

        value: Default; an expression makes it a calculated parameter, which may use the parameters above
            it. For a String the name of a lockable frame or of the root of an assembly, or `""`.
        description: One-line description.
        display_unit: Unit that a host may show instead, e.g. `"deg"`.
        kind: Type of the FMU variable; `choice` in steps of action programs can use a String, nothing else
            can. Default: real; boolean for `true` and `false`.
        max: Largest allowed value.
        min: Smallest allowed value.
        tunable: Whether a host may change it between steps. Gains, damping, gravity and masses may be; what
            changes the number of bodies or variables may not. Default: false.
        unit: Unit of the value in the FMU, e.g. `"kg.m2"`, `"N.m/rad"`; values are SI, nothing is
            converted. Default: 1.
        """
        return self._add(name, given({"value": value, "description": description, "display_unit": display_unit, "kind": kind, "max": max, "min": min, "tunable": tunable, "unit": unit}))


class Inputs(Section):
    """An input of the FMU."""

    _key = "inputs"
    _noun = "input"

    def add(
        self,
        name: str,
        *,
        description: str | None = None,
        kind: str | None = None,
        max: Number | None = None,
        min: Number | None = None,
        nominal: Number | None = None,
        start: Union[bool, Number, str] | None = None,
        unit: str | None = None,
    ) -> str:
        """An input of the FMU.

        description: One-line description.
        kind: Type of the FMU variable; `choice` in steps of action programs can use a String, nothing else
            can. Default: real.
        max: Largest allowed value.
        min: Smallest allowed value.
        nominal: Typical magnitude.
        start: Value until the host sets one; `true` or `false` for a Boolean input; for a String the name
            of a lockable frame or of the root of an assembly, or `""`. Default: 0.
        unit: Unit of the value in the FMU, e.g. `"kg.m2"`, `"N.m/rad"`; values are SI, nothing is
            converted. Default: 1.
        """
        return self._add(name, given({"description": description, "kind": kind, "max": max, "min": min, "nominal": nominal, "start": start, "unit": unit}))


class Tables(Section):
    """A function of one argument, called in expressions as `NAME(time)`, its derivatives as `NAME'(time)`.
    Either `points` or `file`.
    """

    _key = "tables"
    _noun = "table"

    def add(
        self,
        name: str,
        *,
        extrapolation: str | None = None,
        file: str | None = None,
        interpolation: str | None = None,
        points: Sequence[Sequence[Number]] | None = None,
    ) -> str:
        """A function of one argument, called in expressions as `NAME(time)`, its derivatives as `NAME'(time)`.
        Either `points` or `file`.

        extrapolation: Values beyond the first and last point: the last value, the last slope, or an error.
            Default: hold.
        file: File of two columns, separated by commas, semicolons or blanks, relative to the model file;
            one line of headings is allowed.
        interpolation: How values between points are found; cubic is smooth and does not overshoot. Default:
            linear.
        points: Points `[x, y]`, x ascending.
        """
        return self._add(name, given({"extrapolation": extrapolation, "file": file, "interpolation": interpolation, "points": points}))


class Materials(Section):
    """A material, in addition to the built-in ones."""

    _key = "materials"
    _noun = "material"

    def add(
        self,
        name: str,
        *,
        density: Number,
        youngs_modulus: Number,
        poissons_ratio: Number,
        conductivity: Number | None = None,
        expansion: Number | None = None,
        melting_temperature: Number | None = None,
        specific_heat: Number | None = None,
    ) -> str:
        """A material, in addition to the built-in ones.

        density: Density. Unit: kg/m³.
        youngs_modulus: Young's modulus. Unit: Pa.
        poissons_ratio: Poisson's ratio.
        conductivity: Thermal conductivity. Unit: W/(m·K).
        expansion: Linear thermal expansion. Unit: 1/K.
        melting_temperature: Melting temperature. Unit: K.
        specific_heat: Specific heat capacity. Unit: J/(kg·K).
        """
        return self._add(name, given({"density": density, "youngs_modulus": youngs_modulus, "poissons_ratio": poissons_ratio, "conductivity": conductivity, "expansion": expansion, "melting_temperature": melting_temperature, "specific_heat": specific_heat}))


class solid:
    """Shapes with mass."""

    @staticmethod
    def sphere(
        *,
        diameter: Number,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Sphere.

        diameter: Diameter. Unit: m.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "sphere", "diameter": diameter, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def ellipsoid(
        *,
        lengths: Sequence[Number],
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Ellipsoid.

        lengths: Full lengths along x, y and z. Unit: m.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "ellipsoid", "lengths": lengths, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def box(
        *,
        lengths: Sequence[Number],
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Box.

        lengths: Full lengths along x, y and z. Unit: m.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "box", "lengths": lengths, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def cylinder(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        inner_diameter: Number | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Cylinder, hollow when an inner diameter is given. In contacts a hollow one is exactly round for
        spheres smaller than its bore. For everything else it is a ring of convex sectors, whose bore is a
        polygon of at least 32 sides, round within 0.25 % of its radius: small bodies roll over its flats,
        not with the period of a round bore. Its outside turns with the contact like that of a full
        cylinder, on polygons of at least 128 sides: it rolls as on a circle.

        diameter: Diameter. Unit: m.
        length: Length along the axis. Unit: m.
        axis: Axis of the shape. Default: z.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        inner_diameter: Diameter of the bore. Unit: m. Default: 0.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "cylinder", "diameter": diameter, "length": length, "axis": axis, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "inner_diameter": inner_diameter, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def cone(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        top_diameter: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Cone or, with a top diameter, frustum. The centre of its base is the origin of its frame; it grows
        along the axis.

        diameter: Diameter. Unit: m.
        length: Length along the axis. Unit: m.
        axis: Axis of the shape. Default: z.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        top_diameter: Diameter at the top. Unit: m. Default: 0.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "cone", "diameter": diameter, "length": length, "axis": axis, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "top_diameter": top_diameter, "visible": visible})

    @staticmethod
    def capsule(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Cylinder with half spheres at both ends.

        diameter: Diameter. Unit: m.
        length: Length of the cylindrical part. Unit: m.
        axis: Axis of the shape. Default: z.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "capsule", "diameter": diameter, "length": length, "axis": axis, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def beam(
        *,
        length: Number,
        width: Number,
        thickness: Number,
        axis: str | None = None,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Flat link: a box with a half cylinder at both ends, whose axes may be those of two hinges.

        length: Distance of the axes of the half cylinders. Unit: m.
        width: Width, the diameter of the half cylinders. Unit: m.
        thickness: Thickness. Unit: m.
        axis: Direction of the length; width and thickness follow along the next axes in the order x, y, z,
            x. Default: x.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "beam", "length": length, "width": width, "thickness": thickness, "axis": axis, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def mesh(
        *,
        file: str,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        convex_parts: Union[Number, ConvexParts] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        scale: Union[Number, Sequence[Number]] | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Triangle mesh, in the coordinates of its file. It must be closed to have a volume. In contacts its
        convex hull stands for it, or convex parts.

        file: File `.stl` (binary or text) or `.obj`, relative to the model file.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        convex_parts: What stands for the mesh in contacts: its convex hull (1), at most so many convex
            parts, or as many as keep its surface. Default: 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        scale: Factor, or factors along x, y and z; 0.001 for files in millimetres. Default: 1.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "mesh", "file": file, "collides": collides, "collides_with": collides_with, "color": color, "convex_parts": convex_parts, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "scale": scale, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def half_space(
        *,
        axis: str | None = None,
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        group: str | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        size: Number | None = None,
        smoothing: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Ground without end: everything on the negative side of a plane through its origin. It has no mass.

        axis: Outward normal of the plane. Default: z.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        size: Edge length of the piece that pictures show. Unit: m. Default: 10.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "half_space", "axis": axis, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "group": group, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "size": size, "smoothing": smoothing, "visible": visible})

    @staticmethod
    def height_field(
        *,
        lengths: Sequence[Number],
        collides: bool | None = None,
        collides_with: Sequence[str] | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        density: Number | None = None,
        elastic_with: Sequence[str] | None = None,
        file: str | None = None,
        group: str | None = None,
        heights: Sequence[Sequence[Number]] | None = None,
        ignores: Sequence[str] | None = None,
        mass: Number | None = None,
        massless: bool | None = None,
        material: str | None = None,
        r: Sequence[Number] | None = None,
        rigid_with: Sequence[str] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        scale: Number | None = None,
        smoothing: Number | None = None,
        thickness: Number | None = None,
        visible: bool | None = None,
    ) -> dict[str, Any]:
        """Ground with heights over a grid, centred at its origin. Either `heights` or `file`. It has no mass.

        lengths: Full lengths of the grid along x and y. Unit: m.
        collides: Whether it collides with other colliding solids; needs a material. Default: false.
        collides_with: Collision groups it collides with, if they also collide with its own; an empty list:
            none. Default: all.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        density: Density; replaces that of the material. Unit: kg/m³.
        elastic_with: Objects, likewise, with which its contacts follow the law `elastic`. Default: none.
        file: File `.csv` with such rows, or `.png` with a grey picture (black is 0, white 1, its lower edge
            at the smallest y), relative to the model file.
        group: Collision group it belongs to; a model may have at most 32, `default` included. Default:
            `default`.
        heights: Heights along z: rows in the direction of y, each with values in the direction of x.
        ignores: Objects, or instances with all their members, that it does not collide with; `a` or `a[*]`
            for all copies of an instance with `count`, `a[2]` for one. Default: none.
        mass: Mass, spread evenly over the volume; replaces the density of the material. Unit: kg.
        massless: No mass: the shape is for pictures and contacts only. Default: false.
        material: Name of a built-in material or of one in `[materials]`: density, contact, colour.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rigid_with: Objects, likewise, with which its contacts follow the law `rigid`, whatever `contact` or
            the pair of materials says. Default: none.
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        scale: Factor on the heights. Unit: m. Default: 1.
        smoothing: Radius that rounds edges and corners for contacts, inside the outer dimensions. Unit: m.
            Default: a tenth of the smallest dimension, at most 1 mm.
        thickness: Distance from the lowest height to the plane that closes it below. Unit: m. Default: 1.
        visible: Whether pictures show it. Default: true.
        """
        return given({"shape": "height_field", "lengths": lengths, "collides": collides, "collides_with": collides_with, "color": color, "density": density, "elastic_with": elastic_with, "file": file, "group": group, "heights": heights, "ignores": ignores, "mass": mass, "massless": massless, "material": material, "r": r, "rigid_with": rigid_with, "rotation": rotation, "scale": scale, "smoothing": smoothing, "thickness": thickness, "visible": visible})


class visual:
    """Shapes that are only drawn."""

    @staticmethod
    def sphere(
        *,
        diameter: Number,
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Sphere.

        diameter: Diameter. Unit: m.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "sphere", "diameter": diameter, "color": color, "r": r, "rotation": rotation})

    @staticmethod
    def ellipsoid(
        *,
        lengths: Sequence[Number],
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Ellipsoid.

        lengths: Full lengths along x, y and z. Unit: m.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "ellipsoid", "lengths": lengths, "color": color, "r": r, "rotation": rotation})

    @staticmethod
    def box(
        *,
        lengths: Sequence[Number],
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Box.

        lengths: Full lengths along x, y and z. Unit: m.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "box", "lengths": lengths, "color": color, "r": r, "rotation": rotation})

    @staticmethod
    def cylinder(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        inner_diameter: Number | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Cylinder, hollow when an inner diameter is given. In contacts a hollow one is exactly round for
        spheres smaller than its bore. For everything else it is a ring of convex sectors, whose bore is a
        polygon of at least 32 sides, round within 0.25 % of its radius: small bodies roll over its flats,
        not with the period of a round bore. Its outside turns with the contact like that of a full
        cylinder, on polygons of at least 128 sides: it rolls as on a circle.

        diameter: Diameter. Unit: m.
        length: Length along the axis. Unit: m.
        axis: Axis of the shape. Default: z.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        inner_diameter: Diameter of the bore. Unit: m. Default: 0.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "cylinder", "diameter": diameter, "length": length, "axis": axis, "color": color, "inner_diameter": inner_diameter, "r": r, "rotation": rotation})

    @staticmethod
    def cone(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        top_diameter: Number | None = None,
    ) -> dict[str, Any]:
        """Cone or, with a top diameter, frustum. The centre of its base is the origin of its frame; it grows
        along the axis.

        diameter: Diameter. Unit: m.
        length: Length along the axis. Unit: m.
        axis: Axis of the shape. Default: z.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        top_diameter: Diameter at the top. Unit: m. Default: 0.
        """
        return given({"shape": "cone", "diameter": diameter, "length": length, "axis": axis, "color": color, "r": r, "rotation": rotation, "top_diameter": top_diameter})

    @staticmethod
    def capsule(
        *,
        diameter: Number,
        length: Number,
        axis: str | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Cylinder with half spheres at both ends.

        diameter: Diameter. Unit: m.
        length: Length of the cylindrical part. Unit: m.
        axis: Axis of the shape. Default: z.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "capsule", "diameter": diameter, "length": length, "axis": axis, "color": color, "r": r, "rotation": rotation})

    @staticmethod
    def beam(
        *,
        length: Number,
        width: Number,
        thickness: Number,
        axis: str | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
    ) -> dict[str, Any]:
        """Flat link: a box with a half cylinder at both ends, whose axes may be those of two hinges.

        length: Distance of the axes of the half cylinders. Unit: m.
        width: Width, the diameter of the half cylinders. Unit: m.
        thickness: Thickness. Unit: m.
        axis: Direction of the length; width and thickness follow along the next axes in the order x, y, z,
            x. Default: x.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        """
        return given({"shape": "beam", "length": length, "width": width, "thickness": thickness, "axis": axis, "color": color, "r": r, "rotation": rotation})

    @staticmethod
    def mesh(
        *,
        file: str,
        color: Union[str, Sequence[Number]] | None = None,
        convex_parts: Union[Number, ConvexParts] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        scale: Union[Number, Sequence[Number]] | None = None,
    ) -> dict[str, Any]:
        """Triangle mesh, in the coordinates of its file. It must be closed to have a volume. In contacts its
        convex hull stands for it, or convex parts.

        file: File `.stl` (binary or text) or `.obj`, relative to the model file.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        convex_parts: What stands for the mesh in contacts: its convex hull (1), at most so many convex
            parts, or as many as keep its surface. Default: 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        scale: Factor, or factors along x, y and z; 0.001 for files in millimetres. Default: 1.
        """
        return given({"shape": "mesh", "file": file, "color": color, "convex_parts": convex_parts, "r": r, "rotation": rotation, "scale": scale})

    @staticmethod
    def half_space(
        *,
        axis: str | None = None,
        color: Union[str, Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        size: Number | None = None,
    ) -> dict[str, Any]:
        """Ground without end: everything on the negative side of a plane through its origin. It has no mass.

        axis: Outward normal of the plane. Default: z.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        size: Edge length of the piece that pictures show. Unit: m. Default: 10.
        """
        return given({"shape": "half_space", "axis": axis, "color": color, "r": r, "rotation": rotation, "size": size})

    @staticmethod
    def height_field(
        *,
        lengths: Sequence[Number],
        color: Union[str, Sequence[Number]] | None = None,
        file: str | None = None,
        heights: Sequence[Sequence[Number]] | None = None,
        r: Sequence[Number] | None = None,
        rotation: Union[Sequence[Number], Rotation] | None = None,
        scale: Number | None = None,
        thickness: Number | None = None,
    ) -> dict[str, Any]:
        """Ground with heights over a grid, centred at its origin. Either `heights` or `file`. It has no mass.

        lengths: Full lengths of the grid along x and y. Unit: m.
        color: Colour in pictures: `"#rrggbb"`, `"#rrggbbaa"`, a CSS name, or `[red, green, blue, opacity]`
            between 0 and 1.
        file: File `.csv` with such rows, or `.png` with a grey picture (black is 0, white 1, its lower edge
            at the smallest y), relative to the model file.
        heights: Heights along z: rows in the direction of y, each with values in the direction of x.
        r: Position of the origin. Unit: m. Default: [0, 0, 0].
        rotation: Orientation: Cardan angles `[a, b, c]` about x, then the new y, then the new z; or a
            table. Unit: rad. Default: none.
        scale: Factor on the heights. Unit: m. Default: 1.
        thickness: Distance from the lowest height to the plane that closes it below. Unit: m. Default: 1.
        """
        return given({"shape": "height_field", "lengths": lengths, "color": color, "file": file, "heights": heights, "r": r, "rotation": rotation, "scale": scale, "thickness": thickness})
