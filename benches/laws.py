"""The same scenes on the elastic law, with stiffer and stiffer materials, and on contact hinges.

    python3 benches/laws.py [path of mbfmu]

prints the table of docs/contacts.md: how far the results are from those of hinges, steps, and times. Takes a minute.
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULI = ["1e7", "1e8", "1e9", "1e10", "2e11"]
REPEATS = 3

TOWER = """name = "Tower"
gravity = [0, 0, -9.81]
contact = { law = "rigid", resting = "hinges" }
outputs = ["b8.r_abs"]
experiment = { stop = 100, step = 1, tolerance = 1e-6 }
[materials]
Stuff = { density = 1000, youngs_modulus = 1e7, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Stuff", "Stuff"]
cor = 0
mu_k = 0.5
[objects.floor]
fixed = true
r = [0, 0, -0.05]
solid = { shape = "box", lengths = [2, 2, 0.1], material = "Stuff", collides = true }
""" + "".join(
    f"[objects.b{k}]\nfree = true\nr = [0, 0, {0.1 * k - 0.05:.2f}]\n"
    'solid = { shape = "box", lengths = [0.2, 0.2, 0.1], material = "Stuff", collides = true }\n'
    for k in range(1, 9)
)

# Name, text, outputs that are compared, time at which they are [s].
SCENES = [
    ("`BlockOverEdgeRigid`, place at 0.5 s", "BlockOverEdgeRigid", ["block.r_abs"], 0.5),
    ("`RockingBlock`, height at 0.5 s", "RockingBlock", ["block.r_abs"], 0.5),
    ("eight boxes, 100 s at rest", TOWER, ["b8.r_abs"], 100),
]


def run(program, folder, text, stop):
    """Position at the end, steps, and the least wall time [s] of several runs."""
    model, table = folder / "model.toml", folder / "result.csv"
    model.write_text(text)
    least = float("inf")
    for _ in range(REPEATS):
        command = [program, "simulate", str(model), "--threads", "1", "--stop", str(stop), "--stats", "-o", str(table)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        stats = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
        least = min(least, stats["wall_seconds"])
    *_, last = csv.DictReader(table.open())
    place = [float(value) for name, value in last.items() if name != "time"]
    return place, stats["steps"], least


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/mbfmu")
    print("| scene | | error | steps | time |\n|---|---|---|---|---|")
    for name, source, outputs, stop in SCENES:
        text = source if "\n" in source else (ROOT / "fmus" / source / "model.toml").read_text()
        text = re.sub(r"^outputs = .*$", f"outputs = {json.dumps(outputs)}", text, flags=re.M)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            truth, steps, seconds = run(program, folder, text, stop)
            print(f"| {name} | hinges | | {steps} | {1e3 * seconds:.3g} ms |")
            for modulus in MODULI:
                elastic = re.sub(r"^contact = .*\n", "", text, flags=re.M)
                elastic = re.sub(r"youngs_modulus = [0-9.e]+", f"youngs_modulus = {modulus}", elastic)
                place, steps, seconds = run(program, folder, elastic, stop)
                error = sum((a - b) ** 2 for a, b in zip(place, truth)) ** 0.5
                print(f"| | elastic, {modulus} Pa | {error:.1e} m | {steps} | {1e3 * seconds:.3g} ms |")


if __name__ == "__main__":
    main()
