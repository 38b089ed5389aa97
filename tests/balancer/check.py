"""Replaces nodes behind HAProxy under load, and compares every answer with the ledger."""

import collections
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
EMAIL = "payer@example.com"
NAMES = ("one", "two", "three")
CALLERS = 8
START_S_MAX = 30
STOP_S_MAX = 90
# The most attempts at an edit, which are safe because they have the same Idempotency-Key.
TRIES_MAX = 40


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what, said, seconds=START_S_MAX):
    """Waits until `what` returns something true, and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"timed out after {seconds} s: {said}")


class Node:
    """A process that can be stopped and started again at the same address."""

    def __init__(self, installation, name):
        self.installation, self.name, self.port = installation, name, free_port()
        self.process = None

    def start(self):
        environment = self.installation.environment() | {
            "RETOUCH_SERVER__LISTEN": f"127.0.0.1:{self.port}",
            "RETOUCH_SERVER__NODE_NAME": self.name,
        }
        log = open(self.installation.folder / f"{self.name}.log", "ab")
        command = [self.installation.program, "serve"]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log)
        if b"is ready at" not in self.process.stdout.readline():
            sys.exit(f"{self.name} did not start: see its log\n{self.installation.logs()}")

    def stop(self):
        self.process.terminate()
        status = self.process.wait(timeout=STOP_S_MAX)
        if status != 0:
            sys.exit(f"{self.name} ended with {status}\n{self.installation.logs()}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Installation:
    """A database, an image folder, and an account with credits."""

    def __init__(self, program, folder):
        self.program, self.folder, self.port = program, folder, free_port()
        self.run("migrate")
        self.run("account", "create", "--email", EMAIL, "--password-stdin", typed="correct horse\n")
        grant = ("--account", EMAIL, "--credits", "1000000", "--reason", "a test")
        self.run("credits", "grant", *grant)
        self.key = self.run("key", "create", "--account", EMAIL, "--name", "test").strip()

    def environment(self):
        return {
            "PATH": os.environ["PATH"],
            "RETOUCH_STORE__DATA_DIR": str(self.folder / "data"),
            "RETOUCH_STORE__DATABASE_URL": os.environ["RETOUCH_TEST_POSTGRES"],
            "RETOUCH_STORE__BLOBS_URL": f"file://{self.folder}/pictures",
            "RETOUCH_SERVER__PUBLIC_URL": f"http://127.0.0.1:{self.port}",
            "RETOUCH_SERVER__TRUSTED_PROXIES": "127.0.0.1",
            "RETOUCH_SERVER__STOP_ANNOUNCE": "4 s",
            # One account makes all calls, which is more than the default limits allow.
            "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT": "0",
            "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS": "0",
            "RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT": "0",
            "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT": "0",
        }

    def run(self, *arguments, typed=""):
        done = subprocess.run(
            [self.program, *arguments], env=self.environment(), input=typed, text=True, capture_output=True
        )
        if done.returncode != 0:
            sys.exit(f"{arguments}: {done.stderr}")
        return done.stdout

    def credits(self):
        return json.loads(self.run("credits", "show", "--account", EMAIL, "--json"))

    def logs(self):
        return "".join(path.read_text()[-2000:] for path in self.folder.glob("*.log"))


class Balancer:
    """HAProxy, and commands to it through its socket."""

    def __init__(self, settings, installation, nodes):
        self.socket = installation.folder / "admin.sock"
        environment = {
            "PATH": os.environ["PATH"],
            "BALANCER_LISTEN": f"127.0.0.1:{installation.port}",
            "BALANCER_SOCKET": str(self.socket),
            # All calls come from one address.
            "BALANCER_REQUESTS_MAX": "1000000",
        }
        environment |= {f"NODE_{node.name.upper()}": f"127.0.0.1:{node.port}" for node in nodes}
        log = open(installation.folder / "haproxy.log", "ab")
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", settings], env=environment, stdout=log, stderr=log
        )
        for node in nodes:
            self.wait_for(node.name)

    def say(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall(command.encode() + b"\n")
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def of(self, name):
        """The statistics of a server, by column name."""
        lines = self.say("show stat").lstrip("# ").splitlines()
        columns = lines[0].split(",")
        rows = [dict(zip(columns, line.split(","))) for line in lines[1:]]
        return next(row for row in rows if row["pxname"] == "nodes" and row["svname"] == name)

    def wait_for(self, name):
        ready = lambda: self.socket.exists() and self.of(name)["status"] == "UP"
        until(ready, f"{name} is not up")


class Load:
    """Callers that call without a pause, and the answers they get."""

    def __init__(self, installation):
        self.installation, self.stopping = installation, threading.Event()
        self.first, self.lost, self.made = collections.Counter(), [], set()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.call, args=(n,)) for n in range(CALLERS)]
        for thread in self.threads:
            thread.start()

    def call(self, number):
        count = 0
        while not self.stopping.is_set():
            count += 1
            key = f"{time.monotonic_ns()}-{number}-{count}"
            self.edit(key)

    def edit(self, key):
        """One edit, repeated with the same key until it succeeds."""
        for attempt in range(TRIES_MAX):
            status, body = self.ask(key)
            with self.lock:
                if attempt == 0:
                    self.first[status] += 1
                if status == 200:
                    self.made.add(json.loads(body)["generation"]["uuid"])
                    return
            time.sleep(0.5)
        with self.lock:
            self.lost.append((key, status, body))

    def ask(self, key):
        connection = http.client.HTTPConnection("127.0.0.1", self.installation.port, timeout=60)
        headers = {
            "authorization": f"Bearer {self.installation.key}",
            "content-type": "application/json",
            "idempotency-key": key,
        }
        body = json.dumps({"instruction": "make it grey", "imageBase64": PICTURE})
        try:
            connection.request("POST", "/api/image-edit", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError as error:
            return type(error).__name__, b""
        finally:
            connection.close()

    def end(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()


def replace(nodes, balancer, load, gone):
    """Ends each node with `gone` and starts it again. Counts the first answers to the calls meanwhile."""
    load.first.clear()
    for node in nodes:
        gone(node)
        node.start()
        until(lambda: balancer.of(node.name)["status"] == "UP", f"{node.name} is not up again")
    return dict(load.first)


def prove(installation, load):
    """Checks that exactly the successful edits are charged and that nothing is held."""
    shown = installation.credits()
    spent = 1_000_015 - shown["available"] - shown["held"]
    if load.lost or shown["held"] != 0 or spent != 6 * len(load.made):
        sys.exit(f"{len(load.made)} edits, {spent} credits, {shown}, lost: {load.lost[:3]}")
    installation.run("credits", "verify")


def main():
    program, settings, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    installation = Installation(program, folder)
    nodes = [Node(installation, name) for name in NAMES]
    balancer = load = None
    try:
        for node in nodes:
            node.start()
        balancer = Balancer(settings, installation, nodes)
        load = Load(installation)
        for _ in range(int(os.environ.get("RETOUCH_TEST_ROUNDS", "1"))):
            stopped = replace(nodes, balancer, load, Node.stop)
            print("first answers while nodes were stopped and restarted:", stopped)
            if set(stopped) != {200}:
                sys.exit("a call failed although its node was stopped gracefully\n" + installation.logs())
            print("first answers while nodes were killed and restarted:", replace(nodes, balancer, load, Node.kill))
        load.end()
        until(lambda: installation.credits()["held"] == 0, "credits are still held", STOP_S_MAX)
        prove(installation, load)
        print(f"{len(load.made)} edits, each charged once, none lost")
    finally:
        if load:
            load.end()
        for process in [node.process for node in nodes] + [balancer and balancer.process]:
            if process and process.poll() is None:
                process.kill()


if __name__ == "__main__":
    main()
