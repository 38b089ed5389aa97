// The prompt: its length as the service counts it, examples and recent prompts.

import { $, facts, make, show } from './dom.js';

const KEPT = 'retouch.instructions';
const KEPT_MAX = 30;

const IDEAS = {
  image_edit: ['Make it warmer and crop to 1:1', 'Lift the shadows and add a vignette', 'Black and white except red',
    'Pad to 9:16 with a blurred copy', 'Write "Good morning" in bold yellow at the top', 'Blur the bottom third',
    'Add a polaroid frame, then rotate it 4 degrees'],
  text_to_image: ['A gradient from teal to navy, left to right', 'White dots on a red background', 'A gold star on a dark blue background',
    'A plain teal image with the text "Hello" in white'],
  video: ['Zoom in slowly', 'Pan from left to right', 'Zoom out'],
};
const LABELS = {
  image_edit: 'What should change?',
  text_to_image: 'What should the image show?',
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

/** The length of the prompt in Unicode scalar values, not UTF-16 units or bytes. */
export const length = () => [...text()].length;

/** Replaces the prompt. */
export function set(words) {
  $('instruction').value = words;
  count();
}

/** Shows the label and examples for a kind of run. */
export function suit(kind) {
  $('instruction-label').textContent = LABELS[kind];
  $('ideas').replaceChildren(...IDEAS[kind].map((words) =>
    make('button', { type: 'button', textContent: words, onclick: () => { set(words); $('instruction').focus(); } })));
}

/** Adds a prompt to the recent ones, newest first, without duplicates. */
export function remember(words) {
  const kept = [words, ...earlier().filter((one) => one !== words)].slice(0, KEPT_MAX);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Without storage, only the recent prompts are lost.
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

/** Examples are only in the way of a prompt. */
function offer() {
  show($('ideas'), text() === '');
}

function count() {
  offer();
  const over = length() > facts.chars_max;
  $('count').textContent = `${length()} of ${facts.chars_max}`;
  $('count').classList.toggle('over', over);
  changed();
}
