"""The functions of an FMU in random order with random arguments, from a host in C; see `fuzz.c`.

`python tests/hosts/test_fuzz.py ARCHIVE FIRST LAST CALLS` does the same for more seeds.
"""

import pathlib
import subprocess
import sys
import tempfile

import fmpy
import pytest

# Parts that come and go, impacts, stiction on a moving table, loops, components.
MODELS = ["ConveyorSorting", "Billiards4", "TiltingTable", "NFourBar", "ServoArm", "GripperWithInputs"]


def fuzz(archive, folder, first, last, calls):
    """Prints what was compared; an error otherwise."""
    program, unpacked = folder / "fuzz", folder / "unpacked"
    source = pathlib.Path(__file__).with_name("fuzz.c")
    subprocess.run(["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source, "-ldl", "-lm"], check=True)
    fmpy.extract(str(archive), unpacked)
    library = next((unpacked / "binaries" / fmpy.platform).glob(f"*{fmpy.sharedLibraryExtension}"))
    guid = fmpy.read_model_description(str(unpacked)).guid
    command = [program, library, guid, (unpacked / "resources").as_uri(), str(first), str(last), str(calls)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("name", MODELS)
def test_no_order_of_calls_makes_an_fmu_crash_or_change_its_bits(archives, name, tmp_path):
    done = fuzz(archives[name], tmp_path, 0, 3, 1000)
    assert (done.returncode, done.stderr) == (0, "")
    calls, comparisons = (int(word) for word in done.stdout.split() if word.isdigit())
    assert calls >= 4000 and comparisons > 50


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        result = fuzz(sys.argv[1], pathlib.Path(place), *sys.argv[2:5])
    print(result.stdout + result.stderr, end="")
    sys.exit(result.returncode)
