"""Compares the messages that webhooks receive with openapi.json: one of each type.

    check_messages.py FOLDER     the folder is not used
"""

import base64
import json

import jsonschema_rs
from receiver import Receiver
from sdk_check import ok, png
from service import EMAIL, Service

# The first edit leaves fewer credits.
SETTINGS = """
[mail]
low_credits = 12
"""


def validators(document):
    """The validator of each type of message."""
    for kind, item in document["webhooks"].items():
        schema = item["post"]["requestBody"]["content"]["application/json"]["schema"]
        # References lead from the root.
        yield kind, jsonschema_rs.validator_for({**schema, "components": document["components"]})


def cause_all(service, webhook):
    edit = {"instruction": "make it sepia", "imageBase64": base64.b64encode(png()).decode()}
    service.call("POST", "/api/image-edit", edit)
    service.call("POST", "/api/image-edit", {"instruction": "make it sepia", "imageUrl": "http://127.0.0.1:1/"})
    limited = service.page("POST", "/api/keys", {"name": "limited", "credit_limit": 1})["key"]
    service.call("POST", "/api/image-edit", edit, {"authorization": f"Bearer {limited}"})
    service.command("plan", "assign", "--account", EMAIL, "--plan", "basic")
    service.page("POST", f"/api/webhooks/{webhook['id']}/test")


with Service(settings=SETTINGS) as service:
    document = service.call("GET", "/openapi.json")[1]
    receiver = Receiver()
    cause_all(service, service.page("POST", "/api/webhooks", {"url": receiver.url()}))
    expected = dict(validators(document))
    arrived = {}
    while len(arrived) < len(expected):
        message = json.loads(receiver.next()[1])
        arrived[message["type"]] = message
    for kind, message in sorted(arrived.items()):
        expected[kind].validate(message)
        broken = [{**message, "type": "other"}, {**message, "data": None}, {"type": kind, "data": message["data"]}]
        ok(f"{kind} is as documented, and only that", not any(map(expected[kind].is_valid, broken)))
    ok("there are no others", arrived.keys() == expected.keys())
