"""Lets schemathesis call everything in openapi.json: as a visitor, with an API key and with a session.

All its checks must pass, except for what differences.py names.

    check_calls.py FOLDER     with schemathesis
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema_rs
from sdk_check import ok
from service import EMAIL, Service

SCHEMATHESIS = pathlib.Path(sys.argv[1]) / "python" / "bin" / "schemathesis"
SEED = os.environ.get("CONTRACT_SEED", "20261125")
# Random calls of each operation, for each role. By default there are none, only the examples in the
# document and calls that cover each constraint of each schema, which are the same in every run.
CALLS = int(os.environ.get("CONTRACT_CALLS", "0"))

# Limits must not end the calls early.
SETTINGS = """
[auth]
sign_in_attempts_per_minute_per_account = 100000
sign_in_attempts_per_minute_per_address = 100000
sign_up_per_hour_per_address = 100000
wrong_passwords_per_day_per_network = 100000
wrong_passwords_per_day_per_account = 100000
links_per_minute_per_address = 100000

[billing]
visits_per_minute_per_account = 100000

[studio]
visitor_previews_per_minute_per_address = 100000

[uploads]
per_minute_per_account = 100000
"""

CONFIGURATION = """
seed = {seed}
continue-on-failure = true
request-timeout = 60

[phases]
fuzzing.enabled = {is_random}
stateful.enabled = {is_random}

[generation]
max-examples = {calls}
database = "none"
no-shrink = true

[checks]
# differences.py has these checks with their exceptions.
not_a_server_error.enabled = false
positive_data_acceptance.enabled = false
negative_data_rejection.enabled = false
missing_required_header.enabled = false

[warnings]
display = []
"""

# How each role authenticates, and what it may not call, because that would end its session.
VISITOR = ""
KEY = """
[auth.openapi.api_key]
bearer = "{key}"
"""
SESSION = """
[headers]
"Sec-Fetch-Site" = "same-origin"

[auth.openapi.session]
api_key = "{cookie}"

[[operations]]
include-operation-id = "sign_out"
enabled = false

[[operations]]
include-operation-id = "end_session"
enabled = false
"""


def examples(value):
    """All schemas in `value` that have an example."""
    if isinstance(value, dict):
        if "example" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from examples(item)


def check_examples(document):
    schemas = list(examples(document))
    for schema in schemas:
        # References lead from the root.
        jsonschema_rs.validator_for({**schema, "components": document["components"]}).validate(schema["example"])
    ok(f"{len(schemas)} examples are valid by their schemas", len(schemas) > 20)


def call_everything(service, name, role):
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        role = role.format(key=service.key, cookie=service.cookie.split("=", 1)[1])
        configuration = CONFIGURATION.format(seed=SEED, calls=max(CALLS, 1), is_random=str(CALLS > 0).lower())
        (at / "schemathesis.toml").write_text(configuration + role)
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "differences"}
        command = [SCHEMATHESIS, "run", f"{service.address}/openapi.json"]
        done = subprocess.run(command, cwd=at, env=environment, capture_output=True, text=True)
    print(done.stdout[-30_000:] + done.stderr[-5_000:] if done.returncode else summary(done.stdout))
    ok(f"schemathesis finds nothing {name}", done.returncode == 0)


def summary(text):
    """The lines that say how much was tested."""
    return text[text.rfind("Test cases:") :].strip()


with Service(settings=SETTINGS) as service:
    print(f"to replay: CONTRACT_SEED={SEED} CONTRACT_CALLS={CALLS}", flush=True)
    check_examples(service.call("GET", "/openapi.json")[1])
    service.command("credits", "grant", "--account", EMAIL, "--credits", "1000000", "--reason", "checks")
    scopes = {"name": "all", "scopes": ["edit", "read", "delete"]}
    service.key = service.page("POST", "/api/keys", scopes)["key"]
    call_everything(service, "as a visitor", VISITOR)
    call_everything(service, "with an API key", KEY)
    call_everything(service, "with a session", SESSION)
    ok("the session still works", service.page("GET", "/api/account")["email"] == EMAIL)
    ok(f"the ledger is correct: {service.command('credits', 'verify').strip()}")
