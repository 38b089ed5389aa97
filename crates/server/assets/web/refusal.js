// Why the built-in editor refuses, and who can do it instead.

import { $, counted, facts, make, show } from './dom.js';
import * as settings from './settings.js';

let tried = () => {};

/** Sets what is called with an instruction that works instead. */
export function begin(whenTried) {
  tried = whenTried;
}

/** Refusals of words that any model reads. */
const MODELS_READ = ['needs_generative_model', 'not_understood', 'other_language'];

/** Shows a refusal: `{ message, kind, nearest }`. */
export function explain({ message, kind, nearest }) {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  const use = nearest && make('button', { type: 'button', className: 'plain small button', textContent: `Use “${nearest}”`, onclick: () => tried(nearest) });
  $('refusal').replaceChildren(make('p', { textContent: /[.!?”"]$/.test(sentence) ? sentence : `${sentence}.` }),
    ...(use ? [make('p', {}, use)] : []), ...(MODELS_READ.includes(kind) ? instead(kind) : []));
  show($('refusal'), true);
}

export const shown = () => !$('refusal').hidden;

export const hide = () => show($('refusal'), false);

/** Who can do what the built-in editor cannot, if anyone. */
function instead(kind) {
  const model = facts.models[settings.kind()].find(({ providers }) => providers[0] && providers[0] !== 'built-in');
  if (model) {
    const choose = () => { settings.choose(model.id); $('instruction').focus(); };
    return [make('p', {}, make('button', { type: 'button', className: 'plain small button', onclick: choose,
      textContent: `Use ${model.id} · ${counted(settings.priceOf(model), 'credit')}` }))];
  }
  if (kind !== 'needs_generative_model') return [];
  const words = facts.is_administrator ? ['This server has no AI model yet. ', make('a', { href: '/admin/providers', textContent: 'Add a provider' }), ' for it.']
    : ['This server has no AI model yet. Ask your administrator to add a provider.'];
  return [make('p', {}, ...words)];
}
