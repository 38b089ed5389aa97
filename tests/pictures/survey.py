"""Runs the survey over one file, in a process of its own that may take so much and no more."""

import json
import os
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

# For two decodings in a build that is not optimised; a file takes some milliseconds.
CPU_S_MAX = 20
# More than Limits of the engine give to one picture: going over it is our mistake.
MEMORY_BYTES_MAX = 3 << 30


@dataclass
class Told:
    """What the survey said of a file, and what it took."""

    said: dict
    pixels: bytes
    cpu_s: float
    resident_bytes: int


def survey(program: str, file: Path) -> Told:
    """Raises RuntimeError where the program crashed, hung or misbehaved."""
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
    """In the child, before the program."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S_MAX, CPU_S_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
