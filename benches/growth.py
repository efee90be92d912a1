"""How time and memory grow with the size of a model, from 10 to 10,000 bodies.

    python3 benches/growth.py [--mbfmu PATH] [--families chain,tree] [--sizes 10,100,1000] [--limit SECONDS]

prints a table for each family of models and one with the exponents: time of loading (user time of `mbfmu check`), time
per simulated second, per step and per evaluation of the residual, peak memory. Cells beyond the limit stay empty.
"""

import argparse
import json
import math
import os
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = [10, 100, 1000, 10000]
# Exponents are those between these sizes: the smaller ones mostly cost what does not grow.
FROM, TO = 100, 10000

HEAD = """name = "Growth"
gravity = [0, 0, -9.81]
outputs = ["time_passed"]
experiment = { stop = STOP, step = 0.1, tolerance = 1e-4 }
"""


def head(stop):
    return f"""name = "Growth"
gravity = [0, 0, -9.81]
outputs = [{{ name = "clock", value = "time" }}]
experiment = {{ stop = {stop}, step = {stop / 10}, tolerance = 1e-4 }}
"""


def link(name, to, joint, more=""):
    """A rod that hangs on a hinge at the lower end of another one, or somewhere in the world."""
    return f"""[objects.{name}]
mass = {{ m = 1, center = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4] }}
[objects.{name}_end]
parent = "{name}"
r = [0, 0, -0.1]
[joints.{joint}]
type = "revolute"
from = "{to}"
to = "{name}"
{more}
"""


def chain(n):
    """Hinges with turning axes and damping; the chain hangs, and every link has been turned a little."""
    text = [head(1)]
    for k in range(n):
        axis, phi = "xy"[k % 2], 0.1 * math.sin(12.99 * k) / math.sqrt(n)
        start = f'axis = "{axis}"\nphi = {phi:.6f}\ndamping = 0.01'
        text.append(link(f"b{k}", f"b{k - 1}_end" if k else "world", f"j{k}", start))
    return "".join(text)


def array_chain(n):
    """The same as an array of an assembly."""
    return (
        head(1)
        + f"""[assemblies.Link]
parameters = {{ phi = 0 }}
objects.end = {{ parent = "rod", r = [0, 0, -0.1] }}
objects.rod.mass = {{ m = 1, center = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4] }}
joints.hinge = {{ type = "revolute", from = "origin", to = "rod", axis = "x", phi = "phi", damping = 0.01 }}
[instances.link]
assembly = "Link"
count = {n}
chain = "end"
rotation = {{ axis = "z", angle = "if i > 1 then pi/2 else 0" }}
arguments = {{ phi = "0.1*sin(12.99*i)/{math.sqrt(n)}" }}
"""
    )


def tree(n):
    """Every rod carries two others."""
    text = [head(1)]
    for k in range(n):
        start = f'axis = "{"xy"[k % 2]}"\nphi = {0.3 * math.sin(12.99 * k):.6f}'
        text.append(link(f"b{k}", f"b{(k - 1) // 2}_end" if k else "world", f"j{k}", start))
    return "".join(text)


def free(n):
    """Bodies tumble and fall without contact."""
    text = [head(1)]
    for k in range(n):
        w = [round(math.sin(f * k), 4) for f in (12.99, 78.23, 37.72)]
        text.append(
            f"[objects.b{k}]\nfree = {{ w = {w} }}\nr = [{k}, 0, 0]\n"
            "mass = { m = 1, center = [0, 0, 0], inertia = [1, 2, 2.5] }\n"
        )
    return "".join(text)


def array_free(n):
    """The same as an array of an assembly."""
    return (
        head(1)
        + f"""[assemblies.Body.objects.body]
free = {{ w = ["w1", "w2", "w3"] }}
mass = {{ m = 1, center = [0, 0, 0], inertia = [1, 2, 2.5] }}
[assemblies.Body.parameters]
w1 = 0
w2 = 0
w3 = 0
[instances.body]
assembly = "Body"
count = {n}
r = ["i", 0, 0]
arguments = {{ w1 = "sin(12.99*i)", w2 = "sin(78.23*i)", w3 = "sin(37.72*i)" }}
"""
    )


def rod(name, length):
    return f"objects.{name}.mass = {{ m = 1, center = [0, 0, {length / 2}], inertia = [0.1, 0.1, 0.01] }}\n"


