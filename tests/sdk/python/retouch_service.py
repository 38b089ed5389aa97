"""Retouch as a process with the built-in editor, an account in it, and a receiver of webhooks.

The environment variable RETOUCH names the program.
"""

import base64
import http.server
import json
import os
import queue
import subprocess
import tempfile
import threading
import urllib.request

CALL_S_MAX = 60
PASSWORD = "correct horse battery"


class Receiver(http.server.ThreadingHTTPServer):
    """Accepts every message and keeps it in `arrived`, as its headers and its body."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrived = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook"

    def next(self):
        """The next message, which must arrive soon."""
        return self.arrived.get(timeout=CALL_S_MAX)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.arrived.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Service:
    """`with Service() as service:` runs the server. It may send webhooks to this machine."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RETOUCH")}
        environment |= {
            "RETOUCH_SERVER__LISTEN": "127.0.0.1:0",
            "RETOUCH_SERVER__SECRET_KEY": base64.b64encode(bytes([7] * 32)).decode(),
            "RETOUCH_FETCH__ALLOWED_NETWORKS": "127.0.0.0/8",
        }
        self.process = subprocess.Popen(
            [os.environ.get("RETOUCH", "retouch"), "serve"],
            cwd=self.folder.name,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        line = self.process.stdout.readline()
        self.address = "http://" + line.strip().rsplit("http://", 1)[1]
        self.cookie = ""
        _, headers = self._call("POST", "/api/auth/sign-up", {"email": "ada@example.com", "password": PASSWORD})
        self.cookie = headers["set-cookie"].split(";")[0]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=CALL_S_MAX)
        self.folder.cleanup()

    def call(self, method, path, body=None):
        """The response to a call by the account, which must succeed."""
        return self._call(method, path, body)[0]

    def _call(self, method, path, body):
        headers = {"content-type": "application/json", "cookie": self.cookie, "sec-fetch-site": "same-origin"}
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=CALL_S_MAX) as answer:
            return json.loads(answer.read() or "null"), answer.headers
