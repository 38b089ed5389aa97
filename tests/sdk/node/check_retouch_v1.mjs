// Retouch's own /v1, in the real program, with OpenAI's official Node client and the Vercel AI SDK.
// Its provider is the simulator of OpenAI.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage } from "ai";
import OpenAI, { toFile } from "openai";
import { ORIGIN, counted, ok, png, raises, requests, sizeOfPng } from "./sdk_check.mjs";

const arguments_ = [process.env.SERVICE, "openai", `${ORIGIN}/openai/v1`, "sk-sim"];
const service = spawn("python3", arguments_, { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]();
const told = async () => JSON.parse((await lines.next()).value);
const command = (text) => (service.stdin.write(`${text}\n`), told());
const { address, key, email } = await told();
await command(`credits grant --account ${email} --credits 500 --reason checks`);

const baseURL = `${address}/v1`;
const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, timeout: 60_000 });
const model = "gpt-image-2";
const input = (name = "in.png") => toFile(png(), name, { type: "image/png" });
const file = (image) => Buffer.from(image.b64_json, "base64");

async function edit(prompt, more = {}) {
  return client.images.edit({ model, image: await input(), prompt, ...more });
}

async function credits() {
  const answer = await fetch(`${address}/api/credits`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()).available;
}

let before = await credits();
let answer = await edit("make it blue", { size: "1536x1024" });
ok(`an edit has the requested size: ${answer.size}`, sizeOfPng(file(answer.data[0])) === "1536x1024");
ok("and costs 6 credits", (await credits()) === before - 6);
answer = await edit("several", { image: [await input("a.png"), await input("b.png")], n: 2 });
ok("two images for n=2", answer.data.length === 2);
const names = (await requests("openai")).at(-1).body.form.map((part) => part.name);
ok(`with all inputs: ${names}`, names.filter((name) => name === "image[]").length === 2);
answer = await client.images.generate({ model: "dall-e-3", prompt: "a hill", size: "1024x1024" });
const picture = await fetch(answer.data[0].url, { headers: { authorization: `Bearer ${key}` } });
ok("an address can be fetched with the key", sizeOfPng(Buffer.from(await picture.arrayBuffer())) === "1024x1024");

const kinds = [];
for await (const event of await edit("streamed", { stream: true, partial_images: 1 })) kinds.push(event.type);
ok(`a streamed edit is ${kinds}`, kinds.join() === "image_edit.completed");
const failing = async () => {
  for await (const event of await edit("[sim:not_a_picture]", { stream: true })) ok(`no ${event.type}`, false);
};
await raises(OpenAI.APIError, failing);

let error = await raises(OpenAI.BadRequestError, () => edit("[sim:refuse_content_input]"));
ok(`a refusal has a code: ${error.code}`, error.code === "content_refused");
ok(`and a request id: ${error.requestID}`, error.requestID.startsWith("req_"));
error = await raises(OpenAI.NotFoundError, async () => client.images.createVariation({ image: await input() }));
ok("variations are not offered", error.code === "not_found");
await raises(OpenAI.AuthenticationError, () => new OpenAI({ baseURL, apiKey: "x", maxRetries: 0 }).models.list());
const listed = (await client.models.list()).data.map((one) => one.id);
ok(`${listed.length} models are listed`, listed.includes(model));
ok("and one is found", (await client.models.retrieve("dall-e-3")).id === "dall-e-3");

// A call whose answer is lost: the client repeats it with a count of its attempts.
before = await credits();
let cut = true;
const patient = new OpenAI({
  baseURL,
  apiKey: key,
  maxRetries: 2,
  async fetch(url, options) {
    const answer = await fetch(url, options);
    if (!cut) return answer;
    cut = false;
    await answer.arrayBuffer();
    throw new TypeError("the connection was cut");
  },
});
answer = await patient.images.edit({ model, image: await input(), prompt: "cut" });
ok("a repeated call gets an image", sizeOfPng(file(answer.data[0])) !== undefined);
ok("charged once", (await credits()) === before - 6);
ok("and made once", (await counted("openai", "cut")).worked === 1);

const gateway = createOpenAICompatible({ name: "retouch", baseURL, apiKey: key });
const made = await generateImage({ model: gateway.imageModel(model), prompt: "a hill", n: 2, size: "1024x1024" });
ok("the AI SDK creates two images", made.images.length === 2);
const prompt = { text: "make it blue", images: [png(), png(20, 30)] };
const edited = await generateImage({ model: gateway.imageModel("gpt-image-2"), prompt });
ok("and edits two", sizeOfPng(Buffer.from(edited.images[0].uint8Array)) !== undefined);
const masked = { ...prompt, images: [png()], mask: png() };
await generateImage({ model: gateway.imageModel("gpt-image-2"), prompt: masked });
const form = (await requests("openai")).at(-1).body.form.map((part) => part.name);
ok(`and its mask reaches the provider: ${form}`, form.includes("mask"));
await raises(Error, () => generateImage({ model: gateway.imageModel("no-such-model"), prompt: "x", maxRetries: 0 }));

service.stdin.end();
