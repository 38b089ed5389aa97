// The studio. This module connects the others: inputs and prompt, preview, run, result, next edit.

import { $, counted, facts, make, say, show } from './dom.js';
import * as batch from './batch.js';
import * as foresee from './foresee.js';
import * as instruction from './instruction.js';
import * as pictures from './pictures.js';
import * as plan from './plan.js';
import * as problems from './problems.js';
import * as refusal from './refusal.js';
import * as repeat from './repeat.js';
import * as request from './request.js';
import * as runner from './runner.js';
import * as settings from './settings.js';
import * as several from './several.js';
import { find, keep, sweepPictures } from './shelf.js';
import * as stage from './stage.js';
import * as steps from './steps.js';
import * as versions from './versions.js';
import * as viewer from './viewer.js';

const VERBS = { image_edit: 'Edit', text_to_image: 'Create', video: 'Create video' };
const NOUNS = { image_edit: 'change', text_to_image: 'image', video: 'video' };
const KEEP_AFTER_MS = 300;

/** Nothing is saved until the earlier draft has been restored. */
let restored = false;
/** Until it is known what the stage shows, it stays as the server made it. */
let settled = false;
let version = null;
let running = false;
/** A second click must not start a second run. */
let submitting = false;
/** Whether a chosen result stays on the stage until something changes. */
let resting = false;
let available = facts.available;

async function begin() {
  viewer.begin();
  pictures.begin(picturesChanged, { look: lookAt });
  stage.begin({ look, start: walked });
  settings.begin(settingsChanged);
  several.begin(price);
  instruction.begin(wordsChanged);
  instruction.suit(settings.kind());
  steps.begin();
  plan.begin(planChanged, instruction.text);
  foresee.begin({ whenShown: preview, whenEnded: showInput });
  refusal.begin((words) => { instruction.set(words); $('instruction').focus(); });
  listen();
  await versions.begin();
  const isNamed = await restore();
  restored = true;
  settingsChanged();
  const runs = facts.account ? await runner.unseen() : [];
  const last = isNamed || runs.length > 0 ? null : await stage.last(pictures.all().length > 0);
  settled = true;
  if (last) {
    await look(last);
    foresee.soon();
  } else {
    pictures.draw();
    // On a busy device, the preview may have been quicker.
    stage.showInput(settings.kind(), pictures.all(), { isCovered: foresee.isShown() });
  }
  await batch.begin({ request: batchRequest, paid: refreshBalance, begun: price });
  price();
  sweepPictures((id) => pictures.all().some((picture) => picture.id === id)).catch(() => {});
  if (runs.length > 0) await carry(runs, 'Resuming your last run…');
}

function listen() {
  $('composer').addEventListener('submit', submit);
  $('sample').addEventListener('click', takeSample);
  $('again').addEventListener('click', editResult);
  $('follow').addEventListener('click', followPrompt);
  $('join')?.addEventListener('click', join);
  window.addEventListener('pagehide', keepDraft);
  // Credits may have been added or used elsewhere.
  if (facts.account) document.addEventListener('visibilitychange', () => document.hidden || refreshBalance());
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || $('repeat').open) return;
    if (facts.account) $('composer').requestSubmit();
    else $('join')?.click();
  });
}

/** Restores the draft, or the generation that the URL names. Returns whether the URL names one. */
async function restore() {
  const asked = new URLSearchParams(location.search).get('from');
  if (asked && facts.account && await restoreFrom(asked)) return true;
  const draft = await find('draft', 'draft').catch(() => null);
  // Images added while the draft was loading take precedence.
  if (!draft || pictures.all().length > 0) return false;
  settings.restore(draft.kind, draft.fields);
  instruction.set(draft.words);
  const lost = await pictures.restore(draft.pictures);
  plan.restore(draft.plan);
  // The page may have been left before they were stored.
  if (lost > 0 && draft.kind !== 'text_to_image') problems.alert(`This browser no longer has your photo${again(lost)}`);
  return false;
}

const again = (count) => (count > 1 ? 's. Add them again.' : '. Add it again.');

/** A URL that can be used again, or null if the record has only part of it. */
const whole = (address) => (address?.endsWith('…') ? null : address);

