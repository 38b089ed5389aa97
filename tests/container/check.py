"""Uses the image `retouch` as an operator does: starts it on a volume, makes the first edit with the
commands that it prints, stops it, and starts it again; see run.

Usage: check.py FOLDER BUILDAH...
"""

import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
import urllib.request

START_S_MAX = 60
STOP_S_MAX = 90
HOST = "photos.example"
SAMPLE = pathlib.Path(__file__).parents[2] / "samples/coffee.jpg"

FOLDER, BUILDAH = pathlib.Path(sys.argv[1]), sys.argv[2:]


def ok(what, is_so):
    print("ok " if is_so else "BAD", what, flush=True)
    if not is_so:
        sys.exit(1)


def buildah(*arguments):
    return subprocess.run([*BUILDAH, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Names(socketserver.BaseRequestHandler):
    """A DNS server that knows one name."""

    def handle(self):
        query, connection = self.request
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1 : at + 1 + query[at]].decode().lower())
            at += 1 + query[at]
        kind = struct.unpack(">H", query[at + 1 : at + 3])[0]
        question = query[12 : at + 5]
        known = ".".join(labels) == HOST
        answers = 1 if known and kind == 1 else 0
        reply = query[:2] + struct.pack(">HHHHH", 0x8180 if known else 0x8183, 1, answers, 0, 0) + question
        if answers:
            reply += struct.pack(">HHHIH4B", 0xC00C, 1, 1, 60, 4, 127, 0, 0, 1)
        connection.sendto(reply, self.client_address)


class Photos(http.server.SimpleHTTPRequestHandler):
    """The web server at that name."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=str(SAMPLE.parent))

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()


class Container:
    """A container of the image, on the volume, with this machine's network."""

    def __init__(self, port, volume):
        self.base = f"http://127.0.0.1:{port}"
        self.id = buildah("from", "--dns=127.0.0.1", "retouch")
        settings = {
            "RETOUCH_SERVER__LISTEN": f"127.0.0.1:{port}",
            "RETOUCH_FETCH__ALLOWED_NETWORKS": "127.0.0.0/8",
        }
        self.prefix = [*BUILDAH, "run", f"--volume={volume}:/var/lib/retouch"]
        self.prefix += [*(f"--env={name}={value}" for name, value in settings.items()), self.id, "--"]

    def run(self, *arguments):
        return subprocess.run([*self.prefix, *arguments], capture_output=True, text=True)

    def start(self):
        self.log = FOLDER / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([*self.prefix, *self.entry("Entrypoint"), *self.entry("Cmd")], stdout=log, stderr=log)
        end = time.monotonic() + START_S_MAX
        while not self.is_healthy():
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the container did not start:\n{self.log.read_text()}")
            time.sleep(0.1)

    def entry(self, name):
        config = json.loads(buildah("inspect", "--type", "image", "retouch"))["Docker"]["config"]
        return config[name]

    def is_healthy(self):
        command = self.entry("Healthcheck")["Test"]
        assert command[0] == "CMD", command
        return self.run(*command[1:]).returncode == 0

    def stop(self):
        """Sends the program the image's signal, as a supervisor does. Returns its exit status."""
        os.kill(last_child(self.process.pid), getattr(signal, self.entry("StopSignal")))
        return self.process.wait(timeout=STOP_S_MAX)


def last_child(pid):
    """The program itself: buildah is its parent's parent."""
    while True:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        found = [children for children in map(int, children)]
        threads = pathlib.Path(f"/proc/{pid}/task").iterdir()
        for thread in threads:
            found += [int(child) for child in (thread / "children").read_text().split()]
        if not found:
            return pid
        pid = found[0]


def post(url, key, body):
    head = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), head)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def printed_block(log):
    """The commands that the service prints for a first edit."""
    lines = log.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("  PASSWORD="))
    end = next(i for i in range(begin, len(lines)) if '"message"' in lines[i])
    return "\n".join(lines[begin : end + 1])


def main():
    volume = FOLDER / "volume"
    volume.mkdir(mode=0o700)
    os.chown(volume, 10001, 10001)
    container = Container(free_port(), volume)
    root = pathlib.Path(buildah("mount", container.id))
    files = [str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()]
    ok("the image has one file", files == ["usr/local/bin/retouch"])
    ok("there is no shell", container.run("/bin/sh", "-c", "true").returncode != 0)

    container.start()
    ok("the service is healthy", container.is_healthy())
    program = pathlib.Path(f"/proc/{last_child(container.process.pid)}/status").read_text()
    uids = next(line for line in program.splitlines() if line.startswith("Uid:")).split()[1:]
    ok("it is not root", set(uids) == {"10001"})

    terminal = FOLDER / "terminal"
    terminal.mkdir()
    block = printed_block(container.log.read_text()) + '\necho "KEY=$KEY"\n'
    pasted = subprocess.run(["sh", "-c", block], cwd=terminal, capture_output=True, text=True)
    edited = terminal / "edited.png"
    ok(f"the printed commands work:\n{pasted.stdout}{pasted.stderr}", "Saved edited.png" in pasted.stdout)
    ok("the result is a PNG", edited.read_bytes().startswith(b"\x89PNG"))
    key = pasted.stdout.rsplit("KEY=", 1)[1].strip()

    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Photos)) as photos:
        with serving(socketserver.ThreadingUDPServer(("127.0.0.1", 53), Names)):
            url = f"http://{HOST}:{photos.server_port}/{SAMPLE.name}"
            status, answer = post(f"{container.base}/api/image-edit", key, {"instruction": "grayscale", "imageUrls": [url]})
            ok(f"a host name is resolved by DNS: {status} {answer.get('error', '')}", status == 200)
    ok("the ledger is correct", container.run("retouch", "credits", "verify").returncode == 0)
    link = container.run("retouch", "admin", "link")
    ok("the administrator's link leads to the service", link.stdout.startswith(f"{container.base}/first-administrator"))
    ok("it stops when asked", container.stop() == 0)
    ok("it is no longer healthy", not container.is_healthy())

    again = Container(free_port(), volume)
    again.start()
    status, answer = post(f"{again.base}/api/image-edit", key, {"instruction": "grayscale", "imageUrls": [f"{again.base}/nothing.jpg"]})
    ok(f"the volume keeps accounts and keys: {status}", status not in (401, 403))
    ok("it stops again", again.stop() == 0)


main()
