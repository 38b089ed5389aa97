// The words: counted as the service counts them, with examples and what was said before.

import { $, facts, make, show } from './dom.js';

const KEPT = 'retouch.instructions';
const KEPT_MAX = 30;

const IDEAS = {
  image_edit: ['Make it warmer and crop to 1:1', 'Lift the shadows and add a vignette', 'Black and white except red',
    'Pad to 9:16 with a blurred copy', 'Write "Good morning" in bold yellow at the top', 'Blur the bottom third',
    'Add a polaroid frame, then rotate it 4 degrees'],
  text_to_image: ['A gradient from teal to navy, left to right', 'White dots on a red background', 'A gold star on a dark blue background',
    'A plain teal picture with the text "Hello" in white'],
  video: ['Zoom in slowly', 'Pan from left to right', 'Zoom out'],
};
const LABELS = {
  image_edit: 'What should change?',
  text_to_image: 'What should be on the picture?',
  video: 'What should happen in the video?',
};

let changed = () => {};

/** Sets up the field; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  $('instruction').addEventListener('input', count);
  drawEarlier();
  count();
}

export const text = () => $('instruction').value;

/** How many Unicode scalar values the words have: not UTF-16 units, not bytes. */
export const length = () => [...text()].length;

/** Puts other words into the field. */
export function set(words) {
  $('instruction').value = words;
  count();
}

/** Shows what suits what is made. */
export function suit(kind) {
  $('instruction-label').textContent = LABELS[kind];
  $('ideas').replaceChildren(...IDEAS[kind].map((words) =>
    make('button', { type: 'button', textContent: words, onclick: () => { set(words); $('instruction').focus(); } })));
}

/** Remembers words that were run, newest first, each once. */
export function remember(words) {
  const kept = [words, ...earlier().filter((one) => one !== words)].slice(0, KEPT_MAX);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A full or forbidden store only costs the history.
  }
  drawEarlier();
}

function earlier() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function drawEarlier() {
  const kept = earlier();
  const item = (words) => make('li', {}, make('button', { type: 'button', className: 'quiet', textContent: words,
    onclick: () => { set(words); $('earlier').open = false; $('instruction').focus(); } }));
  $('earlier-list').replaceChildren(...kept.map(item));
  show($('earlier'), kept.length > 0);
}

function count() {
  const over = length() > facts.chars_max;
  $('count').textContent = `${length()} of ${facts.chars_max}`;
  $('count').classList.toggle('over', over);
  changed();
}
