// The client that @hey-api/openapi-ts generates.

import { client } from "./hey/client.gen.js";
import { editImage, findCredits, listModels } from "./hey/sdk.gen.js";

const [address, key, image] = process.argv.slice(2) as [string, string, string];
client.setConfig({ baseUrl: address, auth: () => key });

const models = await listModels({ query: { kind: "image_edit", limit: 2 }, throwOnError: true });
const next: string | null = models.data.next_cursor;
const names: string[] = models.data.data.map((model) => model.id);

const edited = await editImage({
  headers: { "Idempotency-Key": "hey-1" },
  body: { instruction: "rotate left", imageBase64: image, output_format: "png" },
  throwOnError: true,
});
if (!("data" in edited.data)) throw new Error("The result is made later.");
const result: string = edited.data.data[0]?.url ?? "";
const cost: number = edited.data.cost;

const refused = await editImage({ body: { instruction: "remove the dog", imageBase64: image } });
const code: string | undefined = refused.error?.error.code;

const balance = await findCredits({ throwOnError: true });
const available: number = balance.data.available;

console.log(JSON.stringify({ names, has_more: next !== null, result, cost, code, available }));