def loops(n, stand, chained):
    """Four-bar linkages of three moving rods: crank, coupler and rocker."""
    return (
        head(1)
        + f"""[assemblies.FourBar]
objects.foot = {{ parent = "{stand}", r = [PLACE, 0, 0] }}
objects.crank.mass = {{ m = 1, center = [0, 0, 0.5], inertia = [0.1, 0.1, 0.01] }}
objects.top = {{ parent = "crank", r = [0, 0, 1] }}
objects.coupler.mass = {{ m = 1, center = [1, 0, 0], inertia = [0.01, 0.1, 0.1] }}
objects.end = {{ parent = "coupler", r = [2, 0, 0] }}
objects.rocker.mass = {{ m = 1, center = [0, 0, 0.75], inertia = [0.1, 0.1, 0.01] }}
objects.tip = {{ parent = "rocker", r = [0, 0, 1.5] }}
joints.a = {{ type = "revolute", from = "origin", to = "crank", axis = "y", phi = 0.5 }}
joints.b = {{ type = "revolute", from = "top", to = "coupler", axis = "y", phi = {{ guess = -0.4 }} }}
joints.c = {{ type = "revolute", from = "foot", to = "rocker", axis = "y", phi = {{ guess = 0.5 }} }}
joints.d = {{ type = "revolute", from = "end", to = "tip", axis = "y" }}
[instances.bar]
assembly = "FourBar"
count = {n // 3 or 1}
"""
    ).replace("PLACE", "2")


def separate_loops(n):
    return loops(n, "origin", False) + 'r = ["3*i", 0, 0]\n'


def shared_loops(n):
    """fmus/NFourBar: loop after loop between two branches of the world."""
    text = (ROOT / "fmus/NFourBar/model.toml").read_text()
    text = text.replace("n = { value = 1,", f"n = {{ value = {max(n // 2, 1)},").replace("max = 200", "max = 10000")
    text = text.replace("stop = 10", "stop = 1").replace("tolerance = 1e-8", "tolerance = 1e-4")
    return text.replace("step = 0.01", "step = 0.1")


def nested_loops(n):
    """Every linkage stands on the coupler of the one before."""
    return loops(n, "origin", True) + 'chain = "end"\n'


def spheres(n):
    """Balls in a loose grid fall on a plane, bounce, and come to rest."""
    side = math.ceil(math.sqrt(n))
    return (
        head(1)
        + f"""contact = {{ k_red = 1e-3 }}
[objects.ground]
fixed = true
solid = {{ shape = "half_space", material = "DryWood", collides = true }}
[assemblies.Ball.objects.ball]
free = true
solid = {{ shape = "sphere", diameter = 0.04, material = "DryWood", collides = true }}
[instances.ball]
assembly = "Ball"
count = {n}
r = ["0.1*mod(i - 1, {side})", "0.1*floor((i - 1)/{side})", "0.03 + 0.01*sin(12.99*i)"]
"""
    )


# Name, model, seconds that are simulated.
FAMILIES = {
    "chain": ("chain of hinges", chain, 0.5),
    "chain array": ("chain of hinges, an array", array_chain, 0.5),
    "tree": ("binary tree of hinges", tree, 0.5),
    "free": ("free bodies", free, 1),
    "free array": ("free bodies, an array", array_free, 1),
    "loops": ("linkages on the world", separate_loops, 0.5),
    "shared": ("linkages that share a rod with the next", shared_loops, 0.5),
    "nested": ("linkages on one another", nested_loops, 0.5),
    "spheres": ("spheres on a plane", spheres, 0.5),
}


@dataclass
class Usage:
    user: float
    peak: int
    output: str


def run(command, limit):
    """User time [s], peak memory [bytes] and output of a command, nothing if it takes longer."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expired = not timer.is_alive()
    timer.cancel()
    if expired:
        return None
    if process.returncode:
        print(errors[:1000], output[:1000])
        return None
    return Usage(usage.ru_utime, usage.ru_maxrss * 1024, output)


def measure(program, folder, text, duration, limit):
    model = folder / "model.toml"
    model.write_text(text)
    cell = {}
    check = run([program, "check", str(model)], limit)
    if check is None:
        return cell
    cell["load"] = check.user
    cell["load_peak"] = check.peak
    command = [program, "simulate", str(model), "--stop", str(duration), "--step", str(duration / 10), "--stats"]
    done = run([*command, "-o", str(folder / "result.csv")], limit)
    if done is None:
        return cell
    stats = json.loads(next(line for line in done.output.splitlines() if line.startswith("{")))
    seconds = stats["wall_seconds_integration"]
    cell |= {
        "start": stats["wall_seconds_initialization"],
        "second": seconds / duration,
        "step": seconds / stats["steps"],
        "residual": seconds / stats["residual_evaluations"],
        "peak": done.peak,
        "steps": stats["steps"],
        "user": done.user,
        "res": stats["residual_evaluations"],
        "jac": stats["jacobian_evaluations"],
        "ev": stats["events"],
    }
    return cell


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mbfmu", default=str(ROOT / "target/release/mbfmu"))
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    for key in options.families.split(","):
        name, build, duration = FAMILIES[key]
        print(f"\n{name}\n")
        for n in sizes:
            with tempfile.TemporaryDirectory() as folder:
                cell = measure(options.mbfmu, Path(folder), build(n), duration, options.limit)
            print(n, {k: (float(f"{v:.3g}") if isinstance(v, float) else v) for k, v in cell.items()}, flush=True)


if __name__ == "__main__":
    main()
