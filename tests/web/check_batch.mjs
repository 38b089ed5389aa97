// A seller with 50 product photos: one prompt on each of them, with a pause, a reload in the middle,
// a failure that is tried again, and one ZIP. Each photo is charged once.

import { readFileSync } from 'node:fs';
import { finish, grant, ok, person, until } from './browser.mjs';
import { photos } from './photos.mjs';

const COUNT = 50;
const { page, context, complaints } = await person({ email: 'seller@example.com' });
grant('seller@example.com', 400);
await page.reload();
const balance = () => page.evaluate(async () => (await (await fetch('/api/credits')).json()).available);
const title = page.locator('#batch-title');
const done = async () => Number(/^(\d+) of/.exec(await title.textContent())?.[1] ?? -1);
const strip = page.locator('#pictures li:not(.add)');

const files = await photos(page, COUNT, { width: 480, height: 360, grain: 0, quality: 0.8 });
files[COUNT - 1] = await png();
await page.locator('#file').setInputFiles(files);
await page.getByLabel('What should change?').fill('crop to a square and add a white border of 20px');
await page.locator('#recipe .step').nth(1).waitFor();
ok('the first photo is previewed, with its steps', await until(() => isPreviewed()));
ok('no photo is said to be too many', await page.locator('#pictures .wrong').count() === 0);
const first = await shown();
await strip.nth(2).locator('.thumb').click();
ok('so is one that is looked at', await until(async () => await isPreviewed() && await shown() !== first));
const start = page.getByRole('button', { name: `Edit all ${COUNT} · 300 credits` });
await start.waitFor();
ok('the cost is shown before the start', (await page.locator('#batch-words').textContent()).includes('You have 415'));

// One photo fails at first.
let hasFailed = false;
const keys = [];
const formats = new Map();
await context.route('**/api/image-edit', (route) => {
  keys.push(route.request().headers()['idempotency-key']);
  const { input_name: name, output_format: format = 'png' } = route.request().postDataJSON();
  formats.set(name, format);
  if (hasFailed || !route.request().postData().includes('product 007')) return route.continue();
  hasFailed = true;
  const error = { type: 'server_error', code: 'upstream_error', message: 'The provider failed.', param: null };
  return route.fulfill({ status: 500, json: { error } });
});
await start.dblclick();
await until(async () => await done() >= 5);
await page.getByRole('button', { name: 'Pause' }).click();
ok('it can be paused', await until(() => page.getByRole('button', { name: 'Continue' }).isVisible()));
await until(async () => await page.locator('#pictures .running').count() === 0);
const atPause = await done();
ok(`progress is shown: ${await title.textContent()}`, atPause >= 5 && atPause < COUNT && await page.locator('#batch-progress').isVisible());
await page.getByRole('button', { name: 'Continue' }).click();
await until(async () => await done() >= atPause + 5);
await page.reload();
ok('a reload goes on', await until(async () => await done() >= atPause + 10));
await page.getByRole('button', { name: 'Try 1 failed again' }).waitFor({ timeout: 400_000 });
ok('all others are done', await done() === COUNT - 1);
ok('what failed cost nothing', await balance() === 415 - 6 * (COUNT - 1));
ok('and says why', (await page.locator('#batch-words').textContent()).includes('The provider failed.'));
await page.getByRole('button', { name: 'Try 1 failed again' }).click();
ok('it can be tried again alone', await until(async () => await done() === COUNT));
ok(`each photo is charged once: ${await balance()} left`, await balance() === 415 - 6 * COUNT);
ok(`each has a key of its own: ${new Set(keys).size}`, new Set(keys).size === COUNT);
ok('each result has the format of its photo', [...formats].every(([name, format]) => format === (name === 'logo.png' ? 'png' : 'jpeg')) && formats.size === COUNT);
ok('the balance on the page follows', await until(async () => await page.locator('[data-balance]').textContent() === '115'));

await strip.nth(2).locator('.thumb').click();
ok('each result can be looked at', await until(async () => (await page.locator('#after').getAttribute('src'))?.startsWith('/files/')));
const waiting = page.waitForEvent('download');
await page.getByRole('button', { name: 'Download all as ZIP' }).click();
const zip = readFileSync(await (await waiting).path());
const names = [...zip.toString('latin1').matchAll(/PK\x01\x02[^]{42}([^]+?)(?=PK|$)/g)].length;
ok(`the ZIP has ${names} files`, zip.subarray(0, 2).toString() === 'PK' && names === COUNT);
await page.getByRole('button', { name: 'Done', exact: true }).click();
const next = page.getByRole('button', { name: /Edit all 50/ });
ok('the next batch can be started', await until(async () => await next.isVisible() && await next.getAttribute('aria-disabled') === 'false'));
grant('seller@example.com', 300);
await page.reload();
await next.click();
const dialog = page.getByRole('dialog', { name: 'You’ve already made 50 of these' });
await dialog.getByRole('button', { name: 'Cancel' }).click();
ok('the same again asks first', await balance() === 415 && await title.textContent() !== '0 of 50 done');
const loud = complaints.filter((text) => !/status of (400|500)/.test(text));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);
await finish();

async function isPreviewed() {
  return await page.locator('#preview-mark').isVisible() && /^(data|blob):/.test(await shown());
}

function shown() {
  return page.locator('#after').getAttribute('src');
}

/** A photo in another format than the others. */
async function png() {
  const url = await page.evaluate(() => Object.assign(document.createElement('canvas'), { width: 120, height: 90 }).toDataURL('image/png'));
  return { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1], 'base64') };
}
