// The simulator of fal, with the official Node client.

import { ApiError, ValidationError, createFalClient } from "@fal-ai/client";
import { ORIGIN, counted, fault, ok, png, raises, requests, sizeOfPng } from "./sdk_check.mjs";

// The client calls only its own hosts, so its requests are redirected to the simulator.
const turned = (url, init) =>
  fetch(String(url).replace(/^https:\/\/(queue\.)?fal\.run/, `${ORIGIN}/fal`), init);
const client = createFalClient({ credentials: "id:secret", fetch: turned, retry: { maxRetries: 0 } });
const patient = createFalClient({ credentials: "id:secret", fetch: turned });
const model = "fal-ai/bytedance/seedream/v4/edit";
const picture = `data:image/png;base64,${png().toString("base64")}`;
const input = (prompt, more) => ({ prompt, image_urls: [picture], image_size: { width: 1600, height: 1200 }, ...more });
const subscribe = (prompt, more, by = client) =>
  by.subscribe(model, { input: input(prompt, more), pollInterval: 20 });

async function failed(prompt, kind, status, more) {
  const error = await raises(kind, () => subscribe(prompt, more));
  ok(`${prompt}: ${error.status}`, error.status === status);
  return error;
}

const states = [];
const answer = await client.subscribe(model, {
  input: input("make it blue"),
  pollInterval: 20,
  onQueueUpdate: (update) => states.push(update.status),
});
ok(`its states are ${[...new Set(states)]}`, states.includes("IN_QUEUE") && states.at(-1) === "COMPLETED");
const file = await fetch(answer.data.images[0].url);
ok(`the image is returned as ${file.headers.get("content-type")}`, file.ok && answer.data.images[0].width === 1600);
ok("the answer has the request's ID", answer.requestId.length > 10);

const queued = await client.queue.submit(model, { input: input("called off") });
await client.queue.cancel(model, { requestId: queued.request_id });
ok("a request can be canceled");
const paths = (await requests("fal")).map((request) => request.path);
ok("the client drops the part of the URL after the application", paths.some((path) => path.startsWith("/fal-ai/bytedance/requests/")));

const unknown = await failed("an unknown field", ValidationError, 422, { colour: "red" });
ok("the unknown field is named", unknown.fieldErrors[0].loc.includes("colour"));
await failed("too few pixels", ValidationError, 422, { image_size: { width: 512, height: 512 } });
const refusal = await failed("[sim:refuse_content_input]", ValidationError, 422);
ok("a refusal has its type", refusal.fieldErrors[0].type === "content_policy_violation");
await failed("[sim:bad_key]", ApiError, 401);
await failed("[sim:no_credit]", ApiError, 403);
await failed("[sim:internal_error]", ApiError, 500);

const words = await client.subscribe("fal-ai/nano-banana", {
  input: { prompt: "a square", output_format: "png", num_images: 2 },
  pollInterval: 20,
});
ok("two images for num_images=2", words.data.images.length === 2);
const first = Buffer.from(await (await fetch(words.data.images[0].url)).arrayBuffer());
ok(`the size is ${sizeOfPng(first)}`);

await fault("throttle", { provider: "fal", call: "submit" });
await subscribe("patience", {}, patient);
const { received, worked } = await counted("fal", "patience");
ok("the client retries after 429, and the work is done once", received === 2 && worked === 1);
