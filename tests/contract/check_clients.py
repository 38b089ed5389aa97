"""Generates clients from openapi.json, checks their types, and uses them.

    check_clients.py FOLDER     with the generators

Each program in clients/ lists models, edits an image, is refused once and reads the balance.
"""

import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from sdk_check import ok, png, size_of_png
from service import EMAIL, Service

FOLDER = pathlib.Path(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = FOLDER / "node_modules"
NODE = next(PACKAGES.glob("node-linux-*/bin/node"))
PYTHON = FOLDER / "python" / "bin"
TYPES_SETTINGS = {
    "compilerOptions": {
        "strict": True, "noUncheckedIndexedAccess": True, "module": "nodenext", "moduleResolution": "nodenext",
        "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "outDir": "out", "types": ["node"],
    },
    "include": ["*.ts", "hey/**/*.ts"],
}


def run(at, *command):
    done = subprocess.run(command, cwd=at, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def typescript(at):
    """Generates both clients in TypeScript and compiles everything."""
    # Node looks for packages in the folders above.
    for file in [*(HERE / "clients").glob("*.ts"), HERE / "clients" / "openapi-ts.config.mjs"]:
        shutil.copy(file, at)
    (at / "package.json").write_text('{"type": "module"}')
    (at / "tsconfig.json").write_text(json.dumps(TYPES_SETTINGS))
    run(at, NODE, PACKAGES / "openapi-typescript" / "bin" / "cli.js", "openapi.json", "--output", "schema.ts")
    run(at, NODE, PACKAGES / "@hey-api" / "openapi-ts" / "bin" / "run.js", "--file", "openapi-ts.config.mjs")
    ok("openapi-typescript and @hey-api/openapi-ts generate clients")
    run(at, NODE, PACKAGES / "typescript" / "bin" / "tsc", "--project", ".")
    ok("they type-check by tsc --strict")


def python(at):
    settings = ["--config", HERE / "clients" / "openapi-python-client.yaml", "--meta", "none", "--fail-on-warning"]
    output = ["--path", "openapi.json", "--output-path", "retouch_client"]
    run(at, PYTHON / "openapi-python-client", "generate", *output, *settings)
    ok("openapi-python-client generates a client")
    shutil.copy(HERE / "clients" / "python_client.py", at)
    run(at, PYTHON / "mypy", "--strict", "python_client.py")
    ok("it type-checks by mypy --strict")


def uses(service, name, at, *command):
    before = service.credits()[0]
    image = base64.b64encode(png()).decode()
    told = json.loads(run(at, *command, service.address, service.key, image))
    ok(f"{name} lists models: {told['names']}", len(told["names"]) == 2 and told["has_more"])
    file = base64.b64decode(told["result"].split(",")[1])
    ok(f"{name} edits an image", size_of_png(file) == (40, 60))
    ok(f"{name} knows what it cost and what is left", (told["cost"], told["available"]) == (6, before - 6))
    ok(f"{name} knows why it was refused", told["code"] == "instruction_not_supported")


with Service() as service, tempfile.TemporaryDirectory(dir=FOLDER) as folder:
    at = pathlib.Path(folder)
    service.command("credits", "grant", "--account", EMAIL, "--credits", "100", "--reason", "checks")
    with urllib.request.urlopen(f"{service.address}/openapi.json") as answer:
        (at / "openapi.json").write_bytes(answer.read())
    typescript(at)
    python(at)
    uses(service, "the client of openapi-typescript", at, NODE, "out/fetch.js")
    uses(service, "the client of @hey-api/openapi-ts", at, NODE, "out/hey.js")
    uses(service, "the client of openapi-python-client", at, PYTHON / "python", "python_client.py")
    ok(f"the ledger is correct: {service.command('credits', 'verify').strip()}")
