"""Retouch's LiteLLM adapter, in the real program, in front of LiteLLM's real proxy."""

import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from proxy import KEY, Proxy
from sdk_check import ORIGIN, counts, ok, png, requests, size_of_png
from service import EMAIL, Service

GEMINI, OPENAI = "gamma-2", "beta-image-1-5"

# One model for each provider behind the proxy. `routes` has the proxy's name for it.
CATALOGUE = """
default_model = "gamma-2"
max_input_images = 4
sign_up_credits = 15
plans = []

[[models]]
id = "gamma-2"
label = "of Gemini's family"
max_input_images = 4
outputs_per_call = 1
aspect_ratios = ["auto", "1:1", "2:3"]
credits = 6
routes = [{ provider = "litellm", model = "gemini-image" }]

[[models]]
id = "beta-image-1-5"
label = "of OpenAI's family"
max_input_images = 1
outputs_per_call = 1
aspect_ratios = ["1:1", "3:2", "2:3"]
credits = 6
tiers = [{ quality = "high", credits = 22 }]
routes = [{ provider = "litellm", model = "gpt-image-2" }]
"""


def fields(model, words, **more):
    return {"model": model, "instruction": words, **more}


def edit(service, model, words, **more):
    picture = base64.b64encode(png(600, 400)).decode()
    return service.call("POST", "/api/image-edit", fields(model, words, imageBase64=picture, **more))


def make(service, model, words, **more):
    return service.call("POST", "/api/text-to-image", fields(model, words, **more))


def is_done(service, what, answer, codes=()):
    """Checks that the answer is an image, stored and with exactly these warnings."""
    status, body = answer
    ok(f"{what} succeeds ({status})", status == 200)
    generation = body["generation"]
    ok("by litellm", generation["provider"] == "litellm" and generation["status"] == "succeeded")
    told = [f"{warning['code']} {warning['param']}" for warning in body["warnings"]]
    ok(f"with the warnings {told}", told == list(codes))
    head, data = body["data"][0]["url"].split(",", 1)
    file = base64.b64decode(data)
    ok(f"the image is {size_of_png(file)}", head == "data:image/png;base64")
    ok("and is stored", service.file(generation["stored_images"][0]) == file)
    return body


def charged(service, before, credits):
    after = service.credits()
    ok(f"{before[0]} credits become {after[0]}", after == (before[0] - credits, 0))
    return after


def works(service, model, provider):
    credits = service.credits()
    body = is_done(service, f"an edit with {model}", edit(service, model, f"make it blue, {model}"))
    ok(f"it costs {body['cost']}", body["cost"] == 6)
    credits = charged(service, credits, 6)
    call = requests(provider)[-1]
    ok(f"the provider received {call['path']}", f"make it blue, {model}" in json.dumps(call["body"]))
    is_done(service, f"an image from text with {model}", make(service, model, f"a blue hill, {model}"))
    credits = charged(service, credits, 6)
    wishes = {"negative_prompt": "people", "aspectRatio": "2:3", "watermark": True}
    lost = ["parameter_approximated negative_prompt", "parameter_not_honored watermark"]
    is_done(service, f"an edit with {model} and more parameters", edit(service, model, "at night", **wishes), lost)
    charged(service, credits, 6)


def fails(service, model, word, status, code):
    """Checks that a provider error becomes the right Retouch error, with nothing charged or held."""
    before = service.credits()
    got, body = edit(service, model, f"[sim:{word}] {model}")
    error = body.get("error", {})
    ok(f"{word} behind {model} is {got} {error.get('code')}", (got, error.get("code")) == (status, code))
    after = service.credits()
    ok(f"and leaves {after[0]} credits", after == before)
    ok("and shows no key", KEY not in json.dumps(body) and "sim-" not in json.dumps(body))


def failures(service):
    for model in (GEMINI, OPENAI):
        fails(service, model, "throttle", 500, "upstream_error")
        fails(service, model, "refuse_content_input", 400, "content_refused")
        fails(service, model, "internal_error", 500, "upstream_error")
        # The proxy passes a refusal of Gemini on like this, without a reason.
        fails(service, model, "no_image", 400, "content_refused")
        edited, _ = edit(service, model, f"the next call, {model}")
        ok("the next call works", edited == 200)


def paid_once():
    """Checks that no provider did the work of a call twice, and that rate-limited calls were retried."""
    for provider in ("gemini", "openai"):
        rows = counts(provider)
        twice = [words for words, (_, worked) in rows.items() if worked > 1]
        ok(f"{len(rows)} prompts at {provider}, worked on more than once: {twice}", rows and not twice)
        asked = max(received for words, (received, _) in rows.items() if "throttle" in words)
        ok(f"{provider} received {asked} calls while it was rate-limiting", asked > 1)


with Proxy(ORIGIN) as address, Service("litellm", f"{address}/v1", KEY, catalogue=CATALOGUE) as service:
    found = json.loads(service.command("doctor", "--json"))
    ok(f"doctor reports {found['checks'][-1]}", found["ok"] and found["checks"][-1]["name"] == "provider litellm")
    service.command("credits", "grant", "--account", EMAIL, "--credits", "200", "--reason", "checks")
    works(service, GEMINI, "gemini")
    works(service, OPENAI, "openai")
    asked = [call["body"] for call in requests("openai") if call["method"] == "POST"]
    ok("every order to OpenAI has medium quality", all("medium" in json.dumps(one) for one in asked))
    failures(service)
    paid_once()
    ok(f"the ledger is correct: {service.command('credits', 'verify').strip()}")
