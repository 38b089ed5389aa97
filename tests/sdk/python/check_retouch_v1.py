"""Retouch's own /v1, in the real program, with the official Python client of OpenAI.

Its provider is the simulator of OpenAI, so everything that the client sends can be followed to the
provider. Answers and events are validated against the client's own types.
"""

import base64
import json
import socket
import threading

import openai
from openai.types import ImageEditCompletedEvent, ImageGenCompletedEvent, ImagesResponse, Model
from sdk_check import ORIGIN, counts, named_png, ok, png, raises, requests, size_of_png
from service import EMAIL, Service

MODEL = "gpt-image-2"


def valid(kind, value):
    """`value`, which must have exactly the types that the client declares for it."""
    kind.model_validate(value.model_dump(exclude_unset=True), strict=True)
    return value


def edit(client, prompt, **more):
    return client.images.edit(**{"model": MODEL, "image": named_png(), "prompt": prompt, **more})


def file(answer):
    return base64.b64decode(valid(ImagesResponse, answer).data[0].b64_json)


def edits(client, service):
    before = service.credits()[0]
    answer = edit(client, "make it blue", size="1536x1024", output_format="png")
    ok("an edit has the requested size", size_of_png(file(answer)) == (1536, 1024))
    ok(f"and says so: {answer.size}", answer.size == "1536x1024" and answer.output_format == "png")
    ok("and what it used", answer.usage.total_tokens > 0)
    ok("and costs 6 credits", service.credits() == (before - 6, 0))
    several = [named_png("a.png"), ("b", png(20, 30), "application/octet-stream"), png(10, 10)]
    file(edit(client, "several", image=several, user="someone", input_fidelity="low"))
    sent = [part for part in requests("openai")[-1]["body"]["form"] if "file" in part]
    ok(f"all {len(sent)} images reach the provider", len(sent) == 3)
    file(edit(client, "masked", mask=named_png("mask.png")))
    names = [part["name"] for part in requests("openai")[-1]["body"]["form"]]
    ok(f"so does the mask: {names}", "mask" in names)
    error = raises(openai.BadRequestError, lambda: edit(client, "masked", mask=named_png("m.png", width=9)))
    ok(f"a mask of another size is refused: {error.message}", error.param == "mask")
    file(edit(client, "transparent", background="transparent"))
    ok("a transparent background is asked for", "transparent" in json.dumps(requests("openai")[-1]["body"]))
    file(edit(client, "p" * 32_000))
    ok("a prompt of 32,000 characters reaches the provider", counts("openai").get("p" * 32_000, (1, 1))[1] <= 1)


def mix(client):
    """The parameters that the tests of the client itself send together."""
    answer = edit(
        client,
        "a mix",
        background="transparent",
        input_fidelity="high",
        mask=named_png("mask.png"),
        n=1,
        output_compression=100,
        output_format="png",
        partial_images=1,
        quality="medium",
        response_format="url",
        size="1024x1024",
        user="user-1234",
    )
    url = valid(ImagesResponse, answer).data[0].url
    ok(f"the mix of all parameters of an edit gets an address: {url}", url.startswith("http://127.0.0.1:"))
    told = [warning["param"] for warning in answer.model_extra["warnings"]]
    ok(f"with warnings about {told}", "input_fidelity" in told and "output_compression" in told)
    ok(f"and what was done: {answer.quality}, {answer.background}", answer.background == "transparent")
    answer = client.images.generate(
        model="dall-e-3",
        prompt="a mix",
        background="opaque",
        moderation="low",
        n=2,
        output_compression=80,
        output_format="jpeg",
        partial_images=1,
        quality="standard",
        response_format="b64_json",
        size="1024x1024",
        style="vivid",
        user="user-1234",
    )
    images = [base64.b64decode(image.b64_json) for image in valid(ImagesResponse, answer).data]
    ok("a generation of two images is two JPEGs", [image[:2] for image in images] == [b"\xff\xd8"] * 2)


def streams(client):
    events = list(edit(client, "streamed", stream=True, partial_images=2))
    ok(f"a streamed edit is {[event.type for event in events]}", len(events) == 1)
    size_of_png(base64.b64decode(valid(ImageEditCompletedEvent, events[0]).b64_json))
    made = client.images.generate(model=MODEL, prompt="streamed", stream=True, n=2)
    kinds = [valid(ImageGenCompletedEvent, event).type for event in made]
    ok(f"a streamed generation of two is {kinds}", kinds == ["image_generation.completed"] * 2)
    slow = edit(client, "[sim:slow ms=700] streamed", stream=True)
    ok("a slow one arrives after comments", [event.type for event in slow] == ["image_edit.completed"])
    error = raises(openai.APIError, lambda: list(edit(client, "[sim:not_a_picture]", stream=True)))
    ok(f"a failure in a stream is raised: {error.body['code']}", error.body["code"] == "upstream_error")
    early = raises(openai.BadRequestError, lambda: edit(client, "early", stream=True, size="1x1"))
    ok("and one before it is an ordinary error", early.code == "invalid_value")


