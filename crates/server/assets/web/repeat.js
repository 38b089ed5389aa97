// Asks before the same run on the same images: the result would be the same, and cost again.

import { $, counted, facts, show } from './dom.js';
import { list } from './shelf.js';

const VARYING = ['input_name'];

/** The versions that these runs would make again. Providers answer differently each time. */
export async function made(runs) {
  const versions = await list('versions').catch(() => []);
  const own = versions.filter((version) => version.account === facts.account && version.provider === 'built-in');
  const known = new Map(own.map((version) => [signature(version), version]));
  return runs.map((run) => known.get(signature(run))).filter(Boolean);
}

function signature({ kind, fields, inputs }) {
  const named = Object.entries(fields ?? {}).filter(([name]) => !VARYING.includes(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([kind, named, (inputs ?? []).map(({ id, address }) => address ?? id)]);
}

/** Asks what to do: `show` the result that there is, `run` again, or nothing. In a batch, `count` results
 *  are there already, which are not offered. */
export function ask(credits, count = 0) {
  $('repeat-title').textContent = count > 0 ? `You’ve already made ${count} of these` : 'You’ve already made this';
  show($('repeat-show'), count === 0);
  $('repeat-run').textContent = `Run again · ${counted(credits, 'credit')}`;
  $('repeat').returnValue = '';
  $('repeat').showModal();
  return new Promise((done) => { $('repeat').addEventListener('close', () => done($('repeat').returnValue), { once: true }); });
}
