// The strip of input images: thumbnails that can be looked at, moved and removed.

import { $, counted, make, show } from './dom.js';

/** From this number on, the thumbnails are small and scroll. */
const MANY = 9;

let acts = {};
let most = 1;
let pictures = [];
let looked = null;
let done = false;

/** Sets up what the buttons do: `look`, `move`, `remove` and `place` get an image. */
export function begin(actions) {
  acts = actions;
}

/** Sets how many images the model accepts. */
export function limit(count) {
  most = count;
  // Until there are images, those that the server drew stay.
  if (pictures.length > 0) draw(pictures);
}

/** Whether a result of the images is on the stage, so that another photo starts a new edit. */
export const isDone = () => done;

/** Marks the image that the stage shows. */
export function point(picture) {
  mark(picture, false);
}

/** Marks no image, because the stage shows a result of them. */
export function finish() {
  mark(null, true);
}

function mark(picture, isResult) {
  looked = picture;
  done = isResult;
  const adding = $('pictures').querySelector('.add span');
  if (adding) adding.textContent = addingWords();
  for (const one of pictures) one.entry?.querySelector('.thumb').setAttribute('aria-current', String(one === picture));
}

/** Draws all images. Keeps the focus if it is on an image that stays. */
export function draw(list) {
  pictures = list;
  const strip = $('pictures');
  strip.classList.toggle('many', pictures.length >= MANY);
  pictures.forEach((picture, index) => { picture.entry = item(picture, index); });
  strip.replaceChildren(...pictures.map(({ entry }) => entry));
  if (pictures.length > 0) {
    const label = make('label', { htmlFor: 'file' }, make('span', { textContent: addingWords() }));
    strip.append(make('li', { className: 'add' }, label));
  }
  show(strip, pictures.length > 0 && most > 0);
}

/** Draws one image again. Its thumbnail stays the same element: a click on one that is replaced between
 *  pressing and releasing, as during an upload, would be lost. */
export function update(picture) {
  const index = pictures.indexOf(picture);
  const { entry } = picture;
  if (index < 0 || !entry) return;
  const focused = entry.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  const fresh = item(picture, index);
  const [button, ...others] = entry.children;
  const [drawn, ...after] = fresh.children;
  entry.className = fresh.className;
  button.disabled = drawn.disabled;
  button.replaceChildren(...drawn.childNodes);
  for (const other of others) other.remove();
  entry.append(...after);
  if (focused) entry.querySelector(`[data-act="${focused}"]`)?.focus();
}

/** Focuses the button of a move at its new place. */
export function focusMove(index, by) {
  const entry = pictures[index]?.entry;
  const same = entry?.querySelector(`[data-act="${by < 0 ? 'left' : 'right'}"]`);
  (same && !same.disabled ? same : entry?.querySelector('[data-act="remove"]'))?.focus();
}

/** Focuses what is left near a removed image. */
export function focusNear(index) {
  const entry = pictures[Math.min(index, pictures.length - 1)]?.entry;
  (entry?.querySelector('.moves button:not(:disabled)') ?? $('file')).focus();
}

const addingWords = () => (done ? 'New photo' : 'Add images');

function item(picture, index) {
  const { name, wrong, note, state } = picture;
  const over = index >= most ? `This model accepts up to ${counted(most, 'image')}` : '';
  const act = (id, words, sign, disabled, action) => {
    const button = make('button', { type: 'button', className: 'quiet', textContent: sign, disabled,
      'aria-label': `${words}: ${name}`, title: words, onclick: action });
    button.dataset.act = id;
    return button;
  };
  const moves = make('div', { className: 'moves' },
    act('left', 'Move left', '←', index === 0, () => acts.move(picture, -1)),
    act('remove', picture.share === null ? 'Remove' : 'Cancel upload and remove', pictures.length < MANY ? 'Remove' : '✕', false, () => acts.remove(picture)),
    act('right', 'Move right', '→', index === pictures.length - 1, () => acts.move(picture, 1)));
  const line = wrong || over ? make('p', { className: 'wrong', textContent: wrong || over })
    : note ? make('p', { className: 'note', textContent: note }) : null;
  const entry = make('li', { draggable: true, className: wrong ? 'unusable' : state?.kind ?? '' }, thumb(picture, index),
    make('p', { className: 'name', textContent: name, title: name }), line, moves);
  drag(entry, picture);
  return entry;
}

function thumb(picture, index) {
  const { name, wrong, small, share, state } = picture;
  const image = small && !wrong ? make('img', { src: small, alt: '', draggable: false, loading: 'lazy' })
    : make('span', { className: 'blank', textContent: wrong ? '!' : '', 'aria-hidden': 'true' });
  const button = make('button', { type: 'button', className: 'thumb', disabled: Boolean(wrong), 'aria-label': `Look at ${name}, ${index + 1}`,
    'aria-current': String(picture === looked), onclick: () => acts.look(picture) }, image);
  button.dataset.act = 'look';
  if (most > 1 || pictures.length > 1) button.append(make('span', { className: 'place', textContent: index + 1 }));
  if (share !== null) button.append(make('span', { className: 'sent', textContent: `${Math.floor((share ?? 0) * 100)} %` }),
    make('progress', { max: 1, value: share ?? 0, 'aria-label': `Uploading ${name}` }));
  else if (state) button.append(make('span', { className: 'sent', textContent: state.words, title: state.title ?? '' }));
  return button;
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
    acts.place(dragged, picture);
  });
}
