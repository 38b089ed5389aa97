"""LiteLLM's proxy as a process: started on a free port, stopped when the check ends.

As a program, `proxy.py ORIGIN [WORKERS]` runs it in front of the simulator at ORIGIN until it is
stopped, and prints its address. Its key is KEY, and its models are those of config.yaml.
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
KEY = "sk-retouch-checks-0123456789abcdef"
START_S_MAX = 120


class Proxy:
    """`with Proxy(origin) as address:` runs the proxy in front of the simulator at `origin`."""

    def __init__(self, origin, workers=1):
        self.origin = origin
        self.workers = workers

    def __enter__(self):
        port = _free_port()
        address = f"http://127.0.0.1:{port}"
        program = pathlib.Path(sys.executable).with_name("litellm")
        command = [program, "--config", HERE / "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--num_workers", str(self.workers)]
        environment = {
            **os.environ,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_MASTER_KEY": KEY,
            "SIM_GEMINI": f"{self.origin}/gemini/v1beta",
            "SIM_OPENAI": f"{self.origin}/openai/v1",
        }
        # Its long output is shown only if something goes wrong.
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.said, stderr=subprocess.STDOUT, cwd=tempfile.gettempdir()
        )
        try:
            _until_ready(self.process, f"{address}/health/liveliness")
        except SystemExit:
            self._tell()
            raise
        return address

    def __exit__(self, kind, *_):
        if kind not in (None, SystemExit):
            self._tell()
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _tell(self):
        self.said.seek(0)
        print("".join(self.said.readlines()[-60:]), file=sys.stderr)


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _until_ready(process, address):
    ends = time.monotonic() + START_S_MAX
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise SystemExit(f"the proxy ended with status {process.returncode}")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    process.kill()
    raise SystemExit(f"the proxy did not start within {START_S_MAX} s")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Proxy(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1) as address:
        print(f"listening on {address}", flush=True)
        signal.pause()
