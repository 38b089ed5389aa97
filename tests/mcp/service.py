"""Shared by the checks: a running server, and a way to report results."""

import json
import os
import subprocess
import sys

EMAIL, PASSWORD = "ada@example.com", "correct horse"


def ok(what, holds=True):
    """Reports one result. Ends the check if it failed."""
    print(f"{'ok ' if holds else 'NOT'} {what}", flush=True)
    if not holds:
        sys.exit(1)


class Service:
    """A running server with an account, and a key for it."""

    def __init__(self, retouch, folder):
        self.retouch = retouch
        self.environment = {
            **os.environ, "RETOUCH_STORE__DATA_DIR": str(folder / "data"), "RETOUCH_SERVER__LISTEN": "127.0.0.1:0",
        }

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.retouch, "serve"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        line = self.process.stdout.readline()
        self.url = next(word for word in line.split() if word.startswith("http"))
        self.command("account", "create", "--email", EMAIL, "--password-stdin", given=PASSWORD + "\n")
        self.command("credits", "grant", "--account", EMAIL, "--credits", "1000", "--reason", "test")
        made = self.command("key", "create", "--account", EMAIL, "--name", "mcp", "--json")
        self.key = json.loads(made)["key"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        ok("the server stops", self.process.wait(timeout=30) == 0)

    def command(self, *words, given=""):
        done = subprocess.run(
            [self.retouch, *words], env=self.environment, input=given, capture_output=True, text=True, check=True
        )
        return done.stdout
