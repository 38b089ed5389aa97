// Shows what the built-in editor makes of the image while the user types. Nothing is stored or
// charged. Slider moves share one request at a time; typing cancels the request before.

import { $, facts, make, show } from './dom.js';
import * as plan from './plan.js';
import * as problems from './problems.js';
import { inputs } from './reduced.js';
import * as refusal from './refusal.js';
import * as request from './request.js';
import * as settings from './settings.js';
import * as steps from './steps.js';
import * as viewer from './viewer.js';

const TYPED_MS = 50;
/** Between two requests, so that no one runs into the limits by moving a slider. */
const GAP_MS = facts.account ? 100 : 300;
/** Errors in a word that is still being typed are not worth a message. */
const REFUSED_MS = 1_200;
/** After this, the stage shows that a preview is being made. */
const SLOW_MS = 300;
const BUSY_MS_MAX = 60_000;
/** After a lost connection, in seconds: twice as long each time. */
const LOST_S = 1;

let timer = 0;
/** For what follows a refusal. Another request may be due before that. */
let afterwards = 0;
let asked = '';
let asking = null;
let again = false;
/** What a language model has read. It is previewed once more, and not again if that fails. */
let reread = '';
let reading = null;
let started = 0;
let lostS = LOST_S;
let showing = false;
let shown = () => {};
let ended = () => {};

/** Sets what is called with `{ answer, original }` for each preview, and returns whether it is shown; and
 *  what is called when there is none any more. */
export function begin({ whenShown, whenEnded }) {
  shown = whenShown;
  ended = whenEnded;
}

/** Requests a preview soon. `isLive` waits for the one under way instead of canceling it. */
export function soon({ ms = TYPED_MS, isLive = false } = {}) {
  if (isLive && asking) {
    again = true;
    return;
  }
  clearTimeout(timer);
  clearTimeout(afterwards);
  reading?.abort();
  timer = setTimeout(look, Math.max(ms, started + GAP_MS - Date.now()));
}

/** Whether a preview is on the stage. */
export const isShown = () => showing;

/** Makes the next request even if nothing has changed. */
export function expire() {
  asked = '';
}

function possible() {
  if (!settings.isBuiltIn()) return false;
  const task = request.task();
  if (!task.plan && task.instruction.trim() === '') return false;
  return settings.kind() !== 'image_edit' || request.inputs().length > 0;
}

async function look() {
  if (!possible()) return forget();
  const kind = settings.kind();
  const pictures = request.previewed();
  const key = JSON.stringify([kind, request.task(), pictures.map(({ id, url, address }) => [id, url, address]), settings.fields(), settings.format()]);
  if (key === asked) return undefined;
  asked = key;
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  again = false;
  started = Date.now();
  const slow = setTimeout(() => viewer.previewing(true), SLOW_MS);
  await (kind === 'video' ? film(mine) : picture(mine, pictures)).catch((error) => { if (error.name !== 'AbortError') console.warn(error); });
  clearTimeout(slow);
  if (asking !== mine) return undefined;
  asking = null;
  viewer.previewing(false);
  if (again) soon({ ms: 0 });
  return undefined;
}

async function picture(mine, pictures) {
  const task = request.task();
  const shape = request.shape();
  // A changed plan stays as it is, unless the settings ask for another shape.
  const isNew = !plan.changed() || !plan.fits(shape);
  const body = { ...task, ...settings.format(), model: settings.model().id, ...(pictures.length > 0 ? await inputs(pictures) : {}) };
  if (asking !== mine) return;
  const { status, answer, seconds } = await post('/api/preview', body, mine.signal);
  if (asking !== mine) return;
  if (answer?.image) {
    clear();
    if (isNew) plan.heard(answer.plan, shape, pictures.length > 0);
    plan.tell(answer.plan.words ?? [], !answer.image.startsWith('data:image/jpeg'));
    present(answer, pictures, isNew);
  } else {
    refused(status, answer, seconds);
  }
}