/** Restores the settings of an earlier generation. */
async function restoreFrom(uuid) {
  const response = await fetch(`/api/generations/${encodeURIComponent(uuid)}`).catch(() => null);
  const before = await response?.json().catch(() => null);
  if (!before || !response.ok) return false;
  settings.restore(before.kind, { ...before.request, model: before.model });
  instruction.set(before.instruction);
  const isNext = new URLSearchParams(location.search).get('use') === 'result';
  let lost = 0;
  if (isNext && before.stored_images[0]) {
    settings.restore('image_edit', { model: before.model });
    instruction.set('');
    if (!versions.byUuid(uuid)) await versions.add(versions.ofGeneration(before));
    pictures.replaceWith(before.stored_images[0], 'Result');
  } else if (versions.byUuid(uuid)) {
    lost = await pictures.restore(versions.byUuid(uuid).inputs);
  } else if (before.request?.pictures) {
    lost = await pictures.restore(before.request.pictures.map((address, index) => ({ address: whole(address), name: `Image ${index + 1}` })));
  }
  if (lost > 0) problems.alert(`We don’t keep uploads, and this browser no longer has the original photo${again(lost)}`);
  history.replaceState(null, '', '/');
  return true;
}

let keeping = 0;

function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(keepDraft, KEEP_AFTER_MS);
}

function keepDraft() {
  clearTimeout(keeping);
  if (!restored) return undefined;
  const draft = { kind: settings.kind(), fields: settings.saved(), words: instruction.text(), pictures: pictures.named(), plan: plan.saved() };
  return keep('draft', 'draft', draft).catch(() => {});
}

/** Saves the draft before leaving the page to sign up. */
async function join(event) {
  event.preventDefault();
  await pictures.kept();
  await keepDraft();
  location.href = $('join').href;
}

/** A chosen result makes room for the preview of what the user changes. */
function stir() {
  if (resting && restored) stage.changed();
  resting = false;
}

function wordsChanged() {
  stir();
  // It was about other words, and would keep these from being run.
  if (refusal.shown()) {
    refusal.hide();
    foresee.expire();
  }
  problems.clear();
  plan.follow();
  steps.refresh();
  keepSoon();
  foresee.soon();
}

function planChanged({ isNewShape }) {
  stir();
  problems.clear();
  if (isNewShape) steps.draw();
  else steps.refresh();
  keepSoon();
  foresee.soon({ ms: 0, isLive: true });
}

/** Makes the prompt count again, after changes by hand. */
function followPrompt() {
  plan.follow();
  plan.clear();
  steps.draw();
  foresee.expire();
  foresee.soon();
  $('instruction').focus();
  say('The steps follow the prompt again.');
}

/** Shows what a run would give, unless a result is on the stage. */
function preview({ answer, original }) {
  if (running || resting) return false;
  version = null;
  several.clear();
  show($('drop'), false);
  show($('making'), false);
  const words = `Preview of: ${plan.words()}`;
  const from = original?.preview ? pictures.image(original) : null;
  viewer.showPreview(answer.image, { original: from, width: answer.width, height: answer.height, plan: answer.plan, words }).catch(() => {});
  return true;
}

function picturesChanged() {
  version = null;
  resting = false;
  problems.clear();
  several.clear();
  several.suit(pictures.all().length);
  if (restored || pictures.all().some(({ kept }) => kept)) stage.changed();
  foresee.expire();
  showInput();
  price();
  foresee.soon({ ms: 0 });
  // Save images immediately; only typing needs a delay.
  if (!keepDraft()) keepSoon();
}

function settingsChanged(what) {
  const kind = settings.kind();
  if (what) {
    problems.clear();
    stir();
  }
  // The size of a created image is part of its first step.
  if (what === 'kind' || (kind === 'text_to_image' && ['ratio', 'size'].includes(what))) plan.follow();
  if (what === 'kind') {
    version = null;
    plan.clear();
    steps.draw();
  }
  instruction.suit(kind);
  several.suit(pictures.all().length);
  pictures.limit({ image_edit: pictures.COUNT_MAX, text_to_image: 0 }[kind] ?? settings.model().max_input_images);
  if (!version && !foresee.isShown()) showInput();
  price();
  keepSoon();
  foresee.soon();
}

function showInput() {
  if (settled) stage.showInput(settings.kind(), pictures.all());
}

/** The tree has changed the inputs; `chosen` is the version that is shown, or null. */
function walked(chosen) {
  version = chosen;
  if (settings.kind() !== 'image_edit') settings.restore('image_edit', {});
  several.suit(pictures.all().length);
  keepDraft();
  price();
}

