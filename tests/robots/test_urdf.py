"""Every URDF of example-robot-data moves as Pinocchio and MuJoCo say."""

import random
import re
import subprocess
import zlib

import numpy as np
import scipy.integrate

import tables
from found import urdf_robots
from packed import Packed
from urdf_oracle import MuJoCo, Pinocchio, Robot

ROBOTS = urdf_robots()
# Robots of the quick run: mimic joints, meshes in all formats, repaired inertias, branches, prismatic joints.
FEW = ["alex/alex_sake_hands", "allegro_hand/allegro_left_hand", "b1/b1", "pr2/pr2", "double_pendulum/double_pendulum"]
EMPTY = {"ur/ur3"}  # without a link
HEADING = ["robot", "links", "joints", "degrees of freedom", "Pinocchio: accelerations, 1 s", "MuJoCo: accelerations, 1 s", "not taken over, or not as it stands"]
STATES = 10
ACCELERATION, MOTION = 1e-8, 1e-6
# Free motion is compared after the longest of these times \[s\] in which a change of the start by NUDGE grows to less than
# GROWN: some robots are chaotic, and no two integrators agree for long.
DURATIONS = (1.0, 0.5, 0.2, 0.1)
NUDGE, GROWN = 1e-10, 1e-7


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        everything = metafunc.config.getoption("--all-robots")
        metafunc.parametrize("name", [n for n in ROBOTS if n not in EMPTY and (everything or n in FEW)])


def random_state(robot, rng, speed=1.0):
    leaders = robot.leaders()
    q = {name: rng.uniform(*robot.joints[name]["range"]) for name in leaders}
    v = {name: speed * rng.uniform(-1, 1) for name in leaders}
    return robot.expand(q, v)


def difference(ours, theirs):
    """Largest difference relative to the largest value."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    return float(np.max(np.abs(ours - theirs)) / max(1.0, np.max(np.abs(theirs)))) if len(ours) else 0.0


def motion(oracle, robot, state, durations, is_steep=False):
    """Positions of all joints after some times, by an integrator of the oracle's own."""
    leaders, names = robot.leaders(), robot.names()
    picks = [names.index(name) for name in leaders]

    def rates(_, y):
        q, v = dict(zip(leaders, y[: len(leaders)])), dict(zip(leaders, y[len(leaders) :]))
        expanded = robot.expand(q, v)
        a = oracle.accelerations([expanded[name] for name in names], with_friction=False)
        return np.concatenate([y[len(leaders) :], a[picks]])

    start = np.array([state[n][0] for n in leaders] + [state[n][1] for n in leaders])
    times = sorted(durations)
    method = {"method": "LSODA", "rtol": 1e-12, "atol": 1e-13} if is_steep else {"method": "DOP853", "rtol": 1e-11, "atol": 1e-12}
    solved = scipy.integrate.solve_ivp(rates, (0, times[-1]), start, t_eval=times, **method)
    assert solved.success
    found = {}
    for time, end in zip(times, solved.y.T):
        expanded = robot.expand(dict(zip(leaders, end)), dict(zip(leaders, end[len(leaders) :])))
        found[time] = [expanded[name][0] for name in names]
    return found


def called(name):
    return re.sub(r"\W", "_", name)


def test_robot_moves_as_the_oracles_say(name, mbfmu, tmp_path, pytestconfig):
    path = ROBOTS[name]
    robot = Robot(path)
    rng = random.Random(zlib.crc32(name.encode()))
    model = Packed(mbfmu, path, tmp_path / "model", "--drive", "none", "--no-limits", "--shapes", "none")
    names = robot.names()
    ours = {original: new for original, new in zip(names, map(called, names))}
    missing = [new for new in ours.values() if new not in model.joints]
    renamed = {original: new + "_joint" for original, new in ours.items() if new in missing}
    ours.update(renamed)
    assert sorted(ours.values()) == sorted(model.joints)
    pinocchio = Pinocchio(robot)
    mujoco, why_not = None, "follows joints"
    if len(robot.leaders()) == len(names):
        try:
            mujoco = MuJoCo(robot)
        except ValueError as error:
            why_not = "refuses it: " + str(error).splitlines()[0].removeprefix("Error: ")
    of_pinocchio, of_mujoco = [], []
    for _ in range(STATES if names else 0):
        state = random_state(robot, rng)
        model.start({ours[n]: values for n, values in state.items()})
        found = model.accelerations()
        found = [found[ours[n]] for n in names]
        values = [state[n] for n in names]
        of_pinocchio.append(difference(found, pinocchio.accelerations(values)))
        if mujoco:
            of_mujoco.append(difference(found, mujoco.accelerations(values)))
    assert max(of_pinocchio, default=0) < ACCELERATION
    assert max(of_mujoco, default=0) < ACCELERATION
    model.close()
    duration = 1.0
    if names:
        duration, with_pinocchio, with_mujoco = free_motion(mbfmu, path, tmp_path, robot, ours, pinocchio, mujoco, rng)
        assert with_pinocchio < MOTION, f"positions differ from those of Pinocchio by {with_pinocchio:.1e}"
        assert with_mujoco is None or with_mujoco < MOTION, f"positions differ from those of MuJoCo by {with_mujoco:.1e}"
    agrees = f"{ACCELERATION:.0e}, {MOTION:.0e}".replace("e-0", "e-") + (f" after {duration} s" if duration < 1 else "")
    with_dampers = agrees
    if mujoco and names and with_mujoco is None:
        with_dampers = agrees.split(",")[0] + ", dampers too steep for Runge-Kutta"
    moving = len(robot.leaders())
    line = tables.row(
        [name, robot.links, robot.total_joints, moving, agrees if names else "nothing moves",
         (with_dampers if mujoco else why_not) if names else "nothing moves", summary(mbfmu, path, tmp_path)]
    )
    tables.keep("urdf", HEADING, name, line, pytestconfig.getoption("--update-table"))


