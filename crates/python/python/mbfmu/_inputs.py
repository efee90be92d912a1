"""Values of inputs over time."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from ._errors import UsageError

#: A function of time, a DataFrame, or columns by name.
Inputs = Union[Callable[[float], Mapping[str, float]], Mapping[str, Any], Any]
#: A result, a DataFrame, or columns by name.
Motions = Any
Table = Tuple[List[str], List[float], List[List[float]]]
Function = Callable[[float], Mapping[str, float]]


def split_inputs(inputs: Optional[Inputs]) -> Tuple[Dict[str, Any], Optional[Table], Optional[Function]]:
    """Constants, a table and a function; what there is of them."""
    if inputs is None:
        return {}, None, None
    if hasattr(inputs, "columns") and hasattr(inputs, "index"):
        return {}, _of_frame(inputs), None
    if isinstance(inputs, Mapping):
        return _of_mapping(inputs)
    if callable(inputs):
        return {}, None, inputs
    raise UsageError(f"inputs are a function of time, a DataFrame or a dictionary, not {type(inputs).__name__}")


def motions_table(motions: Motions) -> Table:
    """Columns of given motions: of a result, a DataFrame or a dictionary."""
    if hasattr(motions, "time") and hasattr(motions, "names"):
        numbers = [name for name in motions.names if motions[name].dtype != object]
        return numbers, _numbers("time", motions.time), [_numbers(name, motions[name]) for name in numbers]
    if callable(motions):
        raise UsageError("motions are a result, a DataFrame or a dictionary of columns, not a function")
    _, table, _ = split_inputs(motions)
    if table is None:
        raise UsageError("motions need columns of values, with a column `time`")
    return table


def _of_frame(frame: Any) -> Table:
    if "time" in frame.columns:
        times, columns = frame["time"], [name for name in frame.columns if name != "time"]
    else:
        times, columns = frame.index, list(frame.columns)
    return [str(name) for name in columns], _numbers("time", times), [_numbers(name, frame[name]) for name in columns]


def _of_mapping(inputs: Mapping[str, Any]) -> Tuple[Dict[str, Any], Optional[Table], Optional[Function]]:
    functions = {name: value for name, value in inputs.items() if callable(value)}
    columns = {name: value for name, value in inputs.items() if hasattr(value, "__len__") and not isinstance(value, str)}
    constants = {name: value for name, value in inputs.items() if name not in functions and name not in columns}
    if "time" in columns:
        if functions:
            raise UsageError("inputs have both functions and columns", hint="give one kind in a run")
        times = _numbers("time", columns.pop("time"))
        for name, values in columns.items():
            if len(values) != len(times):
                raise UsageError(f"the input `{name}` has {len(values)} values at {len(times)} times")
        return constants, (list(columns), times, [_numbers(name, values) for name, values in columns.items()]), None
    if columns:
        raise UsageError(f"the input `{next(iter(columns))}` has values but no times", hint="give a column `time` as well")
    if functions:
        return constants, None, lambda t: {name: function(t) for name, function in functions.items()}
    return constants, None, None


def _numbers(name: object, values: Any) -> List[float]:
    numbers = []
    for row, value in enumerate(values):
        try:
            numbers.append(float(value))
        except (TypeError, ValueError):
            raise UsageError(f"inputs, row {row}: `{name}` is {value!r}, but must be a number") from None
    return numbers
