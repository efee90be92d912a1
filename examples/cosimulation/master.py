"""A small master for co-simulation with FMI 2.0: FMUs, connections between them, two ways to step them.

`jacobi` takes steps of one length and holds the inputs constant meanwhile: all that can be done with FMUs that only go
forwards. `adaptive` tries a step, goes back, repeats it with what it has learnt about the inputs, and chooses the length of
its steps from the difference. It needs FMUs that save and restore their state.
"""

from dataclasses import dataclass, field

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave


class Slave:
    """One instance of an FMU in initialization mode; real variables by name."""

    def __init__(self, name, archive):
        folder = fmpy.extract(str(archive))
        description = fmpy.read_model_description(folder)
        self.references = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.can_roll_back = description.coSimulation.canGetAndSetFMUstate
        self.can_interpolate = description.coSimulation.canInterpolateInputs
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName=name,
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()

    def get(self, variable):
        return self.fmu.getReal([self.references[variable]])[0]

    def set(self, variable, value):
        self.fmu.setReal([self.references[variable]], [value])

    def set_slope(self, variable, slope):
        """From here on, the input changes by `slope` per second; a new value ends that."""
        self.fmu.setRealInputDerivatives([self.references[variable]], [1], [slope])

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


@dataclass(frozen=True)
class Connection:
    """An input that follows an output, both as (slave, variable); `scale` is the size of a value that matters."""

    source: tuple
    target: tuple
    scale: float = 1.0


@dataclass
class Record:
    """What a run did: communication points, watched values, steps of FMUs, steps taken back."""

    times: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    fmu_steps: int = 0
    rejected: int = 0


class System:
    """Connected slaves, initialized, at time 0."""

    def __init__(self, archives, connections, watched):
        self.slaves = {name: Slave(name, archive) for name, archive in archives.items()}
        self.connections = connections
        self.watched = watched
        self.scales = np.array([connection.scale for connection in connections])
        self.record = Record()
        self.time = 0.0
        self.inputs = self.exchange()
        for slave in self.slaves.values():
            slave.fmu.exitInitializationMode()
        self.note()

    def exchange(self):
        """Hands outputs on to inputs, once for each slave: outputs may depend on inputs at once. Gives the inputs."""
        for _ in self.slaves:
            values = [self.slaves[slave].get(variable) for slave, variable in (c.source for c in self.connections)]
            for connection, value in zip(self.connections, values):
                slave, variable = connection.target
                self.slaves[slave].set(variable, value)
        return np.array(values)

    def advance(self, length, slopes=None):
        """Steps every slave on its own, from the present inputs on; gives the inputs at the end."""
        if slopes is not None:
            for connection, slope in zip(self.connections, slopes):
                slave, variable = connection.target
                self.slaves[slave].set_slope(variable, slope)
        for slave in self.slaves.values():
            slave.fmu.doStep(self.time, length, False)
            self.record.fmu_steps += 1
        return self.exchange()

    def accept(self, time, inputs):
        self.time, self.inputs = time, inputs
        self.note()

    def note(self):
        self.record.times.append(self.time)
        self.record.rows.append([self.slaves[slave].get(variable) for slave, variable in self.watched])

    def save(self):
        return {name: slave.fmu.getFMUstate() for name, slave in self.slaves.items()}

    def restore(self, states):
        for name, slave in self.slaves.items():
            slave.fmu.setFMUstate(states[name])

    def forget(self, states):
        for name, slave in self.slaves.items():
            slave.fmu.freeFMUstate(states[name])

    def close(self):
        for slave in self.slaves.values():
            slave.close()


def jacobi(system, stop, length):
    """Steps of one length; every slave sees its inputs as they were at the beginning of the step."""
    for k in range(round(stop / length)):
        begin, end = k * length, (k + 1) * length
        system.accept(end, system.advance(end - begin))
    return system.record


def adaptive(system, stop, tolerance, longest, shortest=1e-6):
    """Steps as long as the inputs allow.

    A first attempt holds the inputs constant and finds out where they go. The second one starts from the same state with
    inputs that go there in a straight line; it is of second order, and the difference of both is the error of the first.
    Steps end at multiples of `longest`, so that runs can be compared there.
    """
    if not all(slave.can_roll_back and slave.can_interpolate for slave in system.slaves.values()):
        raise ValueError("adaptive steps need FMUs that restore their state and take derivatives of inputs")
    length = shortest * 100
    marks = 0
    while marks * longest < stop * (1 - 1e-12):
        mark = (marks + 1) * longest
        remaining = mark - system.time
        # The rest up to the mark is not left to a tiny step.
        length = remaining if length > 0.999 * remaining else min(length, 0.5 * remaining) if 2 * length > remaining else length
        states = system.save()
        predicted = system.advance(length)
        system.restore(states)
        corrected = system.advance(length, (predicted - system.inputs) / length)
        error = np.max(np.abs(corrected - predicted) / system.scales) / tolerance
        factor = np.clip(0.9 / np.sqrt(max(error, 1e-12)), 0.1, 3.0)
        if error > 1.0 and length > shortest:
            system.restore(states)
            system.record.rejected += 1
            length = max(shortest, factor * length)
        else:
            reached = length == remaining
            system.accept(mark if reached else system.time + length, corrected)
            marks += reached
            length = min(longest, factor * length)
        system.forget(states)
    return system.record
