"""How time and memory grow with the size of a model, from 10 to 10,000 bodies.

    python3 benches/growth.py [--mbfmu PATH] [--families chain,tree] [--sizes 10,100,1000,10000] [--limit SECONDS]

prints what each model costs and with which power of the number of bodies that grows, for docs/performance.md.
Loading is the time of `mbfmu check`; times of a run are those of the integration. Commands below a second count by the
wall time of the fastest of ten, longer ones by their processor time. Peak memory is that of a run with everything that
the command holds, such as names and descriptions of all variables. Cells that take longer than the limit stay empty.
Takes twenty minutes.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = [10, 100, 1000, 10000]
# Short runs are repeated, as processor time has a resolution of some milliseconds [s].
REPEATS, LONG = 10, 1.0
# Exponents are those from this size to the largest: smaller models mostly cost what does not grow.
FROM = 100


def head(gravity="[0, 0, -9.81]"):
    return f"""name = "Growth"
gravity = {gravity}
outputs = [{{ name = "clock", value = "time" }}]
experiment = {{ stop = 1, tolerance = 1e-4 }}
"""


def noise(k, f=12.99):
    """Numbers in [-1, 1] that look random enough."""
    return round(math.sin(f * k), 6)


def link(k, to, hinge):
    """A rod behind a hinge at the end of another one."""
    return f"""[objects.b{k}]
mass = {{ m = 1, center = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4] }}
[objects.end{k}]
parent = "b{k}"
r = [0, 0, -0.1]
[joints.j{k}]
type = "revolute"
from = "{to}"
to = "b{k}"
axis = "{"xy"[k % 2]}"
{hinge}
"""


def chain(n):
    """Hinges with springs and no gravity, so that the motion of a link does not depend on how many there are."""
    hinge = "phi = {}\nspring = 10\ndamping = 0.05"
    links = [link(k, f"end{k - 1}" if k else "world", hinge.format(0.1 * noise(k))) for k in range(n)]
    return head('"none"') + "".join(links)


def array_chain(n):
    """The same as an array of an assembly."""
    return (
        head('"none"')
        + f"""[instances.link]
assembly = "Link"
count = {n}
chain = "end"
rotation = {{ axis = "z", angle = "if mod(i, 2) == 0 then pi/2 else -pi/2" }}
arguments = {{ phi = "0.1*sin(12.99*i)" }}
[assemblies.Link]
parameters = {{ phi = 0 }}
objects.end = {{ parent = "rod", r = [0, 0, -0.1] }}
objects.rod.mass = {{ m = 1, center = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4] }}
[assemblies.Link.joints]
hinge = {{ type = "revolute", from = "origin", to = "rod", axis = "x", phi = "phi", spring = 10, damping = 0.05 }}
"""
    )


def tree(n):
    """Every rod carries two others."""
    hinge = "phi = {}\nspring = 10\ndamping = 0.05"
    links = [link(k, f"end{(k - 1) // 2}" if k else "world", hinge.format(0.1 * noise(k))) for k in range(n)]
    return head('"none"') + "".join(links)


def free(n):
    """Bodies tumble and fall without contact."""
    bodies = [
        f"[objects.b{k}]\nfree = {{ w = [{noise(k)}, {noise(k, 78.23)}, {noise(k, 37.72)}] }}\nr = [{k}, 0, 0]\n"
        "mass = { m = 1, center = [0, 0, 0], inertia = [1, 2, 2.5] }\n"
        for k in range(n)
    ]
    return head() + "".join(bodies)


def array_free(n):
    """The same as an array of an assembly."""
    return (
        head()
        + f"""[instances.body]
assembly = "Body"
count = {n}
r = ["i", 0, 0]
arguments = {{ w1 = "sin(12.99*i)", w2 = "sin(78.23*i)", w3 = "sin(37.72*i)" }}
[assemblies.Body]
parameters = {{ w1 = 0, w2 = 0, w3 = 0 }}
[assemblies.Body.objects.body]
free = {{ w = ["w1", "w2", "w3"] }}
mass = {{ m = 1, center = [0, 0, 0], inertia = [1, 2, 2.5] }}
"""
    )


def linkages(n, placing):
    """Four-bar linkages of three moving rods: crank, coupler and rocker."""
    return (
        head()
        + f"""[instances.bar]
