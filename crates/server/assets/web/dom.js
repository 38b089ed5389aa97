// Small helpers that every module of the pages uses.

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** A new element with properties and children; text becomes text, never markup. */
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

/** Says something to people who hear the page, without moving anything for those who see it. */
export function say(words) {
  const status = $('status');
  if (status) status.textContent = words;
}

/** What the server told this page. */
export const facts = JSON.parse($('facts')?.textContent ?? '{}');

/** `count` things: `1 credit`, `6 credits`. */
export function counted(count, thing) {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** An address of ours as this page reaches it, whatever host the server calls itself. */
export function local(address) {
  return new URL(address, location.href).pathname;
}

/** Random characters for a name that nobody else chooses; also where there is no https. */
export function unique() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));
