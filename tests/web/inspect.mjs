// Checks a page in both themes and all sizes: accessible, not wider than the window, small, and with
// nothing loaded from other servers.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE, base, ok } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** As transferred, that is, compressed. */
const BYTES_MAX = 96_000;

/** For pages that are inspected: in the middle of a transition, colors belong to neither theme. */
export const still = { reducedMotion: 'reduce' };

/** Opens `path`, runs `prepare` on the page, and checks it. The results are reported as `name`. `bytesMax`
 *  is for uncompressed texts. */
export async function inspect({ page }, path, { name = path, prepare = async () => {}, bytesMax = BYTES_MAX } = {}) {
  const seen = [];
  const notice = (response) => seen.push(response);
  page.on('response', notice);
  await page.goto(base + path);
  await page.waitForLoadState('networkidle');
  page.off('response', notice);
  await prepare(page);
  const elsewhere = seen.map((response) => response.url()).filter((url) => !url.startsWith(base) && !/^(data|blob):/.test(url));
  ok(`${name}: loads nothing from other servers ${elsewhere}`, elsewhere.length === 0);
  ok(`${name}: ${await weight(seen)} bytes transferred without images`, await weight(seen) < bytesMax);
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
    .map(async (response) => (await response.request().sizes().catch(() => ({ responseBodySize: 0 }))).responseBodySize);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Runs the rules as a script of the debugger, which works without weakening the page's policy. */
async function violationsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3).join(', ')}`);
}
