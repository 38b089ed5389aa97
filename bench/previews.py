#!/usr/bin/env python3
"""Measures live previews: how long after a keystroke the answer arrives, and the server's memory.

    cargo build --release && bench/previews.py target/release/retouch

For each size of photo and number of users, a fresh server starts on an empty folder. Each user
uploads a photo once and then "types": it sends POST /api/preview with a new strength, waits for the
answer, pauses, and goes on. The limits on calls are off. Only the standard library is needed. Run
it with `taskset -c 0,1` to give the server and the users two cores.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "samples", "coffee.jpg")
SIDES = {1: (1155, 866), 12: (4000, 3000), 40: (7304, 5478)}
# What is typed: the instruction with a number that changes with each keystroke.
INSTRUCTION = "make it warmer by {}%, add a 40px white border and write \"Hello\" at the bottom right"
OFF = {
    "RETOUCH_SERVER__LISTEN": "127.0.0.1:0",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT": "0",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS": "0",
    "RETOUCH_AUTH__SIGN_UP_PER_HOUR_PER_ADDRESS": "1000",
    "RETOUCH_LOG__LEVEL": "warn",
}


class Server:
    """A server on an empty folder."""

    def __init__(self, binary, folder):
        environment = {**os.environ, **OFF, "RETOUCH_STORE__DATA_DIR": folder}
        self.process = subprocess.Popen(
            [binary, "serve"], env=environment, stdout=subprocess.PIPE, text=True
        )
        while line := self.process.stdout.readline():
            if found := re.search(r"http://[^\s]+", line):
                self.address = urllib.parse.urlsplit(found[0].rstrip("/.,")).netloc
                return
        sys.exit("the server did not start")

    def memory_mib(self):
        """The memory in use now, and the most that was in use."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            kib = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", status.read()))
        return int(kib["VmRSS"]) // 1024, int(kib["VmHWM"]) // 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class User:
    """A signed-in user with one connection and one photo."""

    def __init__(self, server, number):
        self.connection = http.client.HTTPConnection(server.address, timeout=120)
        self.headers = {"Sec-Fetch-Site": "same-origin"}
        account = {"email": f"user{number}@example.com", "password": "correct horse"}
        answer = self.call("POST", "/api/auth/sign-up", json.dumps(account))
        self.headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]

    def call(self, method, path, body=None, kind="application/json"):
        headers = {**self.headers, "Content-Type": kind}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.body = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return answer

    def upload(self, photo):
        answer = self.call("POST", "/api/uploads", photo, "image/jpeg")
        self.url = json.loads(answer.body)["url"]

    def preview(self, strength):
        """Milliseconds until a preview has arrived."""
        asked = {"instruction": INSTRUCTION.format(strength), "imageUrls": [self.url]}
        began = time.perf_counter()
        self.call("POST", "/api/preview", json.dumps(asked))
        return (time.perf_counter() - began) * 1000

    def type(self, seconds, pause):
        end, taken = time.perf_counter() + seconds, []
        while time.perf_counter() < end:
            taken.append(self.preview(10 + len(taken) % 80))
            time.sleep(pause)
        return taken


def photo(binary, megapixels, folder):
    """The sample photo, enlarged."""
    width, height = SIDES[megapixels]
    path = os.path.join(folder, f"{megapixels}.jpg")
    words = f"resize to {width}x{height}"
    subprocess.run([binary, "edit", SAMPLE, words, "-o", path], check=True, capture_output=True)
    with open(path, "rb") as file:
        return file.read()


def share(sorted_values, part):
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * part))]


def measure(options, megapixels, users):
    with tempfile.TemporaryDirectory() as folder:
        file = photo(options.binary, megapixels, folder)
        server = Server(options.binary, os.path.join(folder, "data"))
        try:
            people = [User(server, number) for number in range(users)]
            with concurrent.futures.ThreadPoolExecutor(users) as pool:
                list(pool.map(lambda user: user.upload(file), people))
                first = sorted(pool.map(lambda user: user.preview(5), people))
                typing = pool.map(lambda user: user.type(options.seconds, options.pause), people)
                taken = sorted(one for user in typing for one in user)
            now, most = server.memory_mib()
        finally:
            server.stop()
    row = [first[-1], share(taken, 0.5), share(taken, 0.95), taken[-1]]
    cells = " | ".join(f"{value:.0f} ms" for value in row)
    print(f"| {megapixels} | {users} | {len(taken)} | {cells} | {now} MiB | {most} MiB |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--megapixels", type=int, nargs="+", default=[1, 12, 40], choices=SIDES)
    parser.add_argument("--users", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--pause", type=float, default=0.15, help="seconds between keystrokes")
    options = parser.parse_args()
    print("| megapixels | users | previews | first | p50 | p95 | slowest | memory | peak |")
    print("|---|---|---|---|---|---|---|---|---|")
    for megapixels in options.megapixels:
        for users in options.users:
            measure(options, megapixels, users)


if __name__ == "__main__":
    main()
