// The studio. This module connects the others: inputs and prompt, run, result, next edit.

import { $, counted, facts, make, say, show } from './dom.js';
import * as foresee from './foresee.js';
import * as instruction from './instruction.js';
import * as pictures from './pictures.js';
import * as result from './result.js';
import * as runner from './runner.js';
import * as settings from './settings.js';
import * as several from './several.js';
import { find, keep, sweepPictures } from './shelf.js';
import * as versions from './versions.js';
import * as viewer from './viewer.js';

const VERBS = { image_edit: 'Edit', text_to_image: 'Create', video: 'Create video' };
const NOUNS = { image_edit: 'change', text_to_image: 'image', video: 'video' };
const KEEP_AFTER_MS = 300;
/** Request fields, and the elements that show their errors. */
const PLACES = { instruction: 'instruction', prompt: 'instruction', model: 'model', aspectRatio: 'ratio',
  quality: 'quality', duration_seconds: 'duration', size: 'size', negative_prompt: 'negative' };

/** Nothing is saved until the earlier draft has been restored. */
let restored = false;
let version = null;
let running = false;
let available = facts.available;

async function begin() {
  viewer.begin();
  pictures.begin(picturesChanged);
  settings.begin(settingsChanged);
  several.begin(price);
  instruction.begin(keepSoon);
  instruction.suit(settings.kind());
  $('composer').addEventListener('submit', submit);
  $('sample').addEventListener('click', takeSample);
  $('again').addEventListener('click', editResult);
  $('copy').addEventListener('click', () => result.copy(version).catch(() => say('Your browser blocked copying.')));
  $('join')?.addEventListener('click', join);
  window.addEventListener('pagehide', keepDraft);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) $('composer').requestSubmit();
  });
  await versions.begin(look);
  await restore();
  restored = true;
  settingsChanged();
  const runs = facts.account ? await runner.unseen() : [];
  sweepPictures((id) => pictures.all().some((picture) => picture.id === id)).catch(() => {});
  if (runs.length > 0) await carry(runs, 'Resuming your last run…');
}

/** Restores the draft, or the generation that the URL names. */
async function restore() {
  const asked = new URLSearchParams(location.search).get('from');
  if (asked && facts.account && await restoreFrom(asked)) return;
  const draft = await find('draft', 'draft').catch(() => null);
  // Images added while the draft was loading take precedence.
  if (!draft || pictures.all().length > 0) return;
  settings.restore(draft.kind, draft.fields);
  instruction.set(draft.words);
  await pictures.restore(draft.pictures);
}

/** A URL that can be used again, or null if the record has only part of it. */
const whole = (address) => (address?.endsWith('…') ? null : address);

/** Restores the settings of an earlier generation. */
async function restoreFrom(uuid) {
  const response = await fetch(`/api/generations/${encodeURIComponent(uuid)}`).catch(() => null);
  const before = await response?.json().catch(() => null);
  if (!before || !response.ok) return false;
  settings.restore(before.kind, { ...before.request, model: before.model });
  instruction.set(before.instruction);
  const again = new URLSearchParams(location.search).get('use') === 'result';
  let lost = 0;
  if (again && before.stored_images[0]) {
    settings.restore('image_edit', { model: before.model });
    instruction.set('');
    pictures.replaceWith(before.stored_images[0], 'Result');
  } else if (versions.byUuid(uuid)) {
    lost = await pictures.restore(versions.byUuid(uuid).inputs);
  } else if (before.request?.pictures) {
    lost = await pictures.restore(before.request.pictures.map((address, index) => ({ address: whole(address), name: `Image ${index + 1}` })));
  }
  if (lost > 0) alertWith(`We don’t keep uploads, and this browser no longer has the original photo${lost > 1 ? 's. Add them' : '. Add it'} again.`);
  history.replaceState(null, '', '/');
  return true;
}

let keeping = 0;

function keepSoon() {
  foresee.soon(foreseen);
  clearTimeout(keeping);
  keeping = setTimeout(keepDraft, KEEP_AFTER_MS);
}

