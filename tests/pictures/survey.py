"""Runs the survey program on one file, in a process with limited CPU time and memory."""

import json
import os
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

# For two decodings in an unoptimized build. A file normally takes milliseconds.
CPU_S_MAX = 20
# More than the engine's Limits allow for one image, so exceeding it is a bug of the engine.
MEMORY_BYTES_MAX = 3 << 30


@dataclass
class Told:
    """The survey's output for a file, and the resources it used."""

    said: dict
    pixels: bytes
    cpu_s: float
    resident_bytes: int


def survey(program: str, file: Path) -> Told:
    """Raises RuntimeError if the program crashed, hung or failed."""
    with tempfile.TemporaryDirectory() as folder:
        pixels = Path(folder, "pixels")
        with subprocess.Popen(
            [program, file, pixels],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"RAYON_NUM_THREADS": "2"},
            preexec_fn=limited,
        ) as process:
            out, errors = process.stdout.read(), process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"ended with {process.returncode}: {errors.decode().strip()[-300:]}")
        rgba = pixels.read_bytes() if pixels.exists() else b""
        return Told(json.loads(out), rgba, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def limited() -> None:
    """Runs in the child process before the program."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S_MAX, CPU_S_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