/** The request of a batch, or null after saying what it lacks. Each result has the format and the name
 *  of its own image. */
async function batchRequest() {
  problems.clear();
  const named = pictures.named();
  const cost = settings.price();
  if (isUnready() || await isTooMuch(cost * named.length)) return null;
  const images = pictures.usable().map((picture, index) => ({ input: named[index], fields: request.current(settings.model(), [picture]).fields }));
  const { kind, words } = request.current();
  if (instruction.text().trim() !== '') instruction.remember(instruction.text());
  return { kind, words, cost, isBuiltIn: settings.isBuiltIn(), images };
}

/** Shows one of the inputs. Where each is edited alone, its preview follows. */
function lookAt(picture) {
  resting = false;
  stage.lookAt(picture);
  if (request.isEach() && !resting) foresee.soon({ ms: 0 });
}

/** What the button does, and what it costs. */
function offered() {
  if (request.isEach()) return { verb: `Edit all ${request.inputs().length}`, cost: settings.price() * request.inputs().length };
  const count = several.models().length;
  const isSaving = settings.isBuiltIn() && settings.kind() !== 'video' && count === 1;
  const verb = isSaving ? 'Save full size' : VERBS[settings.kind()] + (count > 1 ? ` with ${count} models` : '');
  return { verb, cost: several.price(), isSaving };
}

