// Small helpers for all modules.

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** Creates an element. Strings become text nodes, never markup. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Shows or hides an element. */
export function show(element, shown) {
  element.hidden = !shown;
}

/** Announces a message to screen readers. */
export function say(words) {
  const status = $('status');
  if (status) status.textContent = words;
}

/** The data that the server put into this page. */
export const facts = JSON.parse($('facts')?.textContent ?? '{}');

/** The extension of a file in each format. */
export const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' };

/** A count with its noun: `1 credit`, `1,300 credits`. */
export function counted(count, thing) {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
}

/** The path of one of our URLs: this page may use another host than `public_url`. */
export function local(address) {
  return new URL(address, location.href).pathname;
}

/** A random unique ID. `crypto.randomUUID` is missing without HTTPS. */
export function unique() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Frees what a `blob:` address leads to, if it is one. Not at once: an image may just be loading from it. */
export function release(address) {
  if (address?.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
