// Lighthouse on the main pages, as phones see them.
//
//   tests/web/run PROGRAM FOLDER lighthouse   with a PROGRAM from a release build, on a quiet machine
//
// Accessibility, best practices and search engines must get 100. Performance is only printed, with what
// lowers it: its times are simulated (a slow phone on slow 4G) from what a page loads and how long the
// processor works on it. A busy machine can only make the latter longer, so the best of three runs counts.

import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { base, call, encoded, finish, ok, person } from './browser.mjs';
import { photos } from './photos.mjs';

const EXACT = ['accessibility', 'best-practices', 'seo'];
const TIMED = 'performance';
const RUNS = 3;
const PUBLIC = ['/', '/studio', '/docs', '/docs/operations', '/docs/reference', '/sign-up', '/plans'];
const OWN = ['/history', '/credits', '/keys', '/account'];

const ada = await person({ email: 'ada@example.com' });
await call(ada.page, 'POST', '/api/image-edit', { instruction: 'make it warmer', imageBase64: encoded() });
const carol = await person({ email: 'carol@example.com' });
const [photo] = await photos(carol.page, 1, { width: 4000, height: 3000, grain: 20 });
const large = await call(carol.page, 'POST', '/api/image-edit', {
  instruction: 'make it warmer', imageBase64: photo.buffer.toString('base64'),
});
const shared = await call(carol.page, 'POST', `/api/generations/${large.body.generation.uuid}/share`);
const bob = await person({ email: 'bob@example.com' });
const chrome = await launch({ chromePath: '/usr/bin/chromium-headless-shell', chromeFlags: ['--headless', '--no-sandbox'] });
const [jar] = (await chromium.connectOverCDP(`http://127.0.0.1:${chrome.port}`)).contexts();
for (const path of PUBLIC) await check(path, path);
await check('/ signed in', '/', bob);
for (const path of OWN) await check(`${path} signed in`, path, ada);
for (const path of ['/studio', `/history/${large.body.generation.uuid}`]) await check(`${path} of 12 megapixels`, path, carol);
// Search engines are told not to list shared results.
await check('a shared result of 12 megapixels', new URL(shared.body.url).pathname, null, EXACT.filter((category) => category !== 'seo'));
await chrome.kill();
await finish();

/** Opens `path` as `someone`, or as a visitor. `exact` are the categories that must get 100. */
async function check(name, path, someone, exact = EXACT) {
  const [best, ...others] = await scores(path, someone, [TIMED, ...exact]);
  others.forEach(({ category, score, faults }) => ok(`${name}: ${category} ${score} ${faults}`, score === 100));
  for (let run = 1; run < RUNS && best.score < 100; run += 1) {
    const [again] = await scores(path, someone, [TIMED]);
    if (again.score > best.score) Object.assign(best, again);
  }
  console.log(`# ${name}: ${TIMED} ${best.score} ${best.faults}`);
}

/** The score of each category, from 0 to 100, and what lowers it. */
async function scores(path, someone, onlyCategories) {
  await jar.clearCookies();
  if (someone) await jar.addCookies(await someone.context.cookies());
  const { lhr } = await lighthouse(base + path, { port: chrome.port, onlyCategories, logLevel: 'silent' });
  return onlyCategories.map((category) => {
    const { score, auditRefs } = lhr.categories[category];
    const isFault = (ref) => ref.weight > 0 && (lhr.audits[ref.id].score ?? 1) < 1;
    const told = ({ id }) => [id, lhr.audits[id].displayValue].filter(Boolean).join(' ');
    return { category, score: Math.round((score ?? 0) * 100), faults: auditRefs.filter(isFault).map(told).join(', ') };
  });
}
