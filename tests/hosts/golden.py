"""Golden results of the models, and how near a host must come to them."""

import csv
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {path.parent.name: path.parent for path in sorted((ROOT / "fmus").glob("*/golden.csv"))}
# The same model once more, in an archive whose path has blanks, signs and letters of other alphabets.
STRANGE = "Träger & Größe 50% 日本"
FOLDERS[STRANGE] = FOLDERS["Pendulum"]
NAMES = list(FOLDERS)

# Communication points that differ in the last bits change results by rounding, and balls amplify what they are given.
TOLERANCE = 2e-5

# Models that sample, whose references jump, or whose parts are inserted at communication points. Hosts add up time in different ways, so that an event may come
# just before or after the point where it is due: of these models, every other row may differ.
EVENTS_ON_POINTS = {"ConveyorSorting", "SampledServo", "YouBotDrives"}


class Golden:
    """Columns and values of a golden result, one row per communication point."""

    def __init__(self, name):
        with open(FOLDERS[name] / "golden.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.has_events_on_points = name in EVENTS_ON_POINTS
        self.columns = rows[0][1:]
        table = np.array(rows[1:], dtype=float)
        self.times, self.values = table[:, 0], table[:, 1:]
        self.start, self.stop = self.times[0], self.times[-1]
        self.step = (self.stop - self.start) / (len(self.times) - 1)

    def check(self, found, first=0):
        """Compares rows of values with the golden ones from row `first` on, relative to the largest of each column."""
        found, expected = np.asarray(found, dtype=float), self.values[first:]
        assert found.shape == expected.shape
        scale = np.maximum(1.0, np.abs(self.values).max(axis=0))
        deviation = np.abs(found - expected) / scale
        differs = (deviation >= TOLERANCE).any(axis=1)
        if self.has_events_on_points and np.count_nonzero(differs) <= len(expected) // 2:
            return
        row, column = np.unravel_index(np.argmax(deviation), deviation.shape)
        worst, time = deviation[row, column], self.times[first + row]
        assert worst < TOLERANCE, f"{self.columns[column]} differs by {worst:.1e} of its size at t = {time} s"
