// The versions made from an image. This browser stores them with their inputs; the service knows their
// records, so that another browser shows the same tree.

import { facts, local } from './dom.js';
import { forget, keep, list } from './shelf.js';

const KEPT_MAX = 300;

let versions = [];
/** The trees that the service was asked for since the page was opened. */
const learned = new Set();

/** Loads the versions that this browser stores. */
export async function begin() {
  const kept = await list('versions').catch(() => []);
  kept.sort((a, b) => a.at - b.at);
  for (const old of kept.splice(0, Math.max(0, kept.length - KEPT_MAX))) await forget('versions', old.uuid).catch(() => {});
  versions = kept.filter(({ account }) => account === facts.account);
}

/** The version of a generation. */
export const byUuid = (uuid) => versions.find((version) => version.uuid === uuid);

/** The version whose result has this URL. */
export const ofAddress = (address) => versions.find((version) => version.address && local(version.address) === local(address));

/** All versions that go back to the same image, oldest first. */
export const family = (root) => versions.filter((version) => version.root === root).sort((a, b) => a.at - b.at);

/** The versions made from this one, oldest first; for an original, those made from it directly. */
export const children = (root, uuid) => family(root).filter((version) => (byUuid(version.parent) ? version.parent : null) === uuid);

/** The inputs of the first version of a tree, of which the first is the original. Empty if the tree
 *  began with a text. */
export const originals = (root) => family(root).filter(({ parent }) => !byUuid(parent)).find(({ inputs }) => inputs.length > 0)?.inputs ?? [];

/** The tree whose original is this input. */
export const rootOf = ({ id, address }) => versions.find(({ parent, inputs: [first] }) => !byUuid(parent) && first
  && (first.id ? first.id === id : Boolean(address) && first.address === address))?.root ?? null;

/** The image of a version, for the viewer. */
export function image({ address, size }) {
  const path = local(address);
  return { address: path, reduced: size ? `${path}?reduced=true` : null, size };
}

/** The small image of a version, for lists. */
export const small = ({ thumbnail, address }) => local(thumbnail ?? address);

/** What people call a version: its name or its prompt. */
export const words = (version) => version.name || version.words || version.fields.instruction || '';

/** The version made by a run, from the answer of the service. */
export function made(run, { generation, cost, warnings }) {
  return { ...ofGeneration(generation), parent: run.parent ?? generation.parent ?? null, kind: run.kind, fields: run.fields, words: run.words,
    inputs: run.inputs, cost, warnings, isOfBatch: run.batch === true };
}

/** The version that a record of the service describes. */
export function ofGeneration(generation) {
  const { pictures = [], ...fields } = generation.request ?? {};
  const inputs = pictures.map((address, index) => (usable(address) ? { address, name: inputName(generation, index) } : null));
  return { uuid: generation.uuid, parent: generation.parent ?? null, kind: generation.kind,
    fields: { ...fields, instruction: generation.instruction, model: generation.model },
    inputs: inputs.every(Boolean) ? inputs : [], address: generation.stored_images[0] ?? generation.stored_videos[0] ?? null,
    size: generation.width ? { width: generation.width, height: generation.height } : null, thumbnail: generation.thumbnail_url ?? null,
    at: Date.parse(generation.created_at), cost: generation.cost, warnings: generation.warnings, plan: generation.plan,
    provider: generation.provider, model: generation.model, seconds: seconds(generation), name: generation.name ?? null,
    starred: generation.starred === true, share: generation.share_url ?? null, inputName: generation.input_name ?? null };
}

/** Adds a version. */
export async function add(version) {
  version.account = facts.account;
  version.root ??= byUuid(version.parent)?.root ?? version.inputs[0]?.id ?? version.uuid;
  versions = [...versions.filter(({ uuid }) => uuid !== version.uuid), version];
  await keep('versions', version.uuid, version).catch(() => {});
}

/** Changes what the service says about a version: name, star, link. */
export async function change(version, changes) {
  Object.assign(version, changes);
  if (byUuid(version.uuid) === version) await keep('versions', version.uuid, version).catch(() => {});
}

/** The version that the server put on the stage, or null. */
export async function last() {
  if (!facts.shown) return null;
  if (!byUuid(facts.shown.uuid)) await add(ofGeneration(facts.shown));
  return byUuid(facts.shown.uuid);
}

/** Learns the rest of a version's tree from the service. Returns whether anything was new. */
export async function learn(version) {
  if (learned.has(version.uuid)) return false;
  learned.add(version.uuid);
  const response = await fetch(`/api/generations/${version.uuid}/tree?limit=100`).catch(() => null);
  const answer = response?.ok ? await response.json().catch(() => null) : null;
  const found = (Array.isArray(answer) ? answer : answer?.data ?? []).filter(({ status }) => status === 'succeeded');
  let isNew = false;
  for (const generation of found) {
    learned.add(generation.uuid);
    isNew = await merge(generation, version.root) || isNew;
  }
  return isNew;
}

/** Takes over what the service says. What only this browser knows, such as the files of inputs, stays. */
async function merge(generation, root) {
  const known = byUuid(generation.uuid);
  const { name, starred, share, inputName, inputs, ...rest } = ofGeneration(generation);
  if (known && known.root === root && known.name === name && known.starred === starred && known.share === share) return false;
  if (known) await change(known, { root, name, starred, share, inputName });
  else await add({ ...rest, name, starred, share, inputName, inputs, root });
  return true;
}

/** A stored file or an upload. The record has a shortened URL of other images. */
const usable = (address) => Boolean(address) && !address.endsWith('…') && /^\/(files|api\/uploads)\//.test(local(address));

const inputName = ({ input_name: name }, index) => (index === 0 && name) || `Image ${index + 1}`;

const seconds = ({ created_at: from, completed_at: to }) => (to ? Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10 : null);
