// The result of a run: image, report, download.

import { $, counted, local, make, say, show } from './dom.js';
import { findPicture } from './shelf.js';
import * as snippets from './snippets.js';
import * as viewer from './viewer.js';

let previewed = null;

/** Shows a version with its report. */
export async function present(version) {
  const address = local(version.address);
  const { instruction } = version.fields;
  report(version);
  if (version.kind === 'video') viewer.showFilm(address);
  else await viewer.showResult(address, await before(version), `Result of: ${instruction}`);
  const name = `retouch-${version.uuid.slice(0, 8)}.${version.kind === 'video' ? 'mp4' : 'png'}`;
  Object.assign($('download'), { href: address, download: name });
  show($('acts'), true);
  show($('again'), version.kind !== 'video');
  show($('copy'), version.kind !== 'video' && Boolean(window.ClipboardItem && navigator.clipboard?.write));
}

/** Hides the report. */
export function dismiss() {
  show($('acts'), false);
  show($('report'), false);
}

/** Copies the image of a version to the clipboard. */
export async function copy(version) {
  const picture = fetch(local(version.address)).then((response) => response.blob());
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
  say('Image copied.');
}

async function before({ inputs: [first] }) {
  const kept = first && !first.address ? await findPicture(first.id) : null;
  if (previewed) URL.revokeObjectURL(previewed);
  previewed = kept ? URL.createObjectURL(kept) : null;
  return previewed ?? (first?.address?.startsWith('http') ? ours(first.address) : null);
}

/** The path of an image stored here. This page loads nothing from other hosts. */
function ours(address) {
  const { pathname } = new URL(address);
  return pathname.startsWith('/files/') ? pathname : null;
}

function report(version) {
  const { plan, warnings = [], cost, seconds } = version;
  const by = version.provider === 'built-in' ? 'built-in editor' : `${version.model} by ${version.provider}`;
  $('report-cost').textContent = [counted(cost, 'credit'), ...(seconds ? [`${seconds} s`] : []), by].join(' · ');
  $('report-title').textContent = plan ? 'What changed' : 'Result';
  $('steps').replaceChildren(...steps(plan));
  $('warnings').replaceChildren(
    ...(plan?.assumed ?? []).map((words) => make('li', { textContent: `Assumed: ${words}.` })),
    ...warnings.map(({ message }) => make('li', { textContent: message })));
  snippets.begin(version);
  show($('report'), true);
}

/** The steps of a plan, each with the words it came from. */
export function steps(plan) {
  const understood = plan?.understood ?? [];
  const words = plan?.words;
  if (!words) return understood.map((one) => make('li', {}, make('q', { textContent: one.words })));
  return words.map((text, step) => {
    const from = understood.filter((one) => one.step === step).map((one) => one.words).join(' … ');
    const sentence = text.charAt(0).toUpperCase() + text.slice(1);
    return make('li', { textContent: `${sentence} ` }, from ? make('q', { textContent: from }) : null);
  });
}
