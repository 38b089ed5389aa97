// One run: a call of the API under an `Idempotency-Key` that this browser keeps until it has seen
// the answer. Leaving, reloading and a lost connection then lose nothing: the same call is made
// again under the same key, and the service answers with the first result, charged once.

import { facts, unique, wait } from './dom.js';
import { findPicture, forget, keep, list } from './shelf.js';

const PATHS = {
  image_edit: '/api/image-edit',
  text_to_image: '/api/text-to-image',
  video: '/api/video-generation',
};
const AGAIN_MS_MAX = 10_000;
/** Errors of the service after which the same call is made again. */
const PASSING = ['overloaded', 'outcome_pending', 'rate_limited'];

/** An error of the service, or of the way to it. */
export class RunError extends Error {
  constructor({ message, code = '', param = null }, status = 0) {
    super(message);
    Object.assign(this, { code, param, status });
  }
}

/** The call's address for what is made. */
export const path = (kind) => PATHS[kind];

/** A run to begin: `kind`, `fields`, and `inputs`, each an address or the name of a kept picture. */
export function plan({ kind, fields, inputs, parent }) {
  return { key: unique(), account: facts.account, kind, fields, inputs, parent, began: Date.now() };
}

/** The runs of this account whose answers have not been seen, oldest first. */
export async function unseen() {
  const runs = await list('runs').catch(() => []);
  return runs.filter(({ account }) => account === facts.account).sort((a, b) => a.began - b.began);
}

/** Carries a run out, from wherever it stands, and gives its answer. */
export async function carry(run, tell) {
  await keep('runs', run.key, run).catch(() => {});
  try {
    const answer = run.uuid ? { generation: { uuid: run.uuid } } : await submit(run, tell);
    const done = run.kind === 'video' ? await film(run, answer, tell) : answer;
    await forget('runs', run.key).catch(() => {});
    return done;
  } catch (error) {
    // Whoever signs in again finds the run where it was.
    if (error.status !== 401) await forget('runs', run.key).catch(() => {});
    throw error;
  }
}

async function submit(run, tell) {
  tell('Sending');
  const images = await Promise.all(run.inputs.map(asAddress));
  const body = JSON.stringify(images.length > 0 ? { ...run.fields, imageUrls: images } : run.fields);
  const headers = { 'content-type': 'application/json', 'idempotency-key': run.key };
  for (let again = 1; ; again += 1) {
    const request = fetch(PATHS[run.kind], { method: 'POST', headers, body });
    const timer = setTimeout(() => tell('Working'), 400);
    const response = await request.catch(() => null);
    clearTimeout(timer);
    if (response?.ok) return response.json();
    const error = response ? await trouble(response) : null;
    const isRunning = error?.code === 'idempotency_in_progress';
    if (error && !isRunning && !passes(error)) throw error;
    tell(isRunning ? 'Working' : 'No answer yet; the result is kept, trying again');
    await wait(Math.min(1_000 * again, AGAIN_MS_MAX));
  }
}

async function film(run, { generation }, tell) {
  if (!run.uuid) {
    run.uuid = generation.uuid;
    await keep('runs', run.key, run).catch(() => {});
  }
  tell('Making the video; you can leave and come back');
  for (;;) {
    const response = await fetch(`/api/generations/${run.uuid}`).catch(() => null);
    const error = response && !response.ok ? await trouble(response) : null;
    if (error && !passes(error)) throw error;
    const now = error ? null : await response?.json();
    if (now?.status === 'succeeded') return { generation: now, cost: now.cost, warnings: now.warnings };
    if (now?.status === 'failed') throw new RunError(now.error);
    await wait(1_000 * Number(response?.headers.get('retry-after') ?? 2));
  }
}

async function trouble(response) {
  const body = await response.json().catch(() => null);
  const otherwise = { message: `The service answered ${response.status}.` };
  return new RunError(body?.error ?? otherwise, response.status);
}

/** Whether an error says nothing of the run: somebody between us and the service did not wait, or
 *  the service cannot say yet. The same call under the same key will. */
function passes({ code, status }) {
  return code === '' ? status === 429 || status >= 500 : PASSING.includes(code);
}

/** A picture as the request takes it: an address as it is, a file as a `data:` address. */
async function asAddress({ id, address }) {
  if (address) return address;
  const gone = new RunError({ message: 'The picture cannot be read any more; choose it again.' });
  const picture = await findPicture(id);
  if (!picture) throw gone;
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(gone);
    reader.readAsDataURL(picture);
  });
}
