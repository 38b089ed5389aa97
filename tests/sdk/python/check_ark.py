"""The simulator of Ark, with Volcengine's client: Seedream images, Seedance videos."""

import base64
import json
import urllib.error
import urllib.request

from sdk_check import ORIGIN, counts, ok, png, raises, size_of_png
from volcenginesdkarkruntime import Ark
from volcenginesdkarkruntime import _exceptions as errors

CLIENT = Ark(api_key="key", base_url=f"{ORIGIN}/ark/api/v3", max_retries=0)
MODEL = "seedream-4-0-250828"
PICTURE = "data:image/png;base64," + base64.b64encode(png(width=600, height=400)).decode()
JPEG = b"\xff\xd8"


def make(**more):
    """Orders an image."""
    wanted = {"model": MODEL, "prompt": "a red fox", "watermark": False, **more}
    return CLIENT.images.generate(**wanted)


def make_base64(**more):
    """Orders an image and returns its file."""
    return base64.b64decode(make(response_format="b64_json", **more).data[0].b64_json)


def refused(what, kind, code, call):
    error = raises(kind, call)
    ok(f"{what}: {kind.__name__} {code}", code in str(error))


def read(address, count):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read(count)


answer = make(response_format="b64_json", size="1280x960")
ok("one image in the requested size", answer.data[0].size == "1280x960")
ok("a JPEG by default", base64.b64decode(answer.data[0].b64_json)[:2] == JPEG)
ok("the usage counts images and tokens", answer.usage.generated_images == 1 and answer.usage.total_tokens == 4800)
ok("an image at a URL", read(make(size="1K").data[0].url, 2) == JPEG)
file = make_base64(model="seedream-5-5-261028", output_format="png", size="1280x720")
ok("5.5 makes a PNG", size_of_png(file) == (1280, 720))

ok("one input as a text", make(image=PICTURE).usage.input_images == 1)
ok("two inputs as a list", make(image=[PICTURE, PICTURE]).usage.input_images == 2)
ok("inputs change the image", make_base64(image=PICTURE) != make_base64())

series = make(sequential_image_generation="auto", extra_body={"sequential_image_generation_options": {"max_images": 3}})
ok("a series has several images", len(series.data) == 2)
kinds = [event.type for event in make(stream=True, response_format="b64_json")]
ok("a stream of events", kinds == ["image_generation.partial_succeeded", "image_generation.completed"])

bad, busy = errors.ArkBadRequestError, errors.ArkRateLimitError
refused("a refused text", bad, "InputTextSensitiveContentDetected", lambda: make(prompt="x [sim:refuse_content_input]"))
refused("a refused result", bad, "OutputImageSensitiveContentDetected", lambda: make(prompt="x [sim:refuse_content_output]"))
refused("a small size", bad, "at least 921600 pixels", lambda: make(size="100x100"))
refused("a size with X", bad, "InvalidParameter", lambda: make(size="2048X2048"))
refused("an upper-case format", bad, "lower case", lambda: make(image=PICTURE.replace("png", "PNG", 1)))
refused("too many inputs", bad, "0 to 14 images", lambda: make(image=[PICTURE] * 15))
newest = {"model": "seedream-5-5-261028"}
refused("a series of 5.5", bad, "sequential", lambda: make(sequential_image_generation="disabled", **newest))
refused("a field that does not exist", bad, "unknown field", lambda: make(extra_body={"n": 2}))
refused("no such model", errors.ArkNotFoundError, "InvalidEndpointOrModel.NotFound", lambda: make(model="seedream-0"))
refused("too many calls", busy, "RateLimitExceeded", lambda: make(prompt="x [sim:throttle]"))
refused("overload", busy, "ServerOverloaded", lambda: make(prompt="x [sim:overloaded]"))
refused("an unpaid bill", errors.ArkPermissionDeniedError, "AccountOverdueError", lambda: make(prompt="x [sim:no_credit]"))
refused("an internal error", errors.ArkInternalServerError, "InternalServiceError", lambda: make(prompt="x [sim:internal_error]"))

body = json.dumps({"model": MODEL, "prompt": "a"}).encode()
request = urllib.request.Request(f"{ORIGIN}/ark/api/v3/images/generations", body, {"content-type": "application/json"})
error = raises(urllib.error.HTTPError, lambda: urllib.request.urlopen(request))
ok("no key: AuthenticationError", json.load(error)["error"]["code"] == "AuthenticationError")

tasks = CLIENT.content_generation.tasks


def video(text, model="doubao-seedance-2-0-260128", pictures=(), **more):
    """Orders a video and returns its task's ID."""
    parts = [{"type": "image_url", "image_url": {"url": PICTURE}, "role": role} for role in pictures]
    return tasks.create(model=model, content=[{"type": "text", "text": text}, *parts], **more).id


begun = video("the fox runs", pictures=["first_frame"], ratio="adaptive", duration=5, generate_audio=False, watermark=False)
seen = []
while not seen or seen[-1] in ("queued", "running"):
    task = tasks.get(task_id=begun)
    seen.append(task.status)
ok("a task is queued, runs and succeeds", seen == ["queued", "running", "succeeded"])
ok("a video at a URL", read(task.content.video_url, 8)[4:] == b"ftyp")
ok("a task repeats its parameters", (task.ratio, task.duration, task.resolution) == ("adaptive", 5, "720p"))
ok("one submission, worked on once", counts("ark")["the fox runs"] == (1, 1))
flags = video("a fox --ratio 9:16 --duration 7", model="seedance-1-0-pro-250528")
ok("1.0 reads parameters in its text", (tasks.get(task_id=flags).ratio, tasks.get(task_id=flags).duration) == ("9:16", 7))
failed = tasks.get(task_id=video("a fox [sim:task_failed_content]"))
ok("a refused video", failed.status == "failed" and "SensitiveContentDetected" in failed.error.code)
expired = tasks.get(task_id=video("a fox [sim:task_expired]"))
ok("an expired task", expired.status == "expired")
refused("too high a resolution", bad, "1080p", lambda: video("a fox", model="seedance-2-0-fast-260128", resolution="1080p"))
refused("roles that do not go together", bad, "together", lambda: video("a fox", pictures=["last_frame"]))
refused("too long a video", bad, "duration", lambda: video("a fox", duration=16))
refused("no such task", errors.ArkNotFoundError, "ResourceNotFound", lambda: tasks.get(task_id="cgt-none"))
waiting = video("a slow fox")
tasks.delete(task_id=waiting)
ok("a task can be canceled", tasks.get(task_id=waiting).status == "cancelled")
ok("tasks are listed", tasks.list(page_num=1, page_size=1).total == 0)
