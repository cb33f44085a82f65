"""What is no service, or answers late, or is too old."""

from __future__ import annotations

import copy
import http.server
import json
import pathlib
import pickle
import socket
import subprocess
import sys
import threading
import traceback
from typing import Any, Dict, Iterator, List, Tuple

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
        try:
            for part in self.slowly(body):
                self.wfile.write(part)
        except OSError:
            return  # the client has gone

    do_POST = do_GET
    pause = 0.0

    def slowly(self, body: bytes) -> Iterator[bytes]:
        """The body at once, or a byte at a time until the client goes away."""
        if not self.pause:
            yield body
        while self.pause and not threading.Event().wait(self.pause):
            yield b" "

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
    long = "a" * 70
    refused(f"http://{long}.invalid", "no-service")


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
        (200, {}, b"null"),
        (200, {}, b'{"version": 1, "links": null}'),
        (200, {}, b"[" * 100_000),
        (500, {"Content-Length": "100"}, b"{"),
        (500, {}, b"[" * 100_000),
        (500, {}, b'{"code": "x", "detail": null, "messages": []}'),
        (500, {}, b'{"code": null, "detail": "x", "messages": [{"code": 1}]}'),
        (500, {}, b'{"code": "x", "detail": null, "messages": [{"code":"","message":"","action":""}]}'),
    ],
)
def test_something_else_that_answers(server: str, answer: Tuple[int, Dict[str, str], bytes]) -> None:
    Answers.answer = answer
    refused(server, "no-service")


@pytest.mark.parametrize("status", [200, 500])
def test_a_whole_answer_has_one_limit_of_time(server: str, status: int) -> None:
    """A server that sends a byte now and then would hold a client for ever."""
    Answers.answer = (status, {}, b"")
    Answers.pause = 0.05
    try:
        refused(server, "timeout", timeout=0.3)
    finally:
        Answers.pause = 0.0


def test_dripped_heads_have_the_limit_too() -> None:
    with socket.socket() as slow:
        slow.bind(("127.0.0.1", 0))
        slow.listen()
        done = threading.Event()

        def drip() -> None:
            peer = slow.accept()[0]
            with peer:
                try:
                    while not done.wait(0.05):
                        peer.sendall(b"H")
                except OSError:
                    return  # the client has gone, as it should

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            refused(f"http://127.0.0.1:{slow.getsockname()[1]}", "timeout", timeout=0.3)
        finally:
            done.set()
            thread.join()


@pytest.mark.parametrize("timeout", [0, -1, None, "5", float("nan"), 1e9, 10**400, True, [1]])
def test_a_limit_of_time_is_a_number_of_seconds(timeout: Any) -> None:
    with pytest.raises(gauze.GauzeError, match="timeout must be above 0") as error:
        gauze.connect("http://127.0.0.1:1", timeout=timeout)
    assert error.value.code == "bad-request"


@pytest.mark.parametrize(
    "url",
    [None, 5, b"http://127.0.0.1", "", "http://", "http://[::1", "http://a:b", "http://a:99999"]
    + ["http://a b", "http://ä", "http://a/\ud800", "http://a:0"],
)
def test_what_is_no_address_is_refused(url: Any) -> None:
    refused(url, "bad-request")


def test_a_password_in_an_address_is_refused_and_not_shown() -> None:
    for url in ("http://user:sesame@127.0.0.1:1", "http://sesame@[::1", "//user:sesame@a"):
        error = refused(url, "bad-request")
        assert "sesame" not in str(error) and "token=" in error.action


@pytest.mark.parametrize("end", ["/", "/v1", "/v1/", "/#/fit?response=kwh", "?x=1#fit"])
def test_the_address_of_the_console_is_that_of_the_service(server: str, end: str) -> None:
    Answers.answer = (200, {}, json.dumps(OVERVIEW).encode())
    assert gauze.connect(server + end).url == server
    assert Answers.seen[0]["path"] == "/v1"


@pytest.mark.parametrize(
    "token", ["sesame\nX: y", "sesame\n\n", "sésame", b"sesame", "", "\n", "se same", 5, "sesame\0"]
)
def test_a_token_that_is_none_is_not_shown(server: str, token: Any) -> None:
    with pytest.raises(gauze.GauzeError) as error:
        gauze.connect(server, token=token)
    assert error.value.code == "bad-request" and not Answers.seen
    shown = "".join(traceback.format_exception(None, error.value, None))
    assert "same" not in shown and "sésame" not in shown


def test_a_newline_at_the_end_of_a_token_is_cut_off(server: str) -> None:
    Answers.answer = (200, {}, json.dumps(OVERVIEW).encode())
    for end in ("\n", "\r\n"):
        gauze.connect(server, token="sesame" + end)
        assert Answers.seen[-1]["Authorization"] == "Bearer sesame"


@pytest.mark.parametrize(
    "copied", [lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy], ids=str
)
def test_copies_hold_no_token(server: str, copied: Any) -> None:
    Answers.answer = (200, {}, json.dumps(OVERVIEW).encode())
    site = gauze.connect(server, token="sesame")
    assert b"sesame" not in pickle.dumps(site)
    for twin in (copied(site), copied(copied(site))):
        seen = len(Answers.seen)
        with pytest.raises(gauze.GauzeError, match="Connect anew") as error:
            twin.read("a/b/c/d")
        assert error.value.code == "unauthorized" and len(Answers.seen) == seen
        assert b"sesame" not in pickle.dumps(twin)
    assert copied(gauze.connect(server)).version == "0.1.0"


ANSWERS: List[Any] = [None, {}, [], 1, "x", {"releases": None}, {"epochs": [1]}, {"releases": ["a"]}]
ANSWERS += [{"releases": [1], "damaged": 1}, {"epochs": [{"epoch": 1, "error": None}]}]
ANSWERS += [{"releases": [], "damaged": [], "next": "a"}, {"releases": ["a"], "coefficients": {}}]
ANSWERS += [{"releases": ["a"], "coefficients": {"a": 10**400}}, {"releases": 5, "coefficients": 5}]


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answers_of_another_form_are_errors(server: str, answer: Any) -> None:
    Answers.answer = (200, {}, json.dumps(OVERVIEW).encode())
    site = gauze.connect(server)
    Answers.answer = (200, {}, json.dumps(answer).encode())
    for ask in (
        lambda: site.releases(),
        lambda: site.ols("y ~ x"),
        lambda: site.series("y ~ x", sketch="s"),
    ):
        with pytest.raises(gauze.GauzeError) as error:
            ask()
        assert error.value.code == "no-service"


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
