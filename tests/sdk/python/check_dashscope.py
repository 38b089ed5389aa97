"""The simulator of DashScope, with Alibaba's client: Qwen-Image and Wan, directly and as tasks."""

import base64
import urllib.request

import dashscope
from dashscope import ImageSynthesis, MultiModalConversation, VideoSynthesis
from dashscope.aigc.image_generation import ImageGeneration
from dashscope.api_entities.dashscope_response import Message
from sdk_check import ORIGIN, counts, ok, png, size_of_png

dashscope.base_http_api_url = f"{ORIGIN}/dashscope/api/v1"
dashscope.api_key = "key"
PICTURE = "data:image/png;base64," + base64.b64encode(png(width=600, height=400)).decode()
QUIET = {"prompt_extend": False, "watermark": False}


def edit(text="make it night", images=(PICTURE,), **more):
    content = [{"image": image} for image in images] + [{"text": text}]
    messages = [{"role": "user", "content": content}]
    return MultiModalConversation.call(messages=messages, **{"model": "qwen-image-edit-plus", **more})


def read(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read()


def picture(choice):
    return size_of_png(read(choice.message.content[0]["image"]))


def refused(what, status, code, answer):
    ok(f"{what}: {status} {code}", (answer.status_code, answer.code) == (status, code))


answer = edit(n=2, size="1024*1536", negative_prompt="people", **QUIET)
ok("an edit is answered directly", answer.status_code == 200)
ok("two images in the requested size", [picture(it) for it in answer.output.choices] == [(1024, 1536)] * 2)
ok("the usage counts images", answer.usage["image_count"] == 2)
answer = edit(images=(), model="qwen-image-2.0", size="2048*2048")
ok("an image from text", picture(answer.output.choices[0]) == (2048, 2048))
answer = edit("x [sim:text_instead]")
ok("text instead of an image", "image" in answer.output.choices[0].message.content[0]["text"])

refused("refused content", 400, "DataInspectionFailed", edit("x [sim:refuse_content_input]"))
refused("too many calls", 429, "Throttling.RateQuota", edit("x [sim:throttle]"))
refused("overload", 503, "ModelServingError", edit("x [sim:overloaded]"))
refused("an unpaid bill", 400, "Arrearage", edit("x [sim:no_credit]"))
refused("an internal error", 500, "InternalError.Algo", edit("x [sim:internal_error]"))
refused("a size with x", 400, "InvalidParameter", edit(size="1024x1024"))
refused("a small size", 400, "InvalidParameter", edit(size="256*256"))
refused("too many inputs", 400, "InvalidParameter", edit(images=[PICTURE] * 4))
refused("a size for a model without sizes", 400, "InvalidParameter", edit(model="qwen-image-edit", size="1024*1024"))
refused("a field that does not exist", 400, "InvalidParameter", edit(aspect_ratio="1:1"))
refused("no such model", 404, "ModelNotFound", edit(model="qwen-image-none"))
refused("a model for tasks", 403, "AccessDenied", edit(model="wan2.5-i2i-preview"))
ok("an invalid key: 401", edit(api_key=" ").status_code == 401)

made = ImageSynthesis.call(
    model="wan2.5-i2i-preview", prompt="the fox at night", images=[PICTURE], n=1, size="1280*1280", **QUIET
)
ok("a task succeeds", made.output.task_status == "SUCCEEDED")
ok("a task has an image", size_of_png(read(made.output.results[0].url)) == (1280, 1280))
ok("one submission, worked on once", counts("dashscope")["the fox at night"] == (1, 1))

message = Message(role="user", content=[{"image": PICTURE}, {"text": "make it night"}])
begun = ImageGeneration.async_call(model="wan2.7-image", messages=[message], n=1)
ok("a task with messages waits", begun.output.task_status == "PENDING")
ok("and has choices", picture(ImageGeneration.wait(begun).output.choices[0]) == (1024, 1024))

words = {"model": "wan2.5-t2i-preview", "n": 1}
failed = ImageSynthesis.call(prompt="x [sim:task_failed_content]", **words)
ok("a refused task has status 200", (failed.status_code, failed.output.task_status) == (200, "FAILED"))
ok("and says why", failed.output.code == "DataInspectionFailed")
waiting = ImageSynthesis.async_call(prompt="a slow fox", **words)
ok("a task can be canceled", ImageSynthesis.cancel(waiting).status_code == 200)
ok("and its status says so", ImageSynthesis.fetch(waiting).output.task_status == "CANCELED")
unknown = ImageSynthesis.fetch("13b1848b-5493-4c0e-8c44-ffffffffffff")
ok("an unknown task", unknown.output.task_status == "UNKNOWN")
ok("tasks are listed", ImageSynthesis.list(page_no=1, page_size=1).status_code == 200)


def video(model, prompt="a fox", **more):
    return VideoSynthesis.async_call(model=model, prompt=prompt, **more)


made = VideoSynthesis.wait(video("wan2.6-i2v", img_url=PICTURE, resolution="720P", duration=5, **QUIET))
ok("a video at a URL", read(made.output.video_url)[4:8] == b"ftyp")
newer = video("wan2.7-i2v", media=[{"type": "first_frame", "url": PICTURE}], resolution="1080P")
ok("2.7 takes a list of frames", newer.output.task_status == "PENDING")
ok("2.7 takes a ratio", video("wan2.7-t2v", ratio="16:9").output.task_status == "PENDING")
ok("2.6 takes a size", video("wan2.6-t2v", size="1280*720").output.task_status == "PENDING")
refused("2.6 takes no resolution for text to video", 400, "InvalidParameter", video("wan2.6-t2v", resolution="720P"))
refused("2.5 makes 5 or 10 seconds", 400, "InvalidParameter", video("wan2.5-t2v-preview", duration=7))
refused("a missing image", 400, "InvalidParameter", video("wan2.6-i2v"))
