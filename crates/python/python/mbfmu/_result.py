"""Results of runs."""

from __future__ import annotations

import difflib
import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import UsageError
from ._extras import require

if TYPE_CHECKING:
    import matplotlib.figure
    import numpy
    import pandas

    from . import _mbfmu
    from ._model import Model, PathLike


class Event(NamedTuple):
    """Something that happened in a run: kind is `event`, `contact` or `segment`."""

    time: float
    kind: str
    text: str


class Limit(NamedTuple):
    """Steps that one thing has limited, or restarts of the integrator that it has caused."""

    what: str
    #: Number of the steps or restarts.
    number: int
    #: Simulated time of the steps [s].
    simulated: float
    #: Wall time that they took [s].
    wall: float
    #: Attempts that failed because the error was too large.
    error_test_failures: int
    #: Attempts that failed because Newton's iteration did not converge.
    convergence_failures: int


class StepProfile(NamedTuple):
    """What limited the steps of a run, with what took the longest at first; printed, the table of the command."""

    steps: List[Limit]
    restarts: List[Limit]
    table: str

    def __str__(self) -> str:
        return self.table

    @classmethod
    def _of(cls, text: str) -> StepProfile:
        parts = json.loads(text)
        steps, restarts = ([Limit(**row) for row in parts[key]] for key in ("steps", "restarts"))
        return cls(steps, restarts, parts["table"])


