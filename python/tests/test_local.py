"""The service of ``local`` ends with whoever started it, however that ends."""

from __future__ import annotations

import gc
import os
import pathlib
import queue
import select
import signal
import subprocess
import sys
import threading

import pytest

import gauze
from conftest import GAUZE, child_environment

START = "import gauze, sys, time; site = gauze.local(sys.argv[1]); "
TELL = "print(site._child.process.pid, site.url, flush=True); "
PATIENCE = 60.0


def ends(pid: int) -> bool:
    """Waits until a process has ended, with a deadline; returns whether it has."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], PATIENCE)[0])
    finally:
        os.close(process)


def start(folder: pathlib.Path, code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", START + TELL + code, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=child_environment(),
    )


# A program that was started in the background of a shell ignores Ctrl-C otherwise.
INTERRUPTIBLE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "


@pytest.mark.parametrize(
    "code, end",
    [
        ("", None),
        ("raise RuntimeError('a fault')", None),
        ("import os; os._exit(3)", None),
        ("time.sleep(600)", signal.SIGKILL),
        ("time.sleep(600)", signal.SIGTERM),
        (INTERRUPTIBLE + "time.sleep(600)", signal.SIGINT),
    ],
    ids=["end", "exception", "exit without cleaning", "killed", "terminated", "interrupted"],
)
def test_it_ends_with_the_interpreter(made: pathlib.Path, code: str, end: object) -> None:
    parent = start(made / "sites", code)
    assert parent.stdout is not None
    try:
        line = parent.stdout.readline().split()
        assert len(line) == 2, parent.stderr and parent.stderr.read()
        pid = int(line[0])
        if end is not None:
            os.kill(pid, 0)  # it runs
            parent.send_signal(int(end))  # type: ignore[call-overload]
        parent.communicate(timeout=PATIENCE)
        assert ends(pid)
    finally:
        parent.kill()


def test_a_forked_process_leaves_it_alone_and_does_not_keep_it(made: pathlib.Path) -> None:
    code = """
import os
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
print(gauze.connect(site.url).version, flush=True)
if os.fork() == 0:
    os.close(1)
    os.close(2)
    sys.stdin.read()
    os._exit(0)
os._exit(0)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", START + TELL + "exec(sys.argv[2])", str(made / "sites"), code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=child_environment(),
    )
    assert parent.stdout is not None and parent.stdin is not None and parent.stderr is not None
    try:
        pid = int(parent.stdout.readline().split()[0])
        assert parent.stdout.readline().startswith("0."), parent.stderr.read()
        parent.wait(PATIENCE)
        assert ends(pid)  # while the fork still waits
    finally:
        parent.stdin.close()
        parent.kill()


def test_it_ends_with_its_block_and_with_its_site(made: pathlib.Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        with gauze.local(str(made / "sites"), command=GAUZE) as site:
            assert site._child is not None
            child = site._child
            raise KeyboardInterrupt
    assert not child.is_running
    site.close()
    with pytest.raises(gauze.GauzeError) as error:
        site.releases()
    assert error.value.code == "no-service"
    site = gauze.local(str(made / "sites"), command=GAUZE)
    assert site._child is not None
    process = site._child.process
    del site
    gc.collect()
    assert process.poll() == 0


def test_what_cannot_start_is_said(made: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def refused(part: str, code: str, **options: object) -> None:
        with pytest.raises(gauze.GauzeError) as error:
            gauze.local(str(made / "sites"), **options)  # type: ignore[arg-type]
        assert error.value.code == code
        assert part in str(error.value) and error.value.action

    refused("cannot be started", "no-service", command=str(tmp_path / "none"))
    script = tmp_path / "gauze"
    script.write_text("#!/bin/sh\necho 'Java is missing.' >&2\nexit 7\n")
    script.chmod(0o755)
    refused("status 7: Java is missing.", "no-service", command=str(script))
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)
    script.write_text(f"#!/bin/sh\necho $$ > {fifo}\nexec sleep 600\n")
    pids: "queue.Queue[str]" = queue.Queue()
    reader = threading.Thread(target=lambda: pids.put(fifo.read_text()), daemon=True)
    reader.start()
    refused("within 5 s", "timeout", command=[str(script)], patience=5.0)
    assert ends(int(pids.get(timeout=PATIENCE)))
    with pytest.raises(gauze.GauzeError, match="is no folder"):
        gauze.local(str(tmp_path / "none"))


def test_the_command_is_found(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gauze import _local

    monkeypatch.delenv(_local.COMMAND, raising=False)
    assert _local.command("x") == ["x"]
    assert _local.command(["x", "y"]) == ["x", "y"]
    assert _local.command(None) == [GAUZE]
    monkeypatch.setenv(_local.COMMAND, "/a/b")
    assert _local.command(None) == ["/a/b"]
    monkeypatch.delenv(_local.COMMAND)
    monkeypatch.setattr(os.path, "isfile", lambda path: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(gauze.GauzeError, match="is not found"):
        _local.command(None)
