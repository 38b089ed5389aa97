"""The simulator of Replicate, with the official Python client."""

import urllib.request

import replicate
from replicate.exceptions import ModelError, ReplicateError
from sdk_check import ORIGIN, counts, fault, named_png, ok, raises, requests, size_of_png

client = replicate.Client(api_token="r8_sim", base_url=f"{ORIGIN}/replicate", timeout=20)
client.poll_interval = 0.02
MODEL = "google/nano-banana-pro"


def order(prompt, **more):
    return {"prompt": prompt, "aspect_ratio": "3:2", "output_format": "png", **more}


def fetched(url):
    with urllib.request.urlopen(str(url), timeout=20) as answer:
        return answer.read()


def refused(prompt, status, **more):
    error = raises(ReplicateError, lambda: client.models.predictions.create(MODEL, input=order(prompt, **more)))
    ok(f"{prompt}: {error.status} {error.title}", error.status == status)
    return error


made = client.run(MODEL, input=order("make it blue", image_input=[named_png()]))
width, height = size_of_png(fetched(made))
ok(f"run waits for the image, {width}x{height}", abs(width / height - 1.5) < 0.02)
asked = [request for request in requests("replicate") if request["path"].endswith("/predictions")][-1]
ok("it asks the server to wait", dict(asked["headers"])["prefer"].startswith("wait"))

prediction = client.models.predictions.create(MODEL, input=order("make it red"), wait=False)
ok(f"without waiting, the status is {prediction.status}", prediction.status == "starting" and prediction.output is None)
prediction.wait()
ok("later it has a URL", prediction.status == "succeeded" and prediction.output.startswith(ORIGIN))
ok("which leads to an image", size_of_png(fetched(prediction.output))[0] > 0)
prediction = client.predictions.create(version=f"{MODEL}:abc", input=order("by version"))
ok("a version can be named", prediction.model == MODEL)

prediction = client.models.predictions.create(MODEL, input=order("called off"), wait=False)
prediction.cancel()
ok(f"a prediction can be canceled: {prediction.status}", prediction.status == "canceled")

file = client.files.create(named_png("up.png"))
ok(f"a file is uploaded: {file.name}", file.size > 50 and file.urls["get"].startswith(ORIGIN))
made = client.run("qwen/qwen-image-edit-plus", input={"prompt": "from a file", "image": [file.urls["get"]]})
ok("and used as an input", len(fetched(made)) > 50)

for words, text in [("[sim:refuse_content_input]", "E005"), ("[sim:task_failed]", "out of memory")]:
    prediction = client.models.predictions.create(MODEL, input=order(words), wait=False)
    prediction.wait()
    ok(f"{words}: {prediction.error}", prediction.status == "failed" and text in prediction.error)
error = raises(ModelError, lambda: client.run(MODEL, input=order("[sim:refuse_content_output]")))
ok(f"run raises an error for a failed prediction: {error.prediction.status}")

error = refused("an unknown field", 422, colour="red")
ok("the unknown field is named", "colour" in error.detail)
refused("a wrong ratio", 422, aspect_ratio="7:3")
refused("[sim:bad_key]", 401)
refused("[sim:no_credit]", 402)
refused("[sim:unknown_model]", 404)
error = refused("[sim:throttle retry_after=30]", 429)
ok("the hint is in the text", "~30s" in error.detail)
error = raises(ReplicateError, lambda: client.models.predictions.create("no/such-model", input=order("a")))
ok("an unknown model is not found", error.status == 404)

fault("throttle", provider="replicate", call="submit")
refused("impatience", 429)
ok("the client does not submit again", counts("replicate")["impatience"] == (1, 0))
fault("overloaded", provider="replicate", call="poll", retry_after=0)
prediction = client.models.predictions.create(MODEL, input=order("patience"), wait=False)
prediction.wait()
ok("but polls again", prediction.status == "succeeded")