function price() {
  const { verb, cost, isSaving } = offered();
  batch.draw({ kind: settings.kind(), cost: settings.price(), isOnly: request.isEach(), balance: available ?? 0 });
  if (!$('run')) return;
  $('run-words').replaceChildren(`${verb} `, make('span', { className: 'price', textContent: `· ${counted(cost, 'credit')}` }));
  const keys = [make('kbd', { textContent: /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter' })];
  const isEnough = available >= cost;
  $('after-run').replaceChildren(...(isEnough
    ? [isSaving ? 'Previews are free · ' : '', `${counted(available, 'credit')} left`, ...keys]
    : [`You have ${counted(available, 'credit')}. `, make('a', { href: '/plans', textContent: facts.can_pay ? 'See plans' : 'Ask for credits' })]));
  $('run').setAttribute('aria-disabled', String(running || (request.isEach() && batch.isOn())));
}

async function takeSample() {
  const address = new URL('coffee.jpg', import.meta.url);
  const blob = await (await fetch(address)).blob();
  pictures.add([new File([blob], 'coffee.jpg', { type: 'image/jpeg' })]);
  // The button is gone. On phones, the keyboard would cover the photo.
  if (matchMedia('(pointer: coarse)').matches) $('frame').focus({ preventScroll: true });
  else $('instruction').focus();
}

/** Whether it is not clear what to do. Says so. */
function isUnready() {
  const { fields } = request.current();
  if (fields.plan?.steps.length === 0) return problems.alert('Every step is switched off. Switch one on, or change the prompt.');
  if (fields.plan) return false;
  if (fields.instruction.trim() === '') return problems.complain('instruction', `Describe the ${NOUNS[settings.kind()]} you want.`);
  if (instruction.length() > facts.chars_max) {
    return problems.complain('instruction', `Too long: ${instruction.length()} of ${facts.chars_max} characters.`);
  }
  // The reason is on the page already, and the service would say the same.
  if (!refusal.shown() || !settings.isBuiltIn()) return false;
  $('refusal').scrollIntoView({ block: 'nearest' });
  $('instruction').focus({ preventScroll: true });
  return true;
}

/** What keeps the current settings from being run: shows it and returns true. */
async function isHindered(inputs) {
  if (settings.kind() === 'image_edit' && inputs.length === 0) {
    problems.alert('Add a photo first, or switch to Create.');
    $('file').focus();
    return true;
  }
  return isUnready() || isTooMuch(several.price());
}

/** Whether it costs more than there is, even if credits have been added since. Says so. */
async function isTooMuch(cost) {
  if (cost <= available) return false;
  await refreshBalance();
  return cost > available && problems.alert(`This costs ${counted(cost, 'credit')}; you have ${available.toLocaleString('en')}.`);
}

async function submit(event) {
  event.preventDefault();
  if (running || submitting || !facts.account) return;
  submitting = true;
  const runs = await (request.isEach() ? batch.start() : prepared()).finally(() => { submitting = false; });
  if (runs) await carry(runs, 'Uploading…');
}

/** The runs that the user asks for, or null after saying why there are none. */
async function prepared() {
  problems.clear();
  const inputs = request.inputs();
  if (await isHindered(inputs)) return null;
  const runs = several.models().map((model) => {
    const { kind, fields, words } = request.current(model);
    return { ...runner.plan({ kind, fields, inputs: inputs.length > 0 ? pictures.named() : [], parent: parentOf(inputs) }), words };
  });
  const [made] = runs.length === 1 && settings.isBuiltIn() ? await repeat.made(runs) : [];
  if (made) {
    const chosen = await repeat.ask(settings.price());
    if (chosen === 'show') await look(made);
    if (chosen !== 'run') return null;
  }
  if (instruction.text().trim() !== '') instruction.remember(instruction.text());
  return runs;
}

/** The version whose result the first input is. */
function parentOf([first]) {
  return first?.address ? versions.ofAddress(first.address)?.uuid ?? null : null;
}

/** Carries out runs in parallel and shows the first result. */
async function carry(runs, words) {
  running = true;
  foresee.pause();
  price();
  const clock = setInterval(() => { $('clock').textContent = elapsed(runs[0]); }, 250);
  $('clock').textContent = elapsed(runs[0]);
  const tell = cancelable(runs);
  tell(words);
  // Save the inputs first, so that a reload can resume the runs.
  await Promise.all([pictures.kept(), keepDraft()]);
  const race = several.race(runs, look);
  const ends = await Promise.all(runs.map((run, index) => carryOne(run, tell)
    .then((made) => { race.done(index, made); return { made }; }, (error) => { race.failed(index, error.message); return { error }; })));
  clearInterval(clock);
  const isAtCancel = document.activeElement === $('working-cancel');
  viewer.busy(false);
  running = false;
  const first = ends.find(({ made }) => made)?.made;
  if (first) await finish(first);
  else failed(ends.map(({ error }) => error));
  if (!version && !foresee.isShown()) showInput();
  price();
  if (isAtCancel && document.activeElement === document.body) $('run').focus({ preventScroll: true });
}

/** Shows the progress of runs with a button that cancels all of them. Returns a function that tells
 *  their state. */
function cancelable(runs) {
  let last = '';
  let isCanceling = false;
  const tell = (state) => {
    last = state;
    viewer.busy(true, isCanceling ? 'Canceling…' : state, cancel);
    // A percentage changes too often to be read out.
    if (!isCanceling && !state.includes('%')) say(state);
  };
  async function cancel() {
    if (isCanceling) return;
    isCanceling = true;
    say('Canceling…');
    tell(last);
    const stopped = await Promise.all(runs.map(({ key }) => runner.cancel(key)));
    isCanceling = false;
    if (!running || stopped.every(Boolean)) return;
    problems.note('It’s too late to cancel. You’re charged only if there’s a result.');
    tell(last);
  }
  return tell;
}

function failed(errors) {
  const error = errors.find(({ code }) => code !== runner.CANCELED);
  if (error) problems.refuse(error);
  else problems.note('Canceled. Nothing was charged.');
  foresee.expire();
  foresee.soon();
}

const elapsed = (run) => `${Math.max(0, Math.round((Date.now() - run.began) / 1000))} s`;

/** Carries out one run and stores its result as a version. */
async function carryOne(run, tell) {
  const answer = await runner.carry(run, tell);
  const made = versions.made(run, answer);
  await versions.add(made);
  return made;
}

async function finish(made) {
  problems.clear();
  await refreshBalance();
  await look(made);
  stage.arrive();
  say(`Done. Used ${counted(made.cost, 'credit')}; ${available} left.`);
}

async function refreshBalance() {
  const response = await fetch('/api/credits').catch(() => null);
  if (!response?.ok) return;
  available = (await response.json()).available;
  for (const element of document.querySelectorAll('[data-balance]')) element.textContent = available.toLocaleString('en');
  price();
}

async function look(chosen) {
  version = chosen;
  resting = true;
  foresee.pause();
  several.point(chosen);
  await stage.look(chosen);
}

/** Makes the result the input of the next edit. All versions stay in the tree. */
function editResult() {
  const from = version;
  if (settings.kind() !== 'image_edit') settings.restore('image_edit', {});
  plan.follow();
  instruction.set('');
  pictures.replaceWith(from.address, `Result of “${versions.words(from)}”`);
  $('instruction').focus();
  say('You are now editing the result. What next?');
}

begin();
