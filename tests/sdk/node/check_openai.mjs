// The simulator of OpenAI, with the official Node client.

import OpenAI, { AzureOpenAI, toFile } from "openai";
import { ORIGIN, counted, fault, ok, png, raises, requests, sizeOfPng } from "./sdk_check.mjs";

const options = { baseURL: `${ORIGIN}/openai/v1`, apiKey: "sk-sim", maxRetries: 0, timeout: 20_000 };
const client = new OpenAI(options);
const patient = new OpenAI({ ...options, maxRetries: 2 });
const model = "gpt-image-2";
const input = (name = "in.png") => toFile(png(), name, { type: "image/png" });

async function edit(prompt, more = {}, by = client) {
  return by.images.edit({ model, image: await input(), prompt, ...more });
}

async function refused(prompt, kind, code, more) {
  const error = await raises(kind, () => edit(prompt, more));
  ok(`${prompt}: ${error.code}`, error.code === code);
  return error;
}

let answer = await edit("make it blue", { size: "1536x1024", quality: "high" });
const size = sizeOfPng(Buffer.from(answer.data[0].b64_json, "base64"));
ok(`an edit has the requested size: ${size}`, size === "1536x1024");
ok("the usage counts the image", answer.usage.input_tokens_details.image_tokens > 0);

answer = await edit("several", { image: [await input("a.png"), await input("b.png")], n: 2, size: "64x64" });
ok("two images for n=2", answer.data.length === 2);
const parts = (await requests("openai")).at(-1).body.form.map((part) => part.name);
const files = parts.filter((name) => name === "image[]");
ok(`files and texts keep the caller's field names: ${parts}`, files.length === 2 && parts.includes("prompt"));

answer = await client.images.generate({ model, prompt: "a square", size: "1024x1024" });
ok("a generation", sizeOfPng(Buffer.from(answer.data[0].b64_json, "base64")) === "1024x1024");

const kinds = [];
for await (const event of await edit("streamed", { stream: true, partial_images: 1, size: "64x64" })) {
  kinds.push(event.type);
}
ok(`events ${kinds}`, kinds.join() === "image_edit.partial_image,image_edit.completed");

await refused("a wrong size", OpenAI.BadRequestError, "invalid_value", { size: "1000x1000" });
await refused("an unknown field", OpenAI.BadRequestError, "unknown_parameter", { colour: "red" });
await refused("a model that is gone", OpenAI.NotFoundError, "model_not_found", { model: "gpt-image-1" });
await refused("[sim:refuse_content_input]", OpenAI.BadRequestError, "moderation_blocked");
await refused("[sim:bad_key]", OpenAI.AuthenticationError, "invalid_api_key");
await refused("[sim:no_credit]", OpenAI.RateLimitError, "insufficient_quota");
await refused("[sim:internal_error]", OpenAI.InternalServerError, null);
const error = await refused("[sim:throttle retry_after=7]", OpenAI.RateLimitError, "rate_limit_exceeded");
ok("the hint is in the headers", error.headers.get("retry-after") === "7");

await fault("throttle", { provider: "openai", call: "submit", retry_after: 0 });
await edit("patience", { size: "64x64" }, patient);
const { received, worked } = await counted("openai", "patience");
ok("the client retries after 429, and the work is done once", received === 2 && worked === 1);
await raises(OpenAI.APIConnectionTimeoutError, () => edit("[sim:hang]", {}, new OpenAI({ ...options, timeout: 500 })));
await raises(OpenAI.APIConnectionError, () => edit("[sim:close_before_answer]"));

const models = await client.models.list();
ok("models are listed", models.data.some((one) => one.id === model));

const azure = new AzureOpenAI({
  endpoint: `${ORIGIN}/azure`,
  apiKey: "az-sim",
  apiVersion: "2025-04-01-preview",
  deployment: "my-image-deployment",
  maxRetries: 0,
});
answer = await edit("on Azure", { size: "1024x1024" }, azure);
ok("Azure: an edit at a deployment", sizeOfPng(Buffer.from(answer.data[0].b64_json, "base64")) === "1024x1024");
