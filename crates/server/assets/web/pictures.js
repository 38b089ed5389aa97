// The input images, in order: dropped, pasted, chosen or taken from a result.

import { $, counted, facts, local, make, say, show, unique } from './dom.js';
import { findPicture, keepPicture } from './shelf.js';

const READABLE = /^image\/(jpeg|png|webp|gif|bmp|x-ms-bmp|tiff)$/;

let pictures = [];
let most = 1;
let changed = () => {};

/** The images, in order: `{ id, blob | address, name, preview, wrong }`. */
export const all = () => pictures;

/** Sets up the strip; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  $('file').addEventListener('change', () => {
    add([...$('file').files]);
    $('file').value = '';
  });
  listenForDrops();
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) {
      event.preventDefault();
      add(files);
    }
  });
}

/** Sets how many images the model accepts. */
export function limit(count) {
  most = count;
  draw();
}

/** Adds files. Those that are not supported show an error in the strip. */
export function add(files) {
  for (const file of files) put({ blob: file, name: file.name || 'Pasted image' });
  say(`${counted(files.length, 'image')} added, ${pictures.length} in total.`);
  finish();
}

/** Replaces all images with a stored result. */
export function replaceWith(address, name) {
  pictures = [];
  put({ address, name });
  finish();
}

/** Restores the images of an earlier visit. Returns how many are missing. */
export async function restore(named) {
  const found = await Promise.all(named.map(async ({ id, address, name }) =>
    ({ id, address, name, blob: address || !id ? null : await findPicture(id) })));
  pictures = [];
  for (const picture of found) if (picture.address || picture.blob) put(picture);
  finish();
  return named.length - pictures.length;
}

/** The images without their data, to be saved. */
export const named = () => pictures.map(({ id, address, name }) => ({ id, address, name }));

/** Resolves when every image is stored. */
export const kept = () => Promise.all(pictures.map((picture) => picture.kept));

/** Shows a server error at an image. */
export function blame(index, message) {
  if (!pictures[index]) return false;
  pictures[index].wrong = message;
  draw();
  return true;
}

function put({ id, blob, address, name }) {
  const picture = { id: id ?? unique(), blob, address, name, wrong: blob ? unreadable(blob) : '' };
  picture.preview = blob ? URL.createObjectURL(blob) : local(address);
  picture.kept = blob && !id ? keepPicture(picture.id, blob, name).catch(() => {}) : null;
  pictures.push(picture);
}

function unreadable(blob) {
  if (!READABLE.test(blob.type)) return 'Unsupported file type';
  const mib = (bytes) => `${Math.round(bytes / 1048576)} MB`;
  if (blob.size > facts.image_bytes_max) {
    return `Too large: ${mib(blob.size)} (limit ${mib(facts.image_bytes_max)})`;
  }
  return '';
}

function finish() {
  draw();
  changed();
}

function move(index, by) {
  const [picture] = pictures.splice(index, 1);
  pictures.splice(index + by, 0, picture);
  finish();
  say(`${picture.name} moved to position ${index + by + 1}.`);
  const buttons = $('pictures').children[index + by]?.querySelectorAll('.moves button');
  const same = buttons?.[by < 0 ? 0 : 2];
  (same && !same.disabled ? same : buttons?.[1])?.focus();
}

function remove(index) {
  const [picture] = pictures.splice(index, 1);
  if (picture.blob) URL.revokeObjectURL(picture.preview);
  finish();
  say(`${picture.name} removed, ${pictures.length} left.`);
  const next = $('pictures').children[Math.min(index, pictures.length - 1)];
  (next?.querySelector('.moves button:not(:disabled)') ?? $('file')).focus();
}

function draw() {
  const strip = $('pictures');
  strip.replaceChildren(...pictures.map(item));
  if (pictures.length > 0 && pictures.length < most) {
    const label = make('label', { htmlFor: 'file', textContent: 'Add image' });
    strip.append(make('li', { className: 'add' }, label));
  }
  show(strip, pictures.length > 0 && most > 0);
}

function item(picture, index) {
  const over = index >= most ? `This model accepts up to ${counted(most, 'image')}` : '';
  const image = make('img', { src: picture.preview, alt: '', draggable: false });
  const thumb = make('div', { className: 'thumb' }, image);
  if (most > 1) thumb.append(make('span', { className: 'place', textContent: index + 1 }));
  const { name } = picture;
  const act = (words, sign, disabled, action) =>
    make('button', { type: 'button', className: 'quiet', textContent: sign, disabled,
      'aria-label': `${words}: ${name}`, title: words, onclick: action });
  const moves = make('div', { className: 'moves' },
    act('Move left', '←', index === 0, () => move(index, -1)),
    act('Remove', 'Remove', false, () => remove(index)),
    act('Move right', '→', index === pictures.length - 1, () => move(index, 1)));
  const wrong = picture.wrong || over;
  const entry = make('li', { draggable: true }, thumb, make('p', { className: 'name', textContent: name, title: name }),
    wrong ? make('p', { className: 'wrong', textContent: wrong }) : null, moves);
  drag(entry, picture);
  return entry;
}

let dragged = null;

function drag(entry, picture) {
  entry.addEventListener('dragstart', (event) => {
    dragged = picture;
    entry.classList.add('dragged');
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', picture.name);
  });
  entry.addEventListener('dragend', () => {
    dragged = null;
    entry.classList.remove('dragged');
  });
  entry.addEventListener('dragover', (event) => {
    if (dragged) event.preventDefault();
  });
  entry.addEventListener('drop', (event) => {
    if (!dragged || dragged === picture) return;
    event.preventDefault();
    event.stopPropagation();
    const to = pictures.indexOf(picture);
    pictures.splice(pictures.indexOf(dragged), 1);
    pictures.splice(to, 0, dragged);
    finish();
  });
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
