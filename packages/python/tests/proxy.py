"""A proxy before the server that misbehaves as a network does: it cuts connections, is silent, slow, or answers by itself."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Seen:
    """A request that arrived at the proxy."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


Behaviour = Callable[["_Handler", Seen], None]


class Proxy:
    """Passes requests on. The next requests meet the behaviours in `script` instead, one each."""

    def __init__(self, upstream: str) -> None:
        self.upstream = urlsplit(upstream)
        self.script: deque[Behaviour] = deque()
        self.seen: list[Seen] = []
        self.ended = threading.Event()
        proxy = self

        class Handler(_Handler):
            pass

        Handler.proxy = proxy
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def plays(self, *behaviours: Behaviour) -> None:
        self.script.extend(behaviours)

    def forward(self, seen: Seen) -> Reply:
        connection = http.client.HTTPConnection(str(self.upstream.hostname), self.upstream.port, timeout=30)
        try:
            headers = {name: value for name, value in seen.headers.items() if name not in ("host", "connection")}
            connection.request(seen.method, seen.path, body=seen.body or None, headers=headers)
            response = connection.getresponse()
            return Reply(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    proxy: Proxy
    protocol_version = "HTTP/1.1"

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionError, ValueError):
            self.close_connection = True

    def do(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, self.path, headers, body)
        self.proxy.seen.append(seen)
        behaviour = self.proxy.script.popleft() if self.proxy.script else passes
        behaviour(self, seen)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do

    def send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        if reply.status != 204:
            self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def cut(self) -> None:
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def passes(handler: _Handler, seen: Seen) -> None:
    handler.send(handler.proxy.forward(seen))


def cuts_before(handler: _Handler, seen: Seen) -> None:
    """The request never reaches the server."""
    handler.cut()


def cuts_after(handler: _Handler, seen: Seen) -> None:
    """The server does the work, and its answer is lost."""
    handler.proxy.forward(seen)
    handler.cut()


def cuts_within(handler: _Handler, seen: Seen) -> None:
    """The answer breaks off in its middle."""
    reply = handler.proxy.forward(seen)
    handler.send_response(reply.status)
    handler.send_header("content-length", str(len(reply.body)))
    handler.end_headers()
    handler.wfile.write(reply.body[: len(reply.body) // 2])
    handler.wfile.flush()
    handler.cut()


def is_silent(handler: _Handler, seen: Seen) -> None:
    """The server does the work, and its answer never comes."""
    handler.proxy.forward(seen)
    handler.proxy.ended.wait(30)
    handler.cut()


def trickles(handler: _Handler, seen: Seen) -> None:
    """The answer comes byte by byte, so that no single wait is long."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    until = time.monotonic() + 30
    while time.monotonic() < until and not handler.proxy.ended.wait(0.02):
        try:
            handler.wfile.write(b" ")
        except OSError:
            break
    handler.cut()


def says(status: int, body: object, headers: dict[str, str] | None = None) -> Behaviour:
    """Answers by itself. Bytes are sent as they are, anything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def behaviour(handler: _Handler, seen: Seen) -> None:
        handler.send(Reply(status, list((headers or {}).items()), content))

    return behaviour


def refuses(status: int, code: str, headers: dict[str, str] | None = None, **fields: object) -> Behaviour:
    error = {"code": code, "message": f"It is {code}.", "request_id": "01JCQ8Z7M4T3V9R1X5K2N6P8DA", **fields}
    return says(status, {"error": error}, headers)


def adds(**fields: object) -> Behaviour:
    """Passes the request on, and adds fields to the answer, as a later release may."""

    def behaviour(handler: _Handler, seen: Seen) -> None:
        reply = handler.proxy.forward(seen)
        body = json.dumps({**json.loads(reply.body), **fields}).encode()
        handler.send(Reply(reply.status, reply.headers, body))

    return behaviour
