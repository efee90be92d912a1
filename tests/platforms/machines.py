"""The machines on which FMUs are run: this one, and others that Wine and QEMU play."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
WINE = next((path for path in (shutil.which("wine64"), "/usr/lib/wine/wine64") if path and os.path.exists(path)), None)
QEMU = shutil.which("qemu-aarch64")
ARM_SYSTEM = pathlib.Path("/usr/aarch64-linux-gnu")


class Failed(Exception):
    """What a host said before it gave up."""


def zig(target, output, *arguments):
    """Compiles C for another machine; everywhere with the same roundings."""
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off"]
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, *options, "-o", output]
    subprocess.run([*command, *arguments], check=True)


class Machine:
    """Runs programs in C; the host first of all."""

    ending = ".so"
    libraries = ["-ldl"]
    why_missing = None
    system = "the machine itself"

    def __init__(self, name, target, folder):
        self.name, self.target = name, target
        self.folder = folder / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.set_up()
        self.host = self.build(HERE / "host.c")

    def set_up(self):
        pass

    def build(self, source):
        program = self.folder / source.with_suffix(".exe" if self.ending == ".dll" else "").name
        zig(self.target, program, source, *self.libraries)
        return program

    def command(self, program):
        return [program]

    def environment(self):
        return {}

    def path(self, path):
        """How a path is written there."""
        return str(path)

    def uri(self, path):
        return pathlib.Path(path).as_uri()

    def call(self, program, *arguments, limit=3600):
        """Runs a program; gives what it says."""
        command = [*self.command(program), *map(str, arguments)]
        done = subprocess.run(command, env=self.environment(), cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=limit)
        said = "".join(line for line in (done.stdout + done.stderr).splitlines(True) if not self.is_noise(line))
        if done.returncode:
            raise Failed(f"{self.name}: exit code {done.returncode}; {said}".strip())
        return said

    def run(self, *arguments):
        """Runs the host, which is silent unless something goes wrong."""
        said = self.call(self.host, *arguments)
        if said:
            raise Failed(f"{self.name}: {said}".strip())

    def is_noise(self, _line):
        """Whether a line is of what plays the machine, not of the host."""
        return False


class Arm(Machine):
    """64-bit ARM, played by QEMU."""

    why_missing = None if QEMU and ARM_SYSTEM.is_dir() else "needs the Debian packages qemu-user and libc6-arm64-cross"

    def command(self, program):
        return [QEMU, "-L", ARM_SYSTEM, program]


class Windows(Machine):
    """64-bit Windows, played by Wine."""

    ending = ".dll"
    libraries = ["-lshell32"]
    why_missing = None if WINE else "needs the Debian package wine64"

    def set_up(self):
        # Windows has this library, Wine 8 does not.
        zig(self.target, self.folder / "bcryptprimitives.dll", "-shared", HERE / "bcryptprimitives.c")
        # The first start makes the folders of Windows, and says so.
        subprocess.run([WINE, "wineboot", "--init"], env=self.environment(), capture_output=True, timeout=300)
        # Kept for half a minute, its server need not start with every run.
        server = pathlib.Path(WINE).resolve().with_name("wineserver64")
        if server.is_file():
            subprocess.run([server, "-p30"], env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def command(self, program):
        return [WINE, program]

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
        silent = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "LANG": "C.UTF-8"}
        return kept | silent | {"WINEPREFIX": str(self.folder / "prefix")}

    def is_noise(self, line):
        return line.startswith("wine: ")

    def path(self, path):
        return "Z:" + str(path).replace("/", "\\")

    def uri(self, path):
        return pathlib.Path(path).as_uri().replace("file:///", "file:///Z:/")


#: By the name of the folder in an archive.
KINDS = {
    "linux64": (Machine, "x86_64-linux-gnu.2.17"),
    "win64": (Windows, "x86_64-windows-gnu"),
    "aarch64-linux": (Arm, "aarch64-linux-gnu.2.17"),
}
