"""Retouch as a process, with the built-in editor or one provider, and an account that uses it.

The environment variable RETOUCH names the program. Its settings are in a file, as an operator would
write it, in a temporary folder.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

BINARY = os.environ.get("RETOUCH", "retouch")
EMAIL = "payer@example.com"
PASSWORD = "correct horse battery"
# A call waits for the proxy, which waits for its provider.
CALL_S_MAX = 60
STOP_S_MAX = 30

SETTINGS = """
[server]
listen = "127.0.0.1:0"
# Streams of a slow provider get comments within a check.
stream_comment_every = "50 ms"
reads_per_minute_per_account = 0
reads_per_minute_per_address = 0
secret_key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

[fetch]
# Webhooks may go to this machine.
allowed_networks = ["127.0.0.0/8"]

[edits]
calls_per_minute_per_account = 0
calls_per_minute_per_address = 0
failures_per_minute_per_account = 0
"""
PROVIDER = """
[providers.{provider}]
base_url = "{base_url}"
api_key = "{key}"
"""
CATALOGUE_SETTING = """
[catalogue]
file = "models.toml"
"""


class Service:
    """`with Service() as service:` runs the server, with an account and its API key.

    `provider` is a name, a base URL and a key; without it, the built-in editor serves all models. `settings`
    are more settings, as in a file.
    """

    def __init__(self, *provider, catalogue=None, settings=""):
        self.provider = dict(zip(("provider", "base_url", "key"), provider))
        self.catalogue = catalogue
        self.settings = settings

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        at = pathlib.Path(self.folder.name)
        settings = SETTINGS + self.settings
        if self.provider:
            settings += PROVIDER.format(**self.provider)
        if self.catalogue:
            (at / "models.toml").write_text(self.catalogue)
            settings += CATALOGUE_SETTING
        (at / "retouch.toml").write_text(settings)
        self.log = (at / "log").open("w+")
        self.process = self._spawn(["serve"], stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline()
        if "http://" not in line:
            self._tell()
            raise SystemExit(f"no ready line but {line!r}")
        self.address = "http://" + line.strip().rsplit("http://", 1)[1]
        self.cookie = self._sign_up()
        self.key = self.page("POST", "/api/keys", {"name": "checks"})["key"]
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self._tell()
        self.process.terminate()
        try:
            self.process.communicate(timeout=STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        self.log.close()
        self.folder.cleanup()

    def call(self, method, path, body=None, headers=None):
        """The status and body, even of an error."""
        status, body, _ = self._call(method, path, body, {"authorization": f"Bearer {self.key}", **(headers or {})})
        return status, body

    def page(self, method, path, body=None):
        """The response to a call by a page of the account, which must succeed."""
        headers = {"cookie": self.cookie, "sec-fetch-site": "same-origin"}
        status, body, _ = self._call(method, path, body, headers)
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {body}")
        return body

    def file(self, path):
        """The bytes of a stored image, which need no key."""
        with urllib.request.urlopen(path, timeout=CALL_S_MAX) as answer:
            return answer.read()

    def credits(self):
        """The available and the held credits."""
        _, body = self.call("GET", "/api/credits")
        return body["available"], body["held"]

    def command(self, *arguments):
        """The output of a command on the same data folder, which must succeed."""
        process = self._spawn(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = process.communicate(timeout=CALL_S_MAX)
        if process.returncode != 0:
            raise SystemExit(f"retouch {' '.join(arguments)} ended with {process.returncode}: {said}")
        return said

    def _sign_up(self):
        who = {"email": EMAIL, "password": PASSWORD}
        _, _, headers = self._call("POST", "/api/auth/sign-up", who, {})
        return headers["set-cookie"].split(";")[0]

    def _call(self, method, path, body, headers):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", **headers}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=CALL_S_MAX)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, json.loads(answer.read() or "null"), answer.headers

    def _spawn(self, arguments, **streams):
        # The machine's own settings must not matter.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RETOUCH")}
        return subprocess.Popen(
            [BINARY, *arguments], cwd=self.folder.name, env=environment, text=True, stdin=subprocess.DEVNULL, **streams
        )

    def _tell(self):
        self.log.seek(0)
        print(self.log.read()[-6000:])


if __name__ == "__main__":
    # For checks in other languages: `service.py [PROVIDER BASE_URL KEY]` runs until its input ends.
    with Service(*sys.argv[1:]) as service:
        print(json.dumps({"address": service.address, "key": service.key, "email": EMAIL}), flush=True)
        for line in sys.stdin:
            print(json.dumps(service.command(*line.split())), flush=True)
