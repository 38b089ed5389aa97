"""Shared by all checks in Python: reporting, an image to send, the simulator's controls."""

import io
import json
import struct
import sys
import urllib.request
import zlib

ORIGIN = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:0"


def ok(what, holds=True):
    """Reports one result. Ends the check if it failed."""
    if not holds:
        print(f"NOT {what}", flush=True)
        sys.exit(1)
    print(f"ok  {what}", flush=True)


def raises(kinds, call):
    """The exception that `call` raises, which must be one of `kinds`."""
    try:
        result = call()
    except kinds as error:
        return error
    ok(f"an error instead of {str(result)[:200]}", False)


def png(width=60, height=40, colour=(64, 128, 192)):
    """A PNG of one color."""
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def named_png(name="in.png", **size):
    """A PNG as a file with a name."""
    file = io.BytesIO(png(**size))
    file.name = name
    return file


def size_of_png(data):
    """Width and height of a PNG, which must be complete."""
    ok("a PNG comes back", data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND")
    return struct.unpack(">II", data[16:24])


def fault(name, **more):
    """Schedules a fault; see crates/sim/README.md."""
    _control("POST", "/_sim/faults", {"fault": name, **more})


def requests(provider):
    """The requests that a provider received."""
    return _control("GET", f"/_sim/requests?provider={provider}")


def counts(provider):
    """How often a provider received each prompt and did the work: {prompt: (received, worked)}."""
    rows = _control("GET", "/_sim/counts")
    return {row["prompt"]: (row["received"], row["worked"]) for row in rows if row["provider"] == provider}


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _control(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ORIGIN + path, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read()
    return json.loads(text) if text else None
