"""A receiver of webhooks on this machine."""

import http.server
import queue
import threading

WAIT_S_MAX = 60


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
        return self.arrived.get(timeout=WAIT_S_MAX)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.arrived.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass
