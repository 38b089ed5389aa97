// Every page, in both looks and on all sizes: no violation of accessibility, nothing wider than the
// window, nothing heavy, nothing from elsewhere.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE, base, call, encoded, finish, grant, ok, person } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BYTES_MAX = 100_000;

// Colours on their way from one look to the other are none of either.
const still = { reducedMotion: 'reduce' };
const EMAIL = 'ada.lovelace.of.the.analytical.engine@example.com';
const ada = await person({ email: EMAIL, ...still });
grant(EMAIL, 500);
const first = await call(ada.page, 'POST', '/api/image-edit', { instruction: 'make it warmer and crop to 1:1', imageBase64: encoded() });
const { uuid, stored_images: [address] } = first.body.generation;
await call(ada.page, 'POST', '/api/image-edit', { instruction: 'rotate left', imageUrl: address });
await call(ada.page, 'POST', '/api/keys', { name: 'laptop', credit_limit: 60 });
const anon = await person(still);

const pages = [
  [anon, '/'], [anon, '/sign-up'], [anon, '/sign-in'], [anon, '/plans'], [anon, '/no-such-page'],
  [ada, '/'], [ada, `/?from=${uuid}&use=result`], [ada, '/history'], [ada, '/history?q=nothing'], [ada, `/history/${uuid}`],
  [ada, '/credits'], [ada, '/keys'], [ada, '/plans'], [ada, '/account'],
];
for (const [someone, path] of pages) await inspect(someone, path);
await studioWithResult();
await finish();

async function inspect({ page }, path, prepare = async () => {}) {
  const name = path.replace(uuid, '{uuid}');
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

async function studioWithResult() {
  const prepare = async (page) => {
    await page.getByLabel('What should change?').fill('make it sepia');
    await page.locator('#after[src^="/files/"]').waitFor();
    await page.getByRole('button', { name: /Edit · 6/ }).click();
    await page.locator('#report').waitFor();
    await page.locator('#call summary').click();
    await page.getByText('More settings').click();
  };
  await inspect(ada, `/?from=${uuid}&use=result`, prepare);
}
