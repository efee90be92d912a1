#!/usr/bin/env python3
"""The same scenes in mbfmu, MuJoCo, Drake and Rapier: processor time beside error, as Markdown tables. See README.md."""

import argparse
import contextlib
import dataclasses
import functools
import importlib.metadata
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import mujoco
import numpy as np
from pydrake.geometry import AddContactMaterial, Box, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
G = 9.81

# Samples of piles: for the energy on a grid that all steps divide, for the penetration finer where the steps allow it.
COARSE, FINE = 2e-3, 5e-4


# Time: the best of several runs, of which long ones are not repeated.


def best(run, rounds):
    """The smallest of the seconds that `run()` returns first, and all of what its first run returned."""
    first = run()
    seconds = first[0]
    for _ in range(rounds - 1):
        if seconds > 5:
            break
        seconds = min(seconds, run()[0])
    return seconds, *first[1:]


def child(command, text=None):
    """Output of a program, and the processor seconds of its process."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as given:
        given.write(text or "")
        given.seek(0)
        process = subprocess.Popen([str(part) for part in command], stdin=given, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"failed: {' '.join(map(str, command))}")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime


# Scenes of balls and fixed boxes.


@dataclasses.dataclass
class Scene:
    """Balls [radius, centre] and fixed boxes [half lengths, centre], all of one material."""

    model: pathlib.Path
    ball: str  # the variables of the balls in mbfmu, as a pattern
    duration: float
    density: float
    friction: float
    restitution: float
    speed: float  # of the impacts for which peers with springs and dampers are adjusted
    radius: float
    centres: np.ndarray
    boxes: list

    @property
    def mass(self):
        return self.density * 4 / 3 * math.pi * self.radius**3


def sphere_pile(folder, n, duration):
    """fmus/SpherePile: its formulas for the start, its material DryWood."""
    d = 0.04
    columns = math.ceil(n ** (1 / 3) - 1e-9)
    pitch = 1.25 * d
    inner, height, wall = (columns + 0.5) * pitch, 0.55 * (columns + 1) * pitch, d
    i = np.arange(1, n + 1)
    centres = np.stack(
        [
            ((i - 1) % columns - (columns - 1) / 2) * pitch + 0.1 * d * np.sin(12.99 * i),
            ((i - 1) // columns % columns - (columns - 1) / 2) * pitch + 0.1 * d * np.sin(78.23 * i),
            ((i - 1) // columns**2 + 1) * pitch + 0.05 * d * np.sin(37.72 * i),
        ],
        axis=1,
    )
    long, far = inner / 2 + wall, (inner + wall) / 2
    boxes = [([long, long, wall / 2], [0, 0, -wall / 2])]
    boxes += [([wall / 2, long, height / 2], [side * far, 0, height / 2]) for side in (-1, 1)]
    boxes += [([long, wall / 2, height / 2], [0, side * far, height / 2]) for side in (-1, 1)]
    # Variables are those of the copies that the default of n gives.
    text = (ROOT / "fmus/SpherePile/model.toml").read_text()
    model = folder / f"pile-{n}"
    model.mkdir(exist_ok=True)
    (model / "model.toml").write_text(text.replace("n = { value = 100,", f"n = {{ value = {n},"))
    return Scene(model, "sphere*.ball", duration, 700, 0.3, 0.6, 1.0, d / 2, centres, boxes)


BOUNCE = """
name = "Bounce"
gravity = [0, 0, -9.81]
experiment = { stop = 0.9, tolerance = 1e-6 }
contact = { law = "LAW" }

[objects.floor]
fixed = true
r = [0, 0, -0.5]
solid = { shape = "box", lengths = [2, 2, 1], material = "Steel", massless = true, collides = true }

