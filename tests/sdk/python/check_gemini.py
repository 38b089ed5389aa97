"""The simulator of Gemini, with Google's Python client. This API version has no videos."""

from google import genai
from google.genai import errors, types
from sdk_check import ORIGIN, counts, fault, ok, png, raises, requests, size_of_png

client = genai.Client(api_key="AIza-sim", http_options={"base_url": f"{ORIGIN}/gemini", "timeout": 20_000})
beta = genai.Client(
    api_key="AIza-sim",
    http_options={"base_url": f"{ORIGIN}/gemini", "api_version": "v1beta", "timeout": 20_000},
)
PRO = "gemini-3-pro-image"


def picture(**size):
    return types.Part.from_bytes(data=png(**size), mime_type="image/png")


def make(words, *pictures, by=client, model=PRO, image=None, **config):
    modalities = config.pop("response_modalities", ["IMAGE"])
    image = image and types.ImageConfig(**image)
    config = types.GenerateContentConfig(response_modalities=modalities, image_config=image, **config)
    return by.models.generate_content(model=model, contents=[*pictures, words], config=config)


def pictures_of(answer):
    parts = answer.candidates[0].content.parts
    return [part.inline_data.data for part in parts if part.inline_data and not part.thought]


def refused(words, code, status, **more):
    error = raises(errors.APIError, lambda: make(words, **more))
    ok(f"{words}: {error.code} {error.status}", (error.code, error.status) == (code, status))
    return error


answer = make("put the cup on the table", picture(), picture(width=20), image={"aspect_ratio": "16:9", "image_size": "2K"})
ok("one image in 16:9 at 2K", size_of_png(pictures_of(answer)[0]) == (2752, 1536))
usage = answer.usage_metadata
counted = usage.prompt_token_count + usage.candidates_token_count + usage.thoughts_token_count
ok("the usage adds up", usage.total_token_count == counted)
seen = requests("gemini")[-1]
ok(f"the client calls {seen['path']}", seen["path"].endswith(f"/v1/models/{PRO}:generateContent"))
ok("with the key in its header", "AIza-sim" in dict(seen["headers"])["x-goog-api-key"])

answer = make("like the last one", picture(width=400, height=100), picture(width=50, height=50))
ok("without an aspect ratio, that of the last image is kept", size_of_png(pictures_of(answer)[0]) == (1024, 1024))
answer = make("words and a picture", by=beta, response_modalities=["TEXT", "IMAGE"], candidate_count=1, seed=7)
ok("v1beta also works, with text next to the image", answer.text and pictures_of(answer))
answer = make("think aloud", thinking_config=types.ThinkingConfig(include_thoughts=True))
ok("drafts are marked as thoughts", len(pictures_of(answer)) == 1 and len(answer.candidates[0].content.parts) > 2)
answer = make("small", model="gemini-2.5-flash-image", image={"aspect_ratio": "16:9"})
ok("2.5 has its own sizes", size_of_png(pictures_of(answer)[0]) == (1344, 768))
ok("the client can show the image", answer.parts[0].as_image().image_bytes)

refused("lower case", 400, "INVALID_ARGUMENT", image={"image_size": "2k"})
refused("a size of 2.5", 400, "INVALID_ARGUMENT", image={"image_size": "1K"}, model="gemini-2.5-flash-image")
refused("an invalid ratio", 400, "INVALID_ARGUMENT", image={"aspect_ratio": "5:3"})
refused("a ratio of another model", 400, "INVALID_ARGUMENT", image={"aspect_ratio": "1:8"})
refused("several candidates", 400, "INVALID_ARGUMENT", candidate_count=2)
refused("an unknown model", 404, "NOT_FOUND", model="gemini-0-image")
refused("a video model", 404, "NOT_FOUND", model="veo-3.1-generate-preview")
broken = types.Part.from_bytes(data=b"not a picture", mime_type="image/png")
error = raises(errors.ClientError, lambda: make("broken", broken))
ok("a broken image", "Unable to process input image" in error.message)

answer = make("[sim:refuse_content_input]")
ok(f"a blocked prompt: {answer.prompt_feedback.block_reason}", not answer.candidates)
answer = make("[sim:refuse_content_output]")
reason = answer.candidates[0].finish_reason
ok(f"a hidden image: {reason}", reason == types.FinishReason.IMAGE_SAFETY)
answer = make("[sim:text_instead]")
ok("text instead of an image", answer.text and not pictures_of(answer))
answer = make("[sim:no_image]")
ok("neither image nor text", answer.candidates[0].finish_reason == types.FinishReason.NO_IMAGE)
ok("two images", len(pictures_of(make("[sim:two_images]"))) == 2)

error = refused("[sim:bad_key]", 400, "INVALID_ARGUMENT")
ok("the reason is among the details", error.details["error"]["details"][0]["reason"] == "API_KEY_INVALID")
refused("[sim:no_credit]", 400, "FAILED_PRECONDITION")
error = refused("[sim:throttle retry_after=7]", 429, "RESOURCE_EXHAUSTED")
ok("the hint is among the details", error.details["error"]["details"][1]["retryDelay"] == "7s")
refused("[sim:overloaded]", 503, "UNAVAILABLE")
refused("[sim:internal_error]", 500, "INTERNAL")

patient = genai.Client(
    api_key="AIza-sim",
    http_options=types.HttpOptions(
        base_url=f"{ORIGIN}/gemini",
        retry_options=types.HttpRetryOptions(attempts=3, initial_delay=0.01, max_delay=0.05),
    ),
)
fault("overloaded", provider="gemini", call="submit")
make("patience", by=patient)
ok("the client retries after 503, and the work is done once", counts("gemini")["patience"] == (2, 1))

models = [model.name for model in client.models.list(config={"page_size": 3})]
ok(f"{len(models)} models are listed, page by page", f"models/{PRO}" in models)
