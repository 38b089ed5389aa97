// What every page does once it has loaded. Each part works without it too.

import { forgetAll } from './shelf.js';

// Back to this very page after choosing how it looks.
for (const field of document.querySelectorAll('.themes input[name="next"]')) {
  field.value = location.pathname + location.search;
}

// Whoever signs out leaves no pictures behind.
for (const form of document.querySelectorAll('form[data-forgets]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const late = new Promise((done) => setTimeout(done, 1500));
    await Promise.race([forgetAll().catch(() => {}), late]);
    form.submit();
  });
}

// Times as they are where the reader is.
const shape = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const element of document.querySelectorAll('time[datetime]')) {
  const moment = new Date(element.dateTime);
  if (!Number.isNaN(moment.valueOf())) {
    element.title = element.dateTime;
    element.textContent = shape.format(moment);
  }
}

// What cannot be undone is asked about.
for (const form of document.querySelectorAll('form[data-ask]')) {
  form.addEventListener('submit', (event) => {
    if (!window.confirm(form.dataset.ask)) event.preventDefault();
  });
}

for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = 'Copied';
  });
}