assembly = "FourBar"
count = {max(n // 3, 1)}
{placing}
[assemblies.FourBar]
objects.foot = {{ parent = "origin", r = [2, 0, 0] }}
objects.crank.mass = {{ m = 1, center = [0, 0, 0.5], inertia = [0.1, 0.1, 0.01] }}
objects.top = {{ parent = "crank", r = [0, 0, 1] }}
objects.coupler.mass = {{ m = 1, center = [1, 0, 0], inertia = [0.01, 0.3, 0.3] }}
objects.end = {{ parent = "coupler", r = [2, 0, 0] }}
objects.rocker.mass = {{ m = 1, center = [0, 0, 0.75], inertia = [0.2, 0.2, 0.01] }}
objects.tip = {{ parent = "rocker", r = [0, 0, 1.5] }}
joints.a = {{ type = "revolute", from = "origin", to = "crank", axis = "y", phi = 0.5 }}
joints.b = {{ type = "revolute", from = "top", to = "coupler", axis = "y", phi = {{ guess = -0.4 }} }}
joints.c = {{ type = "revolute", from = "foot", to = "rocker", axis = "y", phi = {{ guess = 0.5 }} }}
joints.d = {{ type = "revolute", from = "end", to = "tip", axis = "y" }}
"""
    )


def separate_linkages(n):
    return linkages(n, 'r = ["3*i", 0, 0]')


def nested_linkages(n):
    """Every linkage stands on the coupler of the one before."""
    return linkages(n, 'chain = "end"')


def row_of_linkages(n):
    """fmus/NFourBar: every linkage shares a rod with the next."""
    text = (ROOT / "fmus/NFourBar/model.toml").read_text()
    text = text.replace("n = { value = 1,", f"n = {{ value = {max(n // 2, 1)},").replace("max = 200", "max = 10000")
    return text.replace("tolerance = 1e-8", "tolerance = 1e-4")


def spheres(n, height):
    """Balls in a loose grid fall on a plane, out of reach of each other."""
    side = math.ceil(math.sqrt(n))
    return (
        head()
        + f"""contact = {{ k_red = 1e-3 }}
[objects.ground]
fixed = true
solid = {{ shape = "half_space", material = "DryWood", collides = true }}
[instances.ball]
assembly = "Ball"
count = {n}
r = ["0.1*mod(i - 1, {side})", "0.1*floor((i - 1)/{side})", "{height}"]
[assemblies.Ball.objects.ball]
free = true
solid = {{ shape = "sphere", diameter = 0.04, material = "DryWood", collides = true }}
"""
    )


@dataclass
class Family:
    name: str
    model: Callable[[int], str]
    # Simulated time [s].
    duration: float
    # More bodies are not tried.
    largest: int = SIZES[-1]


FAMILIES = {
    "chain": Family("chain of hinges", chain, 0.5),
    "chain-array": Family("the same as an array", array_chain, 0.5),
    "tree": Family("binary tree of hinges", tree, 0.5),
    "free": Family("free bodies", free, 5),
    "free-array": Family("the same as an array", array_free, 5),
    "separate": Family("linkages on the world", separate_linkages, 0.5),
    "row": Family("linkages that share rods", row_of_linkages, 1),
    # All loops couple with each other: 10,000 bodies would need 13 GB.
    "nested": Family("linkages on each other", nested_linkages, 0.05, 1000),
    "resting": Family("spheres come to rest on a plane", lambda n: spheres(n, "0.021"), 0.3),
    "bouncing": Family("spheres bounce at different times", lambda n: spheres(n, "0.03 + 0.01*sin(12.99*i)"), 0.1),
}


@dataclass
class Run:
    wall: float
    processor: float
    memory: int
    output: str

    def seconds(self):
        return self.processor if self.processor > LONG else self.wall

    def statistics(self):
        return json.loads(next(line for line in self.output.splitlines() if line.startswith("{")))


def once(command, limit):
    """A command; nothing if it takes longer than the limit [s]."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    expired = not timer.is_alive()
    timer.cancel()
    if expired:
        return None
    if process.returncode:
        sys.exit(output)
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output)


def best(command, limit):
    """The fastest of several runs."""
    run = once(command, limit)
    for _ in range(1, REPEATS):
        if run is None or run.processor > LONG:
            break
        run = min(run, once(command, limit) or run, key=lambda run: run.wall)
    return run


def measure(program, folder, text, duration, limit):
    """What a model costs, by the columns of the table."""
    model = folder / "model.toml"
    model.write_text(text)
    check = best([program, "check", str(model)], limit)
    if check is None:
        return {}
    cell = {"loading": check.seconds()}
    command = [program, "simulate", str(model), "--threads", "1", "--stats", "-o", str(folder / "result.csv")]
    run = best([*command, "--stop", str(duration), "--step", str(duration / 10)], limit)
    if run is None:
        return cell
    done = run.statistics()
    seconds = done["wall_seconds_integration"] * min(run.seconds() / run.wall, 1)
    cell["second"] = seconds / duration
    cell["steps"] = done["steps"]
    cell["step"] = seconds / done["steps"]
    cell["residual"] = seconds / done["residual_evaluations"]
    cell["memory"] = run.memory
    return cell


def between(cells, key):
    """Sizes and values from which an exponent follows."""
    sizes = [n for n in cells if n >= FROM and cells[n].get(key)]
    return [(n, cells[n][key]) for n in (sizes[0], sizes[-1])] if len(sizes) > 1 else None


def exponent(cells, key):
    ends = between(cells, key)
    return f"{math.log(ends[1][1] / ends[0][1]) / math.log(ends[1][0] / ends[0][0]):.2f}" if ends else ""


def rounded(value, unit=1.0):
    """Three digits."""
    if value is None:
        return ""
    value /= unit
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mbfmu", default=str(ROOT / "target/release/mbfmu"))
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--limit", type=float, default=300, help="longest run [s]")
    options = parser.parse_args()
    columns = ["", "n", "loading [s]", "per simulated second [s]", "steps", "step [ms]", "residual [ms]", "peak [MB]"]
    row(columns)
    row(["---"] * len(columns))
    results = {}
    for key in options.families.split(","):
        family = FAMILIES[key]
        cells = results[key] = {}
        for n in map(int, options.sizes.split(",")):
            if n > family.largest:
                break
            with tempfile.TemporaryDirectory() as folder:
                cell = cells[n] = measure(options.mbfmu, Path(folder), family.model(n), family.duration, options.limit)
            times = [rounded(cell.get("loading")), rounded(cell.get("second")), str(cell.get("steps", ""))]
            times += [rounded(cell.get(part), 1e-3) for part in ("step", "residual")]
            row([family.name, str(n), *times, rounded(cell.get("memory"), 1e6)])
            if not cell.get("steps"):
                break
    print(f"\nExponents from {FROM} bodies to the most:\n")
    columns = ["", "loading", "per simulated second", "per step", "memory per body [kB]"]
    row(columns)
    row(["---"] * len(columns))
    for key, cells in results.items():
        # Of small models, the peak is that of this interpreter before the command takes its place.
        peaks = [(n, cell["memory"]) for n, cell in cells.items() if n >= FROM and cell.get("memory")][-2:]
        per_body = (peaks[1][1] - peaks[0][1]) / (peaks[1][0] - peaks[0][0]) if len(peaks) > 1 else None
        exponents = [exponent(cells, part) for part in ("loading", "second", "step")]
        row([FAMILIES[key].name, *exponents, rounded(per_body, 1e3)])


if __name__ == "__main__":
    main()
