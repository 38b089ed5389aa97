// Search in the documentation: headings and text of all its pages, in this browser. The other pages are
// loaded when someone starts to search.

import { $, counted, make, show } from './dom.js';

const FOUND_MAX = 20;
const AROUND = 60;

const query = $('query');
const found = $('found');
let sections = [];
let gathered = null;

show($('find'), true);
query.addEventListener('focus', gather, { once: true });
query.addEventListener('input', search);
$('find').addEventListener('keydown', move);
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  query.focus();
  query.select();
});

/** Reads the sections of all pages, once. */
function gather() {
  gathered ??= (async () => {
    const pages = [...document.querySelectorAll('.doc-pages > li > a')].map(({ pathname }) => pathname);
    const read = pages.map(async (path) => {
      if (path === location.pathname) return sectionsOf(document, path);
      const response = await fetch(path).catch(() => null);
      const html = response?.ok ? await response.text() : '';
      return sectionsOf(new DOMParser().parseFromString(html, 'text/html'), path);
    });
    sections = (await Promise.all(read)).flat();
    search();
  })();
}

/** The parts of a page that have an address: their title, their text, and where they are. */
function sectionsOf(page, path) {
  const parts = page.querySelectorAll('#text section[id], #text li[id], #text tr[id]');
  return [...parts].map((part) => {
    const title = part.querySelector('h2, h3, th')?.textContent.trim() ?? '';
    // Words of neighboring cells and paragraphs must not run together.
    const words = [...part.querySelectorAll('p, li, th, td, dt, dd, pre')].filter((one) => !one.querySelector('p, li'));
    const text = words.map((one) => one.textContent).join(' ').replace(/\s+/g, ' ').trim();
    return { title, text, href: `${path}#${part.id}`, low: { title: title.toLowerCase(), text: text.toLowerCase() } };
  });
}

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : sections
    .map((section) => ({ section, score: score(section.low, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX);
  found.replaceChildren(...hits.map(({ section }) => make('li', {}, result(section, words))));
  show(found, hits.length > 0);
  $('found-count').textContent = words.length === 0 ? '' : hits.length === 0 ? 'No results' : counted(hits.length, 'result');
}

/** Every word must occur; in a title, and there at the beginning, it counts for more. */
function score({ title, text }, words) {
  let sum = 0;
  for (const word of words) {
    if (title.startsWith(word)) sum += 20;
    else if (title.includes(word)) sum += 10;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function result({ title, text, href, low }, words) {
  const at = Math.max(0, ...words.map((word) => low.text.indexOf(word)));
  const from = Math.max(0, at - AROUND / 2);
  const piece = `${from > 0 ? '… ' : ''}${text.slice(from, from + 2 * AROUND)}`;
  const link = make('a', { href }, make('b', {}, ...marked(title, words)), make('small', {}, ...marked(piece, words)));
  link.addEventListener('click', () => { query.value = ''; search(); });
  return link;
}

/** `text` with the words that were searched for marked. */
function marked(text, words) {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'i')).map((part, index) => (index % 2 === 1 ? make('mark', { textContent: part }) : part));
}

/** Arrow keys go through the results, Enter in the field opens the first, Escape clears. */
function move(event) {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    query.value = '';
    search();
    query.focus();
  } else if (event.key === 'Enter' && document.activeElement === query) {
    links[0]?.click();
  } else if (event.key === 'ArrowDown' && links.length > 0) {
    event.preventDefault();
    links[Math.min(at + 1, links.length - 1)].focus();
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault();
    (links[at - 1] ?? query).focus();
  }
}
