"""An imported model whose start values are parameters, packed and run as a host would."""

import pathlib
import re
import shutil
import subprocess

import fmpy
from fmpy.fmi2 import FMU2Slave

COORDINATES = {"revolute": ("phi", "w"), "prismatic": ("s", "v")}


def start_parameters(text):
    """The model file with a parameter for every start value of joints with one degree of freedom; their names."""
    joints, result, parameters, current = {}, [], [], None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        heading = re.fullmatch(r"\[joints\.(\w+)\]", line)
        if heading:
            kind = re.fullmatch(r'type = "([\w-]+)"', lines[number + 1]).group(1)
            current = heading.group(1) if kind in COORDINATES else None
            result.append(line)
            if current:
                joints[current] = COORDINATES[kind]
                for variable in COORDINATES[kind]:
                    name = f"start_{current}_{variable}"
                    parameters.append(name)
                    result.append(f'{variable} = "{name}"')
            continue
        if line.startswith("["):
            current = None
        if number and current and re.match(r"(phi|s) = ", line):
            continue
        result.append(line)
    declared = [f"{name} = 0.0" for name in parameters]
    text = "\n".join(result) + "\n"
    if not declared:
        return text, joints
    if "[parameters]" in text:
        return text.replace("[parameters]\n", "[parameters]\n" + "\n".join(declared) + "\n"), joints
    place = text.index("\n[")
    return text[:place] + "\n[parameters]\n" + "\n".join(declared) + "\n" + text[place:], joints


class Packed:
    """A model as FMU."""

    def __init__(self, mbfmu, description, folder, *options):
        self.folder = pathlib.Path(folder)
        command = [mbfmu, "import", description, "-o", self.folder, *options]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        self.notes = [line[6:] for line in ran.stderr.splitlines() if line.startswith("note: ")]
        file = self.folder / "model.toml"
        text, self.joints = start_parameters(self.prepare(file.read_text()))
        file.write_text(text)
        archive = self.folder / "model.fmu"
        ran = subprocess.run([mbfmu, "pack", self.folder, "-o", archive], capture_output=True, text=True)
        assert ran.returncode == 0 and "cannot be initialized" not in ran.stderr, ran.stderr
        self.description = fmpy.read_model_description(archive)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.unzipped = fmpy.extract(archive)
        self.fmu = FMU2Slave(
            guid=self.description.guid,
            unzipDirectory=self.unzipped,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="model",
        )
        self.fmu.instantiate()

    def prepare(self, text):
        """Changes to the model file before it is packed."""
        return text

    def close(self):
        self.fmu.freeInstance()
        shutil.rmtree(self.unzipped, ignore_errors=True)

    def start(self, state, tolerance=1e-10):
        """Initializes with positions and velocities by joint."""
        self.fmu.reset()
        for joint, values in state.items():
            for variable, value in zip(self.joints[joint], values):
                self.fmu.setReal([self.references[f"start_{joint}_{variable}"]], [float(value)])
        self.fmu.setupExperiment(startTime=0.0, tolerance=tolerance)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def get(self, names):
        return self.fmu.getReal([self.references[name] for name in names])

    def accelerations(self):
        return dict(zip(self.joints, self.get([f"der({j}.{v})" for j, (_, v) in self.joints.items()])))

    def positions(self):
        return dict(zip(self.joints, self.get([f"{j}.{q}" for j, (q, _) in self.joints.items()])))

    def advance(self, duration):
        self.fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=duration)
