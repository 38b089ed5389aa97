// The input images, in order: dropped, pasted, chosen, photographed or taken from a result. Each is
// checked when it is added; those that cannot be used stay in the strip with the reason.

import { $, counted, facts, local, release, say, unique } from './dom.js';
import { inspect, isHidden, tooLarge } from './files.js';
import { findPicture, keepPicture } from './shelf.js';
import * as strip from './strip.js';
import { fromService, thumbnail } from './thumbnails.js';
import * as uploads from './uploads.js';
import * as versions from './versions.js';

/** More than these are uploaded only when an edit needs them. */
const EAGER_MAX = 4;
export const COUNT_MAX = 200;

let pictures = [];
let changed = () => {};
let hear = () => {};
let shownNow = () => {};

/** The images, in order: `{ id, blob | address, name, preview, reduced, small, url, width, height, wrong, note }`.
 *  `url` is null until the image is uploaded; width and height are 0 until they are known. */
export const all = () => pictures;

/** An image as the viewer shows it. */
export const image = ({ preview, reduced, width, height }) => ({ address: preview, reduced, size: width > 0 ? { width, height } : null });

/** The images that can be sent. */
export const usable = () => pictures.filter(({ wrong }) => !wrong);

/** Sets up the strip. `whenChanged` is called when the list changes, `uploaded` when something is
 *  learned about an image, `look` when one is chosen to be looked at. */
export function begin(whenChanged, { uploaded = () => {}, look = () => {} } = {}) {
  changed = whenChanged;
  hear = uploaded;
  strip.begin({ look, move, remove, place });
  for (const id of ['file', 'camera']) {
    $(id).addEventListener('change', () => {
      add([...$(id).files]);
      $(id).value = '';
    });
  }
  listenForDrops();
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });
}

/** Sets what is called when an image can be shown that no browser can show by itself. */
export function whenShown(listener) {
  shownNow = listener;
}

/** Sets how many images the model accepts. */
export const limit = (count) => strip.limit(count);

/** Adds files. Those that are not supported show an error in the strip. While the stage shows a result,
 *  they replace the images that it was made from. */
export function add(files) {
  if (strip.isDone()) clear();
  const room = Math.max(0, COUNT_MAX - pictures.length);
  for (const file of files.slice(0, room)) put({ blob: file, name: file.name || 'Pasted image' });
  const left = files.length > room ? ` The limit is ${COUNT_MAX}, so ${files.length - room} were left out.` : '';
  say(`${counted(Math.min(files.length, room), 'image')} added, ${pictures.length} in total.${left}`);
  finish();
}

/** Replaces all images with a stored result. */
export function replaceWith(address, name) {
  clear();
  put({ address, name });
  finish();
}

/** Restores the images of an earlier visit and returns how many are missing. With `quietly`, the
 *  images stay as they are if one is missing, and no one is told. */
export async function restore(named, { quietly = false } = {}) {
  const found = await Promise.all(named.map(async ({ id, address, name }) =>
    ({ id, address, name, blob: address || !id ? null : await findPicture(id) })));
  const present = found.filter(({ address, blob }) => address || blob);
  const lost = named.length - present.length;
  if (quietly && lost > 0) return lost;
  clear();
  for (const picture of present) put(picture);
  if (quietly) draw();
  else finish();
  return lost;
}

/** The images that can be sent, without their data. */
export const named = () => usable().map(({ id, address, name }) => ({ id, address, name }));

/** Resolves when every image is stored. */
export const kept = () => Promise.all(pictures.map((picture) => picture.kept));

/** Resolves when every image is checked. */
export const checked = () => Promise.all(pictures.map((picture) => picture.checked));

/** Shows a server error at an image; `index` counts those that were sent. */
export function blame(index, message) {
  const picture = usable()[index];
  if (!picture) return false;
  picture.wrong = message;
  draw();
  return true;
}

/** Shows a state next to an image: how its edit in a batch goes. */
export function mark(id, state) {
  const picture = pictures.find((one) => one.id === id);
  if (!picture) return;
  picture.state = state;
  strip.update(picture);
}

function put({ id, blob, address, name }) {
  const picture = { id: id ?? unique(), blob, address, name, url: null, width: 0, height: 0, note: '', state: null, share: null,
    wrong: blob ? tooLarge(blob.size) : '' };
  Object.assign(picture, { preview: null, reduced: null, small: null, ...(address ? ofService(address) : { preview: URL.createObjectURL(blob) }) });
  picture.kept = blob && !id ? keepPicture(picture.id, blob, name).catch(() => {}) : null;
  pictures.push(picture);
  picture.checked = address ? measure(picture) : check(picture);
}

