// A client with the types that openapi-typescript generates, on openapi-fetch.

import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [address, key, image] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: address, headers: { authorization: `Bearer ${key}` } });

const models = await client.GET("/api/models", { params: { query: { kind: "image_edit", limit: 2 } } });
if (models.error) throw new Error(models.error.error.message);
const next: string | null = models.data.next_cursor;
const names: string[] = models.data.data.map((model) => model.id);

const edited = await client.POST("/api/image-edit", {
  params: { header: { "Idempotency-Key": "fetch-1" } },
  body: { instruction: "rotate left", imageBase64: image, output_format: "png" },
});
if (edited.error) throw new Error(edited.error.error.message);
if (!("data" in edited.data)) throw new Error("The result is made later.");
const result: string = edited.data.data[0]?.url ?? "";
const cost: number = edited.data.cost;

const refused = await client.POST("/api/image-edit", { body: { instruction: "remove the dog", imageBase64: image } });
const code: string | undefined = refused.error?.error.code;

const balance = await client.GET("/api/credits");
if (balance.error) throw new Error(balance.error.error.message);
const available: number = balance.data.available;

console.log(JSON.stringify({ names, has_more: next !== null, result, cost, code, available }));
