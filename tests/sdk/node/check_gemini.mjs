// The simulator of Gemini, with Google's Node client: images and Veo.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, GoogleGenAI } from "@google/genai";
import { ORIGIN, counted, fault, ok, png, raises, requests, sizeOfPng } from "./sdk_check.mjs";

const client = new GoogleGenAI({ apiKey: "AIza-sim", httpOptions: { baseUrl: `${ORIGIN}/gemini` } });
const model = "gemini-3-pro-image";
const veo = "veo-3.1-generate-preview";
const imageBytes = png().toString("base64");
const inlineData = { mimeType: "image/png", data: imageBytes };

function make(words, more = {}, by = model) {
  const config = { responseModalities: ["IMAGE"], ...more };
  const contents = [{ role: "user", parts: [{ inlineData }, { text: words }] }];
  return client.models.generateContent({ model: by, contents, config });
}

async function refused(words, code, more, by) {
  const error = await raises(ApiError, () => make(words, more, by));
  ok(`${words}: ${error.status}`, error.status === code);
  return error;
}

let answer = await make("make it dusk", { imageConfig: { aspectRatio: "21:9", imageSize: "1K" } });
let parts = answer.candidates[0].content.parts;
ok("one image in 21:9", sizeOfPng(Buffer.from(parts[0].inlineData.data, "base64")) === "1584x672");
ok("the usage counts the image", answer.usageMetadata.candidatesTokenCount === 1120);
const path = (await requests("gemini")).at(-1).path;
ok(`the client calls ${path}`, path.endsWith(`/v1beta/models/${model}:generateContent`));
answer = await make("long", { imageConfig: { aspectRatio: "4:1", imageSize: "512" } }, "gemini-3.1-flash-image");
parts = answer.candidates[0].content.parts;
ok("a long image at 512", sizeOfPng(Buffer.from(parts[0].inlineData.data, "base64")) === "1024x256");

await refused("lower case", 400, { imageConfig: { imageSize: "2k" } });
await refused("an invalid ratio", 400, { imageConfig: { aspectRatio: "5:3" } });
await refused("several candidates", 400, { candidateCount: 2 });
await refused("an unknown model", 404, {}, "gemini-0-image");
await refused("[sim:bad_key]", 400);
await refused("[sim:overloaded]", 503);
const error = await refused("[sim:throttle retry_after=3]", 429);
ok("the hint is in the message", error.message.includes('"retryDelay":"3s"'));
answer = await make("[sim:refuse_content_input]");
ok("a blocked prompt", answer.promptFeedback.blockReason === "PROHIBITED_CONTENT");
answer = await make("[sim:refuse_content_output]");
ok("a hidden image", answer.candidates[0].finishReason === "IMAGE_SAFETY");
answer = await make("[sim:text_instead]");
ok(`text instead of an image: ${answer.text}`, answer.text.length > 0);

/** A video, polled until it is finished. */
async function shoot(prompt, config = {}, more = {}) {
  let operation = await client.models.generateVideos({ model: veo, prompt, config, ...more });
  for (let round = 0; !operation.done && round < 10; round += 1) {
    operation = await client.operations.getVideosOperation({ operation });
  }
  return operation;
}

const wishes = {
  numberOfVideos: 1,
  durationSeconds: 8,
  aspectRatio: "16:9",
  resolution: "1080p",
  negativePrompt: "text",
  lastFrame: { imageBytes, mimeType: "image/png" },
};
let done = await shoot("slow dolly in", wishes, { image: { imageBytes, mimeType: "image/png" } });
ok(`an operation: ${done.name}`, done.name.startsWith(`models/${veo}/operations/`));
const sent = (await requests("gemini")).filter((one) => one.path.endsWith(":predictLongRunning")).at(-1).body.json;
ok(`its parameters: ${JSON.stringify(sent.parameters)}`, sent.parameters.sampleCount === 1 && sent.instances[0].lastFrame);
const video = done.response.generatedVideos[0].video;
const folder = mkdtempSync(join(tmpdir(), "film-"));
const downloadPath = join(folder, "film.mp4");
// The client extracts the file name only from an https URL, as Google's own are.
await client.files.download({ file: video.uri.replace(/^.*(files\/\w+).*$/, "$1"), downloadPath });
const film = readFileSync(downloadPath);
rmSync(folder, { recursive: true });
ok("the video is downloaded after a redirect", film.subarray(4, 8).toString() === "ftyp");

done = await shoot("[sim:task_failed_content]");
ok(`a filtered video: ${done.response.raiMediaFilteredReasons}`, done.response.raiMediaFilteredCount === 1);
done = await shoot("[sim:task_failed]");
ok(`a failed video: ${done.error.message}`, done.error.code === 13);
let trouble = await raises(ApiError, () => shoot("[sim:task_lost]"));
ok("a lost operation", trouble.status === 404);
done = await shoot("[sim:task_expired]");
const gone = done.response.generatedVideos[0].video.uri;
const status = (await fetch(gone, { headers: { "x-goog-api-key": "AIza-sim" } })).status;
ok(`a file that is gone: ${status}`, status === 403);
trouble = await raises(ApiError, () => shoot("seconds", { durationSeconds: 5 }));
ok("an invalid length", trouble.status === 400);
trouble = await raises(ApiError, () => shoot("shape", { aspectRatio: "1:1" }));
ok("an invalid aspect ratio", trouble.status === 400);
trouble = await raises(ApiError, () => shoot("sharp and short", { resolution: "4k", durationSeconds: 4 }));
ok("4k in four seconds", trouble.status === 400);
await fault("throttle", { provider: "gemini", call: "poll", retry_after: 1 });
trouble = await raises(ApiError, () => shoot("asked too often"));
ok("polling can be rate-limited", trouble.status === 429);
ok("every video was ordered once", (await counted("gemini", "asked too often")).received === 1);

const names = [];
for await (const one of await client.models.list({ config: { pageSize: 4 } })) names.push(one.name);
ok(`${names.length} models are listed, page by page`, names.includes(`models/${veo}`));
