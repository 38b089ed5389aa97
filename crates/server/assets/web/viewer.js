// The image on the stage: an input, or a result compared with its original.

import { $, show } from './dom.js';
import { zoomable } from './zoom.js';

let zoom;
let comparing = false;
let showing = 0;

/** Sets up the viewer. */
export function begin() {
  zoom = zoomable($('frame'), $('canvas'), {
    slide: (part) => { if (comparing) split(Math.round(part * 100)); },
    told: tellZoom,
  });
  $('split').addEventListener('input', () => split(Number($('split').value)));
  $('zoom-in').addEventListener('click', zoom.more);
  $('zoom-out').addEventListener('click', zoom.less);
  $('zoom-fit').addEventListener('click', zoom.whole);
  holdable($('hold'));
}

/** Hides the viewer. */
export function clear() {
  showing += 1;
  show($('viewer'), false);
  show($('tools'), false);
}

/** Shows one image. */
export const showPicture = (address, words) => showImages(address, null, words);

/** Shows a result, and its original if known. */
export const showResult = (address, before, words) => showImages(address, before, words);

/** Shows a video. */
export function showFilm(address) {
  showing += 1;
  compare(false);
  frameShown(false);
  $('film').src = address;
  show($('viewer'), true);
  show($('tools'), true);
}

/** Shows or hides the progress of a run. */
export function busy(isBusy, words = '') {
  $('viewer').classList.toggle('busy', isBusy);
  $('stage').setAttribute('aria-busy', String(isBusy));
  show($('working'), isBusy);
  if (isBusy) show($('viewer'), true);
  $('working-words').textContent = words;
}

async function showImages(address, before, words) {
  showing += 1;
  const mine = showing;
  $('film').removeAttribute('src');
  const [size] = await Promise.all([measure(address), before ? measure(before).catch(() => null) : null]);
  if (mine !== showing) return;
  frameShown(true);
  fit(size);
  $('after').src = address;
  $('after').alt = words;
  if (before) $('before').src = before;
  else $('before').removeAttribute('src');
  $('before').alt = '';
  compare(Boolean(before));
  zoom.whole();
  show($('viewer'), true);
  show($('tools'), true);
}

function frameShown(shown) {
  show($('frame'), shown);
  show($('film'), !shown);
  show(document.querySelector('.zooms'), shown);
}

/** Fits the image into the frame, at most at twice its size. */
function fit({ width, height }) {
  const { style } = $('canvas');
  const ratio = width / height;
  style.aspectRatio = String(ratio);
  style.width = `min(100cqw, calc(100cqh * ${ratio}), ${width * 2}px)`;
  $('canvas').dataset.width = width;
}

function measure(address) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => reject(new Error('This image can’t be shown.'));
    image.src = address;
  });
}

function compare(isComparing) {
  comparing = isComparing;
  $('frame').classList.toggle('comparing', isComparing);
  for (const id of ['slide', 'hold', 'before', 'divider']) show($(id), isComparing);
  if (isComparing) split(50);
}

function split(percent) {
  $('split').value = percent;
  $('split').setAttribute('aria-valuetext', `${percent} percent original, ${100 - percent} percent result`);
  $('canvas').style.setProperty('--split', `${percent}%`);
}

function tellZoom(scale) {
  const shown = ($('canvas').offsetWidth * scale) / Number($('canvas').dataset.width || 1);
  $('zoom-level').textContent = scale === 1 ? 'Fit' : `${Math.round(shown * 100)}%`;
  $('zoom-fit').setAttribute('aria-label', scale === 1 ? 'Fit to view'
    : `${Math.round(shown * 100)}%. Fit to view`);
}

/** Shows the original while the button is held down, by pointer or key. */
function holdable(button) {
  const hold = (held) => {
    $('frame').classList.toggle('holding', held);
    button.setAttribute('aria-pressed', String(held));
  };
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId);
    hold(true);
  });
  button.addEventListener('pointerup', () => hold(false));
  button.addEventListener('pointercancel', () => hold(false));
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('keydown', (event) => {
    if (event.key === ' ' || event.key === 'Enter') hold(true);
  });
  button.addEventListener('keyup', () => hold(false));
  button.addEventListener('blur', () => hold(false));
}
