// Uploads: each image is sent once, with progress, and then used by its URL in previews and edits
// until the service deletes it. Visitors send their images inside each request instead.

import { facts, wait } from './dom.js';
import { findPicture, forget, find, keep } from './shelf.js';

const PARALLEL_MAX = 2;
const AGAIN_MS_MAX = 10_000;
/** An upload is not used when it expires this soon: the edit could start after it is gone. */
const SPARE_MS = 10 * 60_000;

/** Answers of a service that takes no (more) uploads. */
const NO_ROOM = [404, 405, 409];

/** Uploads that are running or waiting, by the ID of their image. */
const running = new Map();
const queue = [];
let active = 0;

/** An upload that failed or was canceled; `message` is for people. */
export class UploadError extends Error {
  constructor(message, code = '') {
    super(message);
    this.code = code;
    // Like an answer of the service, it is shown to people and is no fault of this page.
    this.status = 400;
  }
}

const shelved = (id) => `upload ${id}`;

/** The URL of an image that is already uploaded, or null. */
export async function known(id) {
  const upload = await find('draft', shelved(id)).catch(() => null);
  const isValid = upload && upload.account === facts.account && Date.parse(upload.expires_at) - Date.now() > SPARE_MS;
  return isValid ? upload : null;
}

/** Uploads an image unless that is done, and returns `{ url, width, height }`. `progress` gets the
 *  share sent, from 0 to 1, or null while the connection is lost. */
export async function upload(id, blob, progress = () => {}) {
  const before = await known(id);
  if (before) return before;
  let job = running.get(id);
  if (!job) {
    job = { id, blob, listeners: new Set(), request: null, isCanceled: false };
    job.done = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
    job.done.catch(() => {});
    running.set(id, job);
    queue.push(job);
    next();
  }
  job.listeners.add(progress);
  return job.done.finally(() => job.listeners.delete(progress));
}

/** Stops the upload of an image. */
export function cancel(id) {
  const job = running.get(id);
  if (!job) return;
  job.isCanceled = true;
  job.request?.abort();
  settle(job, () => job.reject(new UploadError('Upload canceled. Nothing was charged.', 'canceled')));
}

/** Forgets an upload that the service no longer has. Returns whether there was one. */
export async function renew({ id }) {
  const had = id && await find('draft', shelved(id)).catch(() => null);
  if (!had) return false;
  await forget('draft', shelved(id)).catch(() => {});
  return true;
}

/** The address of an input for a request: of a stored result, of its upload, or its bytes. `tell` gets
 *  the progress in words. */
export async function address(input, tell = () => {}) {
  if (input.address) return input.address;
  const blob = await findPicture(input.id);
  if (!blob) throw new UploadError('We can’t read that file any more. Add it again.');
  if (!facts.account) return inline(blob);
  try {
    const sent = await upload(input.id, blob, (share) => tell(words(share)));
    return sent.url;
  } catch (error) {
    // The service takes no more uploads of this account: the image travels inside the request.
    if (error.code === 'full') return inline(blob);
    throw error;
  }
}

/** Progress in words. */
export const words = (share) => (share === null ? 'Connection lost. Trying again…' : `Uploading… ${Math.floor(share * 100)} %`);

function inline(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new UploadError('We can’t read that file any more. Add it again.'));
    reader.readAsDataURL(blob);
  });
}

function next() {
  while (active < PARALLEL_MAX && queue.length > 0) {
    const job = queue.shift();
    if (job.isCanceled) continue;
    active += 1;
    run(job).then((sent) => settle(job, () => job.resolve(sent)), (error) => settle(job, () => job.reject(error)))
      .finally(() => { active -= 1; next(); });
  }
}

function settle(job, end) {
  if (running.get(job.id) === job) running.delete(job.id);
  end();
}

/** Sends until it arrives, is refused or is canceled. */
async function run(job) {
  const tell = (share) => job.listeners.forEach((listener) => listener(share));
  for (let again = 1; ; again += 1) {
    const { status, body, retryAfter } = await send(job, tell);
    if (job.isCanceled) throw new UploadError('Upload canceled. Nothing was charged.', 'canceled');
    if (status === 201) {
      const kept = { ...body, account: facts.account };
      await keep('draft', shelved(job.id), kept).catch(() => {});
      return kept;
    }
    if (NO_ROOM.includes(status)) throw new UploadError('', 'full');
    if (status !== 0 && status !== 429 && status < 500) throw new UploadError(message(body, status), body?.error?.code);
    tell(null);
    await wait(Math.min(Math.max(retryAfter, 1_000 * again), AGAIN_MS_MAX));
  }
}

const message = (body, status) => (body?.error?.message ?? `The upload failed (error ${status}).`).replace(/^`[^` ]*`: /, '');

/** One attempt. `status` is 0 if the connection was lost. Only XMLHttpRequest reports progress. */
function send(job, tell) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const ended = (status) => resolve({ status, body: request.response, retryAfter: 1_000 * Number(request.getResponseHeader('retry-after') ?? 0) });
    request.open('POST', '/api/uploads');
    request.responseType = 'json';
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
    request.onload = () => ended(request.status);
    request.onerror = () => ended(0);
    request.onabort = () => ended(0);
    job.request = request;
    tell(0);
    request.send(job.blob);
  });
}
