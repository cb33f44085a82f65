"""A service of this process: a child that ends with it."""

from __future__ import annotations

import collections
import os
import shutil
import signal
import subprocess
import threading
import weakref
from typing import IO, Deque, List, Optional, Sequence, Union

from ._errors import GauzeError
from ._http import seconds

COMMAND = "GAUZE_COMMAND"
_PATIENCE = 10.0  # seconds for an orderly end; the service takes at most five
_LINES = 20  # of the child's messages that are kept for an error

Path = Union[str, "os.PathLike[str]"]
Command = Union[Path, Sequence[Path], None]


def command(given: Command) -> List[str]:
    """Returns the command gauze: a given one, that of the environment, of the clone, or of PATH.

    Raises GauzeError if there is none.
    """
    if given is not None:
        try:
            one = isinstance(given, (str, os.PathLike))
            words = [os.fspath(word) for word in ([given] if one else given)]  # type: ignore
        except TypeError:
            words = []
        if not words or not all(isinstance(word, str) and word for word in words):
            raise GauzeError(
                "bad-request",
                f"command must be a path, or a list of words, and is {given!r}",
                "Give the path of the command gauze.",
            )
        return words
    if os.environ.get(COMMAND):
        return [os.environ[COMMAND]]
    here = os.path.dirname(os.path.abspath(__file__))
    clone = os.path.join(os.path.dirname(os.path.dirname(here)), "gauze")
    if os.path.isfile(clone) and os.access(clone, os.X_OK):
        return [clone]
    found = shutil.which("gauze")
    if found is None:
        raise GauzeError(
            "no-service",
            "the command gauze is not found",
            f"Give its path as command=, or in the environment variable {COMMAND}: one path"
            " without options.",
        )
    return [found]


class Child:
    """A running ``gauze serve``. It ends when its standard input ends.

    The system closes the input when this process ends, however it does. The child has a session of
    its own, so that Ctrl-C in a terminal or a notebook interrupts the question and not the service.
    """

    url: str

    def __init__(self, words: Sequence[str], folder: str, patience: float) -> None:
        serve = ["serve", "--end-with-input", "--releases", folder, "--listen", "127.0.0.1:0"]
        self._messages: Deque[str] = collections.deque(maxlen=_LINES)
        try:
            self.process = subprocess.Popen(
                [*words, *serve],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise GauzeError(
                "no-service",
                f"{words[0]} cannot be started: {error}",
                f"Install Java and Gauze. command= and {COMMAND} are one path without options.",
            ) from None
        self._end = weakref.finalize(self, _stop, self.process)
        _CHILDREN.add(self)
        try:
            self._drain = threading.Thread(
                target=_keep, args=(self.process.stderr, self._messages), daemon=True
            )
            self._drain.start()
            self.url = self._address(patience)
        except BaseException:  # also Ctrl-C
            self.close()
            raise

    def _address(self, patience: float) -> str:
        """Waits for the line with the address, which comes when the service listens."""
        lines: List[str] = []
        reader = threading.Thread(
            target=_read_line, args=(self.process.stdout, lines), daemon=True
        )
        reader.start()
        reader.join(patience)
        if lines and lines[0].startswith("http"):
            return lines[0]
        if reader.is_alive():
            raise GauzeError(
                "timeout",
                f"the service did not start within {patience:g} s",
                "Give a larger patience. The first start in a clone builds the program.",
            )
        status = self.process.wait()
        self._drain.join(_PATIENCE)
        raise GauzeError(
            "no-service",
            f"the service ended with status {status}: " + "\n".join(self._messages),
            "Correct what its messages say.",
        )

    @property
    def is_running(self) -> bool:
        """Whether the service has not ended."""
        return self.process.poll() is None

    def close(self) -> None:
        """Ends the service, and waits for its end. Does nothing if it has ended."""
        self._end()

    def forget(self) -> None:
        """In a process that was forked: leaves the service to the process that started it."""
        self._end.detach()
        if self.process.stdin is not None:
            self.process.stdin.close()


# Functions, since a thread with a method would keep its object alive for ever.
def _keep(stream: IO[str], messages: Deque[str]) -> None:
    with stream:
        for line in stream:
            messages.append(line.rstrip())


def _read_line(stream: IO[str], lines: List[str]) -> None:
    lines.append(stream.readline().strip())


def _stop(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None and process.stdout is not None
    try:
        if process.poll() is None:  # its group is its own: a build and the service
            os.killpg(process.pid, signal.SIGTERM)
        process.stdin.close()
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process.stdout.close()


_CHILDREN: "weakref.WeakSet[Child]" = weakref.WeakSet()


def _forked() -> None:
    for child in list(_CHILDREN):
        child.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def start(folder: Path, given: Command, patience: Optional[float]) -> Child:
    """Starts a service over the releases in a folder, and waits until it listens."""
    limit = 600.0 if patience is None else seconds("patience", patience)
    try:
        is_folder = isinstance(os.fspath(folder), str) and os.path.isdir(folder)
    except (TypeError, ValueError):
        is_folder = False
    if not is_folder:
        raise GauzeError(
            "bad-request", f"{folder!r} is no folder", "Give the folder that has the releases."
        )
    return Child(command(given), os.path.abspath(folder), limit)
