"""An unpacked FMU, how the host in C is told to run it, and what it left."""

import pathlib
import struct
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {path.parent.name: path.parent for path in sorted((ROOT / "fmus").glob("*/golden.csv"))}

#: Communication points of a run, and after how many the state is taken.
COUNT, SPLIT = 100, 40
KINDS = {"Real": "r", "Integer": "i", "Enumeration": "i", "Boolean": "b"}


class Unpacked:
    """An FMU of this project in a folder."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.guid = root.get("guid")
        experiment = root.find("DefaultExperiment")
        self.start = float(experiment.get("startTime", 0))
        self.step = (float(experiment.get("stopTime")) - self.start) / COUNT
        variables = [(variable[0].tag, variable) for variable in root.find("ModelVariables")]
        # In the order in which the host writes them.
        self.variables = [
            (variable.get("name"), KINDS[tag], variable.get("valueReference"))
            for kind in "rib"
            for tag, variable in variables
            if KINDS.get(tag) == kind
        ]
        self.list = folder / "variables"
        self.list.write_text("".join(f"{kind} {reference}\n" for _, kind, reference in self.variables))

    def library(self, machine):
        return machine.path(self.folder / "binaries" / machine.name / f"{self.name}{machine.ending}")

    def call(self, machine, *arguments, resources=None):
        """Runs the host in C on a machine."""
        resources = machine.uri(self.folder / "resources") if resources is None else resources
        machine.run(self.library(machine), self.guid, resources, *arguments)

    def simulate(self, machine, mode, state, rows):
        times = [repr(self.start), repr(self.step), COUNT, SPLIT]
        self.call(machine, mode, machine.path(self.list), *times, machine.path(state), machine.path(rows))

    def run(self, machine):
        """A whole life, and the state on the way in a file; gives all values as bytes."""
        files = [self.folder / f"{machine.name}.{ending}" for ending in ("state", "rows")]
        if not all(file.is_file() for file in files):
            self.simulate(machine, "run", *files)
        return files[1].read_bytes()

    def state(self, machine):
        """The state that a run has saved; nothing if there was none."""
        file = self.folder / f"{machine.name}.state"
        return file.read_bytes() if file.is_file() else None

    def resume(self, machine, state_of):
        """Goes on from a state that was taken on another machine; gives all values from there."""
        self.run(state_of)
        rows = self.folder / f"{machine.name}.resumed"
        self.simulate(machine, "resume", self.folder / f"{state_of.name}.state", rows)
        return rows.read_bytes()

    def first_difference(self, one, other, first=0):
        """Where two results begin to differ, for people; None where they are the same."""
        if one == other:
            return None
        width = len(self.variables)
        for k, (a, b) in enumerate(zip(struct.iter_unpack("8s", one), struct.iter_unpack("8s", other))):
            if a != b:
                (x,), (y,) = struct.unpack("d", *a), struct.unpack("d", *b)
                time = self.start + (first + k // width + 1) * self.step
                return f"{self.variables[k % width][0]} at t = {time:.6g} s: {x!r}, {y!r}"
        return "one is shorter"
