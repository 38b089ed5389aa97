// A visitor on the landing page: looks, tries the sample photo, and goes on with a photo of their own;
// and a reader of the documentation who searches by keyboard.

import { DESKTOP, PHONE, base, finish, ok, person, photograph, until } from './browser.mjs';
import { inspect, still } from './inspect.mjs';

const { page, complaints } = await person();
await page.goto(base);
const words = page.getByLabel('Your words');
const first = await page.locator('#edited').getAttribute('src');
await words.fill('make it grayscale');
ok('the photo changes while a visitor types', await until(async () => await page.locator('#edited').getAttribute('src') !== first));
ok('and the steps are listed', await until(async () => (await page.locator('#told').textContent()).toLowerCase().includes('grayscale')));
await words.fill('remove the spoon');
await page.locator('#told .wrong').waitFor();
ok(`what cannot be done is said: ${await page.locator('#told').textContent()}`, true);
await page.getByRole('button', { name: 'Crop to a square and round the corners' }).click();
ok('one click tries an idea', await until(async () => await page.locator('#show').evaluate((show) => show.classList.contains('reshaped'))));
await page.getByRole('button', { name: 'Continue with this in the studio' }).click();
await page.waitForURL(`${base}/studio`);
ok('the studio has the words', await until(async () => await page.getByLabel('What should change?').inputValue() === 'Crop to a square and round the corners'));
ok('and the photo', await until(async () => await page.locator('#pictures li img').count() === 1));

await page.goto(base);
await page.locator('#file').setInputFiles(photograph);
await page.waitForURL(`${base}/studio`);
ok('a photo that is chosen on the landing page is in the studio', await until(async () => await page.locator('#pictures li img').count() === 1));
ok('without the words of the sample', await page.getByLabel('What should change?').inputValue() === '');

await page.goto(`${base}/docs`);
await page.getByRole('heading', { level: 1 }).waitFor();
await page.keyboard.press('/');
await page.keyboard.type('vignette');
await page.locator('#found a').first().waitFor();
await page.keyboard.press('ArrowDown');
await page.keyboard.press('Enter');
await page.waitForURL(/operations#vignette/);
ok('the documentation can be searched by keyboard', true);
await page.goto(`${base}/docs`);
await page.getByRole('button', { name: 'Dark' }).click();
ok('and follows the chosen theme', await page.locator('html').getAttribute('data-theme') === 'dark');
ok('on the same page', page.url() === `${base}/docs`);
await page.goto(`${base}/admin/users`);
ok('a page that is not there follows it too', await page.locator('html').getAttribute('data-theme') === 'dark');
await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
ok('and leads to signing in and back', page.url() === `${base}/sign-in?next=%2Fadmin%2Fusers`);
await page.goBack();
await page.getByRole('link', { name: 'Go to the start page' }).click();
ok('or to the start page', page.url() === `${base}/`);
const loud = complaints.filter((text) => !/status of 40[04]/.test(text));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);

const phone = await person({ ...still, size: PHONE, hasTouch: true, isMobile: true });
await phone.page.goto(base);
const box = await phone.page.locator('#show').boundingBox();
ok('on a phone, the photo is in the first screen', box.y + box.height < PHONE.height);
await phone.page.goto(`${base}/docs`);
const isClear = await phone.page.evaluate(() => {
  const line = document.createRange();
  line.setStart(document.getElementById('code-curl').firstChild, 0);
  line.setEnd(document.getElementById('code-curl').firstChild, 4);
  const button = document.querySelector('[data-copies="code-curl"]').getBoundingClientRect();
  return button.height > 0 && button.bottom <= line.getBoundingClientRect().top;
});
ok('the button that copies code covers none of it', isClear);
await phone.context.close();
const forced = await person({ ...still, forcedColors: 'active', size: DESKTOP });
await inspect(forced, '/docs', { name: '/docs in forced colors', bytesMax: 400_000 });
await finish();
