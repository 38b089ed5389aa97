// Uploads: progress, canceling, a lost connection, once per image. What cannot be used is marked and
// never sent.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base, finish, grant, ok, person, photograph, until } from './browser.mjs';
import { photos } from './photos.mjs';

const ada = await person({ email: 'ada@example.com' });
const { page, context, complaints } = ada;
grant('ada@example.com', 100);
await page.reload();
const sent = [];
page.on('request', (request) => { if (request.method() === 'POST') sent.push(new URL(request.url()).pathname); });
const uploads = () => sent.filter((path) => path === '/api/uploads').length;
const strip = page.locator('#pictures li:not(.add)');
const words = page.getByLabel('What should change?');
const [photo] = await photos(page, 1, { width: 2000, height: 1500 });
const file = (name, bytes, mimeType = 'image/jpeg') => ({ name, mimeType, buffer: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1') });

// Files that cannot be used.
const folder = mkdtempSync(join(tmpdir(), 'retouch-uploads-'));
const huge = join(folder, 'huge.jpg');
writeFileSync(huge, Buffer.alloc(25 * 1048576, '\xff\xd8\xff', 'latin1'));
const bad = [
  ['notes.jpg', 'hello, this is text', /can’t read this file/], ['phone.jpg', '\0\0\0\x18ftypheic\0\0\0\0', /HEIC photos aren’t supported.*JPEG/],
  ['new.png', '\0\0\0\x1cftypavif\0\0\0\0', /AVIF images aren’t supported/],
  ['boxed.avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', /AVIF images aren’t supported.*JPEG/],
  ['burst.heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic', /HEIC photos aren’t supported.*JPEG/],
  ['clip.mov', '\0\0\0\x14ftypqt  \0\0\0\0qt  ', /Videos aren’t supported/], ['empty.png', '', /empty/],
  ['huge.jpg', huge, /Too large: 25 MB. The limit is 20 MB/],
  ['broken.png', '\x89PNG\r\n\x1a\nnothing', /damaged|incomplete/i],
];
for (const [name, bytes, message] of bad) {
  await page.locator('#file').setInputFiles(bytes === huge ? huge : file(name, bytes));
  const wrong = strip.locator('.wrong');
  await wrong.waitFor();
  ok(`${name}: ${await wrong.textContent()}`, message.test(await wrong.textContent()));
  ok('the drop zone stays', await page.locator('#drop').isVisible());
  await page.getByRole('button', { name: `Remove: ${name}` }).click();
}
rmSync(folder, { recursive: true });
ok('none of them was edited', !sent.includes('/api/image-edit'));
ok('the drop zone is back after the last one', await page.locator('#drop').isVisible() && await strip.count() === 0);
await page.locator('#file').setInputFiles(file('really-a-jpeg.heic', readFileSync(photograph), 'image/heic'));
await strip.locator('img').waitFor();
ok('a JPEG with a wrong name is a JPEG', await strip.locator('.wrong').count() === 0);
await removeOne();

// A slow connection that breaks once.
const network = await context.newCDPSession(page);
const slow = (kbit) => network.send('Network.emulateNetworkConditions', { offline: kbit === 0, latency: 20,
  downloadThroughput: kbit * 125, uploadThroughput: kbit * 125 });
await network.send('Network.enable');
let broken = 0;
await page.route('**/api/uploads', (route) => {
  broken += 1;
  return broken === 1 ? route.abort('connectionreset') : route.continue();
});
const before = uploads();
await page.locator('#file').setInputFiles(photo);
ok('after a lost connection it is sent again', await until(() => uploads() - before === 2));
await page.unroute('**/api/uploads');
await words.fill('make it warmer');
await run();
ok('the edit uses the upload', await until(() => page.locator('#report').isVisible()));
await words.fill('make it cooler');
await run();
ok('an edit right after the last is made too', await until(async () => await page.locator('#tree .version').count() === 2));
ok(`two edits send the image once: ${uploads() - before - 1}`, uploads() - before === 2);
await page.reload();
ok('both are there after a reload', await until(async () => await page.locator('#tree .version').count() === 2));
ok('and so does a reload', uploads() - before === 2);

// Progress, and canceling.
await slow(1000);
const [other] = await photos(page, 2, { width: 2000, height: 1500, grain: 60 }).then((made) => made.slice(1));
await removeOne();
await page.locator('#file').setInputFiles(other);
const percent = strip.locator('.sent');
ok(`progress is shown in percent: ${await percent.textContent()}`, await until(async () => /^[1-9]\d? %$/.test(await percent.textContent())));
await words.fill('make it warmer');
await run();
ok('during a run too', await until(async () => /Uploading… \d+ %/.test(await page.locator('#working-words').textContent())));
await page.locator('#working').getByRole('button', { name: 'Cancel' }).click();
await page.locator('#alert').waitFor();
ok(`a canceled upload says so: ${await page.locator('#alert').textContent()}`, await page.locator('#alert').textContent() === 'Canceled. Nothing was charged.');
await slow(100_000);

// Formats that a browser cannot show, and images that move.
await removeOne();
await page.locator('#file').setInputFiles(file('scan.tif', tiff(64, 48), 'image/tiff'));
ok('a TIFF is shown', await until(async () => (await page.locator('#after').getAttribute('src'))?.startsWith('data:image/')));
await removeOne();
await page.locator('#file').setInputFiles(file('dance.gif', gif(), 'image/gif'));
ok('an animated GIF says that one frame is used', await until(async () => (await strip.textContent()).includes('only the first frame')));

// Several images can be looked at. With a prompt, previews would take their place.
await words.fill('');
await page.locator('#file').setInputFiles([photo, other]);
await page.getByRole('button', { name: `Look at ${other.name}` }).click();
ok('a click on a thumbnail shows the image', await until(async () => await page.locator('#after').getAttribute('alt') === other.name));
const loud = complaints.filter((text) => !/status of 40|ERR_CONNECTION_RESET/.test(text));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);

// The sample: the button vanishes, but not the focus.
const visitor = await person();
await visitor.page.goto(`${base}/studio`);
await visitor.page.getByRole('button', { name: 'Try a sample photo' }).press('Enter');
await visitor.page.locator('#after[src]').waitFor();
ok('the focus stays on the page', await until(() => visitor.page.evaluate(() => document.activeElement !== document.body)));
await finish();

/** Removes the photo by keyboard, also during its upload. Steps have a "Remove" of their own. */
async function removeOne() {
  await strip.getByRole('button', { name: /remove: /i }).press('Enter');
  ok('a photo is removed', await until(async () => await strip.count() === 0));
}

async function run() {
  await page.locator('#run').click();
}

/** An uncompressed TIFF with a gradient. */
function tiff(width, height) {
  const strip = Buffer.alloc(width * height * 3, 0);
  for (let at = 0; at < strip.length; at += 1) strip[at] = at % 251;
  const entries = [[256, 3, 1, width], [257, 3, 1, height], [258, 3, 1, 8], [259, 3, 1, 1], [262, 3, 1, 2], [273, 4, 1, 8],
    [277, 3, 1, 3], [278, 3, 1, height], [279, 4, 1, strip.length]];
  const head = Buffer.alloc(8);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(8 + strip.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    if (type === 3) directory.writeUInt16LE(value, at + 8);
    else directory.writeUInt32LE(value, at + 8);
  });
  return Buffer.concat([head, strip, directory]);
}

/** A GIF of one pixel with two frames. */
function gif() {
  const control = '\x21\xf9\x04\x04\x0a\x00\x00\x00';
  const frame = '\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0';
  return `GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0${control}${frame}${control}${frame}\x3b`;
}
