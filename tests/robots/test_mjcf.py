"""Every MJCF model of three packages loads, or what is missing has a name; it moves as MuJoCo says."""

import random
import re
import subprocess
import zlib

import numpy as np

import tables
from found import mjcf_models
from mjcf_oracle import Oracle
from packed import Packed

MODELS = mjcf_models()
# Of the quick run: several joints in a body, springs, free joints, capsules by two points, slides.
FEW = [f"gymnasium/envs/mujoco/assets/{name}.xml" for name in ("half_cheetah", "humanoid", "ant", "hopper", "swimmer")]
HEADING = ["model", "bodies", "joints", "accelerations, 1 s", "not taken over, or not as it stands"]
STATES = 10
# As in test_urdf.py.
DURATIONS = (1.0, 0.5, 0.2, 0.1)
NUDGE, GROWN = 1e-10, 1e-7
ACCELERATION, MOTION = 1e-8, 1e-6
# Models whose accelerations differ by up to a larger bound, with the reason.
COARSER = {
    "dm_control/locomotion/walkers/assets/build_fruitfly/assets/drosophila_fused.xml": (
        2e-7,
        "MuJoCo turns the principal axes of nearly round meshes by some 1e-5; their moments agree to 1e-12",
    ),
}
# Models that this reader refuses and MuJoCo takes, with the reason.
REFUSED = {}


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        everything = metafunc.config.getoption("--all-robots")
        metafunc.parametrize("name", [n for n in MODELS if everything or n in FEW])


class Moving(Packed):
    """Without drives and dry friction; velocities of balls and free bodies are parameters as well."""

    def prepare(self, text):
        text = re.sub(r'(?m)^(torque|force) = ".*\n', "", text)
        text = re.sub(r"(?m)^friction = \{.*\n", "", text)
        text = re.sub(r"(?m)^motion = .*\n", "", text)
        # Constraints: joints that close loops, and those that follow others.
        text = re.sub(r'(?m)^\[joints\.\w+\]\ntype = "fixed"\n(.+\n)*', "", text)
        text = re.sub(r'(?m)^\[components\.\w+\]\ntype = "(gear|clutch)"\n(.+\n)*', "", text)
        # Nothing reads these any more.
        text = re.sub(r'(?m)^\[components\.\w+\]\ntype = "(gain|integrator|first-order)"\n(.+\n)*', "", text)
        declared = []

        def vector(name):
            names = [f"{name}_{axis}" for axis in "xyz"]
            declared.extend(f"{n} = 0.0" for n in names)
            return "[" + ", ".join(f'"{n}"' for n in names) + "]"

        self.balls = re.findall(r'(?m)^\[joints\.(\w+)\]\ntype = "spherical"', text)
        for name in self.balls:
            heading = f'[joints.{name}]\ntype = "spherical"\n'
            text = text.replace(heading, heading + f"w = {vector('spin_' + name)}\n")
        self.free = re.findall(r"(?m)^\[objects\.(\w+)\]\nfree = true", text)
        for name in self.free:
            heading = f"[objects.{name}]\nfree = "
            velocity = f"{{ v = {vector('speed_' + name)}, w = {vector('turn_' + name)} }}"
            text = text.replace(heading + "true", heading + velocity)
        if declared:
            place = text.index("\n[")
            text = text[:place] + "\n[parameters]\n" + "\n".join(declared) + "\n" + text[place:]
        return text

    def begin(self, single, balls, free, tolerance):
        self.fmu.reset()
        values = {}
        for (joint, variables), state in zip(self.joints.items(), single):
            values.update({f"start_{joint}_{variable}": value for variable, value in zip(variables, state)})
        for name, w in zip(self.balls, balls):
            values.update({f"spin_{name}_{axis}": value for axis, value in zip("xyz", w)})
        for name, (v, w) in zip(self.free, free):
            values.update({f"speed_{name}_{axis}": value for axis, value in zip("xyz", v)})
            values.update({f"turn_{name}_{axis}": value for axis, value in zip("xyz", w)})
        if values:
            self.fmu.setReal([self.references[name] for name in values], [float(value) for value in values.values()])
        self.fmu.setupExperiment(startTime=0.0, tolerance=tolerance)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()


def difference(ours, theirs):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    return float(np.max(np.abs(ours - theirs)) / max(1.0, np.max(np.abs(theirs)))) if ours.size else 0.0


def counts(text):
    return len(re.findall(r"(?m)^\[objects\.\w+\]\n(?:.+\n)*?mass = ", text)), len(re.findall(r"(?m)^\[joints\.", text))


def identifier(name):
    plain = re.sub(r"[^A-Za-z0-9]", "_", name)
    return "_" + plain if plain[0].isdigit() else plain


