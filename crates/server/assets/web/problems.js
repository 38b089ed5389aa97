// Messages about what is wrong with a run, next to what they are about. They vanish when that changes.

import { $, say, show } from './dom.js';
import * as pictures from './pictures.js';
import * as refusal from './refusal.js';
import * as runner from './runner.js';
import * as settings from './settings.js';

/** Request fields, and the elements that show their errors. */
const PLACES = { instruction: 'instruction', prompt: 'instruction', model: 'model', aspectRatio: 'ratio',
  quality: 'quality', duration_seconds: 'duration', size: 'size', negative_prompt: 'negative' };

/** Shows an error of the service. */
export function refuse(error) {
  const index = /^imageUrls\[(\d+)\]$/.exec(error.param ?? '');
  const message = error.message.replace(/^`[^` ]*`: /, '');
  if (index && pictures.blame(Number(index[1]), message)) return alert(message);
  if (refusal.shown() && PLACES[error.param] === 'instruction') return $('instruction').focus();
  const place = PLACES[error.param];
  if (place) return complain(place, message);
  if (settings.isBuiltIn() && error.code === 'instruction_not_supported') return alert(message);
  if (error.code === 'instruction_not_supported' || error.code === 'content_refused') return complain('instruction', message);
  if (error.status === 401) return alert('You’ve been signed out. Sign in and we’ll finish this edit.');
  if (!error.status && !(error instanceof runner.RunError)) console.error(error);
  return alert(message);
}

/** What a warning says on this page, where images have numbers. */
export function warned({ code, param, message }) {
  const index = code === 'input_not_used' && /^imageUrls\[(\d+)\]$/.exec(param);
  return index ? `The prompt doesn’t use image ${Number(index[1]) + 1}.` : message;
}

/** Shows what is wrong with a field. Returns true. */
export function complain(place, message) {
  $(`${place}-wrong`).textContent = message;
  $(place).setAttribute('aria-invalid', 'true');
  if (place === 'size' || place === 'negative') $('more').open = true;
  $(place).focus();
  say(message);
  return true;
}

/** Shows a message about the run as a whole. Returns true. */
export function alert(message) {
  $('alert').className = 'alert';
  return put(message);
}

/** Shows a message about the run that reports nothing wrong. Returns true. */
export function note(message) {
  $('alert').className = 'notice';
  return put(message);
}

function put(message) {
  $('alert').textContent = message;
  show($('alert'), true);
  $('alert').scrollIntoView({ block: 'nearest' });
  return true;
}

/** Removes all messages. */
export function clear() {
  show($('alert'), false);
  for (const place of Object.values(PLACES)) {
    $(`${place}-wrong`).textContent = '';
    $(place).removeAttribute('aria-invalid');
  }
}