class Result:
    """What a run has left: `r.time`, and variables by name, `r["hinge.phi"]`, or by group, `r["ball.r_abs"]` (n x 3).

    Arrays have one row per communication point, the start included.
    """

    def __init__(self, raw: "_mbfmu.RawResult", known: "Optional[Model]" = None) -> None:
        import numpy

        self._raw = raw
        self._known = known
        #: Name of the model.
        self.model_name: str = raw.name
        #: Times of the communication points [s].
        self.time: "numpy.ndarray" = numpy.frombuffer(raw.times)
        self._names: List[str] = raw.names
        self._kinds: List[str] = raw.kinds
        self._values = numpy.frombuffer(raw.values).reshape(len(self._names), len(self.time))
        self._places = {name: place for place, name in enumerate(self._names)}
        #: Units by variable; `1` without dimension.
        self.units: Dict[str, str] = {"time": "s", **dict(zip(self._names, raw.units))}
        #: Descriptions by variable, of those that have one.
        self.descriptions: Dict[str, str] = {
            name: text for name, text in zip(self._names, raw.descriptions) if text
        }
        #: Whether the run came to its stop time.
        self.complete: bool = raw.is_complete
        #: Counters and times, as `mbfmu simulate --stats` prints them.
        self.stats: Dict[str, Any] = json.loads(raw.statistics)
        #: Remarks of the model and warnings of the run.
        self.notes: List[str] = raw.notes
        #: What limited the steps, after `simulate(profile_steps=True)`.
        self.profile: Optional[StepProfile] = None if raw.profile is None else StepProfile._of(raw.profile)

    @property
    def names(self) -> List[str]:
        """Names of the variables, without `time`."""
        return list(self._names)

    @property
    def events(self) -> List[Event]:
        """What happened: events, contacts that begin and end, changes of structure."""
        return [Event(*event) for event in self._raw.events]

    def __len__(self) -> int:
        return len(self.time)

    def __iter__(self) -> Iterator[str]:
        """Names of the variables, as of a dictionary."""
        return iter(self.names)

    def __reduce__(self) -> Any:
        return type(self), (self._raw,)

    def __contains__(self, name: str) -> bool:
        return name == "time" or name in self._places or bool(self._group(name))

    def __getitem__(self, name: str) -> "numpy.ndarray":
        if not isinstance(name, str):
            raise TypeError(f"a result has variables by name, not by {name!r}")
        if name == "time":
            return self.time
        place = self._places.get(name)
        if place is not None:
            return self._column(place)
        group = self._group(name)
        if not group:
            raise KeyError(self._unknown(name))
        first = group[0]
        if group == list(range(first, first + len(group))):
            return self._values[first : first + len(group)].T
        return self._values[group].T

    def _column(self, place: int) -> "numpy.ndarray":
        values: "numpy.ndarray" = self._values[place]
        kind = self._kinds[place]
        return values if kind == "real" else values.astype(bool if kind == "boolean" else int)

    def _group(self, name: str) -> List[int]:
        """Members `name[1]`, `name[2]`, … in their order."""
        members = re.compile(re.escape(name) + r"\[\d+(,\s*\d+)*\]")
        return [place for known, place in self._places.items() if members.fullmatch(known)]

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, [*self._names, *{known.split("[")[0] for known in self._names}], 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        if self._known is not None:
            all_names = self._known.variables
            if name in all_names or any(known.startswith(name + "[") for known in all_names):
                hint = f"; the model has it: simulate(outputs=[{name!r}, …]) keeps it"
        return f"the result has no variable `{name}`{hint}"

    def final(self, name: str) -> Any:
        """The value, or the values of a group, at the end."""
        return self[name][-1]

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame with time as its index; units, descriptions, and whether the run is complete, are in `attrs`."""
        pandas = require("pandas", "to_pandas")
        columns = {name: self._column(place) for place, name in enumerate(self._names)}
        frame = pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = self.units
        frame.attrs["descriptions"] = self.descriptions
        frame.attrs["complete"] = self.complete
        return frame

    def to_parquet(self, path: "PathLike") -> Path:
        """Writes a Parquet file with time in the first column."""
        require("pandas", "to_parquet")
        require("pyarrow", "to_parquet")
        self.to_pandas().reset_index().to_parquet(path, index=False)
        return Path(path)

    def to_csv(self, path: "PathLike") -> Path:
        """Writes the file that `mbfmu simulate -o` writes, to the last byte; a run that ended early has a column
        `(incomplete)`."""
        Path(path).write_text(self._raw.csv(), encoding="utf-8", newline="")
        return Path(path)

    def plot(self, *names: Union[str, Sequence[str]], file: "Optional[PathLike]" = None) -> "matplotlib.figure.Figure":
        """Plots variables, groups or patterns such as `*.phi` over time, one panel per unit; without names, everything.

        Names may be in a list. `file` saves the figure.
        """
        flat = _flat(names)
        if names and not flat:
            text = "there is nothing to plot: the list of names is empty"
            raise UsageError(text, hint="without names, everything is plotted")
        pyplot = require("matplotlib.pyplot", "plot")
        panels: Dict[str, List[int]] = {}
        for place in self._chosen(flat):
            panels.setdefault(self.units[self._names[place]], []).append(place)
        if not panels:
            raise KeyError("the result has no variables to plot")
        figure: "matplotlib.figure.Figure"
        figure, axes = pyplot.subplots(
            len(panels), 1, sharex=True, squeeze=False, layout="constrained", figsize=(8, 1.5 + 2 * len(panels))
        )
        for axis, (unit, places) in zip(axes[:, 0], panels.items()):
            for place in places:
                axis.plot(self.time, self._values[place], label=self._names[place])
            axis.set_ylabel("" if unit in ("", "1") else f"[{unit}]")
            axis.grid(True, alpha=0.3)
            axis.legend(fontsize="small")
        axes[-1, 0].set_xlabel("time [s]")
        figure.suptitle(self.model_name if self.complete else f"{self.model_name} (incomplete)")
        if file is not None:
            figure.savefig(file)
        pyplot.close(figure)
        return figure

    def _chosen(self, names: Sequence[str]) -> List[int]:
        if not names:
            return list(range(len(self._names)))
        chosen: List[int] = []
        for name in names:
            pattern = re.compile(re.escape(name).replace(r"\*", ".*").replace(r"\?", "."))
            if name in self._places:
                places = [self._places[name]]
            elif "*" in name or "?" in name:
                places = [place for known, place in self._places.items() if pattern.fullmatch(known)]
            else:
                places = [place for known, place in self._places.items() if known.startswith((name + ".", name + "["))]
            if not places:
                raise KeyError(self._unknown(name))
            chosen += [place for place in places if place not in chosen]
        return chosen

    def view(self) -> View:
        """The 3D animation of this run; a notebook shows it."""
        return View(self._raw.pictures(), self.model_name)

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        end = f" to t = {self.time[-1]:.6g} s" if len(self) else ""
        return f"<mbfmu.Result {self.model_name}: {len(self._names)} variables, {len(self)} points{end}{state}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td><td>{html.escape(self.units[name])}</td>"
            f"<td>{values[0]:.6g}</td><td>{values.min():.6g}</td><td>{values.max():.6g}</td><td>{values[-1]:.6g}</td></tr>"
            for name, values in list(zip(self._names, self._values))[:40]
            if len(values)
        )
        rest = len(self._names) - 40
        more = f"<p>and {rest} more</p>" if rest > 0 else ""
        heads = "".join(f"<th>{head}</th>" for head in ("variable", "unit", "first", "least", "largest", "last"))
        return f"<p>{html.escape(repr(self))}</p><table><tr>{heads}</tr>{rows}</table>{more}"


def _flat(names: Tuple[Union[str, Sequence[str]], ...]) -> List[str]:
    """Names, alone or in lists."""
    flat: List[str] = []
    for name in names:
        flat += [name] if isinstance(name, str) else list(name)
    for name in flat:
        if not isinstance(name, str):
            raise UsageError(f"variables are plotted by name, not by {name!r}")
    return flat


class View:
    """A 3D animation: shown inline by notebooks, saved as one HTML page or as glTF binary."""

    def __init__(self, pictures: "_mbfmu.Pictures", title: str) -> None:
        self._pictures = pictures
        self._title = title

    def __len__(self) -> int:
        return len(self._pictures)

    @property
    def html(self) -> str:
        """One page that plays the animation in any browser, without network."""
        return self._pictures.html()

    def save(self, path: "PathLike") -> Path:
        """Writes `.html` or `.glb`."""
        target = Path(path)
        if target.suffix.lower() == ".glb":
            target.write_bytes(self._pictures.glb())
        elif target.suffix.lower() in (".html", ".htm"):
            target.write_text(self.html, encoding="utf-8")
        else:
            raise UsageError(f"{target} must end with .html or .glb")
        return target

    def show(self) -> None:
        """Opens the animation in a browser."""
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="mbfmu-", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def __repr__(self) -> str:
        return f"<mbfmu.View {self._title}: {len(self)} pictures>"

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:480px;border:0" allowfullscreen></iframe>'
