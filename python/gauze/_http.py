"""Requests to a service, and its errors."""

from __future__ import annotations

import contextlib
import functools
import http.client
import io
import ipaddress
import json
import math
import re
import socket
import ssl
import time
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterator, List, Mapping, Optional

from ._errors import GauzeError, Message

# The resources that this package asks for. A service without them is older than the package.
_NEEDED = ("/v1/fit", "/v1/predict", "/v1/series", "/v1/releases")
_OLDEST = "0.1"
_MOST_SECONDS = 86_400.0  # of a limit of time, a day
_VISIBLE = re.compile(r"[\x21-\x7e]+")  # ASCII without blanks

# What reading an answer raises that has another form than the service gives it.
_MISREAD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


class Client:
    """Asks one service. A whole request may take ``timeout`` seconds, from first to last byte.

    Whatever goes wrong is a GauzeError. A copy, and one that was pickled, holds no token.
    """

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        timeout: float = 60.0,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self.url = _address(url)
        self.timeout = seconds("timeout", timeout)
        self._token = None if token is None else _checked(token)
        self._context = context
        self._is_copy = False  # of one with a token or a context

    def __getstate__(self) -> Dict[str, Any]:
        had = self._is_copy or self._token is not None or self._context is not None
        return {**self.__dict__, "_token": None, "_context": None, "_is_copy": had}

    def check(self) -> Dict[str, Any]:
        """Returns what the service says of itself.

        Raises GauzeError if nothing answers, if it is no service of Gauze, or if it is too old.
        """
        overview = self.get("/v1")
        with self.reading():
            version, links = str(overview["version"]), list(overview.get("links", []))
        missing = [path for path in _NEEDED if path not in links]
        if missing:
            raise GauzeError(
                "old-service",
                f"the service at {self.url} is version {version}, without {', '.join(missing)}",
                f"Upgrade it to Gauze {_OLDEST} or later.",
            )
        return dict(overview)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """While an answer is read: one of another form than the service gives is a GauzeError."""
        try:
            yield
        except _MISREAD:
            raise self._foreign() from None

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Returns the JSON of a resource. Parameters that are None are left out."""
        return self._json(self.body(path, query or {}, "application/json"))

    def body(self, path: str, query: Mapping[str, Any], accept: str) -> bytes:
        """Returns the body of a resource."""
        return self._send(path, query, None, accept)

    def post(self, path: str, query: Mapping[str, Any], question: Mapping[str, Any]) -> Any:
        """Returns the JSON of the answer to a question."""
        return self._json(self.posted(path, query, question, "application/json"))

    def posted(
        self, path: str, query: Mapping[str, Any], question: Mapping[str, Any], accept: str
    ) -> bytes:
        """Returns the body of the answer to a question."""
        try:
            data = json.dumps(question, allow_nan=False, default=_plain).encode("utf-8")
        except (ValueError, TypeError, RecursionError) as error:
            raise GauzeError(
                "bad-request", f"the question cannot be sent: {error}", "Leave out what is missing."
            ) from None
        return self._send(path, query, data, accept)

    def _send(
        self, path: str, query: Mapping[str, Any], data: Optional[bytes], accept: str
    ) -> bytes:
        if self._is_copy:
            raise GauzeError(
                "unauthorized",
                f"this is a copy of a site or a fit of {self.url}, and copies hold no token",
                "Connect anew: gauze.connect(url, token=...).",
            )
        try:
            given = {name: value for name, value in query.items() if value is not None}
            end = "?" + urllib.parse.urlencode(given) if given else ""
        except (UnicodeError, TypeError, ValueError):
            raise GauzeError(
                "bad-request", "the question has a text that is no Unicode", "Correct its names."
            ) from None
        request = urllib.request.Request(self.url + path + end, data, {"Accept": accept})
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._token is not None:
            request.add_header("Authorization", "Bearer " + self._token)
        try:
            with self._opener().open(request, timeout=self.timeout) as answer:
                status, headers, body = answer.status, answer.headers, bytes(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, (TimeoutError, socket.timeout)):
                raise self._late() from None
            raise self._unreachable(reason) from None
        if not 200 <= status < 300:
            raise self._problem(status, body, headers)
        return body

    def _opener(self) -> urllib.request.OpenerDirector:
        handlers: List[urllib.request.BaseHandler] = [_AllAnswers(), _Http(), _Https(self._context)]
        if _is_loopback(urllib.parse.urlsplit(self.url).hostname or ""):
            handlers.append(urllib.request.ProxyHandler({}))
        return urllib.request.build_opener(*handlers)

    def _json(self, body: bytes) -> Any:
        with self.reading():
            return json.loads(body)

    def _problem(self, status: int, body: bytes, headers: Any) -> GauzeError:
        try:
            problem = json.loads(body)
            messages = read_messages(problem)
            code, detail = problem["code"], problem["detail"]
            if not isinstance(code, str) or not isinstance(detail, str):
                return self._foreign(f"the status {status}")
            wait = headers.get("Retry-After")
            action = f"Ask again in {wait} s." if wait else messages[0].action
            return GauzeError(code, detail, action, messages)
        except _MISREAD:
            return self._foreign(f"the status {status}")

    def _foreign(self, what: str = "something else") -> GauzeError:
        return GauzeError(
            "no-service",
            f"{self.url} answers with {what}, and is no service of Gauze",
            "Look at the address that gauze serve prints.",
        )

    def _late(self) -> GauzeError:
        return GauzeError(
            "timeout",
            f"{self.url} did not answer within {self.timeout:g} s",
            "Give a larger timeout, or ask for less.",
        )

    def _unreachable(self, reason: object) -> GauzeError:
        return GauzeError(
            "no-service",
            f"no whole answer comes from {self.url} ({reason})",
            "Start a service there with gauze serve, or use gauze.local(folder).",
        )


def read_messages(answer: Mapping[str, Any]) -> List[Message]:
    """The messages of an answer."""
    return [
        Message(str(each["code"]), str(each["message"]), str(each["action"]))
        for each in answer["messages"]
    ]


def seconds(name: str, value: Any) -> float:
    """Returns a limit of time. Raises GauzeError if it is not in (0, 86400] seconds."""
    limit = number(value)
    if not 0 < limit <= _MOST_SECONDS:
        raise GauzeError(
            "bad-request",
            f"{name} must be above 0 and at most {_MOST_SECONDS:.0f} seconds, and is {value!r}",
            "Give a number of seconds.",
        )
    return limit


def number(value: Any) -> float:
    """The number that was given, and NaN if it is none."""
    try:
        is_number = hasattr(value, "__float__") and not isinstance(value, bool)
        return float(value) if is_number else math.nan
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _checked(token: Any) -> str:
    """A token without the newline at its end. No message holds any part of it."""
    text = re.sub(r"\r?\n\Z", "", token) if isinstance(token, str) else ""
    if not _VISIBLE.fullmatch(text):
        raise GauzeError(
            "bad-request",
            "the token is no text (str) of one line of ASCII characters without blanks",
            "Give the text that the service was started with.",
        )
    return text


def _address(url: Any) -> str:
    """The address of a service, of which the page of its console and /v1 are no part."""
    if isinstance(url, str) and "@" in url:  # which is not shown: it may hold a password
        raise GauzeError(
            "bad-request",
            "the address of a service holds no user and no password",
            "Give the address alone, and the secret as token=.",
        )
    try:
        if isinstance(url, str):
            parts = urllib.parse.urlsplit(url.strip())
            is_web = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
            path = re.sub(r"(/v1)?/*\Z", "", parts.path)
            if is_web and _VISIBLE.fullmatch(parts.netloc + path):
                return f"{parts.scheme}://{parts.netloc}{path}"
    except ValueError:
        pass  # a port or an address of IPv6 that is none
    raise GauzeError(
        "bad-request",
        f"{url!r} is no address of a service",
        "Give one such as http://127.0.0.1:8642.",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _plain(value: Any) -> Any:
    """The Python value of a number of NumPy."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no value of JSON")


