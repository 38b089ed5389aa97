// One request on many images: a queue that this browser stores, so that a reload goes on where it was.
// Each image has its own idempotency key; repeating a call charges nothing twice.

import { facts, unique } from './dom.js';
import * as runner from './runner.js';
import { find, forget, keep } from './shelf.js';
import * as versions from './versions.js';

const PARALLEL_MAX = 3;
/** Errors that every other image would meet too. */
const STOPPING = ['insufficient_credits', 'key_credit_limit_reached', 'unauthenticated'];

/** `{ account, request, items, isPaused, isCanceled, problem }`; an item is `{ input, fields, key, state, uuid, message }`
 *  with the state `waiting`, `running`, `done`, `failed` or `canceled`. Null if there is no batch. */
let batch = null;
let changed = () => {};
let active = 0;

/** Restores the batch of an earlier visit; `whenChanged` is called after every change, with the item
 *  that has changed and the version made of it. */
export async function begin(whenChanged) {
  changed = whenChanged;
  const kept = await find('draft', 'batch').catch(() => null);
  if (kept?.account !== facts.account || batch) return;
  batch = kept;
  for (const item of batch.items) {
    if (item.state === 'running') item.state = batch.isCanceled ? 'canceled' : 'waiting';
    changed(item, versions.byUuid(item.uuid));
  }
  if (!batch.isPaused) go();
}

export const current = () => batch;

/** How many items are in a state. */
export const count = (state) => batch?.items.filter((item) => item.state === state).length ?? 0;

/** Whether anything is left to do. */
export const isRunning = () => active > 0 || (count('waiting') > 0 && !batch.isPaused);

/** The run of one item: its image, and the fields for it. */
export const runOf = ({ kind }, { input, fields }) => runner.plan({ kind, fields, inputs: [input], parent: null });

/** Starts a request `{ kind, words, cost }` on images `{ input, fields }`. */
export async function start(request, images) {
  batch = { account: facts.account, request, isPaused: false, isCanceled: false, problem: '',
    items: images.map((image) => ({ ...image, key: unique(), state: 'waiting', uuid: null, message: '' })) };
  await save();
  batch.items.forEach((item) => changed(item));
  go();
}

/** Starts no further images; those that are running finish. */
export async function pause(isPaused) {
  batch.isPaused = isPaused;
  if (!isPaused) batch.problem = '';
  await save();
  changed();
  if (!isPaused) go();
}

/** Cancels what is not done yet: images that wait are never sent, and those that are running stop if
 *  that is still possible. */
export async function cancel() {
  batch.isCanceled = true;
  for (const item of batch.items.filter(({ state }) => state === 'waiting')) {
    item.state = 'canceled';
    changed(item);
  }
  await save();
  await Promise.all(batch.items.filter(({ state }) => state === 'running').map(({ key }) => runner.cancel(key)));
}

/** Edits the images that failed or were canceled, with the same keys. */
export async function again() {
  batch.isCanceled = false;
  const isLeft = ({ state }) => state === 'failed' || state === 'canceled';
  for (const item of batch.items.filter(isLeft)) Object.assign(item, { state: 'waiting', message: '' });
  await pause(false);
}

/** Forgets the batch. Its results stay in the history. */
export async function end() {
  batch = null;
  await forget('draft', 'batch').catch(() => {});
  changed();
}

const save = () => keep('draft', 'batch', batch).catch(() => {});

function go() {
  while (batch && !batch.isPaused && active < PARALLEL_MAX) {
    const item = batch.items.find(({ state }) => state === 'waiting');
    if (!item) return;
    active += 1;
    item.state = 'running';
    changed(item);
    carry(batch, item).finally(() => { active -= 1; changed(item); go(); });
  }
}

async function carry(of, item) {
  const run = { ...runOf(of.request, item), key: item.key, words: of.request.words, batch: true };
  let version;
  try {
    const answer = await runner.carry(run, () => {});
    version = versions.made(run, answer);
    await versions.add(version);
    Object.assign(item, { state: 'done', uuid: version.uuid, message: '' });
  } catch (error) {
    const isStopping = STOPPING.includes(error.code) || error.status === 401;
    if (isStopping) Object.assign(of, { isPaused: true, problem: error.message });
    Object.assign(item, stateAfter(error, { isStopping, isCanceled: of.isCanceled }));
  }
  if (batch === of) await save();
  changed(item, version);
}

function stateAfter({ code, message }, { isStopping, isCanceled }) {
  if (code === runner.CANCELED || (isStopping && isCanceled)) return { state: 'canceled' };
  return isStopping ? { state: 'waiting' } : { state: 'failed', message: message.replace(/^`[^` ]*`: /, '') };
}