def errors(client, service):
    before = service.credits()
    for kind, code, call in [
        (openai.BadRequestError, "content_refused", lambda: edit(client, "[sim:refuse_content_input]")),
        (openai.BadRequestError, "unknown_model", lambda: edit(client, "x", model="no-such-model")),
        (openai.BadRequestError, "invalid_image", lambda: edit(client, "x", image=("a.png", b"not an image"))),
        (openai.BadRequestError, "invalid_value", lambda: edit(client, "x", n=11)),
        (openai.BadRequestError, "too_many_images", lambda: edit(client, "x", image=[png()] * 5)),
        (openai.InternalServerError, "upstream_error", lambda: edit(client, "[sim:internal_error]")),
        (openai.NotFoundError, "not_found", lambda: client.images.create_variation(image=named_png())),
        (openai.NotFoundError, "not_found", lambda: client.models.retrieve("no-such-model")),
        (openai.AuthenticationError, "unauthenticated", lambda: client.with_options(api_key="x").models.list()),
    ]:
        error = raises(kind, call)
        ok(f"{kind.__name__} {error.code}", error.code == code and error.request_id.startswith("req_"))
        ok(f"of the type {error.type}, about {error.param}", isinstance(error.body["message"], str))
    ok("nothing was charged", service.credits() == before)


def models(client):
    listed = [valid(Model, model).id for model in client.models.list()]
    ok(f"{len(listed)} models are listed", {MODEL, "dall-e-3", "alpha-image-2-free"} <= set(listed))
    ok("and one is found", valid(Model, client.models.retrieve("gpt-image-1")).id == "gpt-image-1")


class Cutter:
    """Passes connections on to a server, and cuts those that it is told to before the answer."""

    def __init__(self, address):
        self.target = address.removeprefix("http://").split(":")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            caller, _ = self.listener.accept()
            server = socket.create_connection((self.target[0], int(self.target[1])))
            threading.Thread(target=self._pass, args=(caller, server, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(server, caller, True), daemon=True).start()

    def _pass(self, source, target, is_answer):
        while data := source.recv(65536):
            if is_answer and self.cuts > 0:
                self.cuts -= 1
                break
            target.sendall(data)
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def retries(service):
    cutter = Cutter(service.address)
    client = openai.OpenAI(base_url=f"{cutter.address}/v1", api_key=service.key, max_retries=2, timeout=60)
    before = service.credits()[0]
    cutter.cuts = 1
    raw = client.images.with_raw_response.edit(model=MODEL, image=named_png(), prompt="cut")
    ok("the client repeats a call whose answer was lost", raw.retries_taken == 1 and cutter.cuts == 0)
    ok("and gets the first answer", raw.headers["idempotent-replayed"] == "true")
    size_of_png(file(raw.parse()))
    ok("charged once", service.credits() == (before - 6, 0))
    ok(f"and made once: {counts('openai')['cut']}", counts("openai")["cut"] == (1, 1))
    client.images.edit(model=MODEL, image=named_png(), prompt="cut")
    ok("the same call again is a new one", counts("openai")["cut"] == (2, 2))


def later(service):
    """A call that does not wait. The client repeats the one that does until there is an image."""
    client = openai.OpenAI(base_url=f"{service.address}/v1", api_key=service.key, max_retries=8, timeout=60)
    before = service.credits()[0]
    key = {"Idempotency-Key": "later"}
    asked = {"model": MODEL, "image": named_png(), "prompt": "[sim:slow ms=1500] later"}
    raw = client.images.with_raw_response.edit(**asked, extra_headers={**key, "Prefer": "respond-async"})
    ok("a call can be accepted before there is an image", raw.status_code == 202)
    ok(f"and says where to look: {raw.headers['location']}", "/api/generations/" in raw.headers["location"])
    raw = client.images.with_raw_response.edit(**asked, extra_headers=key)
    size_of_png(file(raw.parse()))
    ok(f"the client gets the image after {raw.retries_taken} more attempts", raw.retries_taken > 0)
    ok("charged once", service.credits() == (before - 6, 0))


with Service("openai", f"{ORIGIN}/openai/v1", "sk-sim") as service:
    service.command("credits", "grant", "--account", EMAIL, "--credits", "500", "--reason", "checks")
    client = openai.OpenAI(base_url=f"{service.address}/v1", api_key=service.key, max_retries=0, timeout=60)
    models(client)
    edits(client, service)
    mix(client)
    streams(client)
    errors(client, service)
    retries(service)
    later(service)
    ok(f"the ledger is correct: {service.command('credits', 'verify').strip()}")