class _AllAnswers(urllib.request.HTTPErrorProcessor):
    """Returns every answer: an error is read as any other, and a token follows no redirect."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class _Timed:
    """Limits the time of all that a connection does, not that of each part of it."""

    response_class: Any
    timeout: Any

    def connect(self) -> None:
        end = time.monotonic() + self.timeout
        self.response_class = functools.partial(_Answer, end=end)
        super().connect()  # type: ignore[misc]


class _HttpConnection(_Timed, http.client.HTTPConnection):
    pass


class _HttpsConnection(_Timed, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request: Any) -> Any:
        return self.do_open(_HttpConnection, request)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, context: Optional[ssl.SSLContext]) -> None:
        super().__init__()
        self._given = context

    def https_open(self, request: Any) -> Any:
        return self.do_open(_HttpsConnection, request, context=self._given)


class _Answer(http.client.HTTPResponse):
    """An answer that must have come by the end."""

    def __init__(self, sock: socket.socket, *args: Any, end: float, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp: Any = io.BufferedReader(_UntilTheEnd(self.fp.detach(), sock, end))


class _UntilTheEnd(io.RawIOBase):
    def __init__(self, stream: Any, sock: socket.socket, end: float) -> None:
        self._stream = stream
        self._sock = sock
        self._end_at = end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        left = self._end_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time is over")
        self._sock.settimeout(left)
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()
