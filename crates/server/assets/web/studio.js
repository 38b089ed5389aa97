// The studio: pictures and words in, a run, a result, and on from there. This module ties the
// others together; each of them answers one question.

import { $, counted, facts, make, say, show } from './dom.js';
import * as instruction from './instruction.js';
import * as pictures from './pictures.js';
import * as result from './result.js';
import * as runner from './runner.js';
import * as settings from './settings.js';
import { find, keep } from './shelf.js';
import * as versions from './versions.js';
import * as viewer from './viewer.js';

const VERBS = { image_edit: 'Edit', text_to_image: 'Create', video: 'Make the video' };
const KEEP_AFTER_MS = 300;
/** Fields of the request, and where their messages stand. */
const PLACES = { instruction: 'instruction', prompt: 'instruction', model: 'model', aspectRatio: 'ratio',
  quality: 'quality', duration_seconds: 'duration', size: 'size', negative_prompt: 'negative' };

/** Nothing is kept before what was kept has been put back. */
let restored = false;
let version = null;
let running = false;
let available = facts.available;

async function begin() {
  viewer.begin();
  pictures.begin(picturesChanged);
  settings.begin(settingsChanged);
  instruction.begin(keepSoon);
  instruction.suit(settings.kind());
  $('composer').addEventListener('submit', submit);
  $('sample').addEventListener('click', takeSample);
  $('again').addEventListener('click', editResult);
  $('copy').addEventListener('click', () => result.copy(version).catch(() => say('Copying was not allowed.')));
  $('join')?.addEventListener('click', join);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) $('composer').requestSubmit();
  });
  await restore();
  restored = true;
  await versions.begin(look);
  settingsChanged();
  if (facts.account) await goOn();
}

/** Puts back what an earlier visit prepared, or what the address asks for. */
async function restore() {
  const asked = new URLSearchParams(location.search).get('from');
  if (asked && facts.account && await restoreFrom(asked)) return;
  const draft = await find('draft', 'draft').catch(() => null);
  if (!draft) return;
  settings.restore(draft.kind, draft.fields);
  instruction.set(draft.words);
  pictures.restore(draft.pictures);
}

/** All settings of an earlier generation. */
async function restoreFrom(uuid) {
  const response = await fetch(`/api/generations/${encodeURIComponent(uuid)}`).catch(() => null);
  const before = await response?.json().catch(() => null);
  if (!before || !response.ok) return false;
  settings.restore(before.kind, { ...before.request, model: before.model });
  instruction.set(before.instruction);
  const again = new URLSearchParams(location.search).get('use') === 'result';
  if (again && before.stored_images[0]) {
    settings.restore('image_edit', { model: before.model });
    instruction.set('');
    pictures.replaceWith(before.stored_images[0], 'Result');
  } else if (before.request?.pictures) {
    pictures.restore(before.request.pictures.map((address, index) => ({ address, name: `Picture ${index + 1}` })).filter(({ address }) => address));
  }
  history.replaceState(null, '', '/');
  return true;
}

/** Runs whose answers were not seen before the page was left. */
async function goOn() {
  const [run] = await runner.unseen();
  if (run) await carry(run, 'Picking up the run that was under way');
}

let keeping = 0;

function keepSoon() {
  clearTimeout(keeping);
  if (!restored) return;
  keeping = setTimeout(keepDraft, KEEP_AFTER_MS);
}

function keepDraft() {
  clearTimeout(keeping);
  const draft = { kind: settings.kind(), fields: settings.fields(), words: instruction.text(), pictures: pictures.keepable() };
  return keep('draft', 'draft', draft).catch(() => {});
}

/** What was prepared is written down before the page is left for the account. */
async function join(event) {
  event.preventDefault();
  await keepDraft();
  location.href = $('join').href;
}

function picturesChanged() {
  version = null;
  result.dismiss();
  versions.point(null);
  showInput();
  keepSoon();
}