/** The run as it is set up now, for a preview by the built-in editor. */
function foreseen() {
  const kind = settings.kind();
  const { aspectRatio, size } = settings.fields();
  const count = kind === 'text_to_image' ? 0 : pictures.all().length;
  const body = { instruction: instruction.text(), pictures: count, aspectRatio, size };
  return { kind, provider: settings.model().providers[0], body };
}

function keepDraft() {
  clearTimeout(keeping);
  if (!restored) return undefined;
  const draft = { kind: settings.kind(), fields: settings.fields(), words: instruction.text(), pictures: pictures.named() };
  return keep('draft', 'draft', draft).catch(() => {});
}

/** Saves the draft before leaving the page to sign up. */
async function join(event) {
  event.preventDefault();
  await pictures.kept();
  await keepDraft();
  location.href = $('join').href;
}

function picturesChanged() {
  version = null;
  several.clear();
  several.suit(pictures.all().length);
  result.dismiss();
  versions.point(null);
  showInput();
  // Save images immediately; only typing needs a delay.
  if (!keepDraft()) keepSoon();
}

function settingsChanged() {
  const kind = settings.kind();
  instruction.suit(kind);
  several.suit(pictures.all().length);
  pictures.limit(kind === 'text_to_image' ? 0 : settings.model().max_input_images);
  if (!version) showInput();
  price();
  keepSoon();
}

function showInput() {
  const [first] = settings.kind() === 'text_to_image' ? [] : pictures.all();
  show($('drop'), !first && settings.kind() !== 'text_to_image');
  show($('making'), !first && settings.kind() === 'text_to_image');
  if (first) viewer.showPicture(first.preview, first.name).catch(() => viewer.clear());
  else viewer.clear();
}

function price() {
  const cost = several.price();
  const count = several.models().length;
  const words = $('run-words');
  if (words) {
    const verb = VERBS[settings.kind()] + (count > 1 ? ` with ${count} models` : '');
    words.replaceChildren(`${verb} `, make('span', { className: 'price', textContent: `· ${counted(cost, 'credit')}` }));
    const enough = available >= cost;
    $('after-run').textContent = enough
      ? `${counted(available, 'credit')} · ${(available - cost).toLocaleString('en')} left after this`
      : `Not enough credits: this costs ${cost} and you have ${available}. `;
    if (!enough) $('after-run').append(make('a', { href: '/plans', textContent: 'See plans' }));
    $('run').setAttribute('aria-disabled', String(running));
  } else {
    $('after-run').textContent = `Costs ${counted(cost, 'credit')}.`;
  }
}

async function takeSample() {
  const address = new URL('coffee.jpg', import.meta.url);
  const blob = await (await fetch(address)).blob();
  pictures.add([new File([blob], 'coffee.jpg', { type: 'image/jpeg' })]);
}

function submit(event) {
  event.preventDefault();
  if (running || !facts.account) return;
  clearErrors();
  const kind = settings.kind();
  const words = instruction.text();
  if (words.trim() === '') return complain('instruction', `Describe the ${NOUNS[kind]} you want.`);
  if (instruction.length() > facts.chars_max) {
    return complain('instruction', `Too long: ${instruction.length()} of ${facts.chars_max} characters.`);
  }
  const inputs = kind === 'text_to_image' ? [] : pictures.all();
  if (kind === 'image_edit' && inputs.length === 0) {
    alertWith('Add a photo first, or switch to Create.');
    $('file').focus();
    return undefined;
  }
  const models = several.models();
  if (models.length > 1 && several.price() > available) {
    return alertWith(`These runs cost ${counted(several.price(), 'credit')} in total; you have ${available}.`);
  }
  instruction.remember(words);
  const runs = models.map(({ id: model }) => {
    const fields = { instruction: words, ...settings.fields(), model };
    return runner.plan({ kind, fields, inputs: inputs.length > 0 ? pictures.named() : [], parent: parentOf(inputs) });
  });
  return carry(runs, 'Uploading…');
}

