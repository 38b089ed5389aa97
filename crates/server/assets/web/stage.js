// What the stage shows: an input, a version, or the drop zone; and the way back and forth in the tree.

import * as actions from './actions.js';
import { $, facts, say, show } from './dom.js';
import { inspect } from './files.js';
import * as pictures from './pictures.js';
import * as result from './result.js';
import { findPicture } from './shelf.js';
import * as strip from './strip.js';
import { fromService, thumbnail } from './thumbnails.js';
import * as tree from './tree.js';
import * as uploads from './uploads.js';
import * as versions from './versions.js';
import * as viewer from './viewer.js';

let acts = { look: () => {}, start: () => {} };
/** The cookie of `remember`, if it names a version. */
const KEPT = /\bstage=\d+\.[^;]/;
/** The version that is shown, or null. */
let shown = null;
/** The input that is looked at, if the user chose one. */
let looked = null;
/** The tree that was walked last, and the versions that redo goes to. */
let root = null;
let ahead = [];
/** A result of a batch, instead of its input. */
const resultOf = new Map();
/** Small copies of originals that are not among the inputs. */
const thumbs = new Map();

/** Sets up the stage. `look` is called to show a version, `start` after the tree has changed the
 *  inputs of the next edit; it gets the version that is shown, or null. */
export function begin(hooks) {
  acts = hooks;
  tree.begin({ look: (version) => { ahead = []; acts.look(version); }, original: () => { ahead = []; showOriginal(); } });
  actions.begin(drawTree);
  pictures.whenShown((picture) => {
    if (!shown && (looked ?? pictures.usable()[0]) === picture) showInput('image_edit', pictures.all());
  });
  $('undo').addEventListener('click', undo);
  $('redo').addEventListener('click', redo);
  document.addEventListener('keydown', keys);
}

/** The version that is shown, or null. */
export const current = () => shown;

/** The input that the user chose to look at, or null. */
export const lookedAt = () => (pictures.usable().includes(looked) ? looked : null);

/** Shows a version with what it was made from, and makes that the input of the next edit. */
export async function look(version) {
  shown = version;
  looked = null;
  root = version.root;
  await settle(version);
  hideDrop();
  strip.finish();
  drawTree();
  remember(version.uuid);
  await result.present(version);
  keepFocus();
  if (facts.account && await versions.learn(version) && shown === version) drawTree();
}

/** Shows the input that is looked at, the drop zone, or the invitation to create an image; with
 *  `isCovered`, below the preview that is there. */
export async function showInput(kind, all, { isCovered = false } = {}) {
  shown = null;
  const isText = kind === 'text_to_image';
  const usable = isText ? [] : all.filter(({ wrong }) => !wrong);
  const picture = usable.includes(looked) ? looked : usable[0];
  root = picture ? rootOf(picture) ?? null : root;
  result.dismiss();
  strip.point(picture ?? null);
  drawTree();
  if (isCovered) return undefined;
  if (!picture) viewer.clear();
  else hideDrop();
  show($('drop'), !picture && !isText);
  show($('making'), !picture && isText);
  if (!picture?.preview) return undefined;
  return viewer.showPicture(pictures.image(picture), picture.name).then(keepFocus, () => viewer.clear());
}

/** Shows one of the inputs, or what a batch made of it. */
export function lookAt(picture) {
  const made = resultOf.get(picture.id);
  if (made && shown?.uuid !== made.uuid) return acts.look(made).then(() => strip.point(picture));
  looked = picture;
  acts.start(null);
  return showInput('image_edit', pictures.all());
}

/** Remembers what a batch made of an input. */
export const setResult = (id, version) => resultOf.set(id, version);

/** Brings the result into view after a run, where it is off the screen. */
export function arrive() {
  ahead = [];
  const box = $('paper').getBoundingClientRect();
  const tools = $('tools').getBoundingClientRect();
  // On phones, the image stays at the top, and what to do with it may be behind it.
  const isSeen = box.top >= 0 && tools.top >= box.bottom && tools.top < window.innerHeight;
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  if (!isSeen) $('main').scrollIntoView({ block: 'start', behavior });
}

/** The version that was shown last, in this browser or on another device, or null. The server chose it by
 *  what `remember` stored. `hasDraft` says whether this browser has inputs of its own. */
export const last = (hasDraft) => (hasDraft && !KEPT.test(document.cookie) ? null : versions.last());

/** Called when the user has changed the inputs, the prompt or a step: from now on, a reload shows what
 *  these give, and not a version. */
export function changed() {
  shown = null;
  looked = null;
  ahead = [];
  strip.point(pictures.usable()[0] ?? null);
  remember(null);
  drawTree();
}

