"""The break of a game of billiards, for many speeds and directions of the cue ball: one FMU, many runs, several processes.

    python examples/sweep/sweep.py --mbfmu ./mbfmu -o out/sweep --speeds 25 --angles 41 --workers 2

leaves a table (breaks.csv) and a plot (breaks.svg). Dask distributes the runs; every process loads the FMU once and
resets its instance between runs.
"""

import argparse
import csv
import logging
import pathlib
import subprocess
import time

import fmpy
from dask.distributed import Client, LocalCluster, as_completed
from tqdm import tqdm

from breaks import COLUMNS, STOP, load, play

ROOT = pathlib.Path(__file__).resolve().parents[2]


def between(low, high, count):
    return [low + (high - low) * k / max(1, count - 1) for k in range(count)]


def sweep(folder, points, workers):
    """Rows of the table in the order of the points, and the seconds from the first run to the last."""
    # A worker that is closed while it reports to the scheduler would complain.
    quiet = {"dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with LocalCluster(n_workers=workers, threads_per_worker=1, **quiet) as cluster, Client(cluster) as client:
        # The processes load Python, the FMU and its description before the clock starts.
        client.run(load, folder)
        begin = time.perf_counter()
        futures = client.map(play, [folder] * len(points), *zip(*points), pure=False)
        order = {future.key: k for k, future in enumerate(futures)}
        rows = [None] * len(points)
        # The bar is for people: without a terminal there is none.
        for future, row in tqdm(as_completed(futures, with_results=True), total=len(points), unit="run", disable=None):
            rows[order[future.key]] = row
        return rows, time.perf_counter() - begin


def plot(rows, speeds, angles, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, both = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained", sharey=True)
    for axes, column, title in ((both[0], 2, "balls that have moved"), (both[1], 3, f"kinetic energy after {STOP:g} s [J]")):
        values = [[rows[i * len(angles) + k][column] for k in range(len(angles))] for i in range(len(speeds))]
        mesh = axes.pcolormesh(angles, speeds, values, shading="nearest")
        figure.colorbar(mesh, ax=axes)
        axes.set_title(title)
        axes.set_xlabel("direction of the cue ball [deg]")
    both[0].set_ylabel("speed of the cue ball [m/s]")
    figure.savefig(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mbfmu", type=pathlib.Path, default=pathlib.Path("mbfmu"), help="the command that packs the FMU")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("out/sweep"))
    parser.add_argument("--speeds", type=int, default=25, help="number of speeds between 1 and 7 m/s")
    parser.add_argument("--angles", type=int, default=41, help="number of directions between 0 and 10 degrees")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    archive = arguments.output.resolve() / "Billiards16.fmu"
    command = [arguments.mbfmu.resolve(), "pack", ROOT / "fmus" / "Billiards16", "-o", archive]
    subprocess.run(command, check=True, capture_output=True)
    folder = fmpy.extract(str(archive), str(archive.with_suffix("")))

    speeds, angles = between(1.0, 7.0, arguments.speeds), between(0.0, 10.0, arguments.angles)
    points = [(speed, angle) for speed in speeds for angle in angles]
    rows, seconds = sweep(folder, points, arguments.workers)
    with open(arguments.output / "breaks.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    plot(rows, speeds, angles, arguments.output / "breaks.svg")
    print(f"{len(rows)} runs in {seconds:.2f} s with {arguments.workers} processes: {len(rows) / seconds:.1f} runs/s")


if __name__ == "__main__":
    main()
