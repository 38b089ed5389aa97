// A page in both looks and on all sizes: no violation of accessibility, nothing wider than the
// window, nothing heavy, nothing from elsewhere.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE, base, ok } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BYTES_MAX = 104_000;

/** For people whose pages are inspected: colours on their way from one look to the other are none of either. */
export const still = { reducedMotion: 'reduce' };

/** Goes to `path`, which is called `name`, and looks at it; `prepare` makes it what is to be seen. */
export async function inspect({ page }, path, { name = path, prepare = async () => {} } = {}) {
  const seen = [];
  const notice = (response) => seen.push(response);
  page.on('response', notice);
  await page.goto(base + path);
  await page.waitForLoadState('networkidle');
  page.off('response', notice);
  await prepare(page);
  const elsewhere = seen.map((response) => response.url()).filter((url) => !url.startsWith(base) && !/^(data|blob):/.test(url));
  ok(`${name}: nothing comes from elsewhere ${elsewhere}`, elsewhere.length === 0);
  ok(`${name}: ${await weight(seen)} bytes, pictures apart`, await weight(seen) < BYTES_MAX);
  for (const [size, viewport] of [['desktop', DESKTOP], ['phone', PHONE]]) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const violations = await violationsOf(page);
      ok(`${name}: ${size}, ${colorScheme} ${violations.join(' | ')}`, violations.length === 0);
    }
  }
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const scroll = await page.evaluate(() => document.documentElement.scrollWidth);
    ok(`${name}: ${width} px wide, ${scroll} px needed`, scroll <= width);
  }
}

async function weight(responses) {
  const sizes = responses.filter((response) => !/^(image|video)/.test(response.headers()['content-type'] ?? ''))
    .map(async (response) => (await response.body().catch(() => Buffer.alloc(0))).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The rules run in the page without weakening its policy: as a script of the inspector. */
async function violationsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3).join(', ')}`);
}