/** Stores what a reload shows: a version, unless a newer one was made elsewhere, or what this browser has. */
function remember(uuid) {
  const until = uuid || pictures.all().length === 0 ? Date.now() : Number.MAX_SAFE_INTEGER;
  document.cookie = `stage=${until}.${uuid ?? ''}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** The input of the next edit is what the version was made from, or the version itself. */
async function settle(version) {
  // Looking at what a batch made of one image keeps the others.
  if (version.isOfBatch && pictures.all().some(({ id }) => id === version.inputs[0]?.id)) return;
  const [first] = pictures.all();
  const here = first ? versions.ofAddress(first.address)?.uuid ?? null : undefined;
  const isHere = here === version.uuid || (here === version.parent && (here || !first || rootOf(first) === version.root));
  if (isHere || version.kind !== 'image_edit') return;
  const parent = versions.byUuid(version.parent);
  const before = parent ? [asInput(parent)] : version.inputs;
  const isRestored = before.length > 0 && await pictures.restore(before, { quietly: true }) === 0;
  if (!isRestored && !first) await pictures.restore([asInput(version)], { quietly: true });
  acts.start(version);
}

const asInput = (version) => ({ address: version.address, name: `Result of “${versions.words(version)}”` });

/** The tree that an input belongs to. */
const rootOf = (picture) => versions.ofAddress(picture.address)?.root ?? versions.rootOf(picture);

/** Where the user is in the tree: a version, or null for the original. */
function place() {
  return shown ?? versions.ofAddress(pictures.all()[0]?.address) ?? null;
}

function drawTree() {
  const here = place();
  tree.draw(root, here, thumbOf(root));
  const canUndo = Boolean(root && here);
  const canRedo = Boolean(root) && (ahead.length > 0 || versions.children(root, here?.uuid ?? null).length > 0);
  $('undo').setAttribute('aria-disabled', String(!canUndo));
  $('redo').setAttribute('aria-disabled', String(!canRedo));
  show($('walk'), canUndo || canRedo);
}

/** The small copy of a tree's original, or null if this browser does not have it (yet). */
function thumbOf(of) {
  const [first] = of ? versions.originals(of) : [];
  if (!first) return null;
  const mine = pictures.all().find(({ id, address }) => (first.id ? id === first.id : address === first.address));
  if (mine?.small) return mine.small;
  if (!thumbs.has(of)) {
    thumbs.set(of, null);
    loadThumb(first).then((small) => {
      thumbs.set(of, small);
      if (root === of && small) drawTree();
    }, () => {});
  }
  return thumbs.get(of);
}

async function loadThumb(first) {
  if (first.address) return (await fromService(() => first.address)).small;
  const blob = await findPicture(first.id);
  if (!blob) return null;
  const { format } = await inspect(blob);
  return (await thumbnail(blob, format, () => uploads.address(first))).small;
}

async function undo() {
  const from = place();
  if (!root || !from) return;
  const to = versions.byUuid(from.parent);
  const isDone = to ? await acts.look(to) !== false : await showOriginal();
  if (isDone) ahead.push(from.uuid);
  drawTree();
  say(to ? `Back to ${versions.words(to)}.` : 'Back to the original.');
}

async function redo() {
  if (!root) return;
  const next = versions.byUuid(ahead.pop()) ?? versions.children(root, place()?.uuid ?? null).at(-1);
  if (!next) return;
  await acts.look(next);
  say(`Forward to ${versions.words(next)}.`);
}

/** Shows the original of the tree and makes it the input again. Returns whether this browser has it. */
async function showOriginal() {
  const inputs = versions.originals(root);
  const isHere = pictures.all()[0] && !versions.ofAddress(pictures.all()[0].address) && rootOf(pictures.all()[0]) === root;
  if (!isHere && (inputs.length === 0 || await pictures.restore(inputs, { quietly: true }) > 0)) {
    say('This browser no longer has the original.');
    return false;
  }
  acts.start(null);
  await showInput('image_edit', pictures.all());
  return true;
}

/** Ctrl+Z and Ctrl+Shift+Z walk the tree. Escape goes from the prompt to the result and back, or to the
 *  button that cancels what is running. */
function keys(event) {
  const { target } = event;
  if (event.defaultPrevented || event.altKey) return;
  const inField = target.closest?.('input:not([type="range"]), textarea, select, [contenteditable]');
  const key = event.key.toLowerCase();
  if (key === 'escape' && !event.isComposing) return swap(event);
  if (!(event.ctrlKey || event.metaKey) || inField || target.closest?.('.composer')) return;
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) redo();
  else undo();
}

function swap(event) {
  if (!$('working-cancel').hidden && event.target !== $('working-cancel')) {
    event.preventDefault();
    $('working-cancel').focus();
  } else if (event.target.closest?.('.composer') && !$('viewer').hidden && !$('frame').hidden) {
    event.preventDefault();
    $('frame').focus();
    $('paper').scrollIntoView({ block: 'nearest' });
  } else if (event.target === $('frame') || event.target === $('working-cancel')) {
    event.preventDefault();
    $('instruction').focus();
  }
}

/** The focus moves to the image if its button is hidden by what it did. */
let hadFocus = false;

function hideDrop() {
  hadFocus ||= $('drop').contains(document.activeElement);
  show($('drop'), false);
  show($('making'), false);
}

function keepFocus() {
  if (hadFocus && document.activeElement === document.body) $('frame').focus({ preventScroll: true });
  hadFocus = false;
}
