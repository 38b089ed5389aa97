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

/** Draws all images. Elements that stay are not replaced or moved: a click that began on one of them would
 *  be lost, and so would the focus. */
export function draw(list) {
  pictures = list;
  const strip = $('pictures');
  strip.classList.toggle('many', pictures.length >= MANY);
  pictures.forEach((picture, index) => {
    picture.entry ??= item(picture);
    fill(picture, index);
  });
  const entries = pictures.map(({ entry }) => entry);
  if (pictures.length > 0) {
    const adding = strip.querySelector('.add') ?? make('li', { className: 'add' }, make('label', { htmlFor: 'file' }, make('span')));
    adding.querySelector('span').textContent = addingWords();
    entries.push(adding);
  }
  for (const old of [...strip.children]) if (!entries.includes(old)) old.remove();
  entries.forEach((entry, index) => { if (strip.children[index] !== entry) strip.insertBefore(entry, strip.children[index] ?? null); });
  show(strip, pictures.length > 0 && most > 0);
}

/** Draws one image again, if it is in the strip. */
export function update(picture) {
  const index = pictures.indexOf(picture);
  if (index >= 0 && picture.entry) fill(picture, index);
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

/** The elements of an image, which `fill` completes. */
function item(picture) {
  const act = (id, action) => {
    const button = make('button', { type: 'button', onclick: () => action(picture) });
    button.dataset.act = id;
    return button;
  };
  const look = act('look', acts.look);
  look.className = 'thumb';
  const moves = [act('left', () => acts.move(picture, -1)), act('remove', acts.remove), act('right', () => acts.move(picture, 1))];
  for (const button of moves) button.className = 'quiet';
  const entry = make('li', { draggable: true }, look, make('p', { className: 'name', textContent: picture.name, title: picture.name }),
    make('p'), make('div', { className: 'moves' }, ...moves));
  drag(entry, picture);
  return entry;
}

function fill(picture, index) {
  const { entry, name, wrong, note, state, share } = picture;
  const [look, , line, moves] = entry.children;
  entry.className = wrong ? 'unusable' : state?.kind ?? '';
  fillThumb(look, picture, index);
  const over = index >= most ? `This model accepts up to ${counted(most, 'image')}` : '';
  line.className = wrong || over ? 'wrong' : 'note';
  line.textContent = wrong || over || note;
  show(line, line.textContent !== '');
  const removing = share === null ? 'Remove' : 'Cancel upload and remove';
  [['Move left', '←', index === 0], [removing, pictures.length < MANY ? 'Remove' : '✕', false], ['Move right', '→', index === pictures.length - 1]]
    .forEach(([words, sign, disabled], at) => {
      const button = moves.children[at];
      Object.assign(button, { title: words, disabled });
      button.setAttribute('aria-label', `${words}: ${name}`);
      // A text that stays is not replaced either.
      if (button.textContent !== sign) button.textContent = sign;
    });
}

function fillThumb(button, picture, index) {
  const { name, wrong, small, share, state } = picture;
  const image = small && !wrong ? make('img', { src: small, alt: '', draggable: false, loading: 'lazy' })
    : make('span', { className: 'blank', textContent: wrong ? '!' : '', 'aria-hidden': 'true' });
  button.disabled = Boolean(wrong);
  button.setAttribute('aria-label', `Look at ${name}, ${index + 1}`);
  button.setAttribute('aria-current', String(picture === looked));
  button.replaceChildren(image);
  if (most > 1 || pictures.length > 1) button.append(make('span', { className: 'place', textContent: index + 1 }));
  if (share !== null) button.append(make('span', { className: 'sent', textContent: `${Math.floor((share ?? 0) * 100)} %` }),
    make('progress', { max: 1, value: share ?? 0, 'aria-label': `Uploading ${name}` }));
  else if (state) button.append(make('span', { className: 'sent', textContent: state.words, title: state.title ?? '' }));
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
