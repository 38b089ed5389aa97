// Enhancements for every page. All pages work without them.

import { forgetAll, hasDraft } from './shelf.js';

// Return to this page after the theme was changed.
for (const field of document.querySelectorAll('.themes input[name="next"]')) {
  field.value = location.pathname + location.search;
}

// Clear the saved photos and prompts before signing out. Ask first if there are any.
for (const form of document.querySelectorAll('form[data-forgets]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const question = 'Sign out? The photos and the prompt in the studio will be removed from this browser. Your results stay in the history.';
    if (await hasDraft().catch(() => false) && !window.confirm(question)) return;
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
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    const question = event.submitter?.dataset.ask ?? form.dataset.ask;
    if (question && !window.confirm(question)) event.preventDefault();
  });
}

for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = 'Copied';
  });
}
