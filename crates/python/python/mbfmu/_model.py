"""Models: loaded, built, checked, run, packed."""

from __future__ import annotations

import copy
import numbers
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _format, _mbfmu
from ._errors import Interrupted, RobotWarning, UsageError
from ._extras import Progress
from ._inputs import Inputs, Motions, motions_table, split_inputs
from ._linear import Equilibrium, LinearModel
from ._section import given
from ._toml import dumps, with_absolute_files

if TYPE_CHECKING:
    from ._result import Result

PathLike = Union[str, "os.PathLike[str]"]
Value = Union[float, int, bool, str]

#: Pictures per second of simulated time that a run keeps for `Result.view`.
FPS = 30.0
#: Most pictures that a run keeps unless it is told otherwise.
MOST_PICTURES = 6000


class Variable(NamedTuple):
    """A variable of a model."""

    name: str
    kind: str
    role: str
    unit: str
    display_unit: Optional[str]
    start: Optional[float]
    min: Optional[float]
    max: Optional[float]
    description: str
    tunable: bool


class ImportNote(NamedTuple):
    """An element of a robot description that was not taken over, or not as it stands there."""

    file: str
    line: int
    column: int
    element: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.element}: {self.message}"


class Report(NamedTuple):
    """What `Model.check` found in a model that can start."""

    bodies: int
    joints: int
    states: int
    summary: str
    remarks: List[str]

    def __str__(self) -> str:
        return "\n".join([f"warning: {remark}" for remark in self.remarks] + [self.summary])


class _Content:
    """Members of a model or of an assembly."""

    def __init__(self, content: Callable[[], Dict[str, Any]]) -> None:
        #: Frames with features: bodies, points, the ground.
        self.objects = _format.Objects(content)
        #: Connections of objects, in any order; they may close loops.
        self.joints = _format.Joints(content)
        #: Force elements.
        self.forces = _format.Forces(content)
        #: Groups of variables derived from the motion.
        self.sensors = _format.Sensors(content)
        #: Controllers, sources, drives and other equations.
        self.components = _format.Components(content)
        #: Assemblies put into place, once or as arrays.
        self.instances = _format.Instances(content)
        #: Reference paths for drives, moved by action programs.
        self.paths = _format.Paths(content)
        #: What is attached, released, deleted and inserted while the simulation runs, and when.
        self.actions = _format.Actions(content)
        #: Constants of a run that may be set before it.
        self.parameters = _format.Parameters(content)


class Assembly(_Content):
    """A reusable group of objects with parameters of its own; `model.instances.add` puts it into place."""

    def __init__(self, content: Callable[[], Dict[str, Any]], name: str) -> None:
        super().__init__(content)
        self.name = name

    def __repr__(self) -> str:
        return f"Assembly({self.name!r})"


