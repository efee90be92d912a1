"""Exceptions. They say in attributes what their text says: file, line, object and hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Type

if TYPE_CHECKING:
    from ._result import Result


class RobotWarning(UserWarning):
    """Something in a robot description was not taken over, or not as it stands; see `Model.import_notes`."""


class Problem(NamedTuple):
    """One thing that is wrong with a model."""

    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    object: Optional[str] = None
    hint: Optional[str] = None


class Error(Exception):
    """Base of all exceptions of this package. Its text is what the command prints."""

    def __init__(
        self,
        text: str,
        *,
        message: Optional[str] = None,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        object: Optional[str] = None,
        hint: Optional[str] = None,
        problems: Optional[List[Problem]] = None,
    ) -> None:
        super().__init__(text)
        #: What is wrong, in one sentence.
        self.message = text if message is None else message
        #: File of the model, as it was named.
        self.file = file
        #: Line in the file, from 1.
        self.line = line
        #: Column in the line, from 1.
        self.column = column
        #: What it is about: `objects.rod`, `parameters.L`, a name.
        self.object = object
        #: What would be right.
        self.hint = hint
        #: Everything that was found, when there may be more than one thing.
        self.problems: List[Problem] = problems or []

    def __reduce__(self) -> Any:
        return _again, (type(self), self.args[0], dict(self.__dict__))


def _again(kind: Type[Error], text: str, state: Dict[str, Any]) -> Error:
    error = kind(text)
    error.__dict__.update(state)
    return error


class ModelError(Error):
    """The model is wrong: its file, or what follows from its parameters."""

    #: What was computed until then, when a run has been ended by it.
    result: "Optional[Result]" = None


class SimulationError(Error):
    """A run cannot start or go on, or a file cannot be written."""

    #: What was computed until then.
    result: "Optional[Result]" = None


class UsageError(Error, ValueError):
    """Arguments that make no sense."""

    result: "Optional[Result]" = None


class MissingPackage(Error, ImportError):
    """A package that is not installed; the text names the command that installs it."""


class Interrupted(KeyboardInterrupt):
    """A run that was stopped by Ctrl-C; `result` is what was computed until then."""

    def __init__(self, text: str, result: Any = None) -> None:
        super().__init__(text)
        self.result = result
