"""Errors and messages."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple, Sequence


class Message(NamedTuple):
    """What to know before a number is used: a code of docs/messages.md, what is, and what to do."""

    code: str
    message: str
    action: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.code + ":", self.message, self.action) if part)


class GauzeError(Exception):
    """What went wrong, and what to do.

    ``code`` is that of the service's answer (docs/reference/http.md, Errors), or one of this
    package: ``damaged-release``, ``unknown-version``, ``unsupported``, ``bad-formula``,
    ``bad-column``, ``bad-request``, ``refused``, ``no-service``, ``old-service``, ``timeout``.
    """

    def __init__(
        self, code: str, message: str, action: str = "", messages: Sequence[Message] = ()
    ) -> None:
        super().__init__(code, message, action)
        self.code = code
        self.message = message
        self.action = action
        self.messages = tuple(messages)

    def __str__(self) -> str:
        end = "" if self.message.endswith((".", "!", "?")) or not self.action else "."
        return f"{self.code}: {self.message}{end} {self.action}".rstrip()


def need(module: str, what: str) -> Any:
    """Imports an optional package.

    Raises ImportError with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(
            f"{what} needs {package}, which is not installed. Install it with: pip install {package}"
        ) from error
