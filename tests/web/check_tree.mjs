// Results are never lost: a reload, Back and another browser show the last one with its tree. Undo and
// redo walk the tree; a result has a name, a star, a link and a file.

import { readFileSync } from 'node:fs';
import { OWN, PASSWORD, base, call, finish, grant, ok, person, photograph, stored, until } from './browser.mjs';

const ada = await person({ email: 'ada@example.com' });
const { page, context, complaints } = ada;
grant('ada@example.com', 100);
const words = page.getByLabel('What should change?');
const versions = page.locator('#tree .version');
const original = page.locator('#tree .source');
const shown = () => page.locator('#after').getAttribute('src');
const current = () => page.locator('#tree [aria-current="true"] .name').textContent().catch(() => '');
const button = (name) => page.getByRole('button', { name, exact: true });

await page.reload();
await page.locator('#file').setInputFiles({ name: 'kitchen.jpg', mimeType: 'image/jpeg', buffer: readFileSync(photograph) });
await edit('make it warmer');
ok('the first try is next to the original', await versions.count() === 1 && await original.isVisible());
await edit('make it cooler');
ok('so is the second, which was made from the same photo', await until(async () => await versions.count() === 2));
await button('Edit this result').click();
await edit('rotate left');
ok('an edit of a result is in the same tree', await until(async () => (await current()).startsWith('3. rotate left')));
ok('and says what it was made from', (await versions.nth(2).textContent()).includes('from 2'));
ok('it is saved under the name of the photo', (await downloaded()).name === 'kitchen-edited.jpg');
const last = await shown();

await page.reload();
ok('a reload shows the last result, before any script has run', (await (await page.request.get(base)).text()).includes(`src="${last}"`));
ok('and keeps it', await until(() => page.locator('#report').isVisible()) && await shown() === last);
ok('with its tree', await versions.count() === 3);
ok('and its original to compare with', await until(async () => await page.locator('#before').getAttribute('src') !== null));
await page.getByRole('link', { name: 'History' }).click();
await page.goBack();
ok('so does Back', await until(async () => await shown() === last && await versions.count() === 3));

await button('Undo').click();
ok('undo goes to what it was made from', await until(async () => (await current()).startsWith('2. make it cooler')));
await page.locator('#frame').focus();
await page.keyboard.press('Control+z');
ok('Ctrl+Z goes to the original', await until(async () => await current() === 'Original'));
ok('which is the input of the next edit', await page.locator('#pictures .name').textContent() === 'kitchen.jpg');
await page.keyboard.press('Control+Shift+Z');
ok('redo goes forward again', await until(async () => (await current()).startsWith('2. make it cooler')));
await page.keyboard.press('Control+Shift+Z');
ok('to the result that was undone', await until(async () => (await current()).startsWith('3. rotate left')));
await words.focus();
await page.keyboard.press('Control+z');
ok('in a text field, Ctrl+Z is for the text', (await current()).startsWith('3. rotate left'));
await page.keyboard.press('Escape');
ok('Escape goes from the prompt to the result', await page.evaluate(() => document.activeElement.id) === 'frame');
await page.keyboard.press('Escape');
ok('and back', await page.evaluate(() => document.activeElement.id) === 'instruction');

await page.getByLabel('Name of this result').fill('Kitchen, cool');
await page.keyboard.press('Enter');
ok('a result can be named', await until(async () => (await current()).includes('Kitchen, cool')));
await button('☆ Star').click();
ok('and starred', await until(() => button('★ Starred').isVisible()));
for (const [format, start] of [['JPEG', 'ffd8ff'], ['PNG', '89504e47'], ['WebP', '52494646']]) {
  await page.getByLabel('Download as').selectOption(format);
  ok(`it downloads as ${format}`, (await downloaded()).start.startsWith(start));
}
ok('under its name', (await downloaded()).name === 'Kitchen, cool.webp');
await versions.nth(0).click();
await until(async () => (await current()).startsWith('1. '));
ok('without one, under the name of the photo', (await downloaded()).name === 'kitchen-edited.jpg');

await page.locator('#share summary').click();
await button('Create link').click();
const link = await until(() => page.getByLabel('Link to this result').inputValue());
const visitor = await person();
const seen = async () => (await visitor.page.goto(link)).status();
ok(`anyone can see a shared result: ${link}`, await seen() === 200);
await button('Revoke link').click();
await button('Create link').waitFor();
ok('until the link is revoked', await seen() === 404);

// Another browser of the same account.
const elsewhere = await person();
await elsewhere.context.addCookies((await context.cookies()).filter(({ name }) => name !== 'stage'));
await elsewhere.page.goto(base);
ok('another browser shows the last result', await until(async () => await elsewhere.page.locator('#after').getAttribute('src') === last));
ok('with the tree', await until(async () => await elsewhere.page.locator('#tree .version').count() === 3));
ok('its name and its star', (await elsewhere.page.locator('#tree .version').nth(2).textContent()).includes('★'));
const { body } = await call(page, 'GET', '/api/credits');
ok('and three edits were charged', body.available === 115 - 18);

// Another photo begins another edit, whatever was shown last.
await page.goto(base);
await page.locator('#report').waitFor();
const names = page.locator('#pictures .name');
const garden = { name: 'garden.jpg', mimeType: 'image/jpeg', buffer: readFileSync(photograph) };
await page.locator('#file').setInputFiles(garden);
ok('a new photo takes the place of the last one', await until(async () => (await names.allTextContents()).join() === 'garden.jpg'));
await stored(page, 'garden.jpg');
const isOwn = (someone) => until(() => someone.locator(OWN).isVisible());
await page.reload();
ok('a reload shows it', await isOwn(page) && (await names.allTextContents()).join() === 'garden.jpg');
ok('and the page does not begin with the result', !(await (await page.request.get(base)).text()).includes('?reduced=true'));
const returning = await person();
await returning.page.goto(base);
await returning.page.locator('#file').setInputFiles(garden);
await returning.page.waitForURL(`${base}/studio`);
ok('a visitor chooses a photo', await isOwn(returning.page));
await returning.page.getByRole('link', { name: 'Sign in' }).first().click();
await returning.page.getByLabel('Email address').fill('ada@example.com');
await returning.page.getByLabel('Password').fill(PASSWORD);
await returning.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
await returning.page.waitForURL(`${base}/`);
ok('after signing in, it is on the stage', await isOwn(returning.page));
const loud = [...complaints, ...elsewhere.complaints, ...returning.complaints].filter((text) => !text.includes('404'));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);
await finish();

async function edit(prompt) {
  const before = await shown();
  await words.fill(prompt);
  await page.locator('#run').click();
  await until(async () => await shown() !== before && (await shown())?.startsWith('/files/') && await page.locator('#report').isVisible());
}

async function downloaded() {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), start: readFileSync(await file.path()).subarray(0, 4).toString('hex') };
}