def without_friction(path, folder):
    """The file with dry friction set to zero: it is too steep for the integrators of the oracles."""
    text, _ = re.subn(r'(<dynamics[^>]*\bfriction\s*=\s*")[^"]*"', r'\g<1>0"', path.read_text())
    file = folder / path.name
    file.write_text(text)
    return file


def fastest_damper(robot, pinocchio, state):
    """The largest rate at which a damper slows what it damps [1/s]."""
    values = [state[name] for name in robot.names()]
    before = [joint["damping"] for joint in robot.joints.values()]
    rates = []
    for index, joint in enumerate(robot.joints.values()):
        nudged = [(q, v + (1.0 if i == index else 0.0)) for i, (q, v) in enumerate(values)]
        with_damper = pinocchio.accelerations(nudged, with_friction=False)[index]
        joint["damping"] = 0.0
        rates.append(abs(with_damper - pinocchio.accelerations(nudged, with_friction=False)[index]))
        joint["damping"] = before[index]
    return max(rates)


def free_motion(mbfmu, path, folder, robot, ours, pinocchio, mujoco, rng):
    state = random_state(robot, rng, speed=0.1)
    for joint in robot.joints.values():
        joint["friction"] = 0.0
    rate = fastest_damper(robot, pinocchio, state)
    file = without_friction(path, folder)
    model = Packed(mbfmu, file, folder / "free", "--drive", "none", "--no-limits", "--shapes", "none")
    names = robot.names()
    exact = motion(pinocchio, robot, state, DURATIONS, rate > 500)
    leaders = {n: (state[n][0] + NUDGE * rng.uniform(-1, 1), state[n][1]) for n in robot.leaders()}
    nudged = robot.expand({n: q for n, (q, _) in leaders.items()}, {n: v for n, (_, v) in leaders.items()})
    changed = motion(pinocchio, robot, nudged, DURATIONS, rate > 500)
    duration = next(time for time in DURATIONS if difference(changed[time], exact[time]) < GROWN)
    model.start({ours[n]: values for n, values in state.items()}, tolerance=1e-11)
    model.advance(duration)
    found = model.positions()
    model.close()
    found = [found[ours[n]] for n in names]
    with_pinocchio = difference(found, exact[duration])
    # Runge-Kutta of fourth order is stable up to 2.7.
    steps = [step for step in (1e-3, 1e-4, 1e-5) if step * rate < 1] if mujoco else []
    with_mujoco = None
    for step in steps:
        with_mujoco = difference(found, mujoco.positions_after([state[n] for n in names], duration, step))
        if with_mujoco < MOTION:
            break
    return duration, with_pinocchio, with_mujoco


def summary(mbfmu, path, folder):
    """What the importer says with everything taken over, shortened."""
    ran = subprocess.run([mbfmu, "import", path, "-o", folder / "whole"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    kinds = {}
    for note in (line[6:] for line in ran.stderr.splitlines() if line.startswith("note: ")):
        element, _, message = note.partition(": ")[2].partition(": ")
        count = int(m.group(1)) if (m := re.search(r"\((\d+) times\)", element)) else 1
        tag = re.sub(r'^<(\w+).*|^(\w+).*', lambda m: m.group(1) or m.group(2), element)
        short = "repaired inertia" if "repaired" in message else "no mass to move" if "has no mass" in message else (
            "mesh" if "the mesh" in message else "limit" if "limit" in message else tag)
        kinds[short] = kinds.get(short, 0) + count
    return ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or "nothing"


def test_a_robot_without_links_is_refused(mbfmu, tmp_path):
    ran = subprocess.run([mbfmu, "check", ROBOTS["ur/ur3"]], capture_output=True, text=True)
    assert ran.returncode == 1 and "the robot has no links" in ran.stderr, ran.stderr


def test_robot_checks_and_packs_with_its_shapes(name, mbfmu, tmp_path):
    ran = subprocess.run([mbfmu, "check", ROBOTS[name]], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    ran = subprocess.run([mbfmu, "pack", ROBOTS[name], "-o", tmp_path / "robot.fmu"], capture_output=True, text=True)
    assert ran.returncode == 0 and "cannot be initialized" not in ran.stderr, ran.stderr
