// The tree of versions: the original on the left, each try next to what it was made from.

import { $, make, show } from './dom.js';
import * as versions from './versions.js';

let acts = { look: () => {}, original: () => {} };

/** Sets up the tree: `look` gets the chosen version, `original` the root of the chosen original. */
export function begin(actions) {
  acts = actions;
}

/** Shows the tree of a root. `current` is the version that is shown, or null for the original;
 *  `preview` shows the original, if this browser has it. */
export function draw(root, current, preview) {
  const family = root ? versions.family(root) : [];
  show($('versions'), family.length > 0);
  if (family.length === 0) return $('tree').replaceChildren();
  const cells = [];
  const first = versions.originals(root);
  const start = first.length > 0 || family.every(({ kind }) => kind === 'image_edit') ? 1 : 0;
  const rows = { count: 1 };
  if (start > 0) cells.push(cell(original(root, current === null, preview), { column: 1, row: 1 }));
  grow(null, { column: start + 1, row: 1 }, { root, current, family, rows, cells });
  $('tree').replaceChildren(...cells);
  reveal($('tree'), $('tree').querySelector('[aria-current="true"]')?.parentElement);
  return undefined;
}

/** Scrolls the tree, and not the page, to a cell. */
function reveal(tree, entry) {
  if (!entry) return;
  const [left, right] = [entry.offsetLeft - tree.offsetLeft, entry.offsetLeft - tree.offsetLeft + entry.offsetWidth];
  if (left < tree.scrollLeft) tree.scrollLeft = left;
  else if (right > tree.scrollLeft + tree.clientWidth) tree.scrollLeft = right - tree.clientWidth;
}

/** Adds the versions made from `uuid`: the first in its row, the others each in a row of their own. */
function grow(uuid, { column, row }, tree) {
  let last = row;
  versions.children(tree.root, uuid).forEach((version, index) => {
    const at = index === 0 ? row : tree.rows.count + 1;
    tree.rows.count = Math.max(tree.rows.count, at);
    tree.cells.push(cell(item(version, tree), { column, row: at, up: index === 0 ? 0 : at - last, isFirst: column === 1 }));
    last = at;
    grow(version.uuid, { column: column + 1, row: at }, tree);
  });
}

function cell(button, { column, row, up = 0, isFirst = column === 1 }) {
  const entry = make('li', { className: isFirst ? 'begin' : '' }, button);
  entry.style.gridColumn = column;
  entry.style.gridRow = row;
  entry.style.setProperty('--up', up);
  return entry;
}

function original(root, isCurrent, preview) {
  const image = preview ? make('img', { src: preview, alt: '' })
    : make('span', { className: 'blank', 'aria-hidden': 'true', textContent: '–' });
  return make('button', { type: 'button', className: 'source', 'aria-current': String(isCurrent), 'aria-disabled': String(!preview),
    title: preview ? 'The image that you added' : 'This browser no longer has the image that you added.',
    onclick: () => { if (preview) acts.original(root); } },
  image, make('span', { className: 'name', textContent: 'Original' }), make('span', { className: 'of', textContent: preview ? 'your photo' : 'not stored here' }));
}

function item(version, { current, family }) {
  const number = (one) => family.indexOf(one) + 1;
  const from = versions.byUuid(version.parent);
  const picture = version.kind === 'video' || !version.address ? make('span', { className: 'blank', 'aria-hidden': 'true', textContent: version.kind === 'video' ? '▶' : '–' })
    : make('img', { src: versions.small(version), alt: '', loading: 'lazy' });
  const words = versions.words(version);
  return make('button', { type: 'button', className: 'version', title: words, 'aria-current': String(version === current),
    onclick: () => acts.look(version) },
  picture,
  make('span', { className: 'name', textContent: `${number(version)}. ${words}` }),
  make('span', { className: 'of', textContent: `${version.starred ? '★ ' : ''}${from ? `from ${number(from)}` : version.inputs.length > 0 || version.kind === 'image_edit' ? 'from your photo' : 'from text'}` }));
}
