// The versions made from one image. Each stores which one it was made from.

import { $, facts, local, make, show } from './dom.js';
import { forget, keep, list } from './shelf.js';

const KEPT_MAX = 60;

let versions = [];
let chosen = () => {};
let current = null;

/** Sets up the tree; `whenChosen` gets the chosen version. */
export async function begin(whenChosen) {
  chosen = whenChosen;
  const kept = await list('versions').catch(() => []);
  kept.sort((a, b) => a.at - b.at);
  for (const old of kept.splice(0, Math.max(0, kept.length - KEPT_MAX))) await forget('versions', old.uuid).catch(() => {});
  versions = kept.filter(({ account }) => account === facts.account);
}

/** The version of a generation. */
export const byUuid = (uuid) => versions.find((version) => version.uuid === uuid);

/** The version whose result has this URL. */
export const ofAddress = (address) => versions.find((version) => version.address === address);

/** Adds a version and makes it the current one. */
export async function add(version) {
  version.root = byUuid(version.parent)?.root ?? version.uuid;
  version.account = facts.account;
  versions = [...versions.filter(({ uuid }) => uuid !== version.uuid), version];
  await keep('versions', version.uuid, version).catch(() => {});
  point(version);
}

/** Shows the tree around this version. */
export function point(version) {
  current = version;
  draw();
}

function draw() {
  const family = current ? versions.filter(({ root }) => root === current.root) : [];
  $('tree').replaceChildren(...family.map((version, index) => item(version, index, family)));
  show($('versions'), family.length > 1);
  $('tree').querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function item(version, index, family) {
  const from = family.findIndex(({ uuid }) => uuid === version.parent);
  const picture = version.kind === 'video' ? null
    : make('img', { src: local(version.address), alt: '', loading: 'lazy' });
  const button = make('button', { type: 'button', className: 'version', title: version.fields.instruction,
    'aria-current': String(version === current), onclick: () => chosen(version) },
  picture,
  make('span', { className: 'name', textContent: `${index + 1}. ${version.fields.instruction}` }),
  make('span', { className: 'of', textContent: from < 0 ? 'from your photo' : `from ${from + 1}` }));
  return make('li', {}, button);
}
