"""Pythons for other platforms, from the registries of packages: for Windows from PyPI, for ARM from Debian."""

import os
import pathlib
import shutil
import subprocess
import sys

from machines import HERE, QEMU, WINE
from model import ROOT

#: The newest NumPy that needs nothing of Windows that Wine 8 lacks.
NUMPY_FOR_WINE = "numpy==1.26.4"


class Missing(Exception):
    """Why there is no such Python."""


def pip(folder, *arguments):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", folder]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Missing(done.stderr.strip())


class Python:
    """Runs programs of a Python, in which the wheel and NumPy are installed as pip does it there."""

    def __init__(self, machine, folder, wheel):
        self.machine, self.folder = machine, folder
        self.command = self.fetch()
        place = self.packages()
        chosen = ["--only-binary=:all:", "--implementation", "cp", "--python-version", self.version]
        chosen += [word for platform in self.platforms for word in ("--platform", platform)]
        pip(place, *chosen, self.numpy())
        # Refuses a wheel with tags of another platform.
        pip(place, *chosen, wheel)

    def run(self, *arguments, cwd, variables=None):
        """What the program says."""
        environment = self.environment() | (variables or {})
        command = [*self.command, *map(str, arguments)]
        done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=900)
        said = "".join(line for line in (done.stdout + done.stderr).splitlines(True) if not self.machine.is_noise(line))
        assert done.returncode == 0, said
        return said.replace("\\", "/")


class WindowsPython(Python):
    """Python's package for embedding, in Wine."""

    platforms = ["win_amd64"]
    version = "3.11"

    def fetch(self):
        pip(self.folder, "--requirement", HERE / "requirements-windows.txt")
        (self.folder / "python311._pth").write_text("python311.zip\n.\npackages\n")
        shutil.copy(self.machine.folder / "bcryptprimitives.dll", self.folder)
        return [WINE, self.folder / "python.exe"]

    def packages(self):
        return self.folder / "packages"

    def numpy(self):
        return NUMPY_FOR_WINE

    def environment(self):
        return self.machine.environment()


class ArmPython(Python):
    """Debian's, in QEMU."""

    platforms = [f"manylinux_2_{minor}_aarch64" for minor in (28, 27, 17)] + ["manylinux2014_aarch64"]

    def fetch(self):
        if not shutil.which("apt-get"):
            raise Missing("a Python for ARM comes from Debian")
        done = subprocess.run([ROOT / "tools" / "arm-python.sh", self.folder], capture_output=True, text=True)
        if done.returncode:
            raise Missing(done.stderr.strip())
        self.version = done.stdout.strip()
        system = self.folder / "root"
        return [QEMU, "-L", system, system / "usr" / "bin" / f"python{self.version}"]

    def packages(self):
        return self.folder / "packages"

    def numpy(self):
        lines = (ROOT / "tests" / "requirements.txt").read_text().splitlines()
        return next(line for line in lines if line.startswith("numpy=="))

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
        return kept | {"LANG": "C.UTF-8", "PYTHONPATH": str(pathlib.Path(self.packages()))}


#: By the platform of the library in FMUs: the end of the wheel's name, the module, who runs it.
KINDS = {
    "linux64": ("x86_64", "_mbfmu.abi3.so", None),
    "win64": ("win_amd64", "_mbfmu.pyd", WindowsPython),
    "aarch64-linux": ("aarch64", "_mbfmu.abi3.so", ArmPython),
}
