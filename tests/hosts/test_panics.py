"""Panics in a library that is built and linked like those in FMUs: the host lives on.

The models themselves have no way to panic; the probe has. It is the one of `crates/fmi2`, whose tests try the same and more in a library
that plain cargo has built. What differs here is who unwinds the stack: zig links a library of its own for that.
"""

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.fmi2Instantiate.restype = component = ctypes.c_void_p
library.fmi2Instantiate.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
library.fmi2DoStep.argtypes = [component, ctypes.c_double, ctypes.c_double, ctypes.c_int]
library.fmi2SetInteger.argtypes = [component, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
library.fmi2SetupExperiment.argtypes = [component, ctypes.c_int, ctypes.c_double, ctypes.c_double, ctypes.c_int, ctypes.c_double]
for name in ("fmi2EnterInitializationMode", "fmi2ExitInitializationMode", "fmi2Terminate", "fmi2FreeInstance"):
    getattr(library, name).argtypes = [component]
callbacks = (ctypes.c_void_p * 5)()

def instance(name, mischief=0):
    made = library.fmi2Instantiate(name, 1, b"{probe-1}", None, callbacks, 0, 0)
    if made:
        assert library.fmi2SetupExperiment(made, 0, 0.0, 0.0, 0, 0.0) == 0
        reference, value = ctypes.c_uint(MISCHIEF), ctypes.c_int(mischief)
        assert library.fmi2SetInteger(made, ctypes.byref(reference), 1, ctypes.byref(value)) == 0
        assert library.fmi2EnterInitializationMode(made) == library.fmi2ExitInitializationMode(made) == 0
    return made

MISCHIEF, PANIC, FATAL = 6, 5, 4
assert instance(b"panic") is None, "a panic in fmi2Instantiate gives NULL"
for _ in range(100):
    sick, well = instance(b"sick", PANIC), instance(b"well")
    assert library.fmi2DoStep(sick, 0.0, 0.1, 1) == FATAL
    assert library.fmi2DoStep(sick, 0.1, 0.1, 1) != 0
    assert library.fmi2DoStep(well, 0.0, 0.1, 1) == 0
    library.fmi2FreeInstance(sick)
    library.fmi2FreeInstance(well)
"""


@pytest.fixture
def probe(pytestconfig):
    path = pytestconfig.getoption("--probe")
    if path is None:
        pytest.skip("no library with a probe; `make hosts` builds it")
    return path


def test_a_panic_is_fatal_for_the_instance_and_nobody_else(probe):
    done = subprocess.run([sys.executable, "-c", PROGRAM, probe], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