function present(answer, pictures, isNew) {
  if (isNew) steps.draw();
  else steps.refresh();
  $('plan-size').textContent = `Full size ${answer.width.toLocaleString('en')} × ${answer.height.toLocaleString('en')} px`;
  // How the result is saved is the last sentence, and no step.
  const saving = answer.plan.output ? answer.plan.words.slice(-1).map((words) => `${capital(words)}.`) : [];
  notes([...saving, ...(answer.warnings ?? []).map(problems.warned)]);
  assumed(answer.plan);
  showing = shown({ answer, original: pictures[0] ?? null });
}

/** Videos have no preview, but a plan that can be read before the run. */
async function film(mine) {
  const { duration_seconds: seconds } = settings.fields();
  const body = { kind: 'video', ...request.task(), pictures: request.inputs().length, duration_seconds: seconds };
  const { status, answer, seconds: rest } = await post('/api/plan', body, mine.signal);
  if (asking !== mine) return;
  if (!answer?.plan) return refused(status, answer, rest);
  clear();
  leave();
  plan.clear();
  steps.draw();
  $('foreseen').replaceChildren(...answer.plan.words.map((words) => make('li', { textContent: capital(words) })));
  show($('foreseen'), true);
  assumed(answer.plan);
}

/** Posts JSON. `status` is 0 if the connection was lost. */
async function post(path, body, signal) {
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    lostS = LOST_S;
    return { status: response.status, answer: parsed(text), seconds: Number(response.headers.get('retry-after') ?? 2) };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    lostS *= 2;
    return { status: 0, answer: null, seconds: lostS };
  }
}

/** `text` as JSON, or null: a proxy may answer with a page. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refused(status, answer, seconds) {
  if (status === 0 || status === 429 || status === 503) {
    notes([status === 0 ? 'Connection lost. Trying again…' : 'Previews are paused for a moment.']);
    asked = '';
    clearTimeout(afterwards);
    afterwards = setTimeout(look, Math.min(BUSY_MS_MAX, 1_000 * seconds));
    return;
  }
  if (status === 401 || status === 404) return forget();
  const key = asked;
  const why = answer?.refusal ?? answer?.error;
  if (!why) return;
  clearTimeout(afterwards);
  afterwards = setTimeout(async () => {
    const planned = why.kind ? {} : await reason();
    if (asked !== key) return;
    if (planned.plan && reread !== key) {
      reread = key;
      asked = '';
      look();
      return;
    }
    withdraw();
    refusal.explain({ ...why, ...planned.refusal });
  }, plan.changed() ? 0 : REFUSED_MS);
}

/** The kind of a refusal, and an instruction that works instead; or a plan, if a language model reads
 *  the prompt. Previews know that from then on. */
async function reason() {
  const task = request.task();
  if (task.plan) return {};
  reading = new AbortController();
  const { answer } = await post('/api/plan', { ...task, pictures: request.previewed().length }, reading.signal).catch(() => ({}));
  return answer ?? {};
}

function notes(sentences) {
  $('plan-notes').replaceChildren(...sentences.map((textContent) => make('li', { textContent })));
  show($('plan-notes'), sentences.length > 0);
}

function assumed({ assumed: found = [] }) {
  $('assumed-list').replaceChildren(...found.map((words) => make('li', { textContent: `${capital(words)}.` })));
  show($('assumed'), found.length > 0);
}

const capital = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

function clear() {
  show($('assumed'), false);
  refusal.hide();
  show($('foreseen'), false);
  notes([]);
}

/** Removes what no longer applies from the page. */
function withdraw() {
  clear();
  if (!settings.isBuiltIn()) plan.follow();
  if (!plan.changed()) {
    plan.clear();
    steps.draw();
  }
  leave();
}

/** Takes the preview off the stage. */
function leave() {
  if (!showing) return;
  showing = false;
  ended();
}

function forget() {
  clearTimeout(timer);
  clearTimeout(afterwards);
  asked = '';
  asking?.abort();
  asking = null;
  withdraw();
}

/** Prepares for a run: nothing changes on the stage until it has ended. */
export function pause() {
  clearTimeout(timer);
  clearTimeout(afterwards);
  if (asking) asked = '';
  asking?.abort();
  asking = null;
  showing = false;
  if (lostS > LOST_S) notes([]);
}
