"""The simulator of OpenAI, with the official Python client."""

import base64

import openai
from sdk_check import ORIGIN, counts, fault, named_png, ok, raises, requests, size_of_png

client = openai.OpenAI(base_url=f"{ORIGIN}/openai/v1", api_key="sk-sim", max_retries=0, timeout=20)
patient = client.with_options(max_retries=2)
MODEL = "gpt-image-2"


def edit(prompt, with_client=client, **more):
    return with_client.images.edit(**{"model": MODEL, "image": named_png(), "prompt": prompt, **more})


def refused(prompt, kind, code, **more):
    error = raises(kind, lambda: edit(prompt, **more))
    ok(f"{prompt}: {type(error).__name__} {error.code}", error.code == code)
    return error


answer = edit("make it blue", size="1536x1024", quality="high", output_format="png")
ok("an edit has one image", len(answer.data) == 1)
ok("in the requested size", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (1536, 1024))
ok("the usage adds up", answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens)
again = edit("make it blue", size="1536x1024")
ok("the same order gives the same image", again.data[0].b64_json == answer.data[0].b64_json)

answer = edit("several", image=[named_png("a.png"), named_png("b.png", width=20)], n=2, size="64x64")
ok("two images for n=2", len({one.b64_json for one in answer.data}) == 2)
parts = [part["name"] for part in requests("openai")[-1]["body"]["form"] if "file" in part]
ok(f"a list of images is sent as {parts}", parts == ["image[]", "image[]"])
answer = edit("masked", mask=named_png("mask.png"), output_format="webp")
ok("a mask is accepted, and the result is WebP", base64.b64decode(answer.data[0].b64_json)[8:12] == b"WEBP")

answer = client.images.generate(model=MODEL, prompt="a square", size="1024x1024", moderation="low")
ok("a generation has one image", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (1024, 1024))

events = list(edit("streamed", stream=True, partial_images=2, size="64x64"))
kinds = [event.type for event in events]
ok(f"events {kinds}", kinds == ["image_edit.partial_image"] * 2 + ["image_edit.completed"])
events = list(client.images.generate(model=MODEL, prompt="streamed", stream=True, size="64x64"))
ok("a streamed generation is completed", [event.type for event in events] == ["image_generation.completed"])

refused("a wrong size", openai.BadRequestError, "invalid_value", size="1000x1000")
refused("an unknown field", openai.BadRequestError, "unknown_parameter", extra_body={"colour": "red"})
refused("fidelity", openai.BadRequestError, "unknown_parameter", input_fidelity="high")
refused("response_format", openai.BadRequestError, "unknown_parameter", response_format="b64_json")
refused("not an image", openai.BadRequestError, "invalid_image_file", image=("a.png", b"not a picture"))
refused("a model that is gone", openai.NotFoundError, "model_not_found", model="dall-e-3")
refused("[sim:refuse_content_input]", openai.BadRequestError, "moderation_blocked")
refused("[sim:bad_key]", openai.AuthenticationError, "invalid_api_key")
refused("[sim:no_credit]", openai.RateLimitError, "insufficient_quota")
refused("[sim:internal_error]", openai.InternalServerError, None)
error = refused("[sim:throttle retry_after=7]", openai.RateLimitError, "rate_limit_exceeded")
ok("the hint is in the headers", error.response.headers["retry-after"] == "7")
raises(openai.AuthenticationError, lambda: client.with_options(default_headers={"Authorization": ""}).models.list())
ok("a call without a key is refused")

fault("throttle", provider="openai", call="submit", retry_after=0)
ok("the client retries after 429", len(edit("patience", patient, size="64x64").data) == 1)
ok("and the work is done once", counts("openai")["patience"] == (2, 1))
fault("close_before_answer", provider="openai", call="submit")
edit("cut", patient, size="64x64")
ok("the client pays twice if a connection is cut", counts("openai")["cut"] == (2, 2))
raises(openai.APITimeoutError, lambda: edit("[sim:hang]", client.with_options(timeout=0.5)))
ok("an answer that never comes runs into the client's timeout")
raises(openai.APIConnectionError, lambda: edit("[sim:reset]"))
ok("a reset is a failed connection")

ok("models are listed", MODEL in [model.id for model in client.models.list()])

azure = openai.AzureOpenAI(
    azure_endpoint=f"{ORIGIN}/azure", api_key="az-sim", api_version="2025-04-01-preview", max_retries=0, timeout=20
)
answer = edit("on Azure", azure, model="my-image-deployment", size="1024x1024")
ok("Azure: an edit at a deployment", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (1024, 1024))
error = raises(openai.BadRequestError, lambda: edit("[sim:refuse_content_input]", azure, model="my-image-deployment"))
ok("Azure: a refusal comes from its filter", error.code == "contentFilter")
raises(openai.NotFoundError, lambda: edit("nowhere", azure, model="no-such-deployment"))
ok("Azure: an unknown deployment is not found")

for provider in ("vllm", "sglang"):
    local = openai.OpenAI(base_url=f"{ORIGIN}/{provider}/v1", api_key="none", max_retries=0, timeout=20)
    extra = {"negative_prompt": "blur", "seed": 7}
    answer = edit("locally", local, model="any", size="64x48", response_format="b64_json", extra_body=extra)
    ok(f"{provider}: an edit with its own fields", size_of_png(base64.b64decode(answer.data[0].b64_json)) == (64, 48))
    error = raises(openai.UnprocessableEntityError, lambda: edit("x", local, extra_body={"colour": "red"}))
    ok(f"{provider}: an unknown field is named in the details", "colour" in error.response.text)
