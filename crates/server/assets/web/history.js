// Selecting and starring in the history without loading the page again, and searching on by itself.
// Everything works without it.

import { counted } from './dom.js';

const form = document.querySelector('form.chosen');
const picks = form ? [...form.querySelectorAll('.pick input')] : [];
const all = form?.querySelector('[data-all]');

function count() {
  const chosen = picks.filter((pick) => pick.checked).length;
  form.querySelector('[data-count]').textContent = `${counted(chosen, 'image')} selected`;
  const button = form.querySelector('[value="delete"]');
  button.dataset.ask = `Delete ${counted(chosen, 'image')} permanently? Credits are not refunded.`;
  all.checked = chosen === picks.length;
  all.indeterminate = chosen > 0 && !all.checked;
}

async function star(button) {
  const starred = button.name === 'star';
  button.disabled = true;
  const answer = await fetch(`/api/generations/${button.value}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ starred }),
  }).catch(() => null);
  button.disabled = false;
  // Without an answer, the form says what is wrong.
  if (!answer?.ok) return form.requestSubmit(button);
  button.name = starred ? 'unstar' : 'star';
  button.setAttribute('aria-pressed', String(starred));
  button.focus();
}

// The way back leads to before the search.
const on = document.querySelector('[data-search-on]');
if (on) location.replace(on.href);

if (form) {
  all.hidden = false;
  form.querySelector('[data-all-label]').hidden = false;
  all.addEventListener('change', () => {
    for (const pick of picks) pick.checked = all.checked;
    count();
  });
  for (const pick of picks) pick.addEventListener('change', count);
  let failed = null;
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (!button?.matches('.star') || button === failed) return;
    event.preventDefault();
    failed = button;
    star(button).finally(() => { failed = null; });
  });
  // The browser keeps the selection when the user comes back.
  count();
}
