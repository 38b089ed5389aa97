// The simulator of Replicate, with the official Node client.

import Replicate from "replicate";
import { ORIGIN, counted, fault, ok, png, raises, requests, sizeOfPng } from "./sdk_check.mjs";

// The base URL must end in /v1 here, but must not in Python.
const client = new Replicate({ auth: "r8_sim", baseUrl: `${ORIGIN}/replicate/v1`, useFileOutput: false });
const model = "google/nano-banana-pro";
const input = (prompt, more) => ({ prompt, aspect_ratio: "3:2", output_format: "png", ...more });
const fetched = async (url) => Buffer.from(await (await fetch(url)).arrayBuffer());
const create = (prompt, more) => client.predictions.create({ model, input: input(prompt, more) });

async function refused(prompt, status, more) {
  const error = await raises(Error, () => create(prompt, more));
  ok(`${prompt}: ${error.response.status}`, error.response.status === status);
  return error;
}

const made = await client.run(model, { input: input("make it blue", { image_input: [new Blob([png()])] }) });
ok(`run waits for the image: ${sizeOfPng(await fetched(made))}`);
const seen = (await requests("replicate")).filter((request) => request.path.endsWith("/predictions"));
ok("it asks the server to wait", Object.fromEntries(seen.at(-1).headers).prefer.startsWith("wait"));
const uploads = (await requests("replicate")).filter((request) => request.path === "/v1/files");
const parts = uploads.at(-1)?.body.form.map((part) => part.name);
ok(`an upload has the parts ${parts}`, parts?.join() === "content,metadata");

let prediction = await client.predictions.create({ model, input: input("make it red") });
ok(`without waiting, the status is ${prediction.status}`, prediction.status === "starting");
prediction = await client.wait(prediction, { interval: 20 });
ok("later it has a URL", prediction.status === "succeeded" && prediction.output.startsWith(ORIGIN));

prediction = await create("called off");
prediction = await client.predictions.cancel(prediction.id);
ok(`a prediction can be canceled: ${prediction.status}`, prediction.status === "canceled");

const refusal = await create("[sim:refuse_content_input]");
const told = await raises(Error, () => client.wait(refusal, { interval: 20 }));
ok("a refusal has its code", told.message.includes("E005"));

await refused("an unknown field", 422, { colour: "red" });
await refused("[sim:bad_key]", 401);
await refused("[sim:no_credit]", 402);
await refused("[sim:unknown_model]", 404);

await fault("throttle", { provider: "replicate", call: "submit" });
await create("patience");
const { received, worked } = await counted("replicate", "patience");
ok("the client retries after 429, and the work is done once", received === 2 && worked === 1);
