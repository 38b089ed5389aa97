// The result of a run: image, report, actions.

import * as actions from './actions.js';
import { $, counted, local, make, release, show } from './dom.js';
import * as problems from './problems.js';
import { findPicture } from './shelf.js';
import * as snippets from './snippets.js';
import { inspect, isHidden } from './files.js';
import { fromService } from './thumbnails.js';
import * as uploads from './uploads.js';
import * as versions from './versions.js';
import * as viewer from './viewer.js';

let previewed = null;

/** Shows a version with its report. */
export async function present(version) {
  report(version);
  actions.offer(version);
  if (!version.address) return viewer.clear();
  if (version.kind === 'video') return viewer.showFilm(local(version.address));
  const from = await original(version).catch(() => null);
  return viewer.showResult(versions.image(version), { original: from, plan: version.plan, words: `Result of: ${versions.words(version)}` });
}

/** Hides the report. */
export function dismiss() {
  actions.dismiss();
  show($('report'), false);
}

/** Copies the image of a version to the clipboard. */
export const copy = (version) => actions.copy(version);

/** What a version was made from, as an image for the viewer. */
async function original({ inputs: [first], parent }) {
  release(previewed);
  previewed = null;
  const from = versions.byUuid(parent);
  if (from?.address && from.kind !== 'video') return versions.image(from);
  if (first?.address) return stored(first);
  const kept = first ? await findPicture(first.id) : null;
  if (!kept) return null;
  const { format } = await inspect(kept);
  if (isHidden(format)) return seen(first);
  previewed = URL.createObjectURL(kept);
  return { address: previewed };
}

/** An input that is stored here. This page loads nothing from other hosts. */
function stored(input) {
  const path = local(input.address);
  if (path.startsWith('/api/uploads/')) return seen(input);
  if (!path.startsWith('/files/')) return null;
  const version = versions.ofAddress(path);
  return version ? versions.image(version) : { address: path };
}

async function seen(input) {
  const { shown, width, height } = await fromService(() => uploads.address(input));
  return { address: shown, size: { width, height } };
}

function report(version) {
  const { plan, warnings = [], cost, seconds } = version;
  const by = version.provider === 'built-in' ? 'built-in editor' : `${version.model} by ${version.provider}`;
  $('report-cost').textContent = [counted(cost, 'credit'), ...(seconds ? [`${seconds} s`] : []), by].join(' · ');
  $('report-title').textContent = plan ? 'What changed' : 'Result';
  $('steps').replaceChildren(...steps(plan));
  $('warnings').replaceChildren(
    ...(plan?.assumed ?? []).map((words) => make('li', { textContent: `Assumed: ${words}.` })),
    ...warnings.map((warning) => make('li', { textContent: problems.warned(warning) })));
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
