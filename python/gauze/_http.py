"""Requests to a service, and its errors."""

from __future__ import annotations

import ipaddress
import json
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from typing import Any, Dict, List, Mapping, Optional

from ._errors import GauzeError, Message

# The resources that this package asks for. A service without them is older than the package.
_NEEDED = ("/v1/fit", "/v1/predict", "/v1/series", "/v1/releases")
_OLDEST = "0.1"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service redirects nobody, and a token must not follow a redirect to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Client:
    """Asks one service. Each request has a time limit of ``timeout`` seconds."""

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        timeout: float = 60.0,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise GauzeError(
                "bad-request",
                f"{url} is no address of a service",
                "Give one such as http://127.0.0.1:8642.",
            )
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._token = token
        handlers: List[urllib.request.BaseHandler] = [_NoRedirects()]
        if context is not None:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        if _is_loopback(parts.hostname):
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def check(self) -> Dict[str, Any]:
        """Returns what the service says of itself.

        Raises GauzeError if nothing answers, if it is no service of Gauze, or if it is too old.
        """
        overview = self.get("/v1")
        if not isinstance(overview, dict) or "version" not in overview:
            raise self._foreign()
        links = overview.get("links", [])
        missing = [path for path in _NEEDED if path not in links]
        if missing:
            raise GauzeError(
                "old-service",
                f"the service at {self.url} is version {overview['version']}, without"
                f" {', '.join(missing)}",
                f"Upgrade it to Gauze {_OLDEST} or later.",
            )
        return overview

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Returns the JSON of a resource. Parameters that are None are left out."""
        return self._json(self.body(path, query or {}, "application/json"))

    def body(self, path: str, query: Mapping[str, Any], accept: str) -> bytes:
        """Returns the body of a resource."""
        given = {name: value for name, value in query.items() if value is not None}
        end = "?" + urllib.parse.urlencode(given) if given else ""
        return self._send(urllib.request.Request(self.url + path + end), accept)

    def post(self, path: str, query: Mapping[str, Any], question: Mapping[str, Any]) -> Any:
        """Returns the JSON of the answer to a question."""
        return self._json(self.posted(path, query, question, "application/json"))

    def posted(
        self, path: str, query: Mapping[str, Any], question: Mapping[str, Any], accept: str
    ) -> bytes:
        """Returns the body of the answer to a question."""
        given = {name: value for name, value in query.items() if value is not None}
        end = "?" + urllib.parse.urlencode(given) if given else ""
        try:
            data = json.dumps(question, allow_nan=False, default=_plain).encode("utf-8")
        except (ValueError, TypeError) as error:
            raise GauzeError(
                "bad-request", f"the question cannot be sent: {error}", "Leave out what is missing."
            ) from None
        request = urllib.request.Request(self.url + path + end, data)
        request.add_header("Content-Type", "application/json")
        return self._send(request, accept)

    def _send(self, request: urllib.request.Request, accept: str) -> bytes:
        request.add_header("Accept", accept)
        if self._token is not None:
            request.add_header("Authorization", "Bearer " + self._token)
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._problem(error.code, error.read(), error.headers) from None
        except (TimeoutError, socket.timeout):
            raise self._late() from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, (TimeoutError, socket.timeout)):
                raise self._late() from None
            raise self._unreachable(error.reason) from error
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error

    def _json(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError:
            raise self._foreign() from None

    def _problem(self, status: int, body: bytes, headers: Any) -> GauzeError:
        try:
            problem = json.loads(body)
            messages = [
                Message(each["code"], each["message"], each["action"])
                for each in problem["messages"]
            ]
            wait = headers.get("Retry-After")
            action = f"Ask again in {wait} s." if wait else messages[0].action
            return GauzeError(problem["code"], problem["detail"], action, messages)
        except (ValueError, KeyError, TypeError, IndexError):
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
            f"nothing answers at {self.url} ({reason})",
            "Start a service there with gauze serve, or use gauze.local(folder).",
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
