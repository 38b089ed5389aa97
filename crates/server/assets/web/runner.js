// One run: an API call with an `Idempotency-Key` that this browser stores until it has seen the answer.
// After a reload or a lost connection, the same call is sent again with the same key; the service
// returns the first result and charges once.

import { facts, unique, wait } from './dom.js';
import { forget, keep, list } from './shelf.js';
import * as uploads from './uploads.js';

const PATHS = {
  image_edit: '/api/image-edit',
  text_to_image: '/api/text-to-image',
  video: '/api/video-generation',
};
const AGAIN_MS_MAX = 10_000;
const CANCEL_AGAIN_MS = 1_000;
/** Errors after which the same call is sent again. */
const PASSING = ['overloaded', 'outcome_pending', 'rate_limited'];
/** The code of an error that says that the user canceled the run. */
export const CANCELED = 'canceled';

/** The runs in flight by their key, as `{ run, body, stopping }`. `body` is the call, once its images are
 *  uploaded; `stopping` resolves to whether the user has canceled it. */
const flights = new Map();
/** The keys of runs that were canceled before they took off. */
const early = new Set();

/** An error from the service or the connection. */
export class RunError extends Error {
  constructor({ message, code = '', param = null }, status = 0) {
    super(message);
    Object.assign(this, { code, param, status });
  }
}

/** The API path for a kind of run. */
export const path = (kind) => PATHS[kind];

/** Describes a new run; each of `inputs` has a URL or the ID of a stored image. */
export function plan({ kind, fields, inputs, parent }) {
  return { key: unique(), account: facts.account, kind, fields, inputs, parent, began: Date.now() };
}

/** Unfinished runs of this account, oldest first. */
export async function unseen() {
  const runs = await list('runs').catch(() => []);
  return runs.filter(({ account, batch }) => account === facts.account && !batch).sort((a, b) => a.began - b.began);
}

/** Starts or resumes a run and returns its answer. */
export async function carry(run, tell) {
  const flight = { run, body: null, stopping: null };
  flights.set(run.key, flight);
  if (early.delete(run.key)) flight.stopping = stop(flight);
  await keep('runs', run.key, run).catch(() => {});
  try {
    const answer = run.uuid ? { generation: { uuid: run.uuid } } : await submit(flight, tell);
    const done = run.kind === 'video' ? await film(run, answer, tell) : answer;
    await forget('runs', run.key).catch(() => {});
    return done;
  } catch (error) {
    // A run that was stopped by a sign-out resumes after signing in.
    if (error.status !== 401) await forget('runs', run.key).catch(() => {});
    throw error;
  } finally {
    flights.delete(run.key);
  }
}

/** Cancels the run with this key. Returns whether that was still possible; then `carry` fails with the
 *  code `canceled`, and nothing is charged. */
export function cancel(key) {
  const flight = flights.get(key);
  if (!flight) {
    early.add(key);
    return Promise.resolve(true);
  }
  flight.stopping ??= stop(flight);
  return flight.stopping;
}

async function stop(flight) {
  const { run } = flight;
  if (!flight.body && !run.wasSent && !run.uuid) {
    run.inputs.forEach(({ id }) => uploads.cancel(id));
    return true;
  }
  // Without a connection, nobody knows whether the service has the call. It is asked until it answers.
  while (flights.has(run.key)) {
    const response = flight.body || run.uuid ? await tryStop(flight) : null;
    if (response?.ok) return true;
    if (response && !response.headers.has('retry-after') && response.status < 500) return false;
    await wait(CANCEL_AGAIN_MS);
  }
  return false;
}

/** Asks the service once to cancel a run, and returns its answer, or null if there is none. */
async function tryStop({ run, body }) {
  let { uuid } = run;
  if (!uuid) {
    // The same call, without waiting for the result, says which generation it is.
    const named = await post(PATHS[run.kind], { ...headersOf(run), prefer: 'respond-async' }, body);
    if (!named?.ok) return named;
    ({ uuid } = (await named.json()).generation);
  }
  return post(`/api/generations/${uuid}/cancel`);
}

const post = (path, headers = {}, body = null) => fetch(path, { method: 'POST', headers, body }).catch(() => null);

const headersOf = ({ key }) => ({ 'content-type': 'application/json', 'idempotency-key': key });

async function submit(flight, tell) {
  const { run } = flight;
  tell('Uploading…');
  const working = run.kind === 'image_edit' ? 'Editing…' : 'Creating…';
  let body = await bodyOf(run, tell);
  let isRenewed = false;
  // From here on, the service may have the call, so canceling asks it.
  flight.body = body;
  for (let again = 1; ; again += 1) {
    if (await flight.stopping) throw new RunError({ code: CANCELED, message: 'Canceled. Nothing was charged.' });
    const timer = setTimeout(() => tell(working), 400);
    const response = await post(PATHS[run.kind], headersOf(run), body);
    clearTimeout(timer);
    if (response?.ok) return response.json();
    const error = response ? await trouble(response) : null;
    const isRunning = error?.code === 'idempotency_in_progress';
    if (error && !isRunning && !passes(error)) {
      if (isRenewed || !await isGone(run, error)) throw error;
      isRenewed = true;
      run.images = null;
      body = await bodyOf(run, tell);
      continue;
    }
    tell(isRunning ? working : 'Connection lost. Retrying – you won’t be charged twice.');
    await wait(Math.min(1_000 * again, AGAIN_MS_MAX));
  }
}

/** The call with the addresses of its images, which are uploaded first. */
async function bodyOf(run, tell) {
  const images = run.images ?? await Promise.all(run.inputs.map((input) => uploads.address(input, tell)));
  // The same call has to be sent after a reload. A long data URI is made again instead.
  const isLong = images.some((image) => image.startsWith('data:'));
  await keep('runs', run.key, { ...run, images: isLong ? null : images, wasSent: true }).catch(() => {});
  return JSON.stringify(images.length > 0 ? { ...run.fields, imageUrls: images } : run.fields);
}

/** Whether the service no longer has the upload of an image, which is then sent again. */
async function isGone(run, { param, status }) {
  const [, index] = /^imageUrls\[(\d+)\]$/.exec(param ?? '') ?? [];
  return status === 400 && index !== undefined && uploads.renew(run.inputs[index]);
}

async function film(run, { generation }, tell) {
  if (!run.uuid) {
    run.uuid = generation.uuid;
    await keep('runs', run.key, run).catch(() => {});
  }
  tell('Making your video. You can close this page and come back.');
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
  const otherwise = { message: `Something went wrong (error ${response.status}).` };
  return new RunError(body?.error ?? otherwise, response.status);
}

/** Whether to send the same call again: a proxy timed out, or the service does not know the outcome
 *  yet. */
function passes({ code, status }) {
  return code === '' ? status === 429 || status >= 500 : PASSING.includes(code);
}