const isUpload = (address) => local(address).startsWith('/api/uploads/');

/** How an image that is stored at the service is shown. */
function ofService(address) {
  if (isUpload(address)) return {};
  const version = versions.ofAddress(address);
  if (!version) return { preview: local(address), small: local(address) };
  const { address: preview, reduced, size } = versions.image(version);
  return { preview, reduced, small: versions.small(version), ...size };
}

const isIn = (picture) => pictures.includes(picture);

async function check(picture) {
  const { format, wrong, note = '' } = await inspect(picture.blob);
  if (!isIn(picture)) return;
  Object.assign(picture, { format, note, wrong: wrong || picture.wrong });
  if (picture.wrong) return finish();
  if (isHidden(format)) picture.preview = null;
  strip.update(picture);
  const sent = facts.account && pictures.indexOf(picture) < EAGER_MAX ? send(picture) : Promise.resolve();
  await Promise.all([show(picture), sent]);
}

/** Makes the small copy, and the one on the stage if the file itself cannot be shown. */
async function show(picture) {
  const seen = await thumbnail(picture.blob, picture.format, () => uploads.address(picture)).catch(() => null);
  if (!isIn(picture)) return;
  if (!seen) {
    if (isHidden(picture.format)) picture.note = 'No preview of this file.';
    else picture.wrong = 'This image is damaged or incomplete.';
    return finish();
  }
  Object.assign(picture, { width: seen.width, height: seen.height, small: seen.small });
  strip.update(picture);
  hear(picture);
  if (!seen.shown) return;
  picture.preview = seen.shown;
  shownNow(picture);
}

/** Uploads an image ahead of the first edit. */
async function send(picture) {
  const progress = (share) => { picture.share = share; strip.update(picture); };
  try {
    const { url } = await uploads.upload(picture.id, picture.blob, progress);
    picture.url = url;
  } catch (error) {
    if (error.code !== 'canceled' && error.message) picture.wrong = error.message;
  }
  picture.share = null;
  if (!isIn(picture)) return;
  if (picture.wrong) finish();
  else { strip.update(picture); hear(picture); }
}

/** Checks that an image is still stored, and learns its size. */
async function measure(picture) {
  const seen = await (isUpload(picture.address) ? fromService(() => picture.address) : load(picture)).catch(() => null);
  if (!isIn(picture)) return;
  if (!seen) {
    picture.wrong = 'This image is no longer stored. Add it again.';
    return finish();
  }
  Object.assign(picture, { url: picture.address, width: seen.width, height: seen.height });
  if (seen.shown) {
    Object.assign(picture, { preview: seen.shown, small: seen.small });
    strip.update(picture);
    shownNow(picture);
  }
  hear(picture);
}

async function load({ preview, reduced, width, height }) {
  const image = new Image();
  image.src = reduced ?? preview;
  await image.decode();
  return width > 0 ? { width, height } : { width: image.naturalWidth, height: image.naturalHeight };
}

function clear() {
  for (const picture of pictures) discard(picture);
  pictures = [];
}

function discard(picture) {
  uploads.cancel(picture.id);
  for (const address of [picture.preview, picture.small]) release(address);
}

/** Draws the strip. */
export const draw = () => strip.draw(pictures);

function finish() {
  draw();
  changed();
}

function move(picture, by) {
  const index = pictures.indexOf(picture);
  pictures.splice(index, 1);
  pictures.splice(index + by, 0, picture);
  finish();
  say(`${picture.name} moved to position ${index + by + 1}.`);
  strip.focusMove(index + by, by);
}

function place(picture, before) {
  const to = pictures.indexOf(before);
  pictures.splice(pictures.indexOf(picture), 1);
  pictures.splice(to, 0, picture);
  finish();
}

function remove(picture) {
  const index = pictures.indexOf(picture);
  pictures.splice(index, 1);
  discard(picture);
  finish();
  say(`${picture.name} removed, ${pictures.length} left.`);
  strip.focusNear(index);
}

function listenForDrops() {
  const paper = $('paper');
  const carries = (event) => event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    paper.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) paper.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    paper.classList.remove('over');
    if (!carries(event)) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
}
