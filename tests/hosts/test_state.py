"""Saved states through an independent host: rollback, another process, damaged bytes, derivatives."""

import pathlib
import random
import subprocess
import sys

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave

from golden import NAMES

STEPS = 40


class Host:
    """One instance behind the low-level interface."""

    def __init__(self, archive, folder):
        self.description = fmpy.read_model_description(str(archive))
        if not pathlib.Path(folder, "modelDescription.xml").exists():
            fmpy.extract(str(archive), str(folder))
        identifier = self.description.coSimulation.modelIdentifier
        self.fmu = FMU2Slave(
            guid=self.description.guid, unzipDirectory=str(folder), modelIdentifier=identifier, instanceName="one"
        )
        self.fmu.instantiate()
        self.reals = [v.valueReference for v in self.description.modelVariables if v.type == "Real"]
        self.step = float(self.description.defaultExperiment.stopTime) / 400

    def start(self):
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        return self

    def go(self, first, last):
        """Every Real after every step."""
        rows = []
        for k in range(first, last):
            self.fmu.doStep(currentCommunicationPoint=k * self.step, communicationStepSize=self.step)
            rows.append(self.fmu.getReal(self.reals))
        return np.array(rows)

    def take(self):
        state = self.fmu.getFMUstate()
        data = self.fmu.serializeFMUstate(state)
        self.fmu.freeFMUstate(state)
        return data

    def put(self, data):
        state = self.fmu.deSerializeFMUstate(data)
        self.fmu.setFMUstate(state)
        self.fmu.freeFMUstate(state)

    def close(self):
        self.fmu.freeInstance()


@pytest.mark.parametrize("name", NAMES)
def test_a_state_continues_with_the_same_bits_here_and_in_another_process(archives, tmp_path, name):
    host = Host(archives[name], tmp_path).start()
    host.go(0, STEPS)
    data = host.take()
    direct = host.go(STEPS, 2 * STEPS)
    host.put(data)
    assert host.go(STEPS, 2 * STEPS).tobytes() == direct.tobytes()
    host.fmu.reset()
    host.put(data)
    assert host.go(STEPS, 2 * STEPS).tobytes() == direct.tobytes()
    host.close()
    (tmp_path / "state").write_bytes(data)
    subprocess.run([sys.executable, __file__, archives[name], tmp_path], check=True)
    assert (tmp_path / "rows").read_bytes() == direct.tobytes()


def test_damaged_and_foreign_states_are_refused(archives, tmp_path):
    host = Host(archives["Billiards4"], tmp_path / "a").start()
    host.go(0, 5)
    data = host.take()
    shuffled = random.Random(1)
    for _ in range(300):
        at, bit = shuffled.randrange(len(data)), shuffled.randrange(8)
        flipped = bytearray(data)
        flipped[at] ^= 1 << bit
        with pytest.raises(FMICallException):
            host.put(bytes(flipped))
        with pytest.raises(FMICallException):
            host.put(data[:at])
    other = Host(archives["Pendulum"], tmp_path / "b").start()
    with pytest.raises(FMICallException):
        other.put(data)
    host.put(data)
    host.go(5, 10)
    host.close()
    other.close()


def continue_in_this_process(archive, folder):
    host = Host(archive, folder)
    host.put(pathlib.Path(folder, "state").read_bytes())
    pathlib.Path(folder, "rows").write_bytes(host.go(STEPS, 2 * STEPS).tobytes())
    host.close()


if __name__ == "__main__":
    continue_in_this_process(sys.argv[1], pathlib.Path(sys.argv[2]))
