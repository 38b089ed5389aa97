"""LiteLLM's proxy with Retouch as its provider, whose provider is the simulator of OpenAI."""

import base64
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import openai
from proxy import KEY, Proxy
from sdk_check import ORIGIN, named_png, ok, raises, requests, size_of_png
from service import EMAIL, Service

MODEL = "retouch-image"


def checks(client, service):
    before = service.credits()[0]
    answer = client.images.edit(model=MODEL, image=named_png(), prompt="make it blue", size="1024x1536")
    ok("an edit passes through", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (1024, 1536))
    ok("and costs 6 credits", service.credits() == (before - 6, 0))
    images = [named_png("a.png"), named_png("b.png")]
    answer = client.images.edit(model=MODEL, image=images, prompt="several", n=2)
    ok("so do several images", len(answer.data) == 2)
    sent = [part["name"] for part in requests("openai")[-1]["body"]["form"] if "file" in part]
    ok(f"as {sent}", len(sent) == 2)
    answer = client.images.generate(model=MODEL, prompt="a hill", size="1024x1024")
    ok("and a generation", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (1024, 1024))
    before = service.credits()
    error = raises(
        openai.APIStatusError,
        lambda: client.images.edit(model=MODEL, image=named_png(), prompt="[sim:refuse_content_input]"),
    )
    ok(f"a refusal is a {error.status_code} that is not charged", service.credits() == before)


with Service("openai", f"{ORIGIN}/openai/v1", "sk-sim") as service:
    service.command("credits", "grant", "--account", EMAIL, "--credits", "200", "--reason", "checks")
    os.environ.update(RETOUCH_V1=f"{service.address}/v1", RETOUCH_KEY=service.key)
    with Proxy(ORIGIN) as address:
        checks(openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0, timeout=60), service)
    ok(f"the ledger is correct: {service.command('credits', 'verify').strip()}")