[objects.ball]
free = true
r = [0, 0, 1.1]
solid = { shape = "sphere", diameter = 0.2, material = "Steel", collides = true }
"""


def bounce(folder, law):
    """A steel ball falls 1 m."""
    model = folder / f"bounce-{law}"
    model.mkdir(exist_ok=True)
    (model / "model.toml").write_text(BOUNCE.replace("LAW", law))
    speed = math.sqrt(2 * G)
    return Scene(model, "ball", 0.9, 8000, 0.5, 0.7, speed, 0.1, np.array([[0, 0, 1.1]]), [([1, 1, 0.5], [0, 0, -0.5])])


# Springs and dampers that rebound as a coefficient of restitution says.


def bisect(function, low, high):
    """Where an increasing function is zero."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def damping_ratio(restitution):
    """Of a linear spring and damper that push and never pull."""

    def rebound(zeta):
        root = math.sqrt(1 - zeta**2)
        return math.exp(-zeta / root * (math.pi - math.atan2(2 * zeta * root, 1 - 2 * zeta**2)))

    return bisect(lambda zeta: restitution - rebound(zeta), 1e-9, 0.7)


def hunt_crossley(restitution, speed):
    """The dissipation d [s/m] of the force k x (1 + d x')."""

    def excess(d):
        return d * speed * (1 + restitution) - math.log((1 + d * speed) / (1 - restitution * d * speed))

    return bisect(lambda d: -excess(d), 1e-9, (1 - 1e-12) / (restitution * speed))


# Programs. Each returns the processor seconds of a run without its preparation, and samples: an array of times x balls x
# [position, velocity, angular velocity]. Without `every` there is one sample, at the end, and nothing but the run is timed.


class Mbfmu:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def run(self, model, outputs, stop, step, tolerance):
        """Seconds, the header and the table of results, counters. Both times bound what the integration took."""
        result = self.folder / "result.csv"
        command = [self.command, "simulate", model, "--threads", "1", "--stats", "--stop", stop, "--step", step, "--tolerance", tolerance]
        command += ["--outputs", outputs, "-o", result]
        printed, seconds = child(command)
        stats = json.loads(printed.strip().splitlines()[-1])
        with open(result) as file:
            header = file.readline().strip().split(",")
            table = np.loadtxt(file, delimiter=",", ndmin=2)
        return min(seconds, stats["wall_seconds_integration"]), header, table, stats

    def balls(self, scene, tolerance, every=None):
        outputs = ",".join(f"{scene.ball}.{name}_abs" for name in "rvw")
        outputs = outputs if every else outputs.split(",")[0]
        step = every or 0.01
        seconds, header, table, stats = self.run(scene.model, outputs, scene.duration, step, tolerance)
        if not every:
            return seconds, None, stats
        columns = {name: k for k, name in enumerate(header)}
        names = dict.fromkeys(name[: name.index(".r_abs")] for name in header if ".r_abs" in name)
        order = [columns[f"{name}.{which}_abs[{k}]"] for name in names for which in "rvw" for k in (1, 2, 3)]
        return seconds, table[:, order].reshape(len(table), len(scene.centres), 9), stats


