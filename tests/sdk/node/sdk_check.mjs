// Shared by all checks in Node: reporting, an image to send, the simulator's controls.

import { deflateSync } from "node:zlib";

export const ORIGIN = process.argv[2];

/** Reports one result. Ends the check if it failed. */
export function ok(what, holds = true) {
  if (!holds) {
    console.log(`NOT ${what}`);
    process.exit(1);
  }
  console.log(`ok  ${what}`);
}

/** The error that `call` throws, which must be a `kind`. */
export async function raises(kind, call) {
  try {
    await call();
  } catch (error) {
    ok(`${error.constructor.name}: ${String(error.message).slice(0, 80)}`, error instanceof kind);
    return error;
  }
  ok(`an error instead of a result`, false);
}

/** A PNG of one color. */
export function png(width = 60, height = 40, colour = [64, 128, 192]) {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.concat(Array(height).fill(row)));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** Width and height of a PNG, which must be complete. */
export function sizeOfPng(data) {
  const whole = data.subarray(1, 4).toString() === "PNG" && data.subarray(-8, -4).toString() === "IEND";
  ok("a PNG comes back", whole);
  return `${data.readUInt32BE(16)}x${data.readUInt32BE(20)}`;
}

/** Schedules a fault; see crates/sim/README.md. */
export const fault = (name, more) => control("POST", "/_sim/faults", { fault: name, ...more });

/** The requests that a provider received. */
export const requests = (provider) => control("GET", `/_sim/requests?provider=${provider}`);

/** How often a provider received a prompt and did the work: {received, worked}. */
export async function counted(provider, prompt) {
  const rows = await control("GET", "/_sim/counts");
  return rows.find((row) => row.provider === provider && row.prompt === prompt);
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

async function control(method, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(ORIGIN + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text ? JSON.parse(text) : undefined;
}
