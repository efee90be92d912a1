"""libcosim (Open Simulation Platform, C++ with FMI Library) runs every FMU."""

import pytest
from libcosimpy.CosimEnums import CosimVariableType
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from golden import NAMES, Golden

NANOSECOND = 1e-9


def values(observer, slave, variables):
    getters = {
        CosimVariableType.REAL.value: observer.last_real_values,
        CosimVariableType.INTEGER.value: observer.last_integer_values,
        CosimVariableType.BOOLEAN.value: observer.last_boolean_values,
    }
    return [float(getters[variable.type](slave, [variable.reference])[0]) for variable in variables]


@pytest.mark.parametrize("name", NAMES)
def test_libcosim_gives_the_golden_result(archives, name):
    log_output_level(CosimLogLevel.FATAL)
    golden = Golden(name)
    execution = CosimExecution.from_step_size(round(golden.step / NANOSECOND))
    local = CosimLocalSlave(str(archives[name]), "slave")
    slave = execution.add_local_slave(local)
    assert slave >= 0
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer)
    by_name = {variable.name.decode(): variable for variable in execution.slave_variables(slave)}
    variables = [by_name[column] for column in golden.columns]
    rows = []
    for _ in golden.times[1:]:
        assert execution.step()
        rows.append(values(observer, slave, variables))
    # The observer knows nothing before the first step.
    golden.check(rows, first=1)
