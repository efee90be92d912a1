"""The break of a game of billiards, played by one instance of the FMU in every process."""

import functools
import math

import fmpy
from fmpy.fmi2 import FMU2Slave

BALLS = range(16)
STOP = 2.0
STEP = 0.05
# A ball that has gone further than this has moved [m].
MOVED = 1e-3
COLUMNS = ["speed", "angle_deg", "balls_moved", "kinetic_energy", "events"]


class Game:
    """One instance of the FMU in this process."""

    def __init__(self, folder):
        description = fmpy.read_model_description(folder)
        self.references = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="game",
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()
        self.is_fresh = True

    def reals(self, names):
        return self.fmu.getReal([self.references[name] for name in names])

    def places(self):
        names = [f"ball{ball}.r_abs[{axis}]" for ball in BALLS for axis in (1, 2)]
        values = self.reals(names)
        return list(zip(values[::2], values[1::2]))

    def play(self, speed, angle_deg):
        """Row of a table with COLUMNS: the cue ball starts with `speed` [m/s], `angle_deg` [deg] from the long side of the table."""
        if not self.is_fresh:
            self.fmu.reset()
        self.is_fresh = False
        angle = math.radians(angle_deg)
        velocity = [speed * math.cos(angle), speed * math.sin(angle)]
        self.fmu.setReal([self.references["v0"], self.references["side"]], velocity)
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        begin = self.places()
        for k in range(round(STOP / STEP)):
            self.fmu.doStep(k * STEP, STEP)
        moved = sum(math.dist(a, b) > MOVED for a, b in zip(begin, self.places()))
        energy = self.reals(["energy.kinetic"])[0]
        events = self.fmu.getInteger([self.references["event_count"]])[0]
        self.fmu.terminate()
        return [speed, angle_deg, moved, energy, events]


@functools.cache
def game(folder):
    """The instance of this process, made when it is needed first."""
    return Game(folder)


def load(folder):
    """Loads the FMU into this process."""
    game(folder)


def play(folder, speed, angle_deg):
    """Row of the table, from the instance of this process."""
    return game(folder).play(speed, angle_deg)