class Model(_Content):
    """A multibody model: built here piece by piece as a model file is, or loaded by `mbfmu.load`.

    >>> m = Model("Pendulum", gravity=[0, -9.81, 0])
    >>> rod = m.objects.add("rod", solid=mbfmu.solid.box(lengths=[0.04, 1, 0.04], r=[0, -0.5, 0], material="Steel"))
    >>> m.joints.revolute("hinge", from_="world", to=rod, axis="z", phi="pi/4")
    >>> m.simulate(stop=10)["hinge.phi"]

    Everything is checked when the model is used first after a change.
    """

    def __init__(
        self,
        name: str = "Model",
        *,
        description: Optional[str] = None,
        author: Optional[str] = None,
        version: Optional[str] = None,
        gravity: "Union[str, Sequence[_format.Number], _format.Gravity, None]" = None,
        experiment: "Optional[_format.Experiment]" = None,
        contact: "Optional[_format.Contact]" = None,
        folder: PathLike = ".",
    ) -> None:
        self._start(given({
            "name": name,
            "description": description,
            "author": author,
            "version": version,
            "gravity": gravity,
            "experiment": None if experiment is None else dict(experiment),
            "contact": None if contact is None else dict(contact),
        }), folder)

    def _start(self, document: Optional[Dict[str, Any]], folder: PathLike, native: "Optional[_mbfmu.Model]" = None) -> None:
        self._folder = os.fspath(folder)
        self._document = document
        self._native = native
        # The text that `_native` was made of; none when it stands for itself.
        self._text: Optional[str] = None
        self._kinematic: Optional[_mbfmu.Model] = None
        self._last: Optional[Result] = None
        #: What was not taken over from a robot description, or not as it stands there; empty for other models.
        self.import_notes: List[ImportNote] = []
        #: Files that the model brings along, the meshes of a robot: content by the path in the model file.
        self.files: Dict[str, bytes] = {}
        content = lambda: self.document  # noqa: E731
        super().__init__(content)
        #: Values that the host sets during a run.
        self.inputs = _format.Inputs(content)
        #: Functions of one argument for expressions.
        self.tables = _format.Tables(content)
        #: Materials beside the built-in ones.
        self.materials = _format.Materials(content)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], folder: PathLike = ".") -> Model:
        """A model from the tables of a model file; paths in it are relative to `folder`."""
        model = cls.__new__(cls)
        model._start(copy.deepcopy(dict(document)), folder)
        return model

    @classmethod
    def _imported(cls, native: _mbfmu.Model) -> Model:
        """The model of a robot description."""
        model = cls._of(native, ".")
        model.files = {os.fspath(path): bytes(content) for path, content in native.files().items()}
        model.import_notes = [ImportNote(*row) for row in native.notes()]
        return model

    @classmethod
    def _of(cls, native: _mbfmu.Model, folder: PathLike) -> Model:
        model = cls.__new__(cls)
        model._start(None, folder, native)
        return model

    # What the model says.

    @property
    def document(self) -> Dict[str, Any]:
        """The tables of the model file as dictionaries; changes count."""
        if self._document is None:
            native = self._native
            if native is None or native.text is None:
                raise UsageError("this model was not read from a model file and cannot be changed", hint="change its source")
            document = _mbfmu.parse_toml(native.text)
            document.setdefault("name", native.name)
            self._text = dumps(document)
            self._document = document
        return self._document

    @property
    def name(self) -> str:
        """Name of the model."""
        return str(self._document["name"]) if self._document else self.native.name

    @property
    def outputs(self) -> Any:
        """Outputs: a list of variables, groups, and tables with `name` and `value`."""
        return self.document.setdefault("outputs", [])

    @outputs.setter
    def outputs(self, outputs: "Sequence[Union[str, _format.Outputs]]") -> None:
        self.document["outputs"] = list(outputs)

    def output(self, name: str, value: "Optional[_format.Number]" = None, **more: str) -> None:
        """Adds an output: a variable or group, or a calculated `value` with `unit` and `description`."""
        self.outputs.append(name if value is None else {"name": name, "value": value, **more})

    def assembly(self, name: str, description: Optional[str] = None) -> Assembly:
        """An assembly of this name, new or as it is."""
        assemblies = self.document.setdefault("assemblies", {})
        assemblies.setdefault(name, given({"description": description}))
        return Assembly(lambda: self.document["assemblies"][name], name)

    def material_pair(self, first: str, second: str, **properties: "_format.Number") -> None:
        """Contact properties of two materials: `cor`, `mu_k`, `mu_r`, …"""
        self.document.setdefault("material_pairs", []).append({"materials": [first, second], **properties})

    def to_toml(self, path: Optional[PathLike] = None) -> str:
        """The model file, also written to `path`, whose folder is made.

        Files it names are named so that they are found from everywhere. Those of `files`, which exist in memory only,
        keep their names; they are written beside `path`, and `mbfmu.load(text, files=model.files)` finds them.
        """
        text = dumps(with_absolute_files(self.document, self._folder, self.files))
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            for name, content in self.files.items():
                target = Path(path).parent / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            Path(path).write_text(text, encoding="utf-8")
        return text

    @property
    def native(self) -> _mbfmu.Model:
        """The model as the engine reads it.

        Raises `ModelError` with everything that is wrong with it.
        """
        if self._document is not None:
            text = dumps(self._document)
            if self._native is None or text != self._text:
                self._kinematic = None
                path = os.path.join(self._folder, f"<{self._document.get('name')}>")
                self._native = _mbfmu.Model.from_text(text, path, self.files)
                self._text = text
        assert self._native is not None
        return self._native

    def _for(self, kinematic: bool) -> _mbfmu.Model:
        native = self.native
        if not kinematic:
            return native
        if self._kinematic is None:
            self._kinematic = native.kinematic()
        return self._kinematic

    @property
    def variables(self) -> Dict[str, Variable]:
        """All variables by name, in the order of the model description."""
        return {row[0]: Variable(*row) for row in self.native.variables()}

    @property
    def description_xml(self) -> str:
        """The model description of the FMU."""
        return self.native.xml()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.native.canonical() == other.native.canonical()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return _unpickled, (self.native.json(), self._document, self._folder, self.files, self.import_notes)

    def __repr__(self) -> str:
        return f"<mbfmu.Model {self.name}>"

    # What is done with it.

    def check(self) -> Report:
        """Reads, elaborates and starts the model; raises `ModelError` with everything that is wrong."""
        return Report(*self.native.check())

    def simulate(
        self,
        *,
        start: Optional[float] = None,
        stop: Optional[float] = None,
        step: Optional[float] = None,
        tolerance: Optional[float] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        inputs: Optional[Inputs] = None,
        outputs: Union[str, Sequence[str], None] = None,
        kinematic: bool = False,
        fps: Optional[float] = FPS,
        wall_limit: Optional[float] = None,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
        profile_steps: bool = False,
    ) -> Result:
        """Simulates, with the same bits as `mbfmu simulate`; what is not given is as the model says.

        step: Communication step [s].
        parameters: Values of parameters, and of inputs that stay as they are.
        inputs: Values over time: a function of time that gives a dictionary, a DataFrame with time as its index or
            in a column `time`, or a dictionary of columns with a column `time`. Columns follow straight lines between
            their rows; functions are asked at the start of every communication step, and the values held over it.
        outputs: What to keep: names, groups such as `rod.r_abs`, patterns such as `*.phi`, or "all". Default: the
            outputs of the model.
        kinematic: Follow the prescribed motions without solving the equations of motion.
        fps: Pictures per second of simulated time for `Result.view`; none keeps no pictures.
        wall_limit: Longest wall time [s]; a run that is not done by then raises `SimulationError`.
        threads: Threads that evaluate contacts where they are many; by default one for every core. Results do not
            depend on their number.
        progress: Whether to show a bar; by default in terminals and notebooks.
        profile_steps: Whether to keep a balance of what limited the steps, `Result.profile`.

        A run that fails raises `SimulationError`, Ctrl-C raises `Interrupted`, a subclass of KeyboardInterrupt; both
        have what was computed until then as `result`, with `complete == False`, as has `Model.last_result`.
        """
        return self._run(
            start=start, stop=stop, step=step, tolerance=tolerance, parameters=parameters, inputs=inputs,
            outputs=outputs, kinematic=kinematic, fps=fps, wall_limit=wall_limit, threads=threads, progress=progress,
            profile_steps=profile_steps,
        )

    def inverse(
        self,
        motions: Motions,
        *,
        drive: Union[str, Sequence[str]] = (),
        columns: Optional[Mapping[str, str]] = None,
        free: bool = False,
        closed: Union[str, Sequence[str]] = (),
        start: Optional[float] = None,
        stop: Optional[float] = None,
        step: Optional[float] = None,
        tolerance: Optional[float] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        inputs: Optional[Inputs] = None,
        outputs: Union[str, Sequence[str], None] = None,
        fps: Optional[float] = FPS,
        wall_limit: Optional[float] = None,
        progress: Optional[bool] = None,
    ) -> Result:
        """Inverse dynamics: the forces and torques that given motions need, with the same bits as `mbfmu inverse`.

        motions: A `Result`, a DataFrame with time as its index or in a column `time`, or a dictionary of columns with
            a column `time`. Columns are called as results are: `hinge.phi`, `hinge.w`, `der(hinge.w)`.
        drive: Joints, coordinates and free objects that follow them. Default: all that have columns.
        columns: Columns that are called otherwise, by the name of a coordinate, velocity or acceleration.
        free: Let degrees of freedom without a given motion move as the forces want.
        closed: Contacts that must not open, by both objects as in `contact.floor_foot.f_n`: an opening is an error.
        step: Distance of the rows of the result [s]. Default: the rows of the motions.
        outputs: What to keep. Default: the efforts of the motions, such as `hinge.tau`.

        All else is as in `simulate`. What the motions leave uncertain is told in `Result.notes`.
        """
        table = motions_table(motions)
        return self._run(
            start=table[1][0] if start is None and table[1] else start,
            stop=table[1][-1] if stop is None and table[1] else stop,
            step=step, tolerance=tolerance, parameters=parameters, inputs=inputs, outputs=outputs, fps=fps,
            wall_limit=wall_limit, progress=progress,
            motions={
                "table": table,
                "drive": names(drive),
                "columns": [f"{name}={column}" for name, column in (columns or {}).items()],
                "free": free,
                "closed": names(closed),
            },
        )

    def _run(
        self,
        *,
        start: Optional[float],
        stop: Optional[float],
        step: Optional[float],
        tolerance: Optional[float],
        parameters: Optional[Mapping[str, Value]],
        inputs: Optional[Inputs],
        outputs: Union[str, Sequence[str], None],
        fps: Optional[float],
        wall_limit: Optional[float],
        progress: Optional[bool],
        threads: Optional[int] = None,
        kinematic: bool = False,
        profile_steps: bool = False,
        halt: Optional[_mbfmu.Stop] = None,
        motions: Optional[Dict[str, Any]] = None,
    ) -> Result:
        """As `simulate`; `halt` ends the run from another thread."""
        from ._result import Result

        for what, value in {"start": start, "stop": stop}.items():
            if value is not None and not isinstance(value, numbers.Real):
                raise TypeError(f"{what} must be a number of seconds, not {value!r}")
        native = self._for(kinematic)
        begin, end, _, _ = native.experiment()
        begin, end = begin if start is None else start, end if stop is None else stop
        if fps is not None and fps == FPS and end - begin > 0:
            fps = min(fps, MOST_PICTURES / (end - begin))
        bar = Progress(end - begin, "s", progress)
        constants, table, function = split_inputs(inputs)
        try:
            raw, error = native.run({
                "start": start,
                "stop": stop,
                "step": step,
                "tolerance": tolerance,
                "wall_limit": wall_limit,
                "threads": threads,
                "settings": settings({**(parameters or {}), **constants}),
                "table": table,
                "function": function,
                "outputs": None if outputs is None or outputs == "all" else names(outputs),
                "all": outputs == "all",
                "fps": fps,
                "profile_steps": profile_steps,
                "motions": motions,
                "tick": None if bar.bar is None else lambda t: bar.reach(t - begin),
                "halt": halt,
            })
        finally:
            bar.close()
        result = self._last = Result(raw, known=self)
        if error is None:
            return result
        if isinstance(error, KeyboardInterrupt):
            reached = f"stopped at t = {result.time[-1]:.6g} s" if len(result) else "stopped"
            raise Interrupted(f"{reached}; what was computed is the attribute `result`", result) from None
        error.result = result
        raise error

    @property
    def last_result(self) -> Optional[Result]:
        """The result of the last run of this model, also of one that failed or was interrupted."""
        return self._last

    def session(
        self,
        *,
        start: Optional[float] = None,
        step: Optional[float] = None,
        tolerance: Optional[float] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        kinematic: bool = False,
    ) -> _mbfmu.Session:
        """Starts the model, to be advanced step by step."""
        return _mbfmu.Session(self._for(kinematic), dict(parameters or {}), start, step, tolerance)

    def equilibrium(
        self,
        *,
        free: Union[str, Sequence[str]] = (),
        fix: Union[str, Sequence[str]] = (),
        steady: Union[str, Sequence[str]] = (),
        speed: Union[str, Sequence[str]] = (),
        trim: Union[str, Sequence[str]] = (),
        targets: Optional[Mapping[str, float]] = None,
        parameters: Optional[Mapping[str, Value]] = None,
        start: Optional[float] = None,
    ) -> Equilibrium:
        """The equilibrium near the start; raises `ModelError` with what cannot rest.

        free: Coordinates that may move, names, groups or patterns; all others stay. Default: all.
        fix: Coordinates that stay.
        steady, speed: Coordinates that move steadily, with their start velocity or with one to be found.
        trim: Inputs or parameters to be found.
        targets: Values that variables shall have.
        parameters: Values of parameters, and of inputs.
        start: Time of the start [s].
        """
        request = equilibrium_request(free, fix, steady, speed, trim, targets, parameters, start)
        return Equilibrium(_mbfmu.equilibrium(self.native, request))

    def linearize(
        self,
        *,
        at: Optional[float] = None,
        equilibrium: bool = False,
        inputs: Union[str, Sequence[str]] = (),
        outputs: Union[str, Sequence[str]] = (),
        parameters: Optional[Mapping[str, Value]] = None,
        start: Optional[float] = None,
        free: Union[str, Sequence[str]] = (),
        fix: Union[str, Sequence[str]] = (),
        steady: Union[str, Sequence[str]] = (),
        speed: Union[str, Sequence[str]] = (),
        trim: Union[str, Sequence[str]] = (),
        targets: Optional[Mapping[str, float]] = None,
    ) -> LinearModel:
        """The linear model at the start, at the equilibrium near it, or at time `at` [s] of a run.

        inputs, outputs: Names, groups or patterns. Default: the real inputs and outputs of the model.
        parameters: Values of parameters, and of inputs.
        free, fix, steady, speed, trim, targets: Which equilibrium, as in `Model.equilibrium`; with `equilibrium=True`.
        """
        request = equilibrium_request(free, fix, steady, speed, trim, targets, parameters, start)
        if not equilibrium and any(request[key] for key in ("free", "fix", "steady", "speed", "trim", "targets")):
            raise ValueError("free, fix, steady, speed, trim and targets are about an equilibrium: add equilibrium=True")
        text = _mbfmu.linearize(self.native, at, request, equilibrium, names(inputs), names(outputs))
        return LinearModel(text)

    def starting_from(self, start: Union[Equilibrium, Mapping[str, Union[float, Sequence[float]]]]) -> Model:
        """The same model with other start values: those of an equilibrium, or a dictionary by name."""
        values = start.start if isinstance(start, Equilibrium) else start
        listed = [(name, [float(value)] if isinstance(value, (int, float)) else [float(x) for x in value]) for name, value in values.items()]
        return Model._of(_mbfmu.starting_from(self.native, listed), self._folder)

    def pack(
        self,
        path: Optional[PathLike] = None,
        *,
        library: Optional[PathLike] = None,
        kinematic: bool = False,
        inverse: bool = False,
        drive: Union[str, Sequence[str]] = (),
        free: bool = False,
        closed: Union[str, Sequence[str]] = (),
        filter: Optional[float] = None,
    ) -> Path:
        """Packs the model as an FMU and gives its path, `<Name>.fmu` in the current folder unless said otherwise.

        inverse: Motions are inputs (`hinge.phi_ref`) and the efforts that they need outputs (`hinge.tau`).
        drive, free, closed: As in `Model.inverse`.
        filter: Time constant [s] of a filter of the motions, for hosts that give no derivatives.
        """
        if not inverse and (drive or free or closed or filter is not None):
            raise UsageError(
                "`drive`, `free`, `closed` and `filter` are for inverse dynamics", hint="say inverse=True as well"
            )
        native = self._for(kinematic)
        if inverse:
            native = native.inverted(names(drive), free, names(closed), filter)
        target = Path(path if path is not None else f"{native.name}.fmu")
        native.pack(target, None if library is None else Path(library))
        return target


