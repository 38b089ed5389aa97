// Asks before the same run on the same images: the result would be the same, and cost again.

import { $, counted, facts } from './dom.js';
import { list } from './shelf.js';

const VARYING = ['input_name'];

/** The version that this run would make again, or null. Providers answer differently each time. */
export async function made(run) {
  const versions = await list('versions').catch(() => []);
  const key = signature(run);
  return versions.findLast((version) => version.account === facts.account && version.provider === 'built-in' && signature(version) === key) ?? null;
}

function signature({ kind, fields, inputs }) {
  const named = Object.entries(fields ?? {}).filter(([name]) => !VARYING.includes(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([kind, named, (inputs ?? []).map(({ id, address }) => address ?? id)]);
}

/** Asks what to do: `show` the result, `run` again, or nothing. */
export function ask(credits) {
  $('repeat-run').textContent = `Run again · ${counted(credits, 'credit')}`;
  $('repeat').returnValue = '';
  $('repeat').showModal();
  return new Promise((done) => { $('repeat').addEventListener('close', () => done($('repeat').returnValue), { once: true }); });
}
