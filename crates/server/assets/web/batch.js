// The panel for one prompt on many images: cost before the start, progress, pause, failures, ZIP.

import * as bulk from './bulk.js';
import { $, counted, facts, make, release, say, show } from './dom.js';
import * as pictures from './pictures.js';
import * as repeat from './repeat.js';
import * as stage from './stage.js';

const STATES = {
  waiting: () => ({ kind: 'waiting', words: 'Waiting' }),
  running: () => ({ kind: 'running', words: 'Editing…' }),
  done: () => ({ kind: 'done', words: '✓ Done' }),
  failed: ({ message }) => ({ kind: 'failed', words: '✕ Failed', title: message }),
  canceled: () => ({ kind: 'canceled', words: 'Canceled' }),
};

let hooks = { request: () => null, paid: () => {}, begun: () => {} };
let available = facts.available ?? 0;
/** Whether it is known if there is a batch. */
let isKnown = false;
let isStarting = false;

/** Sets up the panel and resumes the batch of an earlier visit. `request` returns the request as
 *  it is set up now, `{ kind, words, cost, isBuiltIn, images }`, or null after saying what it lacks; `paid`
 *  is called when credits were used, `begun` when a batch was started. */
export async function begin(given) {
  hooks = given;
  $('batch-start').addEventListener('click', start);
  $('batch-pause').addEventListener('click', () => bulk.pause(!bulk.current().isPaused));
  $('batch-cancel').addEventListener('click', cancel);
  $('batch-again').addEventListener('click', again);
  $('batch-zip').addEventListener('click', zip);
  $('batch-end').addEventListener('click', end);
  await bulk.begin(told);
  isKnown = true;
}

/** Whether a batch is running, or its results are still shown, so that no other can be started. */
export const isOn = () => !isKnown || isStarting || Boolean(bulk.current());

/** Draws the panel again, after the inputs, the settings or the price have changed. With `isOnly`, the
 *  editor's own button starts the batch. */
export function draw({ kind, cost, isOnly, balance = available }) {
  available = balance;
  if (bulk.current()) return drawRunning();
  const inputs = pictures.usable().length;
  show($('batch'), Boolean(facts.account) && kind === 'image_edit' && inputs > 1);
  $('batch-title').textContent = `Edit each of the ${inputs} images`;
  const total = cost * inputs;
  const isEnough = available >= total;
  $('batch-words').textContent = `The same prompt on every image, for ${counted(cost, 'credit')} each. `
    + (isEnough ? `You have ${available.toLocaleString('en')}.` : `That is ${counted(total, 'credit')}; you have ${available.toLocaleString('en')}.`);
  $('batch-start').textContent = `Edit all ${inputs} · ${counted(total, 'credit')}`;
  $('batch-start').setAttribute('aria-disabled', String(!isEnough));
  for (const id of ['batch-progress', 'batch-pause', 'batch-cancel', 'batch-again', 'batch-zip', 'batch-end']) show($(id), false);
  return show($('batch-start'), !isOnly);
}

function drawRunning() {
  const { items, isPaused, isCanceled, problem, request } = bulk.current();
  const [done, failed, canceled] = ['done', 'failed', 'canceled'].map(bulk.count);
  const isRunning = bulk.isRunning();
  const isOver = !isRunning && bulk.count('waiting') === 0;
  show($('batch'), true);
  $('batch-title').textContent = `${done} of ${items.length} done`;
  const state = isOver || isCanceled ? '' : isPaused ? 'Paused. ' : `About ${counted(request.cost * (items.length - done - failed), 'credit')} to go. `;
  $('batch-words').textContent = `“${request.words}” · ${counted(done * request.cost, 'credit')} used. ${state}${problem}`;
  if (canceled > 0) $('batch-words').append(`${canceled} canceled; nothing is charged for them. `);
  if (failed > 0) $('batch-words').append(make('strong', { textContent: `${failed} failed and cost nothing: ${reasons(items)}` }));
  Object.assign($('batch-progress'), { max: items.length, value: done + failed + canceled });
  const had = document.activeElement;
  show($('batch-progress'), true);
  show($('batch-start'), false);
  show($('batch-pause'), !isOver && !isCanceled);
  $('batch-pause').textContent = isPaused ? 'Continue' : 'Pause';
  show($('batch-cancel'), !isOver);
  $('batch-cancel').textContent = isCanceled ? 'Canceling…' : 'Cancel the rest';
  show($('batch-again'), failed + canceled > 0 && !isRunning);
  $('batch-again').textContent = canceled > 0 ? `Edit the other ${failed + canceled}` : `Try ${failed} failed again`;
  show($('batch-zip'), done > 0 && !isRunning);
  show($('batch-end'), isOver);
  if (had?.hidden && $('batch').contains(had)) (isOver && done > 0 ? $('batch-zip') : $('batch-end')).focus();
}

/** The different reasons of failed images, at most two. */
function reasons(items) {
  const all = [...new Set(items.filter(({ state }) => state === 'failed').map(({ message }) => message))];
  return all.slice(0, 2).join(' ') + (all.length > 2 ? ' …' : '');
}

/** Starts a batch on all images, after asking if some of its results exist. */
export async function start() {
  if (isOn()) return;
  isStarting = true;
  await launch().finally(() => { isStarting = false; });
  hooks.begun();
}

async function launch() {
  const request = await hooks.request();
  if (!request) return;
  const { kind, words, cost, isBuiltIn, images } = request;
  const made = isBuiltIn ? await repeat.made(images.map((image) => bulk.runOf({ kind }, image))) : [];
  if (made.length > 0 && await repeat.ask(cost * images.length, made.length) !== 'run') return;
  await pictures.kept();
  await bulk.start({ kind, words, cost }, images);
  $('batch-pause').focus();
  $('batch').scrollIntoView({ block: 'nearest' });
  say(`Editing ${counted(images.length, 'image')}.`);
}

async function cancel() {
  if (bulk.current().isCanceled) return;
  say('Canceling…');
  await bulk.cancel();
}

async function again() {
  $('batch-pause').hidden = false;
  $('batch-pause').focus();
  await bulk.again();
}

async function end() {
  for (const { input } of bulk.current().items) pictures.mark(input.id, null);
  await bulk.end();
  $('instruction').focus();
}

/** Called after every change of the batch. */
function told(item, version) {
  if (item) pictures.mark(item.input.id, STATES[item.state](item));
  if (version) {
    stage.setResult(item.input.id, version);
    if (bulk.count('done') % 5 === 0 || !bulk.isRunning()) hooks.paid();
  }
  if (!bulk.current()) return hooks.paid();
  drawRunning();
  if (item && !bulk.isRunning() && bulk.count('waiting') === 0) {
    hooks.paid();
    const [done, failed, canceled] = ['done', 'failed', 'canceled'].map(bulk.count);
    say(`All done: ${done} images edited, ${failed} failed, ${canceled} canceled.`);
  }
  return undefined;
}

async function zip() {
  const uuids = bulk.current().items.map(({ uuid }) => uuid).filter(Boolean);
  $('batch-zip').textContent = 'Preparing the ZIP…';
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/generations/zip', { method: 'POST', headers, body: JSON.stringify({ uuids }) }).catch(() => null);
  const blob = response?.ok ? await response.blob().catch(() => null) : null;
  $('batch-zip').textContent = blob ? 'Download all as ZIP' : 'That didn’t work. Try again';
  if (!blob) return;
  const link = make('a', { href: URL.createObjectURL(blob), download: 'retouch.zip' });
  link.click();
  release(link.href);
}
