"""One model, many runs."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _mbfmu
from ._errors import Error, Interrupted, UsageError
from ._extras import Progress, require
from ._inputs import Inputs
from ._model import Model, Value, names, setting, settings

if TYPE_CHECKING:
    import pandas

    from ._result import Result

#: Pieces that a sweep is cut into for other processes.
PIECES = 64
#: Longest wait for runs between two looks at signals [s].
PATIENCE = 0.5
#: Values of an axis, or the ends of a range.
Axis = Union[Tuple[float, float], Sequence[Value], Value]
Row = Tuple[Optional[Dict[str, Any]], Optional[str]]


def sweep(
    model: Model,
    parameters: Mapping[str, Axis],
    *,
    n: Optional[int] = None,
    sampling: Literal["grid", "sobol", "lhs"] = "grid",
    outputs: Union[str, Sequence[str], None] = None,
    results: "Optional[Callable[[Result], Mapping[str, Any]]]" = None,
    workers: Optional[int] = None,
    client: Any = None,
    seed: int = 0,
    start: Optional[float] = None,
    stop: Optional[float] = None,
    step: Optional[float] = None,
    tolerance: Optional[float] = None,
    base: Optional[Mapping[str, Value]] = None,
    inputs: Optional[Inputs] = None,
    kinematic: bool = False,
    wall_limit: Optional[float] = None,
    progress: Optional[bool] = None,
) -> "pandas.DataFrame":
    """Runs a model for many values of its parameters; a DataFrame with one row per run.

    parameters: By name a list of values, a pair (low, high) as the range to sample, or one value.
    n: Number of values of every range of a grid, else number of points.
    sampling: "grid" (all combinations, the last parameter changes fastest), "sobol" or "lhs" (Latin hypercube).
        Integer parameters take whole numbers: samples of a range are whole, each as likely.
    outputs: Results: variables, groups, patterns at the end, or "max(…)", "min(…)", "absmax(…)", "mean(…)", "rms(…)" of
        them. Default: the outputs of the model at the end.
    results: A function of the `Result` of a run that gives a dictionary of results, instead of `outputs`; these are
        then the variables that the result keeps.
    workers: Number of runs at the same time on this machine; one for every core by default. They are threads, which
        share nothing that would make one wait for another.
    client: Where to run instead: a Dask client, an executor of `concurrent.futures`, or anything with `submit`.
    wall_limit: Longest wall time of a run [s].
    base: Parameters that are the same in all runs.

    The rows do not depend on workers and client, to the last bit. A run that fails has no results and the reason in a
    column `error`. Ctrl-C raises `Interrupted` with the rows so far as `result`; those
    of runs that were not made say so in that column.
    """
    pandas = require("pandas", "sweep")
    for name, number in (("n", n), ("workers", workers)):
        if number is not None and number < 1:
            raise UsageError(f"`{name}` is {number}, but must be at least 1")
    native = model._for(kinematic)
    points = _mbfmu.plan(native, [_axis(name, values) for name, values in parameters.items()], sampling, n, seed)
    task = _Task(
        native.json(),
        {"start": start, "stop": stop, "step": step, "tolerance": tolerance, "wall_limit": wall_limit,
         "threads": 1,
         "settings": settings(base or {})},
        None if outputs is None else names(outputs),
        inputs,
        results,
    )
    columns: List[str] = []
    bar = Progress(len(points), "runs", progress)
    rows: List[Optional[Row]] = [None] * len(points)

    def take(first: int, done: List[Row]) -> None:
        rows[first : first + len(done)] = done
        bar.reach(sum(row is not None for row in rows))

    try:
        columns = task.check(native, points)
        _compute(task, points, workers, client, take)
    except KeyboardInterrupt:
        frame = _frame(pandas, points, columns, [row or (None, "interrupted before the run") for row in rows])
        raise Interrupted("stopped; the rows so far are the attribute `result`", frame) from None
    finally:
        bar.close()
    return _frame(pandas, points, columns, rows)


def _axis(name: str, values: Axis) -> Tuple[str, bool, List[Union[float, str]]]:
    def plain(value: Value) -> Union[float, str]:
        text = setting(value)
        return text if isinstance(value, (bool, str)) or text in ("true", "false") else float(text)

    if isinstance(values, tuple):
        if len(values) != 2 or any(isinstance(value, (bool, str)) for value in values):
            raise UsageError(f"the range of `{name}` must be a pair of numbers", hint="values are a list")
        return name, True, [float(value) for value in values]
    if isinstance(values, str) or not hasattr(values, "__len__"):
        return name, False, [plain(values)]
    several: Sequence[Value] = values  # type: ignore[assignment]
    return name, False, [plain(value) for value in several]


class _Task:
    """What is the same in all runs; it can be sent to other processes."""

    def __init__(self, json: str, request: Dict[str, Any], outputs: Optional[List[str]], inputs: Any, results: Any) -> None:
        self.json, self.outputs, self.inputs, self.results = json, outputs, inputs, results
        rest = {"table": None, "function": None, "all": False, "fps": None, "profile_steps": False, "motions": None, "tick": None, "halt": None}
        self.request = {**request, "outputs": outputs if results is None else None, **rest}
        self.needs_result = results is not None or inputs is not None
        #: Ends the runs of this process.
        self.stop: Optional[_mbfmu.Stop] = None
        self._study: Any = None
        self._model: Any = None

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "stop": None, "_study": None, "_model": None}

    def check(self, native: _mbfmu.Model, points: List[List[str]]) -> List[str]:
        """Finds wrong names before anything runs; the results that are known beforehand."""
        self._study = _mbfmu.Study(native, self.request)
        for point in points:
            self._study.check(point)
        if self.results is None and self.inputs is not None:
            raise UsageError("sweeps with `inputs` need `results`, a function of the result of a run")
        return self._study.columns if self.results is None else []

    def run(self, points: List[List[str]]) -> List[Row]:
        return [self.row(point) for point in points]

    def row(self, point: List[str]) -> Row:
        if self.stop is not None and self.stop.is_raised:
            return None, "interrupted before the run"
        if self.needs_result:
            return self._reduced(point)
        study = self._study
        if study is None:
            study = self._study = _mbfmu.Study(_mbfmu.Model.from_json(self.json), self.request)
        values, error = study.run(point, self.stop)
        return (None, error) if values is None else (dict(zip(study.columns, values)), None)

    def _reduced(self, point: List[str]) -> Row:
        if self._model is None:
            self._model = Model._of(_mbfmu.Model.from_json(self.json), ".")
        chosen = dict(setting.split("=", 1) for setting in [*self.request["settings"], *point])
        experiment = {key: self.request[key] for key in ("start", "stop", "step", "tolerance", "wall_limit")}
        try:
            result = self._model._run(
                parameters=chosen, inputs=self.inputs, outputs=self.outputs, fps=None, progress=False, halt=self.stop,
                threads=1, **experiment,
            )
        except Error as error:
            return None, error.message
        return dict(self.results(result)), None


def _compute(
    task: _Task,
    points: List[List[str]],
    workers: Optional[int],
    client: Any,
    take: Callable[[int, List[Row]], None],
) -> None:
    """Hands over rows with the place of their first, as they are done."""
    own = client is None
    executor = ThreadPoolExecutor(workers or os.cpu_count() or 1) if own else client
    size = 1 if own else max(1, -(-len(points) // PIECES))
    pieces: Dict[Any, int] = {}
    if own:
        task.stop = _mbfmu.Stop()
    try:
        for first in range(0, len(points), size):
            pieces[executor.submit(_run, task, points[first : first + size])] = first
        for future in _completed(pieces):
            take(pieces[future], future.result())
    except BaseException:
        for future in pieces:
            future.cancel()
        if own and task.stop is not None:
            # Runs end in the middle of a step; those that have come to their end before count.
            task.stop.raise_()
            executor.shutdown(wait=True)
        for future, first in pieces.items():
            if isinstance(future, Future) and future.done() and not future.cancelled():
                if future.exception() is None:
                    take(first, future.result())
        raise
    if own:
        executor.shutdown(wait=True)


def _run(task: _Task, points: List[List[str]]) -> List[Row]:
    return task.run(points)


def _completed(futures: Mapping[Any, int]) -> Iterator[Any]:
    if not all(isinstance(future, Future) for future in futures):
        # Futures of Dask and others: in their order.
        yield from futures
        return
    waiting = set(futures)
    while waiting:
        # Not without end: Windows tells Python of Ctrl-C only in between.
        done, waiting = wait(waiting, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        yield from done


def _frame(pandas: Any, points: List[List[str]], results: List[str], rows: Sequence[Any]) -> "pandas.DataFrame":
    columns: Dict[str, List[Any]] = {}
    for point in points:
        for text in point:
            name, value = text.split("=", 1)
            columns.setdefault(name, []).append(_number(value))
    keys = list(dict.fromkeys([*results, *(key for values, _ in rows if values is not None for key in values)]))
    for key in keys:
        columns[key] = [float("nan") if values is None else values.get(key) for values, _ in rows]
    if any(error is not None for _, error in rows):
        columns["error"] = [error or "" for _, error in rows]
    return pandas.DataFrame(columns)


def _number(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text
