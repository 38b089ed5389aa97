// What can be done with a result: name, star, download, copy, share.

import { $, EXTENSIONS, local, say, show } from './dom.js';
import * as versions from './versions.js';

const NAME_CHARS_MAX = 60;
const SHOWN_MS = 2_000;

let version = null;
let changed = () => {};

/** Sets up the buttons; `whenChanged` is called when a version got a name, a star or a link. */
export function begin(whenChanged) {
  changed = whenChanged;
  $('download-format').addEventListener('change', download);
  $('copy').addEventListener('click', () => copy(version));
  $('star').addEventListener('click', () => update({ starred: !version.starred }));
  $('result-name').addEventListener('change', () => update({ name: $('result-name').value.trim() || null }));
  $('result-name').addEventListener('keydown', (event) => { if (event.key === 'Enter') $('result-name').blur(); });
  $('share').addEventListener('toggle', () => { if ($('share').open) drawShare(); });
  $('share-make').addEventListener('click', () => share('POST'));
  $('share-end').addEventListener('click', () => share('DELETE'));
  $('share-copy').addEventListener('click', () => told($('share-copy'), navigator.clipboard.writeText($('share-link').value)));
}

/** Offers the actions for a version. */
export function offer(next) {
  if (version?.uuid !== next.uuid) $('share').open = false;
  version = next;
  const isImage = version.kind !== 'video';
  const there = Boolean(version.address);
  $('result-name').value = version.name ?? '';
  $('result-name').placeholder = versions.words(version) || 'Name this result';
  drawStar();
  drawShare();
  $('download-format').value = formatOf(version);
  show($('download-format'), isImage && there);
  show($('download'), there);
  if (there) download();
  show($('again'), isImage && there);
  show($('copy'), isImage && there && Boolean(window.ClipboardItem && navigator.clipboard?.write));
  show($('acts'), true);
  show($('keeping'), true);
}

/** Hides the actions. */
export function dismiss() {
  version = null;
  show($('acts'), false);
  show($('keeping'), false);
}

/** Copies the image of a version to the clipboard. */
export async function copy({ address }) {
  const image = async () => (await fetch(`${local(address)}?format=png`)).blob();
  const copying = (async () => navigator.clipboard.write([new ClipboardItem({ 'image/png': image() })]))();
  await told($('copy'), copying, 'Image copied.');
}

/** Shows on the button whether something was copied. */
async function told(button, copying, words = 'Copied.') {
  const before = button.dataset.words ?? button.textContent;
  button.dataset.words = before;
  const isCopied = await copying.then(() => true, () => false);
  button.textContent = isCopied ? 'Copied' : 'Couldn’t copy';
  say(isCopied ? words : 'Your browser blocked copying.');
  setTimeout(() => { button.textContent = before; }, SHOWN_MS);
}

/** What was asked for stays as it was made. Otherwise the extension of the input's file decides, if the
 * result can be saved in that format. */
function formatOf({ inputs, inputName, fields, plan, address }) {
  if (fields.output_format) return fields.output_format;
  const { format, bytes_max: isLimited } = plan?.output ?? {};
  const name = (format || isLimited ? address : inputName ?? inputs[0]?.name) ?? '';
  if (/\.jpe?g$/i.test(name)) return 'jpeg';
  return /\.webp$/i.test(name) ? 'webp' : 'png';
}

function download() {
  const isVideo = version.kind === 'video';
  const extension = isVideo ? 'mp4' : EXTENSIONS[$('download-format').value];
  const name = `${fileStem(version)}.${extension}`;
  const query = isVideo ? '' : `?format=${$('download-format').value}&download=${encodeURIComponent(name)}`;
  Object.assign($('download'), { href: local(version.address) + query, download: name });
}

/** The name of a downloaded file: the result's own, or that of the input with `-edited`. */
export function fileStem(version) {
  if (version.name) return clean(version.name);
  const root = versions.family(version.root).find((one) => one.inputName || one.inputs[0]?.id);
  const input = version.inputName ?? (version.inputs[0]?.id ? version.inputs[0].name : null) ?? root?.inputName ?? root?.inputs[0]?.name;
  if (input) return `${clean(input.replace(/\.[^.]+$/, ''))}-edited`;
  return clean(versions.words(version)) || `retouch-${version.uuid.slice(0, 8)}`;
}

/** Text as a file name on every system. */
const clean = (text) => text.normalize('NFC').replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').replace(/\s+/g, ' ').trim().slice(0, NAME_CHARS_MAX).trim();

function drawStar() {
  $('star').setAttribute('aria-pressed', String(version.starred === true));
  $('star').textContent = version.starred ? '★ Starred' : '☆ Star';
}

function drawShare() {
  const { share: url } = version;
  show($('share-make'), !url);
  show($('share-given'), Boolean(url));
  $('share-link').value = url ?? '';
  $('share-words').textContent = url ? 'Anyone with this link can see the result.' : 'Make a link that shows this result to anyone who has it. You can revoke it at any time.';
}

async function update(changes) {
  const target = version;
  const answer = await ask('PATCH', `/api/generations/${target.uuid}`, changes);
  if (!answer) return;
  await versions.change(target, changes);
  if (version === target) {
    drawStar();
    download();
  }
  say('name' in changes ? 'Name saved.' : changes.starred ? 'Starred.' : 'Star removed.');
  changed();
}

async function share(method) {
  const target = version;
  const answer = await ask(method, `/api/generations/${target.uuid}/share`);
  if (!answer) return;
  await versions.change(target, { share: answer.url ?? null });
  if (version === target) drawShare();
  $(method === 'POST' ? 'share-link' : 'share-make').focus();
  say(method === 'POST' ? 'Link ready.' : 'The link no longer works.');
  changed();
}

/** A call to the service: its answer, or null after saying why it failed. */
async function ask(method, path, body) {
  const headers = body ? { 'content-type': 'application/json' } : {};
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) }).catch(() => null);
  if (response?.ok) return response.status === 204 ? {} : response.json().catch(() => ({}));
  const failure = await response?.json().catch(() => null);
  $('keeping-wrong').textContent = failure?.error?.message ?? 'That didn’t work. Check your connection and try again.';
  say($('keeping-wrong').textContent);
  setTimeout(() => { $('keeping-wrong').textContent = ''; }, 4 * SHOWN_MS);
  return null;
}
