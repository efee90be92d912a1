"""Two wagons as two FMUs: a master with steps of one length against one that rolls back; the reference is one model.

    python examples/cosimulation/compare.py --mbfmu ./mbfmu -o out/cosimulation

leaves a table (work.csv) and two plots (motion.svg, work.svg).
"""

import argparse
import csv
import pathlib
import subprocess
import time

import numpy as np

from master import Connection, System, adaptive, jacobi

HERE = pathlib.Path(__file__).resolve().parent
STOP = 8.0
# Lengths of steps end at multiples of this one; there the results are compared.
MARK = 0.1
CONNECTIONS = [
    Connection(("front", "f"), ("rear", "f"), scale=1e5),
    Connection(("rear", "rail.s"), ("front", "s_rear")),
    Connection(("rear", "rail.v"), ("front", "v_rear")),
]
WATCHED = [("rear", "rail.s"), ("front", "rail.s"), ("front", "f")]
REFERENCE = ["s_rear", "s_front", "f"]


def pack(mbfmu, folder):
    """Archives of the models of this example, by name."""
    archives = {}
    for name in ("RearWagon", "FrontWagon", "TwoWagons"):
        archives[name] = folder / f"{name}.fmu"
        subprocess.run([mbfmu, "pack", HERE / name, "-o", archives[name]], check=True, capture_output=True)
    return archives


def coupled(archives):
    return System({"rear": archives["RearWagon"], "front": archives["FrontWagon"]}, CONNECTIONS, WATCHED)


def run(archives, method, *arguments):
    """Record of a run and the seconds it took, without packing and loading."""
    system = coupled(archives)
    begin = time.perf_counter()
    record = method(system, STOP, *arguments)
    seconds = time.perf_counter() - begin
    system.close()
    return record, seconds


def reference(mbfmu, folder, step=1e-3):
    """Times and watched values of both wagons as one model."""
    file = folder / "reference.csv"
    command = [mbfmu, "simulate", HERE / "TwoWagons", "--stop", str(STOP), "--step", str(step), "-o", file]
    subprocess.run(command, check=True, capture_output=True)
    with open(file, newline="") as lines:
        rows = list(csv.DictReader(lines))
    return np.array([[float(row[name]) for name in ("time", *REFERENCE)] for row in rows])


def deviation(record, truth):
    """Largest difference of the places of the wagons from the reference at the marks [m]."""
    marks = np.arange(1, round(STOP / MARK) + 1) * MARK

    def at_marks(times, places):
        rows = [int(np.argmin(np.abs(times - mark))) for mark in marks]
        assert np.max(np.abs(times[rows] - marks)) < 1e-9
        return places[rows]

    found = at_marks(np.array(record.times), np.array(record.rows)[:, :2])
    return float(np.max(np.abs(found - at_marks(truth[:, 0], truth[:, 1:3]))))


def compare(mbfmu, folder, lengths, tolerances):
    """Rows of the table, and the records behind them."""
    archives, truth = pack(mbfmu, folder), reference(mbfmu, folder)
    runs = [("jacobi", length, jacobi, (length,)) for length in lengths]
    runs += [("adaptive", tolerance, adaptive, (tolerance, MARK)) for tolerance in tolerances]
    table, records = [], {}
    for name, setting, method, arguments in runs:
        record, seconds = run(archives, method, *arguments)
        records[name, setting] = record
        table.append({
            "master": name,
            "setting": setting,
            "communication_steps": len(record.times) - 1,
            "taken_back": record.rejected,
            "fmu_steps": record.fmu_steps,
            "error": deviation(record, truth),
            "seconds": round(seconds, 4),
        })
    return table, records, truth


def write_table(table, file):
    with open(file, "w", newline="") as lines:
        writer = csv.DictWriter(lines, fieldnames=table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def plot_motion(record, truth, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (places, force, lengths) = pyplot.subplots(3, 1, sharex=True, figsize=(9, 8), layout="constrained")
    times, rows = np.array(record.times), np.array(record.rows)
    for k, name in enumerate(("rear wagon", "front wagon")):
        places.plot(truth[:, 0], truth[:, 1 + k], color=f"C{k}", label=name)
        places.plot(times, rows[:, k], ".", color=f"C{k}", markersize=4)
    force.plot(truth[:, 0], truth[:, 3] / 1e3, color="C2", label="one model")
    force.plot(times, rows[:, 2] / 1e3, ".", color="C2", markersize=4, label="coupled FMUs")
    lengths.semilogy(times[1:], np.diff(times) * 1e3, drawstyle="steps", color="C3")
    for axes, label in ((places, "displacement [m]"), (force, "force of the buffer [kN]"), (lengths, "length of step [ms]")):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    places.legend()
    force.legend()
    lengths.set_xlabel("time [s]")
    figure.savefig(file)
    pyplot.close(figure)


def plot_work(table, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    for name, label in (("jacobi", "steps of one length"), ("adaptive", "rollback and step-size control")):
        rows = [row for row in table if row["master"] == name]
        axes.loglog([row["fmu_steps"] for row in rows], [row["error"] for row in rows], "o-", label=label)
    axes.set_xlabel("calls of fmi2DoStep")
    axes.set_ylabel("largest deviation from one model [m]")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(file)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mbfmu", type=pathlib.Path, default=pathlib.Path("mbfmu"), help="the command that packs FMUs")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("out/cosimulation"))
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    lengths, tolerances = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4], [1e-1, 3e-2, 1e-2, 3e-3, 1e-3]
    table, records, truth = compare(arguments.mbfmu.resolve(), arguments.output.resolve(), lengths, tolerances)
    write_table(table, arguments.output / "work.csv")
    plot_motion(records["adaptive", 1e-2], truth, arguments.output / "motion.svg")
    plot_work(table, arguments.output / "work.svg")
    print("   master  setting  steps  taken back  fmi2DoStep   error [m]  seconds")
    for row in table:
        print("{master:>9} {setting:8.0e} {communication_steps:6d} {taken_back:11d} {fmu_steps:11d} {error:11.1e} {seconds:8.3f}".format(**row))


if __name__ == "__main__":
    main()