def agreement(name, mbfmu, path, folder, oracle):
    model = Moving(mbfmu, path, folder / "model", "--no-limits", "--shapes", "none")
    try:
        if any("is fixed: it has no mass" in note for note in model.notes):
            return "masses are missing: not compared"
        assert len(model.joints) == len(oracle.single)
        assert (len(model.balls), len(model.free)) == (len(oracle.balls), len(oracle.free))
        rng = random.Random(zlib.crc32(name.encode()))
        three = lambda size: np.array([rng.uniform(-size, size) for _ in range(3)])
        worst = 0.0
        for number in range(STATES + 1):
            speed = 1.0 if number < STATES else 0.1
            single = [(rng.uniform(-0.5, 0.5), rng.uniform(-speed, speed)) for _ in oracle.single]
            balls = [three(speed) for _ in oracle.balls]
            free = [(three(speed), three(speed)) for _ in oracle.free]
            oracle.set(single, balls, free)
            model.begin(single, balls, free, 1e-11)
            accelerations = model.accelerations()
            worst = max(worst, difference([accelerations[j] for j in model.joints], oracle.accelerations()))
        bound, reason = COARSER.get(name, (ACCELERATION, ""))
        assert worst < bound, f"accelerations differ by {worst:.1e}"
        assert not reason or worst > ACCELERATION, f"{name} agrees: no exception any more"
        duration = predictable(oracle, (single, balls, free), rng)
        model.advance(duration)
        for step in (None,) if is_steep(oracle) else (1e-3, 1e-4, 1e-5):
            oracle.set(single, balls, free)
            oracle.advance(duration, step)
            ours, theirs = [], []
            for body, position in oracle.positions().items():
                variables = [f"{identifier(body)}.r_abs[{axis}]" for axis in (1, 2, 3)]
                if variables[0] in model.references:
                    ours.extend(model.get(variables))
                    theirs.extend(position)
            found = model.positions()
            ours.extend(found[joint] for joint in model.joints)
            theirs.extend(oracle.coordinates())
            for ball, orientation in zip(model.balls, oracle.orientations()):
                quaternion = np.array(model.get([f"{ball}.quaternion[{part}]" for part in (1, 2, 3, 4)]))
                # Both signs mean the same.
                ours.extend(quaternion * np.sign(quaternion @ orientation))
                theirs.extend(orientation)
            moved = difference(ours, theirs)
            if moved < MOTION:
                break
        assert moved < MOTION, f"positions differ by {moved:.1e}"
        if not (oracle.single or oracle.balls or oracle.free):
            return "nothing moves"
        after = f" after {duration} s" if duration < 1 else ""
        return f"{bound:.0e}, {MOTION:.0e}".replace("e-0", "e-") + after + (f" ({reason})" if reason else "")
    finally:
        model.close()


def is_steep(oracle):
    """Whether a damper is too fast for a Runge-Kutta method with steps of 0.1 ms."""
    return oracle.fastest_damper() > 1e4


def predictable(oracle, start, rng):
    """The longest time in which a small change of the start stays small: some models are chaotic."""
    single, balls, free = start
    nudged = [(q + NUDGE * rng.uniform(-1, 1), v) for q, v in single]
    for duration in DURATIONS:
        ends = []
        for first in (single, nudged):
            oracle.set(first, balls, free)
            oracle.advance(duration, None if is_steep(oracle) else 1e-4)
            ends.append(np.concatenate([oracle.data.qpos, *oracle.positions().values()]))
        if difference(*ends) < GROWN:
            return duration
    raise AssertionError("it is chaotic within a tenth of a second")


def left_out(notes):
    kinds = {}
    for note in notes:
        element, _, message = note.partition(": ")[2].partition(": ")
        count = int(m.group(1)) if (m := re.search(r"\((\d+) times\)", element)) else 1
        tag = re.sub(r"^<([\w-]+).*", r"\1", element)
        what = "medium" if "medium" in message else "mesh" if "the mesh" in message else tag
        if "condim" in message:
            what = "condim"
        kinds[what] = kinds.get(what, 0) + count
    return ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or "nothing"


def test_model_moves_as_mujoco_says(name, mbfmu, tmp_path, pytestconfig):
    path = MODELS[name]
    ran = subprocess.run([mbfmu, "import", path, "-o", tmp_path / "whole"], capture_output=True, text=True)
    if ran.returncode:
        reason = ran.stderr.splitlines()[0].removeprefix("error: ")
        try:
            Oracle(path)
        except ValueError:
            line = tables.row([name, "", "", "", f"refused, by MuJoCo too: {reason}"])
        else:
            assert name in REFUSED, ran.stderr
            line = tables.row([name, "", "", "", f"refused: {REFUSED[name]}"])
    else:
        notes = [text[6:] for text in ran.stderr.splitlines() if text.startswith("note: ")]
        bodies, joints = counts((tmp_path / "whole" / "model.toml").read_text())
        try:
            oracle = Oracle(path)
        except ValueError:
            oracle = None
        if oracle is None:
            agrees = "MuJoCo refuses it: not compared"
        elif bodies == joints == 0:
            agrees = "nothing moves"
        else:
            agrees = agreement(name, mbfmu, path, tmp_path, oracle)
        line = tables.row([name, bodies, joints, agrees, left_out(notes)])
    tables.keep("mjcf", HEADING, name, line, pytestconfig.getoption("--update-table"))
