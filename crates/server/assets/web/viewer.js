// The image on the stage: an input, a preview while the user types, or a result with its original.

import { compare, begin as beginCompare, slide } from './compare.js';
import { $, show } from './dom.js';
import { register } from './register.js';
import { zoomable } from './zoom.js';

let zoom;
let showing = 0;
let isPreview = false;
/** The size of the image that the frame fits, so that a preview with the same shape keeps the zoom. */
let fitted = null;
/** Reduced images on the stage, with the IDs of their elements. */
let reduced = [];
/** How many pixels of the screen a pixel of a reduced image may take. */
const BLUR_MAX = 1.5;
/** Images that were shown last, decoded: a preview comes several times a second. */
const sizes = new Map();
const SIZES_KEPT = 8;

/** Sets up the viewer. */
export function begin() {
  zoom = zoomable($('frame'), $('canvas'), { slide, told: tellZoom });
  beginCompare(zoom);
  $('zoom-in').addEventListener('click', zoom.more);
  $('zoom-out').addEventListener('click', zoom.less);
  $('zoom-fit').addEventListener('click', zoom.whole);
}

/** Hides the viewer. */
export function clear() {
  showing += 1;
  reduced = [];
  mark(false);
  fitted = null;
  show($('viewer'), $('stage').getAttribute('aria-busy') === 'true');
  show($('frame'), false);
  show($('tools'), false);
}

/** Shows one image: `{ address, reduced, size }`. `reduced` is the address of a smaller copy, which is
 *  shown until zooming needs more, and `size` the true size, if they are known. */
export const showPicture = (image, words) => showImages(image, { words });

/** Shows a result. `original` is the image that it was made from, and `plan` says where that lies in
 *  the result. */
export const showResult = (image, { original = null, plan = null, words = '' }) =>
  showImages(image, { original, plan, words });

/** Shows what the service would make: a reduced image, with the size of the full result. Zoom and
 *  slider stay where they are between two previews. */
export const showPreview = (address, { original = null, width, height, plan, words = '' }) =>
  showImages({ address, size: { width, height } }, { original, plan, words, preview: true });

/** Marks the preview as being made again. */
export function previewing(isMaking) {
  $('preview-mark').classList.toggle('making-again', isMaking);
}

/** Shows a video. */
export function showFilm(address) {
  showing += 1;
  reduced = [];
  mark(false);
  compare(null);
  frameShown(false);
  $('film').src = address;
  show($('viewer'), true);
  show($('tools'), true);
}

/** Shows or hides the progress of a run, with a button that calls `cancel`. */
export function busy(isBusy, words = '', cancel = null) {
  $('viewer').classList.toggle('busy', isBusy);
  $('stage').setAttribute('aria-busy', String(isBusy));
  show($('working'), isBusy);
  if (isBusy) show($('viewer'), true);
  $('working-words').textContent = words;
  show($('working-cancel'), isBusy);
  $('working-cancel').onclick = cancel;
}

async function showImages(image, { original = null, plan = null, words = '', preview = false }) {
  showing += 1;
  const mine = showing;
  const first = (one) => decoded(one.reduced ?? one.address);
  const [own, before] = await Promise.all([first(image), original ? first(original).catch(() => null) : null]);
  if (mine !== showing) return;
  $('film').removeAttribute('src');
  frameShown(true);
  const full = image.size ?? own;
  const isSame = preview && isPreview && fitted && Math.abs(fitted.width / fitted.height - full.width / full.height) < 0.01;
  fit(full);
  $('frame').classList.remove('fresh');
  $('after').src = image.reduced ?? image.address;
  $('after').alt = words;
  const trueSize = original?.size ?? before;
  const matrix = before && (plan ? register(plan, trueSize, full) : sameShape(trueSize, full));
  compare(before && { address: original.reduced ?? original.address, size: trueSize, matrix, wanted: full }, { keepSplit: preview && isPreview, percent: preview ? 0 : 50 });
  reduced = [[image, own, ['after']], ...(before ? [[original, before, ['before', 'beside-image']]] : [])]
    .filter(([one]) => one.reduced).map(([{ address, size }, { width }, ids]) => ({ address, part: width / size.width, ids }));
  if (isSame) tellZoom(zoom.scale());
  else zoom.whole();
  mark(preview);
  show($('viewer'), true);
  show($('tools'), true);
}

/** Without a plan, an original with the shape of the result is taken to lie on it exactly. */
function sameShape(size, wanted) {
  const [across, down] = [wanted.width / size.width, wanted.height / size.height];
  return Math.abs(across / down - 1) < 0.01 ? [across, 0, 0, down, 0, 0] : null;
}

function mark(preview) {
  isPreview = preview;
  $('stage').classList.toggle('previewing', preview);
  show($('preview-mark'), preview);
  if (!preview) previewing(false);
}

function frameShown(shown) {
  show($('frame'), shown);
  show($('film'), !shown);
  show(document.querySelector('.zooms'), shown);
}

/** Fits the image into its pane, at most at twice its size. */
function fit({ width, height }) {
  fitted = { width, height };
  const { style } = $('canvas');
  const ratio = width / height;
  style.aspectRatio = String(ratio);
  style.width = `min(100cqw, calc(100cqh * ${ratio}), ${width * 2}px)`;
  $('canvas').dataset.width = width;
}

/** Shows the whole of each image that would look blurred. `density` is how many pixels of the screen a
 *  pixel of the images takes. */
function sharpen(density) {
  const mine = showing;
  const [blurred, sharp] = [true, false].map((isSo) => reduced.filter(({ part }) => (density > part * BLUR_MAX) === isSo));
  reduced = sharp;
  for (const { address, ids } of blurred) {
    decoded(address).then(() => { if (mine === showing) for (const id of ids) $(id).src = address; }, () => {});
  }
}

/** Loads and decodes an image, so that it replaces another without a flash, and returns its size. */
async function decoded(address) {
  const known = sizes.get(address);
  if (known) return known;
  const image = new Image();
  image.src = address;
  await image.decode().catch(() => { throw new Error('This image can’t be shown.'); });
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  // A data URI is long and comes only once.
  if (!address.startsWith('data:')) sizes.set(address, size);
  if (sizes.size > SIZES_KEPT) sizes.delete(sizes.keys().next().value);
  return size;
}

function tellZoom(scale) {
  const shown = ($('canvas').offsetWidth * scale) / Number($('canvas').dataset.width || 1);
  sharpen(shown * devicePixelRatio);
  $('zoom-level').textContent = scale === 1 ? 'Fit' : `${Math.round(shown * 100)}%`;
  $('zoom-fit').setAttribute('aria-label', scale === 1 ? 'Fit to view'
    : `${Math.round(shown * 100)}%. Fit to view`);
}
