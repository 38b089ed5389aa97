// Webhooks of Retouch, verified with libraries that others wrote: standardwebhooks, svix and openai.

import { spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import OpenAI from "openai";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

import { ok, png, raises } from "./sdk_check.mjs";

const arrived = [];
const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  arrived.push({ headers: request.headers, body });
  response.writeHead(204).end();
  receiver.emit("arrived");
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");

const folder = await mkdtemp(join(tmpdir(), "retouch-webhooks."));
const program = spawn(process.env.RETOUCH, ["serve"], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    RETOUCH_SERVER__LISTEN: "127.0.0.1:0",
    RETOUCH_SERVER__SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    RETOUCH_FETCH__ALLOWED_NETWORKS: "127.0.0.0/8",
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface(program.stdout), "line");
const address = line.slice(line.lastIndexOf("http://")).trim();
let cookie = "";

try {
  await check();
} finally {
  program.kill();
  await once(program, "exit");
  await rm(folder, { recursive: true });
  receiver.close();
}

async function check() {
  const who = { email: "ada@example.com", password: "correct horse battery" };
  const signedUp = await call("/api/auth/sign-up", who);
  cookie = signedUp.headers.get("set-cookie").split(";")[0];
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const first = await (await call("/api/webhooks", { url })).json();
  const image = { instruction: "make it sepia", imageBase64: png().toString("base64") };
  const made = await (await call("/api/image-edit", image)).json();
  const message = await next();
  const event = await verified(message, first);
  ok("it names the generation", event.data.id === made.generation.uuid);
  const forged = { ...message, body: message.body.replace("succeeded", "forgotten") };
  await raises(Error, () => new StandardWebhook(first.secret).verify(forged.body, forged.headers));
  await raises(Error, () => new SvixWebhook(first.secret).verify(forged.body, forged.headers));
  await raises(Error, () => client(first).webhooks.unwrap(forged.body, forged.headers));
  const second = await (await call(`/api/webhooks/${first.id}/rotate`)).json();
  await call(`/api/webhooks/${first.id}/test`);
  const test = await next();
  for (const webhook of [first, second]) ok("a test", (await verified(test, webhook)).type === "webhook.test");
}

/** The event in a message, which all libraries must accept. */
async function verified({ headers, body }, webhook) {
  const event = new StandardWebhook(webhook.secret).verify(body, headers);
  ok("standardwebhooks accepts it", event.type === JSON.parse(body).type);
  ok("svix accepts it", new SvixWebhook(webhook.secret).verify(body, headers).type === event.type);
  ok("openai unwraps it", (await client(webhook).webhooks.unwrap(body, headers)).type === event.type);
  ok("its public key verifies it", verifies({ headers, body }, webhook.public_key));
  return event;
}

function verifies({ headers, body }, publicKey) {
  const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  const signatures = headers["webhook-signature"].split(" ").map((text) => text.split(","));
  return signatures.some(([version, text]) => version === "v1a" && verify(null, signed, key, Buffer.from(text, "base64")));
}

function client(webhook) {
  return new OpenAI({ apiKey: "not used", webhookSecret: webhook.secret });
}

/** The next message, which must arrive soon. */
async function next() {
  while (!arrived.length) await once(receiver, "arrived", { signal: AbortSignal.timeout(60_000) });
  return arrived.shift();
}

/** A call by the account, which must succeed. */
async function call(path, body = {}) {
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie };
  const answer = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