/** The version whose result the first input is. */
function parentOf([first]) {
  return first?.address ? versions.ofAddress(first.address)?.uuid ?? null : null;
}

/** Carries out runs in parallel and shows the first result. */
async function carry(runs, words) {
  running = true;
  price();
  const clock = setInterval(() => { $('clock').textContent = elapsed(runs[0]); }, 250);
  $('clock').textContent = elapsed(runs[0]);
  const tell = (state) => { viewer.busy(true, state); say(state); };
  tell(words);
  // Save the inputs first, so that a reload can resume the runs.
  await Promise.all([pictures.kept(), keepDraft()]);
  const race = several.race(runs, look);
  const ends = await Promise.all(runs.map((run, index) => carryOne(run, tell)
    .then((made) => { race.done(index, made); return { made }; }, (error) => { race.failed(index, error.message); return { error }; })));
  clearInterval(clock);
  viewer.busy(false);
  running = false;
  const first = ends.find(({ made }) => made)?.made;
  if (first) await finish(first);
  else refuse(ends[0].error);
  if (!version) showInput();
  price();
}

const elapsed = (run) => `${Math.max(0, Math.round((Date.now() - run.began) / 1000))} s`;

/** Carries out one run and stores its result as a version. */
async function carryOne(run, tell) {
  const answer = await runner.carry(run, tell);
  const { generation } = answer;
  const address = generation.stored_images[0] ?? generation.stored_videos[0];
  const made = { uuid: generation.uuid, parent: run.parent, kind: run.kind, fields: run.fields, inputs: run.inputs, address,
    at: Date.parse(generation.created_at), cost: answer.cost, warnings: answer.warnings, plan: generation.plan,
    provider: generation.provider, model: generation.model, seconds: seconds(generation) };
  await versions.add(made);
  return made;
}

async function finish(made) {
  await refreshBalance();
  await look(made);
  say(`Done. Used ${counted(made.cost, 'credit')}; ${available} left.`);
}

const seconds = ({ created_at: from, completed_at: to }) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10;

async function refreshBalance() {
  const response = await fetch('/api/credits').catch(() => null);
  if (!response?.ok) return;
  available = (await response.json()).available;
  for (const element of document.querySelectorAll('[data-balance]')) element.textContent = available.toLocaleString('en');
}

async function look(chosen) {
  version = chosen;
  versions.point(chosen);
  several.point(chosen);
  show($('drop'), false);
  show($('making'), false);
  await result.present(chosen);
}

/** Makes the result the input of the next edit. All versions stay in the tree. */
function editResult() {
  const from = version;
  if (settings.kind() !== 'image_edit') settings.restore('image_edit', {});
  pictures.replaceWith(from.address, `Result of “${from.fields.instruction}”`);
  versions.point(from);
  instruction.set('');
  $('instruction').focus();
  say('You are now editing the result. What next?');
}

function refuse(error) {
  const index = /^imageUrls\[(\d+)\]$/.exec(error.param ?? '');
  const message = error.message.replace(/^`[^` ]*`: /, '');
  if (index && pictures.blame(Number(index[1]), message)) return alertWith(message);
  const place = PLACES[error.param];
  if (place) return complain(place, message);
  if (error.code === 'instruction_not_supported' || error.code === 'content_refused') return complain('instruction', message);
  if (error.status === 401) return alertWith('You’ve been signed out. Sign in and we’ll finish this edit.');
  if (!error.status && !(error instanceof runner.RunError)) console.error(error);
  return alertWith(message);
}

function complain(place, message) {
  $(`${place}-wrong`).textContent = message;
  $(place).setAttribute('aria-invalid', 'true');
  if (place === 'size' || place === 'negative') $('more').open = true;
  $(place).focus();
  say(message);
}

function alertWith(message) {
  $('alert').textContent = message;
  show($('alert'), true);
  $('alert').scrollIntoView({ block: 'nearest' });
}

function clearErrors() {
  show($('alert'), false);
  for (const place of Object.values(PLACES)) {
    $(`${place}-wrong`).textContent = '';
    $(place).removeAttribute('aria-invalid');
  }
}

begin();
