// Enhancements for every page. All pages work without them.

import { forgetAll } from './shelf.js';

// Return to this page after the theme was changed.
for (const field of document.querySelectorAll('.themes input[name="next"]')) {
  field.value = location.pathname + location.search;
}

// Clear the saved photos and prompts before signing out.
for (const form of document.querySelectorAll('form[data-forgets]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const late = new Promise((done) => setTimeout(done, 1500));
    await Promise.race([forgetAll().catch(() => {}), late]);
    form.submit();
  });
}

// Show times in the reader's time zone.
const shape = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const element of document.querySelectorAll('time[datetime]')) {
  const moment = new Date(element.dateTime);
  if (!Number.isNaN(moment.valueOf())) {
    element.title = element.dateTime;
    element.textContent = shape.format(moment);
  }
}

// Ask before an action that cannot be undone.
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