def _unpickled(
    json: str,
    document: Optional[Dict[str, Any]],
    folder: str,
    files: Dict[str, bytes],
    import_notes: List[ImportNote],
) -> Model:
    model = Model._of(_mbfmu.Model.from_json(json), folder)
    model.files, model.import_notes = files, import_notes
    if document is not None:
        model._document, model._text = document, dumps(document)
    return model


def settings(values: Mapping[str, Value]) -> List[str]:
    """Values of parameters as the command takes them, without loss of a bit."""
    return [f"{name}={setting(value)}" for name, value in values.items()]


def setting(value: Value) -> str:
    """A value as the command takes it."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(float(value))
    return str(value)


def equilibrium_request(
    free: Union[str, Sequence[str]],
    fix: Union[str, Sequence[str]],
    steady: Union[str, Sequence[str]],
    speed: Union[str, Sequence[str]],
    trim: Union[str, Sequence[str]],
    targets: Optional[Mapping[str, float]],
    parameters: Optional[Mapping[str, Value]],
    start: Optional[float],
) -> Dict[str, Any]:
    """What an equilibrium shall be like, as the engine takes it."""
    return {
        "free": names(free),
        "fix": names(fix),
        "steady": names(steady),
        "speed": names(speed),
        "trim": names(trim),
        "targets": settings(targets or {}),
        "settings": settings(parameters or {}),
        "start": start,
    }


def names(outputs: Union[str, Sequence[str]]) -> List[str]:
    """A name or names as a list."""
    return [outputs] if isinstance(outputs, str) else list(outputs)



def noted(native: _mbfmu.Model) -> Model:
    """A model with its notes, and a warning if there are some; for functions that a user calls."""
    model = Model._imported(native)
    count = len(model.import_notes)
    if count:
        what = "1 element of the robot description was" if count == 1 else f"{count} elements of the robot description were"
        warnings.warn(f"{what} not taken over, or not as it stands: see `Model.import_notes`", RobotWarning, stacklevel=3)
    return model


def load(
    source: Union[PathLike, Mapping[str, Any]],
    *,
    folder: Optional[PathLike] = None,
    files: Optional[Mapping[str, bytes]] = None,
) -> Model:
    """Reads a model: a folder with a `model.toml`, a model file, the text of one, or its tables as a dictionary.

    `folder` is what paths in a text or dictionary are relative to; `files` has the content of those that are not
    there, by path. A robot description is read as by `from_urdf` and `from_mjcf` without options.

    Raises `ModelError` with everything that is wrong with it.
    """
    if isinstance(source, Mapping):
        model = Model.from_dict(source, folder or ".")
        model.files = dict(files or {})
        model.native
        return model
    path = os.fspath(source)
    if isinstance(source, str) and "\n" in path:
        own = dict(files or {})
        native = _mbfmu.Model.from_text(path, Path(folder or ".") / "<text>", own)
        model = Model._of(native, folder or ".")
        model.files = own
        return model
    native = _mbfmu.Model.read(path)
    if os.path.splitext(path)[1].lower() in (".urdf", ".xml", ".mjcf"):
        return noted(native)
    return Model._of(native, os.path.dirname(native.path or "") or ".")
