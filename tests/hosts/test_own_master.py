"""A master of our own on the C functions, as FMPy hands them through: every FMU, steps of changing length, restarts."""

import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave

from golden import NAMES, Golden

# How each step of the golden result is divided, in turn.
DIVISIONS = [(1.0,), (0.25, 0.75), (0.5, 0.4, 0.1), (0.9, 0.1)]


class Slave:
    """One instance, its variables by name."""

    def __init__(self, archive, folder, instance="master"):
        unpacked = fmpy.extract(str(archive), folder)
        self.description = fmpy.read_model_description(unpacked)
        self.variables = {variable.name: variable for variable in self.description.modelVariables}
        self.fmu = FMU2Slave(guid=self.description.guid, unzipDirectory=unpacked, instanceName=instance,
                             modelIdentifier=self.description.coSimulation.modelIdentifier)
        self.fmu.instantiate()

    def initialize(self, golden):
        self.fmu.setupExperiment(startTime=golden.start, stopTime=golden.stop)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def get(self, names):
        """Values in the order of the names, with one call for each type."""
        getters = {"Real": self.fmu.getReal, "Integer": self.fmu.getInteger, "Boolean": self.fmu.getBoolean}
        values = {}
        for kind, getter in getters.items():
            of_kind = [name for name in names if self.variables[name].type == kind]
            if of_kind:
                values.update(zip(of_kind, getter([self.variables[name].valueReference for name in of_kind])))
        return [float(values[name]) for name in names]

    def run(self, golden, divisions=DIVISIONS):
        """Rows of values at the communication points of the golden result."""
        rows = [self.get(golden.columns)]
        for k, (begin, end) in enumerate(zip(golden.times, golden.times[1:])):
            time = begin
            for part in divisions[k % len(divisions)]:
                self.fmu.doStep(currentCommunicationPoint=time, communicationStepSize=part * (end - begin))
                time += part * (end - begin)
            rows.append(self.get(golden.columns))
        return rows

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


@pytest.mark.parametrize("name", NAMES)
def test_steps_of_changing_length_give_the_golden_result(archives, name, tmp_path):
    golden, slave = Golden(name), Slave(archives[name], tmp_path)
    slave.initialize(golden)
    golden.check(slave.run(golden))
    slave.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_reset_instance_repeats_its_run_to_the_bit(archives, name, tmp_path):
    golden, slave = Golden(name), Slave(archives[name], tmp_path)
    slave.initialize(golden)
    first = slave.run(golden)
    slave.fmu.terminate()
    slave.fmu.reset()
    slave.initialize(golden)
    assert slave.run(golden) == first
    slave.close()


def test_instances_of_all_fmus_in_one_process_do_not_disturb_each_other(archives, tmp_path):
    goldens = {name: Golden(name) for name in NAMES}
    slaves = {name: Slave(archives[name], tmp_path / name) for name in NAMES}
    rows = {name: [] for name in NAMES}
    for name in NAMES:
        slaves[name].initialize(goldens[name])
        rows[name].append(slaves[name].get(goldens[name].columns))
    # Everyone takes one step in turn.
    for k in range(max(len(golden.times) for golden in goldens.values()) - 1):
        for name in (name for name in NAMES if k + 1 < len(goldens[name].times)):
            times = goldens[name].times
            slaves[name].fmu.doStep(currentCommunicationPoint=times[k], communicationStepSize=times[k + 1] - times[k])
            rows[name].append(slaves[name].get(goldens[name].columns))
    for name in NAMES:
        goldens[name].check(rows[name])
        slaves[name].close()
