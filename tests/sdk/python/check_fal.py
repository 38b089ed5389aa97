"""The simulator of fal, with the official Python client."""

import base64
import urllib.request

import fal_client
from sdk_check import ORIGIN, counts, fault, ok, png, raises, requests, size_of_png

# The client uses https for any host it is given. Only these formats can be changed to another URL.
fal_client.client.QUEUE_URL_FORMAT = f"{ORIGIN}/fal/"
client = fal_client.SyncClient(key="id:secret", default_timeout=20)
EDIT = "fal-ai/nano-banana-pro/edit"
INPUT = "data:image/png;base64," + base64.b64encode(png()).decode()


def arguments(prompt, **more):
    return {"prompt": prompt, "image_urls": [INPUT], "output_format": "png", "aspect_ratio": "3:2", **more}


def fetched(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.read()


def failed(prompt, status, **more):
    error = raises(fal_client.FalClientHTTPError, lambda: client.subscribe(EDIT, arguments(prompt, **more)))
    ok(f"{prompt}: {error.status_code}", error.status_code == status)
    return error


handle = client.submit(EDIT, arguments("make it blue"))
ok(f"a request has an ID and URLs: {handle.request_id}", "/nano-banana-pro/requests/" in handle.status_url)
seen = [type(event).__name__ for event in handle.iter_events(interval=0.02)]
ok(f"its states are {seen}", seen[0] == "Queued" and seen[-1] == "Completed" and "InProgress" in seen)
answer = handle.get()
picture = answer["images"][0]
ok("the file has the size in the response", size_of_png(fetched(picture["url"])) == (picture["width"], picture["height"]))
ok(f"the size {picture['width']}x{picture['height']} has the requested ratio", abs(picture["width"] / picture["height"] - 1.5) < 0.02)
ok("the image is not marked unsafe", answer["has_nsfw_concepts"] == [False])

paths = [request["path"] for request in requests("fal")]
ok("the client drops the part of the URL after the application", any(p.startswith("/fal-ai/nano-banana-pro/requests/") for p in paths))

handle = client.submit(EDIT, arguments("called off"))
handle.cancel()
ok("a request can be canceled")

answer = client.subscribe("fal-ai/veo3.1/image-to-video", {"prompt": "zoom", "image_url": INPUT, "duration": "6s"})
ok("a video is returned", fetched(answer["video"]["url"])[4:8] == b"ftyp")

error = failed("an unknown field", 422, colour="red")
ok("the unknown field is named", "colour" in error.response.text)
failed("a wrong ratio", 422, aspect_ratio="7:3")
failed("no picture", 422, image_urls=["data:image/png;base64,AAAA"])
error = failed("[sim:refuse_content_input]", 422)
ok("a refusal has its type", "content_policy_violation" in error.response.text)
failed("[sim:task_failed]", 422)
failed("[sim:bad_key]", 401)
failed("[sim:no_credit]", 403)
failed("[sim:task_lost]", 404)
error = raises(fal_client.FalClientHTTPError, lambda: client.submit("fal-ai/no-such-model", {"prompt": "a"}))
ok("an unknown application is not found", error.status_code == 404)

fault("throttle", provider="fal", call="submit", retry_after=0)
client.submit(EDIT, arguments("patience"))
ok("the client retries after 429, and the work is done once", counts("fal")["patience"] == (2, 1))
fault("overloaded", provider="fal", call="submit")
client.submit(EDIT, arguments("a gateway"))
ok("and after a gateway's 503", counts("fal")["a gateway"] == (2, 1))
