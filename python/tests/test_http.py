"""What is no service, or answers late, or is too old."""

from __future__ import annotations

import http.server
import json
import pathlib
import socket
import subprocess
import sys
import threading
from typing import Dict, Iterator, List, Tuple

import pytest

import gauze
from conftest import GAUZE, REPOSITORY, child_environment

LINKS = ["/v1/fit", "/v1/predict", "/v1/series", "/v1/releases"]
OVERVIEW = {"version": "0.1.0", "links": LINKS}


class Answers(http.server.BaseHTTPRequestHandler):
    """Gives one answer to all requests, and keeps their headers."""

    answer: Tuple[int, Dict[str, str], bytes] = (200, {}, b"")
    seen: List[Dict[str, str]] = []

    def do_GET(self) -> None:
        status, headers, body = self.answer
        self.seen.append(dict(self.headers, path=self.path))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        Answers.seen = []
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def refused(url: str, code: str, timeout: float = 10.0) -> gauze.GauzeError:
    with pytest.raises(gauze.GauzeError) as error:
        gauze.connect(url, timeout=timeout)
    assert error.value.code == code, str(error.value)
    assert error.value.action
    return error.value


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        error = refused(f"http://127.0.0.1:{taken.getsockname()[1]}", "no-service")
    assert "gauze serve" in error.action
    refused("http://name.invalid", "no-service")
    refused("ftp://127.0.0.1", "bad-request")
    refused("localhost:8642", "bad-request")


def test_a_service_that_does_not_answer() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        error = refused(f"http://127.0.0.1:{silent.getsockname()[1]}", "timeout", timeout=0.1)
    assert "within 0.1 s" in error.message


@pytest.mark.parametrize(
    "answer",
    [
        (200, {}, b"<html>"),
        (200, {}, b"[]"),
        (200, {}, b"{}"),
        (200, {}, b"\xff"),
        (404, {}, b"not here"),
        (500, {}, b'{"code": 1}'),
        (302, {"Location": "http://127.0.0.1:1/"}, b""),
        (200, {"Content-Length": "100"}, b"{"),
    ],
)
def test_something_else_that_answers(server: str, answer: Tuple[int, Dict[str, str], bytes]) -> None:
    Answers.answer = answer
    refused(server, "no-service")


def test_an_old_service(server: str) -> None:
    old = {"version": "0.0.1", "links": LINKS[2:]}
    Answers.answer = (200, {}, json.dumps(old).encode())
    error = refused(server, "old-service")
    assert "0.0.1" in error.message and "/v1/predict" in error.message


def test_a_problem_is_told_as_it_is(server: str) -> None:
    message = {"code": "GZ-BUSY", "message": "Many ask.", "action": "Ask again."}
    problem = {"code": "busy", "detail": "64 requests wait", "messages": [message]}
    Answers.answer = (503, {"Retry-After": "5"}, json.dumps(problem).encode())
    error = refused(server, "busy")
    assert (error.message, error.action) == ("64 requests wait", "Ask again in 5 s.")
    assert error.messages == (gauze.Message("GZ-BUSY", "Many ask.", "Ask again."),)
    Answers.answer = (401, {}, json.dumps(dict(problem, code="unauthorized")).encode())
    assert refused(server, "unauthorized").action == "Ask again."


def test_a_token_is_sent_and_no_proxy_is_asked_for_this_machine(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    Answers.answer = (200, {}, json.dumps(OVERVIEW).encode())
    site = gauze.connect(server + "/", token="sesame")
    assert site.version == "0.1.0" and site.url == server
    assert Answers.seen[0]["Authorization"] == "Bearer sesame"
    assert "sesame" not in repr(site)


def test_a_real_service_wants_its_token(
    made: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["serve", "--end-with-input", "--releases", str(made / "hours")]
    service = subprocess.Popen(
        [GAUZE, *words, "--listen", "127.0.0.1:0", "--token", "${env:SERVED_TOKEN}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=dict(child_environment(), SERVED_TOKEN="sesame"),
    )
    assert service.stdin is not None and service.stdout is not None
    try:
        url = service.stdout.readline().strip()
        refused(url, "unauthorized")
        assert len(gauze.connect(url, token="sesame").releases()) == 6
    finally:
        service.stdin.close()
        service.wait(60)


def run(code: str) -> str:
    """Runs code in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=child_environment()
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_optional_packages_are_asked_for_when_they_are_needed() -> None:
    """And nothing of the network or of them is touched by the import."""
    code = """
import sys, socket
def forbidden(*args): raise AssertionError("the network was used")
socket.socket.connect = forbidden
for name in ("pandas", "matplotlib", "matplotlib.pyplot"): sys.modules[name] = None
import gauze
from gauze._release import PointFit
from gauze._results import Fit
fit = Fit.__new__(Fit)
fit.answer = {"coefficients": {}, "effects": {}}
for ask in (lambda: PointFit("y", 1.0, {"a": 1.0}).params, lambda: fit.params, fit.plot):
    try:
        ask()
    except ImportError as error:
        print(error)
"""
    lines = run(code).splitlines()
    assert len(lines) == 3
    assert "pip install pandas" in lines[0] and "pip install pandas" in lines[1]
    assert "pip install matplotlib" in lines[2]


def test_the_version_is_that_of_the_program() -> None:
    pom = (REPOSITORY / "pom.xml").read_text("utf-8")
    version = pom.split("<version>")[1].split("</version>")[0]
    assert gauze.__version__ == version.replace("-SNAPSHOT", ".dev0")