function settingsChanged() {
  const kind = settings.kind();
  instruction.suit(kind);
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
  const cost = settings.price();
  const words = $('run-words');
  if (words) {
    words.replaceChildren(`${VERBS[settings.kind()]} `, make('span', { className: 'price', textContent: `· ${counted(cost, 'credit')}` }));
    const enough = available >= cost;
    $('after-run').textContent = enough ? `You have ${available}; ${available - cost} stay.`
      : `You have ${counted(available, 'credit')}, which is not enough. `;
    if (!enough) $('after-run').append(make('a', { href: '/plans', textContent: 'See plans' }));
    $('run').setAttribute('aria-disabled', String(running));
  } else {
    $('after-run').textContent = `This takes ${counted(cost, 'credit')}.`;
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
  if (words.trim() === '') return complain('instruction', 'Say in a few words what you want.');
  if (instruction.length() > facts.chars_max) {
    return complain('instruction', `That is ${instruction.length()} characters; at most ${facts.chars_max} are possible.`);
  }
  const inputs = kind === 'text_to_image' ? [] : pictures.all();
  if (kind === 'image_edit' && inputs.length === 0) {
    alertWith('Choose a picture first, or create one out of words.');
    $('file').focus();
    return undefined;
  }
  instruction.remember(words);
  const run = runner.plan({ kind, fields: { instruction: words, ...settings.fields() },
    inputs: inputs.map(({ blob, address }) => blob ?? address), parent: parentOf(inputs) });
  run.names = inputs.map(({ name }) => name);
  return carry(run, 'Sending');
}

/** The version whose result the first input is. */
function parentOf([first]) {
  return first?.address ? versions.ofAddress(first.address)?.uuid ?? null : null;
}

async function carry(run, words) {
  running = true;
  price();
  const clock = setInterval(() => { $('clock').textContent = elapsed(run); }, 250);
  $('clock').textContent = elapsed(run);
  const tell = (state) => { viewer.busy(true, state); say(state); };
  tell(words);
  try {
    await seen(run, await runner.carry(run, tell));
  } catch (error) {
    refuse(error);
  } finally {
    clearInterval(clock);
    viewer.busy(false);
    running = false;
    if (!version) showInput();
    price();
  }
}

const elapsed = (run) => `${Math.max(0, Math.round((Date.now() - run.began) / 1000))} s`;

async function seen(run, answer) {
  const { generation } = answer;
  const address = generation.stored_images[0] ?? generation.stored_videos[0];
  const inputs = run.inputs.map((input, index) => typeof input === 'string' ? { address: input }
    : { blob: input, name: run.names[index] });
  version = { uuid: generation.uuid, parent: run.parent, kind: run.kind, fields: run.fields, inputs, address,
    at: Date.parse(generation.created_at), cost: answer.cost, warnings: answer.warnings, plan: generation.plan,
    provider: generation.provider, model: generation.model, seconds: seconds(generation) };
  show($('drop'), false);
  show($('making'), false);
  await versions.add(version);
  await result.present(version);
  await refreshBalance();
  say(`Done. ${counted(answer.cost, 'credit')}, ${available} left.`);
}

const seconds = ({ created_at: from, completed_at: to }) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10;

async function refreshBalance() {
  const response = await fetch('/api/credits').catch(() => null);
  if (!response?.ok) return;
  available = (await response.json()).available;
  for (const element of document.querySelectorAll('[data-balance]')) element.textContent = available;
}

function look(chosen) {
  version = chosen;
  versions.point(chosen);
  show($('drop'), false);
  show($('making'), false);
  result.present(chosen);
}

/** The result becomes the picture; everything that was made stays in the tree. */
function editResult() {
  const from = version;
  if (settings.kind() !== 'image_edit') settings.restore('image_edit', {});
  pictures.replaceWith(from.address, `Version of ${from.fields.instruction}`);
  versions.point(from);
  instruction.set('');
  $('instruction').focus();
  say('The result is your picture now. Say what should change next.');
}

function refuse(error) {
  const index = /^imageUrls\[(\d+)\]$/.exec(error.param ?? '');
  const message = error.message.replace(/^`[^` ]*`: /, '');
  if (index && pictures.blame(Number(index[1]), message)) return alertWith(message);
  const place = PLACES[error.param];
  if (place) return complain(place, message);
  if (error.code === 'instruction_not_supported' || error.code === 'content_refused') return complain('instruction', message);
  if (error.status === 401) return alertWith('You are signed out; sign in again and the run goes on.');
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
