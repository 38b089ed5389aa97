// The landing page: the sample photo, edited while visitors type, and the way into the studio with the
// photo and the words that they have chosen here.

import { $, make, show, unique } from './dom.js';
import { keep, keepPicture } from './shelf.js';

const AFTER_MS = 250;
const SIDE_MAX = 1024;

const demo = $('demo');
const stage = $('show');
const words = $('words');
const first = words.value;
const firstImage = $('edited').src;

let timer = 0;
let asking = new AbortController();
let sample = null;

stage.classList.add('sweeping');
words.maxLength = Number(demo.dataset.charsMax);
words.addEventListener('input', () => soon(AFTER_MS));
for (const idea of document.querySelectorAll('.idea')) {
  idea.addEventListener('click', () => {
    words.value = idea.textContent;
    soon(0);
  });
}
demo.addEventListener('submit', async (event) => {
  event.preventDefault();
  const blob = await photograph();
  await leaveWith(new File([blob], 'coffee.jpg', { type: 'image/jpeg' }), words.value);
});
words.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    soon(0);
  }
});
compare();
receiveFiles();

/** Shows the result for the words after a pause in typing. */
function soon(ms) {
  clearTimeout(timer);
  timer = setTimeout(look, ms);
  show($('onward'), true);
}

async function look() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const instruction = words.value.trim();
  if (instruction === '') return tell(make('span', { textContent: 'Describe the change you want.' }));
  try {
    const body = JSON.stringify({ instruction, imageUrls: [await encoded()], max_side: SIDE_MAX });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/api/preview', { method: 'POST', headers, body, signal });
    const answer = await response.json();
    if (signal.aborted) return undefined;
    if (!response.ok) return refuse(response.status, answer.error);
    return present(answer, instruction);
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    return complain('The connection was lost. Change the words to try again.');
  }
}

async function present({ image, width, height, plan }, instruction) {
  const loaded = new Image();
  loaded.src = instruction === first ? firstImage : image;
  await loaded.decode().catch(() => {});
  const edited = $('edited');
  edited.src = loaded.src;
  edited.alt = `The sample photo after: ${instruction}`;
  const before = $('original');
  const isReshaped = Math.abs(width / height - before.naturalWidth / before.naturalHeight) > 0.01;
  stage.classList.toggle('reshaped', isReshaped);
  show($('split'), !isReshaped);
  const steps = (plan?.words ?? []).map((text) => make('li', { textContent: text.charAt(0).toUpperCase() + text.slice(1) }));
  tell(make('ol', {}, ...steps));
  return undefined;
}

function refuse(status, error) {
  if (status === 429) return complain('That’s all the previews for this minute. Wait a moment, or sign up to go on.');
  return complain(error?.message?.replace(/^`[^` ]*`: /, '') ?? 'Something went wrong. Try other words.');
}

function complain(message) {
  tell(make('p', { className: 'wrong', textContent: message.charAt(0).toUpperCase() + message.slice(1) }));
}

function tell(element) {
  $('told').replaceChildren(element);
}

/** The slider, and the pointer on the photo. */
function compare() {
  const split = $('split');
  const place = (percent) => {
    stage.classList.remove('sweeping');
    stage.style.setProperty('--split', `${percent}%`);
    split.value = percent;
    split.setAttribute('aria-valuetext', `${Math.round(percent)} percent original`);
  };
  split.addEventListener('input', () => place(Number(split.value)));
  const follow = (event) => {
    const box = stage.getBoundingClientRect();
    place(Math.min(100, Math.max(0, ((event.clientX - box.left) / box.width) * 100)));
  };
  stage.addEventListener('pointermove', (event) => { if (event.pointerType === 'mouse' || event.buttons > 0) follow(event); });
  stage.addEventListener('pointerdown', follow);
}

async function photograph() {
  return (await fetch(demo.dataset.sample)).blob();
}

/** The sample photo as a data URI. */
async function encoded() {
  sample ??= photograph().then((blob) => new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  }));
  return sample;
}

/** Photos that are chosen, dropped or pasted open in the studio. */
function receiveFiles() {
  const main = $('main');
  const take = (files) => { if (files.length > 0) leaveWith(files[0], words.value === first ? '' : words.value); };
  $('file').addEventListener('change', () => take($('file').files));
  $('choose').addEventListener('click', () => $('file').click());
  document.addEventListener('paste', (event) => take([...(event.clipboardData?.files ?? [])]));
  document.addEventListener('dragover', (event) => { event.preventDefault(); main.classList.add('over'); });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) main.classList.remove('over'); });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    main.classList.remove('over');
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Leaves the photo and the words as a draft, which the studio opens with. */
async function leaveWith(file, text) {
  const id = unique();
  await keepPicture(id, file, file.name);
  await keep('draft', 'draft', { kind: 'image_edit', fields: {}, words: text, pictures: [{ id, name: file.name }] });
  location.href = '/studio';
}
