// Previews what the built-in editor would do, while the user types. Nothing is run or charged.

import { $, facts, make, show } from './dom.js';
import { set } from './instruction.js';
import { steps } from './result.js';

const AFTER_MS = 400;
const REFUSED_AFTER_MS = 1_200;

let timer = 0;
let asked = '';
let asking = new AbortController();

/** Requests a preview after a pause in typing. `ask` returns `{ kind, provider, body }`. */
export function soon(ask) {
  clearTimeout(timer);
  timer = setTimeout(() => look(ask()), AFTER_MS);
}

async function look({ kind, provider, body }) {
  const words = JSON.stringify(body);
  const can = facts.account && provider === 'built-in' && kind !== 'video' && body.instruction.trim() !== ''
    && (kind === 'text_to_image' || body.pictures > 0);
  if (!can) return forget();
  if (words === asked) return undefined;
  asked = words;
  asking.abort();
  asking = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/plan', { method: 'POST', headers, body: words, signal: asking.signal }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  // The prompt has changed meanwhile.
  if (words !== asked) return undefined;
  if (answer?.plan) return say('Preview of changes:', steps(answer.plan), answer.plan.assumed.map(supposed));
  show($('foreseen'), false);
  // Do not report errors in a word that is still being typed.
  if (answer?.refusal) timer = setTimeout(() => explain(answer.refusal), REFUSED_AFTER_MS);
  return undefined;
}

const supposed = (words) => make('li', { textContent: `Assumed: ${words}.` });

function explain({ message, nearest }) {
  const use = nearest && make('button', { type: 'button', className: 'plain small button', textContent: `Use “${nearest}”`,
    onclick: () => { set(nearest); $('instruction').focus(); } });
  say('', [], [make('li', { textContent: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }), ...(use ? [make('li', {}, use)] : [])]);
}

function say(title, done, notes) {
  $('foreseen-title').textContent = title;
  $('foreseen-steps').replaceChildren(...done);
  $('foreseen-notes').replaceChildren(...notes);
  show($('foreseen'), true);
}

function forget() {
  asked = '';
  asking.abort();
  show($('foreseen'), false);
}