def mujoco_balls(scene, step, solref, integrator="Euler", every=None, solimp="0.9 0.95 0.001 0.5 2"):
    def numbers(values):
        return " ".join(f"{value:.17g}" for value in values)

    geoms = "".join(f'<geom type="box" size="{numbers(h)}" pos="{numbers(c)}"/>' for h, c in scene.boxes)
    ball = f'<freejoint/><geom type="sphere" size="{scene.radius}" density="{scene.density}"/>'
    bodies = "".join(f'<body pos="{numbers(centre)}">{ball}</body>' for centre in scene.centres)
    # Of its solvers and cones of friction, the fastest pair for piles.
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
        <option timestep="{step}" gravity="0 0 {-G}" integrator="{integrator}" solver="CG" cone="elliptic"/>
        <size memory="1G"/>
        <default><geom friction="{scene.friction} 0 0" solref="{numbers(solref)}" solimp="{solimp}"/></default>
        <worldbody>{geoms}{bodies}</worldbody></mujoco>""")
    data = mujoco.MjData(model)

    def sample():
        # What a run ends with is not a state: positions and velocities are.
        q, v = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
        return np.hstack([q[:, :3], v])

    every = every or scene.duration
    samples = [sample()]
    begin = time.process_time()
    for _ in range(round(scene.duration / every)):
        mujoco.mj_step(model, data, round(every / step))
        samples.append(sample())
    return time.process_time() - begin, np.array(samples)


def drake_balls(scene, step, stiffness, solver, accuracy=None, every=None):
    """`solver` is an approximation of discrete contact, or "cenic" with an accuracy and `step` as its longest step."""
    builder = DiagramBuilder()
    continuous = solver == "cenic"
    config = MultibodyPlantConfig(time_step=0 if continuous else step, contact_model="point")
    if not continuous:
        config.discrete_contact_approximation = solver
    plant, _ = AddMultibodyPlant(config, builder)
    properties = ProximityProperties()
    # Two equal springs in series.
    AddContactMaterial(
        dissipation=hunt_crossley(scene.restitution, scene.speed),
        point_stiffness=2 * stiffness,
        friction=CoulombFriction(scene.friction, scene.friction),
        properties=properties,
    )
    for k, (half, centre) in enumerate(scene.boxes):
        shape = Box(*(2 * np.array(half)))
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(centre), shape, f"box{k}", properties)
    inertia = SpatialInertia.SolidSphereWithMass(scene.mass, scene.radius)
    for k in range(len(scene.centres)):
        body = plant.AddRigidBody(f"ball{k}", inertia)
        plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(scene.radius), f"ball{k}", properties)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
    plant.Finalize()
    simulator = Simulator(builder.Build())
    if continuous:
        scheme = SimulatorConfig(
            integration_scheme="cenic", max_step_size=step, accuracy=accuracy, use_error_control=True
        )
        ApplySimulatorConfig(scheme, simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    q = np.zeros((len(scene.centres), 7))
    q[:, 0], q[:, 4:] = 1, scene.centres
    plant.SetPositions(context, q.ravel())
    simulator.Initialize()

    def sample():
        q, v = plant.GetPositions(context).reshape(-1, 7), plant.GetVelocities(context).reshape(-1, 6)
        return np.hstack([q[:, 4:], v[:, 3:], v[:, :3]])

    every = every or scene.duration
    samples = [sample()]
    begin = time.process_time()
    for k in range(1, round(scene.duration / every) + 1):
        simulator.AdvanceTo(k * every)
        samples.append(sample())
    return time.process_time() - begin, np.array(samples)


class Rapier:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def balls(self, scene, step, every=None):
        lines = [f"gravity 0 0 {-G}", f"material {scene.density} {scene.friction} {scene.restitution}"]
        lines += [
            "box " + " ".join(map(repr, [*map(float, half), *map(float, centre)])) for half, centre in scene.boxes
        ]
        lines += ["ball " + " ".join(map(repr, [scene.radius, *map(float, centre)])) for centre in scene.centres]
        output = self.folder / "samples"
        command = [self.command, step, round(scene.duration / step), round(every / step) if every else 0, output]
        printed, seconds = child(command, "\n".join(lines))
        samples = np.fromfile(output).reshape(-1, len(scene.centres), 9)
        return min(seconds, float(printed)), samples


# What the tables show.


def penetration(scene, samples):
    """The deepest one of all samples, of balls with each other and with boxes [radii]."""
    deepest = -math.inf
    above = np.triu_indices(len(scene.centres), 1)
    for positions in samples[:, :, :3]:
        squares = np.sum(positions**2, axis=1)
        distances = squares[:, None] + squares[None] - 2 * positions @ positions.T
        if len(above[0]):
            deepest = max(deepest, 2 * scene.radius - math.sqrt(max(distances[above].min(), 0)))
        for half, centre in scene.boxes:
            beyond = np.abs(positions - centre) - half
            distance = np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)
            deepest = max(deepest, scene.radius - distance.min())
    return deepest / scene.radius


def kinetic(scene, samples):
    v, w = samples[:, :, 3:6], samples[:, :, 6:9]
    return scene.mass * np.sum(v**2 / 2 + 0.2 * scene.radius**2 * w**2, axis=(1, 2))


def pile_figures(scene, samples, every):
    """Penetration [radii], kinetic energy at the end [J], gain of energy [initial potential energy], balls that got out."""
    coarse = samples[:: round(COARSE / every)]
    energies = kinetic(scene, coarse) + scene.mass * G * np.sum(coarse[:, :, 2] - scene.radius, axis=1)
    gain = np.max(energies - np.minimum.accumulate(energies))
    edge = scene.boxes[0][0][0]
    end = samples[-1, :, :3]
    out = np.count_nonzero((np.abs(end[:, :2]).max(axis=1) > edge) | (end[:, 2] < 0))
    return penetration(scene, samples), kinetic(scene, samples[-1:])[0], gain / energies[0], out


def table(title, header, rows):
    print(f"\n{title}\n\n| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    sys.stdout.flush()


def note(text):
    print(text, file=sys.stderr, flush=True)


def digits(value):
    """Two of them, or all before the point."""
    if value and not 1e-3 <= abs(value) < 1e6:
        return f"{value:.1e}"
    return f"{value:.2g}" if abs(value) < 100 else f"{value:.0f}"


def pile(programs, n, duration, tolerances, accuracies, rounds, limit):
    """The pile of spheres. The motion is chaotic: no error of it, but what must hold whatever the motion is."""
    mbfmu, rapier = programs
    scene = sphere_pile(mbfmu.folder, n, duration)
    # As long as those of the model with its k_red = 1e-3 at 1 m/s, and longer where steps would not resolve them.
    contact = 2.3e-3
    zeta = damping_ratio(scene.restitution)
    stiffness = scene.mass / 2 * (math.pi / contact) ** 2
    cases = []
    for tolerance in tolerances:
        cases.append(("mbfmu", f"tolerance {tolerance:g}", None, functools.partial(mbfmu.balls, scene, tolerance)))
    for step in (2e-3, 5e-4, 1e-4):
        name = f"step {step * 1e3:g} ms"
        if step == 2e-3:
            run = functools.partial(mujoco_balls, scene, step, (0.02, 1), "Euler")
            cases.append(("MuJoCo", f"{name}, default contacts (no rebound)", step, run))
        lasting = max(contact, 8 * step)
        solref = (lasting / math.pi / zeta, zeta)
        run = functools.partial(mujoco_balls, scene, step, solref, "Euler")
        cases.append(("MuJoCo", f"{name}, contacts of {lasting * 1e3:g} ms", step, run))
    for step in (2e-3, 5e-4, 1e-4):
        run = functools.partial(drake_balls, scene, step, stiffness, "lagged", None)
        cases.append(("Drake, discrete", f"step {step * 1e3:g} ms", step, run))
    for accuracy in accuracies:
        run = functools.partial(drake_balls, scene, 1e-2, stiffness, "cenic", accuracy)
        cases.append(("Drake, CENIC", f"accuracy {accuracy:g}", None, run))
    for step in (2e-3, 5e-4, 1e-4):
        run = functools.partial(rapier.balls, scene, step)
        cases.append(("Rapier", f"step {step * 1e3:g} ms", step, run))

    rows = []
    cost = {}
    for program, setting, step, run in cases:
        # As many times longer as there are steps.
        expected = cost.get(program, 0) / (step or 1)
        if expected > limit:
            rows.append([program, setting, f"not run, about {expected:.0f} s", "", "", "", ""])
            continue
        every = max(step or 0, FINE)
        seconds, samples, *rest = run(every)
        # Samples cost time. Longer runs are not repeated without them.
        if seconds < 20:
            seconds = best(functools.partial(run, None), rounds)[0]
        note(f"pile of {n}: {program}, {setting}: {seconds:.3g} s")
        depth, energy, gain, out = pile_figures(scene, samples, every)
        impacts = f"{rest[0]['events'] // 2}" if rest else ""
        left = f"; {out} balls got out" if out else ""
        row = [f"{digits(seconds)} s", f"{100 * depth:.2g} %", f"{digits(energy)} J", f"{100 * gain:.2g} %", impacts]
        rows.append([program, setting + left, *row])
        cost[program] = seconds * (step or 0)
    header = ["program", "setting", "processor time", "deepest penetration / radius", "kinetic energy at the end"]
    header += ["largest gain of mechanical energy", "contacts resolved"]
    table(f"### {n} spheres fall into a box, {duration:g} s", header, rows)


def bouncing(programs, folder, rounds):
    """A bouncing ball: with instantaneous impacts its motion is known in closed form."""
    mbfmu, rapier = programs
    scene = bounce(folder, "elastic")
    e, duration = scene.restitution, scene.duration
    # Start of the second flight, and the height in it.
    start = math.sqrt(2 / G)
    exact = e * scene.speed * (duration - start) - G / 2 * (duration - start) ** 2
    every = 0.1

    def errors(samples):
        z, v = samples[:, 0, 2] - scene.radius, samples[:, 0, 5]
        rebound = math.sqrt(max(v[7] ** 2 + 2 * G * z[7], 0)) / scene.speed
        return abs(rebound / e - 1), abs(z[-1] - exact)

    rows = []

    def case(program, setting, run):
        off = errors(run(every)[1])
        seconds = best(functools.partial(run, None), rounds)[0]
        rows.append([program, setting, f"{digits(seconds * 1e3)} ms", f"{off[0]:.1e}", f"{digits(off[1] * 1e3)} mm"])

    def best_contact(program, setting, lasting, run):
        """The duration of contacts with the smallest errors: each program at its best."""

        def score(contact):
            rebound, height = errors(run(contact, every)[1])
            return max(rebound, height / exact)

        found = [(score(contact), contact) for contact in lasting]
        contact = min(found)[1]
        case(program, f"{setting}, contacts of {contact * 1e3:.3g} ms", functools.partial(run, contact))

    for law in ("rigid", "elastic"):
        model = bounce(folder, law)
        for tolerance in (1e-4, 1e-6, 1e-8):
            run = functools.partial(mbfmu.balls, model, tolerance)
            case(f"mbfmu, {law} law", f"tolerance {tolerance:g}", run)
    zeta = damping_ratio(e)
    steps = (2e-3, 5e-4, 1e-4, 1e-5)

    def durations(step):
        """Of contacts: six steps or more, and up to 20 ms, in which the ball sinks in by a quarter of its radius."""
        return [k * step for k in (6, 8, 10, 16, 24, 32, 40, 64, 96, 128, 192, 256) if k * step <= 0.0201]

    for integrator in ("Euler", "RK4"):
        for step in steps:

            def soft(contact, every, step=step, integrator=integrator):
                solref = (contact / math.pi / zeta, zeta)
                return mujoco_balls(scene, step, solref, integrator, every, "0.9999 0.9999 0.001 0.5 2")

            best_contact(f"MuJoCo, {integrator}", f"step {step * 1e3:g} ms", durations(step), soft)

    def compliant(contact, every, step, solver, accuracy=None):
        return drake_balls(scene, step, scene.mass * (math.pi / contact) ** 2, solver, accuracy, every)

    for step in steps:
        run = functools.partial(compliant, step=step, solver="lagged")
        best_contact("Drake, discrete", f"step {step * 1e3:g} ms", durations(step), run)
    for accuracy in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        run = functools.partial(compliant, step=1e-2, solver="cenic", accuracy=accuracy)
        best_contact("Drake, CENIC", f"accuracy {accuracy:g}", (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4), run)
    for step in steps:
        case("Rapier", f"step {step * 1e3:g} ms", functools.partial(rapier.balls, scene, step))
    header = ["program", "setting", "processor time", "relative error of the speed after the impact"]
    table(
        "### A ball falls 1 m and bounces once, 0.9 s, restitution 0.7",
        [*header, "error of the height at the end"],
        rows,
    )


# Smooth mechanisms: the same masses by `mbfmu export`, the same start values.


def key(name):
    return re.sub(r"\W", "_", name.removesuffix(".phi"))


def mujoco_mechanism(file, start, stop, step, integrator="RK4"):
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.__members__["mjINT_" + integrator.upper()]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    where = {model.joint(j).name: model.jnt_qposadr[j] for j in range(model.njnt)}
    for name, value in start.items():
        data.qpos[where[name]] = value
    begin = time.process_time()
    mujoco.mj_step(model, data, round(stop / step))
    return time.process_time() - begin, {name: data.qpos[where[name]] for name in start}


def drake_mechanism(file, start, stop, scheme, accuracy):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlant(MultibodyPlantConfig(time_step=0), builder)
    Parser(plant).AddModels(str(file))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("world_link"))
    plant.mutable_gravity_field().set_gravity_vector([0, -G, 0])
    plant.Finalize()
    simulator = Simulator(builder.Build())
    config = SimulatorConfig(integration_scheme=scheme, max_step_size=0.1, accuracy=accuracy, use_error_control=True)
    ApplySimulatorConfig(config, simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    joints = {name: plant.GetJointByName(name) for name in start}
    for name, value in start.items():
        joints[name].set_angle(context, value)
    simulator.Initialize()
    begin = time.process_time()
    simulator.AdvanceTo(stop)
    return time.process_time() - begin, {name: joint.get_angle(context) for name, joint in joints.items()}


def mechanism(mbfmu, folder, name, stop, cases, targets, rounds):
    """Processor time at equal error of the joint angles at the end."""
    model = ROOT / "fmus" / name
    files = {}
    for kind in ("xml", "urdf"):
        files[kind] = folder / f"{name}.{kind}"
        with contextlib.suppress(FileNotFoundError):
            files[kind].unlink()
        done = subprocess.run(
            [mbfmu.command, "export", model, "-o", files[kind]], capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.stderr)

    def own(tolerance):
        seconds, header, values, _ = mbfmu.run(model, "*.phi", stop, stop, tolerance)
        angles = [{key(name): value for name, value in zip(header[1:], row[1:])} for row in values]
        return seconds, angles[-1], angles[0]

    _, reference, start = own(1e-12)
    implicit = functools.partial(mujoco_mechanism, files["xml"], start, stop, integrator="implicit")
    runs = {
        "mbfmu": (own, "tolerance"),
        "MuJoCo, RK4": (functools.partial(mujoco_mechanism, files["xml"], start, stop), "step"),
        "MuJoCo, implicit": (implicit, "step"),
    }
    for scheme, label in (("runge_kutta3", "RK3"), ("runge_kutta5", "RK5"), ("radau3", "Radau 3")):
        runs[f"Drake, {label}"] = (functools.partial(drake_mechanism, files["urdf"], start, stop, scheme), "accuracy")

    def distance(a, b):
        values = [abs(a[name] - b[name]) for name in start]
        return max(values) if np.all(np.isfinite(values)) else math.inf

    rows = []
    for program, settings in cases.items():
        run, word = runs[program]
        results = []
        for setting in settings:
            seconds, end, *_ = run(setting)
            error = distance(end, reference)
            results.append((seconds, setting, error))
            note(f"{name}: {program}, {word} {setting:g}: {seconds:.3g} s, {error:.1e} rad")
        row = [program]
        for target in targets:
            met = [result for result in results if result[2] <= target]
            if met:
                _, setting, error = min(met)
                seconds = best(functools.partial(run, setting), rounds)[0]
                text = f"{setting * 1e3:g} ms" if word == "step" else f"{setting:g}"
                row.append(f"{digits(seconds * 1e3)} ms ({word} {text}: {error:.0e})")
            else:
                row.append("not reached")
        # How far its own limit lies from that of mbfmu.
        seconds, setting, error = results[-1]
        text = f"{setting * 1e3:g} ms" if word == "step" else f"{setting:g}"
        rows.append([*row, f"{error:.0e} ({text}, {digits(seconds * 1e3)} ms)"])
    header = ["program", *(f"error ≤ {target:.0e} rad" for target in targets), "error of its finest run"]
    table(f"### {name}: {len(start)} joints, {stop:g} s", header, rows)


def ladder(first, last, per_decade=2):
    """From a power of ten down to another, rounded so that steps divide 1 s."""
    decades = round(math.log10(first / last))
    parts = {1: (1,), 2: (1, 0.4), 3: (1, 0.5, 0.2)}[per_decade]
    return [float(f"{first * 10.0**-k * part:.6g}") for k in range(decades) for part in parts] + [last]


def mechanisms(mbfmu, folder, rounds):
    tolerances = ladder(1e-4, 1e-11)
    accuracies = ladder(1e-2, 1e-11, 1)
    cases = {
        "mbfmu": tolerances,
        "MuJoCo, RK4": ladder(1e-1, 1e-4, 3),
        "MuJoCo, implicit": ladder(1e-3, 1e-6, 1),
        "Drake, RK3": ladder(1e-2, 1e-10, 1),
        "Drake, RK5": accuracies,
        "Drake, Radau 3": ladder(1e-2, 1e-8, 1),
    }
    mechanism(mbfmu, folder, "DoublePendulum", 3, cases, (1e-3, 1e-6, 1e-8), rounds)
    cases |= {"MuJoCo, implicit": ladder(1e-2, 1e-4, 1), "Drake, RK3": ladder(1e-2, 1e-9, 1)}
    cases |= {"Drake, Radau 3": ladder(1e-2, 1e-6, 1)}
    mechanism(mbfmu, folder, "Mobile", 5, cases, (1e-3, 1e-6, 1e-8), rounds)


def rapier_command():
    folder = HERE / "rapier"
    subprocess.run(["cargo", "build", "--quiet", "--release", "--locked"], cwd=folder, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", folder / "target")) / "release" / "rapier-peer"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mbfmu", required=True, help="the command mbfmu")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many runs counts [5]")
    parser.add_argument("--limit", type=float, default=150, help="leave out runs that would take more seconds [150]")
    parser.add_argument("--only", default="mechanisms,bounce,pile,crowd", help="scenes, separated by commas [all]")
    options = parser.parse_args()
    only = options.only.split(",")
    rapier = rapier_command()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        mbfmu = Mbfmu(os.path.abspath(options.mbfmu), folder)
        programs = mbfmu, Rapier(rapier, folder)
        lock = (HERE / "rapier/Cargo.lock").read_text()
        versions = [
            subprocess.run([mbfmu.command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        ]
        versions += [f"{name} {importlib.metadata.version(name)}" for name in ("mujoco", "drake", "numpy")]
        versions.append("rapier3d " + re.search(r'name = "rapier3d"\nversion = "([^"]+)"', lock).group(1))
        print(", ".join(versions) + f"; best of {options.rounds} runs")
        if "mechanisms" in only:
            mechanisms(mbfmu, folder, options.rounds)
        if "bounce" in only:
            bouncing(programs, folder, options.rounds)
        if "pile" in only:
            pile(programs, 100, 2, (1e-3, 1e-4, 1e-6), (1e-3, 1e-5), options.rounds, options.limit)
        if "crowd" in only:
            pile(programs, 1000, 0.3, (1e-3, 1e-4), (1e-3,), options.rounds, options.limit)


if __name__ == "__main__":
    main()
