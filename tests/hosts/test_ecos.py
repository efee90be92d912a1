"""ecos (C++) runs every FMU."""

import pytest

from golden import NAMES, Golden

try:
    from ecospy import EcosSimulation, EcosSimulationStructure
    from ecospy.lib import EcosLib
except OSError as error:
    pytest.skip(f"ecos cannot be loaded, on Debian it needs the package libtbb12 ({error})", allow_module_level=True)

import fmpy


@pytest.mark.parametrize("name", NAMES)
def test_ecos_gives_the_golden_result(archives, name):
    EcosLib.set_log_level("error")
    golden = Golden(name)
    types = {variable.name: variable.type for variable in fmpy.read_model_description(str(archives[name])).modelVariables}
    with EcosSimulationStructure() as structure:
        structure.add_model("slave", archives[name])
        with EcosSimulation(structure=structure, step_size=golden.step) as simulation:
            getters = {"Real": simulation.get_real, "Integer": simulation.get_integer, "Boolean": simulation.get_bool}

            def row():
                return [float(getters[types[column]](f"slave::{column}")) for column in golden.columns]

            assert simulation.init(golden.start)
            rows = [row()]
            for _ in golden.times[1:]:
                simulation.step()
                rows.append(row())
            simulation.terminate()
    golden.check(rows)
