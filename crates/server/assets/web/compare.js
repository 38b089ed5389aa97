// Before and after: a slider over the original in register with the result, or both side by side.

import { $, show } from './dom.js';
import { isIdentity } from './register.js';

const CHOICE = 'retouch.compare';
const MODES = ['slider', 'beside'];

let zoom = null;
/** What is compared: `{ original, size, matrix, wanted }`, or null. */
let pair = null;
let mode = 'slider';

/** Sets up the slider, the choice of the view and the button that shows the original. */
export function begin(zoomable) {
  zoom = zoomable;
  const kept = localStorage.getItem(CHOICE);
  if (MODES.includes(kept)) mode = kept;
  $('split').addEventListener('input', () => split(Number($('split').value)));
  for (const choice of MODES) {
    $(`view-${choice}`).addEventListener('click', () => {
      if ($(`view-${choice}`).getAttribute('aria-disabled') === 'true') return;
      mode = choice;
      localStorage.setItem(CHOICE, choice);
      draw();
      zoom.whole();
    });
  }
  holdable($('hold'));
}

/** Compares the image on the stage with its original: `address` and true `size` of the original, its
 *  `matrix` in the result (null if unknown) and the size of the result (`wanted`). Null ends it. */
export function compare(next, { keepSplit = false, percent = 50 } = {}) {
  pair = next;
  if (pair) {
    for (const id of ['before', 'beside-image']) if ($(id).getAttribute('src') !== pair.address) $(id).src = pair.address;
    if (pair.matrix) lay(pair);
    if (!keepSplit) split(percent);
  } else {
    $('before').removeAttribute('src');
    $('beside-image').removeAttribute('src');
  }
  draw();
}

/** Moves the slider to a share of the width, if it is shown. */
export function slide(part) {
  if (pair && shownMode() === 'slider') split(Math.round(part * 100));
}

/** The slider needs to know where the original lies. */
const shownMode = () => (pair?.matrix ? mode : 'beside');

function draw() {
  const isSlider = Boolean(pair) && shownMode() === 'slider';
  const isBeside = Boolean(pair) && !isSlider;
  $('frame').classList.toggle('comparing', isSlider);
  $('frame').classList.toggle('side-by-side', isBeside);
  for (const id of ['slide', 'hold', 'original', 'divider']) show($(id), isSlider);
  for (const id of ['beside', 'pane-name']) show($(id), isBeside);
  show($('views'), Boolean(pair));
  for (const choice of MODES) $(`view-${choice}`).setAttribute('aria-pressed', String(choice === shownMode()));
  const canSlide = !pair || Boolean(pair.matrix);
  $('view-slider').setAttribute('aria-disabled', String(!canSlide));
  $('view-slider').title = canSlide ? '' : 'This edit moved the image in a way that can’t be lined up.';
  if (isBeside) fitBeside(pair.size);
}

/** Puts the original where the plan has moved it. All lengths are shares, so they fit any window. */
function lay({ matrix: [a, b, c, d, e, f], matrix, size, wanted }) {
  const { style } = $('before');
  const share = (part, whole) => `${(part / whole) * 100}%`;
  style.width = share(size.width, wanted.width);
  style.height = share(size.height, wanted.height);
  style.transform = isIdentity(matrix) ? '' : `translate(${share(e, size.width)}, ${share(f, size.height)}) matrix(${a}, ${b}, ${c}, ${d}, 0, 0)`;
}

function fitBeside({ width, height }) {
  const { style } = $('beside-canvas');
  const ratio = width / height;
  style.aspectRatio = String(ratio);
  style.width = `min(100cqw, calc(100cqh * ${ratio}), ${width * 2}px)`;
}

function split(percent) {
  $('split').value = percent;
  $('split').setAttribute('aria-valuetext', `${percent} percent original, ${100 - percent} percent result`);
  $('canvas').style.setProperty('--split', `${percent}%`);
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
  for (const end of ['pointerup', 'pointercancel', 'keyup', 'blur']) button.addEventListener(end, () => hold(false));
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('keydown', (event) => {
    if (event.key === ' ' || event.key === 'Enter') hold(true);
  });
}
