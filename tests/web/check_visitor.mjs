// A visitor on a phone with a photo of 12 megapixels at 5 Mbit/s: from the landing page to the
// downloaded result, without scrolling to find the result.

import { readFileSync } from 'node:fs';
import { PASSWORD, PHONE, base, finish, ok, person, until } from './browser.mjs';
import { photos } from './photos.mjs';

/** At 5 Mbit/s, the photo takes longer than other things to wait for. */
const LINE_MS = 240_000;

const { page, context, complaints } = await person({ size: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
await page.goto(`${base}/studio`);
const [photo] = await photos(page, 1, { width: 4000, height: 3000, grain: 20, quality: 0.92 });
photo.name = 'garden.jpg';
console.log(`# the photo has ${Math.round(photo.buffer.length / 1e5) / 10} MB`);
const network = await context.newCDPSession(page);
await network.send('Network.enable');
await network.send('Network.emulateNetworkConditions', { offline: false, latency: 40, downloadThroughput: 625_000, uploadThroughput: 625_000 });

await page.goto(`${base}/studio`);
ok('the camera is offered', await page.getByText('Take a photo').isVisible());
const box = await page.locator('#choose').boundingBox();
ok(`buttons are large enough: ${Math.round(box.height)} px`, box.height >= 44);

const began = Date.now();
await page.goto(base);
ok('nothing is said about dropping photos', await page.getByText('drop a photo').isHidden());
const choosing = page.waitForEvent('filechooser');
await page.locator('#choose').tap();
await (await choosing).setFiles(photo);
await page.waitForURL(`${base}/studio`);
await page.locator('#after[src]').waitFor();
await page.getByLabel('What should change?').tap();
await page.keyboard.type('make it warmer and crop to 1:1');
await page.locator('#join').tap();
await page.getByLabel('Email address').fill('visitor@example.com');
await page.getByLabel('Password').fill(PASSWORD);
await page.getByRole('main').getByRole('button', { name: 'Sign up' }).tap();
await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/studio');
await page.locator('#after[src]').waitFor();
await page.locator('#run').tap();
await page.locator('#after[src^="/files/"]').waitFor({ timeout: LINE_MS });
await page.locator('#report').waitFor();
const isInView = () => page.locator('#canvas').evaluate((canvas) => {
  const { top, bottom } = canvas.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
});
ok('the result is in view without scrolling', await until(isInView));
const waiting = page.waitForEvent('download', { timeout: LINE_MS });
await page.getByRole('link', { name: 'Download' }).tap();
const file = await waiting;
const start = readFileSync(await file.path()).subarray(0, 3).toString('hex');
ok(`the result is saved as ${file.suggestedFilename()}`, file.suggestedFilename() === 'garden-edited.jpg' && start === 'ffd8ff');
console.log(`# from the landing page to the file in ${Math.round((Date.now() - began) / 1000)} s, without time to think`);

const account = page.getByRole('link', { name: /visitor@example.com/ });
const size = await account.boundingBox();
ok('the account page can be reached', await account.isVisible() && size.width >= 44 && size.height >= 44);
await account.tap();
await page.waitForURL(`${base}/account`);

// At 400 % zoom, the bar with the button leaves room for the field.
await page.setViewportSize({ width: 320, height: 256 });
await page.goto(`${base}/studio`);
await page.getByLabel('What should change?').focus();
const isFree = await page.evaluate(() => {
  const field = document.getElementById('instruction').getBoundingClientRect();
  const bar = document.querySelector('.go').getBoundingClientRect();
  return getComputedStyle(document.querySelector('.go')).position !== 'sticky' || bar.top >= field.bottom;
});
ok('at 400 % zoom nothing covers the field', isFree);
let asked = '';
page.on('dialog', (dialog) => { asked = dialog.message(); return dialog.dismiss(); });
await page.getByRole('button', { name: 'Sign out' }).click();
ok(`signing out asks first: ${asked}`, await until(() => asked.includes('removed')) && page.url() !== `${base}/sign-in`);
// A browser logs each refused preview.
const loud = complaints.filter((text) => !/status of 400/.test(text));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);
await finish();
