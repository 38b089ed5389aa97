"""LiteLLM's proxy, a real server with an OpenAI-compatible API, in front of the simulators."""

import base64
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import openai
from proxy import KEY, Proxy
from sdk_check import ORIGIN, named_png, ok, raises, requests, size_of_png


def edit(client, model, prompt, **more):
    return client.images.edit(**{"model": model, "image": named_png(), "prompt": prompt, **more})


def gemini(client):
    answer = edit(client, "gemini-image", "make it blue", size="1024x1536")
    ok("an edit passes through to the Gemini simulator and back", len(answer.data) == 1)
    size_of_png(base64.b64decode(answer.data[0].b64_json))
    call = requests("gemini")[-1]
    ok(f"as {call['path']}", call["path"].endswith(":generateContent"))
    parts = call["body"]["json"]["contents"][0]["parts"]
    kinds = ["text" if "text" in part else "inlineData" for part in parts]
    ok(f"with the parts {kinds}", kinds == ["inlineData", "text"])
    ok("with the proxy's key for it", dict(call["headers"])["x-goog-api-key"] == "sim-gemini-key")
    image = call["body"]["json"]["generationConfig"].get("imageConfig", {})
    ok(f"with the shape as {image}", image.get("aspectRatio") == "2:3")
    answer = edit(client, "gemini-image", "several", image=[named_png("a.png"), named_png("b.png")])
    parts = requests("gemini")[-1]["body"]["json"]["contents"][0]["parts"]
    ok("several images pass through", len(parts) == 3 and len(answer.data) == 1)
    answer = edit(client, "gemini-image", "[sim:refuse_content_input]")
    ok("a refused prompt is a success without an image", answer.data == [])
    error = raises(openai.APIStatusError, lambda: edit(client, "gemini-image", "[sim:throttle]"))
    ok(f"a rate-limited call is a {error.status_code}", error.status_code == 429)
    error = raises(openai.APIStatusError, lambda: edit(client, "gemini-image", "[sim:internal_error]"))
    ok(f"a provider error is a {error.status_code}", error.status_code >= 500)


def openai_behind(client):
    answer = edit(client, "openai-image", "make it blue", size="1024x1024")
    ok("an edit passes through to the OpenAI simulator", size_of_png(base64.b64decode(answer.data[0].b64_json)))
    error = raises(openai.BadRequestError, lambda: edit(client, "openai-image", "[sim:refuse_content_input]"))
    ok("a refusal is hidden in the message", "moderation_blocked" in str(error.body) and error.code == "400")
    error = raises(openai.APIStatusError, lambda: edit(client, "openai-image", "[sim:no_credit]"))
    ok(f"a provider account without credit is a {error.status_code}", error.status_code == 429)


with Proxy(ORIGIN) as address:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0, timeout=60)
    openai_behind(client)
    gemini(client)
    error = raises(openai.APIStatusError, lambda: edit(client, "no-such-model", "nothing"))
    ok(f"an unknown model is a {error.status_code}", error.status_code == 400)
