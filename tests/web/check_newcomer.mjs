// A new user: a photo first, then an account, an edit, another edit of the result, and a look at the
// cost. On a desktop and on a phone.

import { readFileSync } from 'node:fs';
import { DESKTOP, OWN, PHONE, PASSWORD, base, finish, ok, person, photograph, until } from './browser.mjs';

await journey('desktop', DESKTOP);
await journey('phone', { ...PHONE, hasTouch: true });
await finish();

async function journey(where, { hasTouch = false, ...size }) {
  const { page, complaints } = await person({ size, hasTouch, isMobile: hasTouch });
  const say = (words, isSo) => ok(`${where}: ${words}`, isSo);
  const words = page.getByLabel('What should change?');
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(base);
  say('the first page says what this is', await page.getByRole('heading', { level: 1 }).textContent() === 'Edit photos by describing the change');
  await page.getByRole('link', { name: 'Open the studio' }).click();
  await page.waitForURL(`${base}/studio`);
  say('the sign-up link mentions the free credits', await page.getByRole('link', { name: /Sign up to save.*15 free credits/ }).isVisible());
  await page.locator('#file').setInputFiles(photograph);
  await page.locator('#after[src^="blob:"]').waitFor();
  say('the photo is shown immediately', await until(async () => await page.locator('#pictures li img').count() === 1));
  await words.fill('Make it warmer and crop to 1:1 😀');
  say('characters are counted as on the server', await page.locator('#count').textContent() === '32 of 800');
  await words.fill('Make it warmer and crop to 1:1');
  say('the steps are shown before there is an account', await page.locator('#recipe .step').nth(1).waitFor().then(() => true));

  await page.getByRole('link', { name: /Sign up to save/ }).click();
  await page.getByLabel('Email address').fill('nobody');
  await page.getByLabel('Email address').evaluate((input) => { input.form.noValidate = true; });
  await page.getByLabel('Password').fill('short');
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  say('an error is shown at its field', await page.locator('#email-wrong').isVisible());
  say('the typed text is kept', await page.getByLabel('Email address').inputValue() === 'nobody');
  await page.getByLabel('Email address').fill(`${where}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL(`${base}/`);
  await page.locator(OWN).waitFor();
  say('the photo and the prompt survive sign-up', await words.inputValue() === 'Make it warmer and crop to 1:1');
  say('the balance is 15 credits', await page.locator('[data-balance]').textContent() === '15');

  const run = page.getByRole('button', { name: /Save full size · 6 credits/ });
  say('the button shows the price', await run.isVisible());
  say('and the credits are shown', (await page.locator('#after-run').textContent()).includes('15 credits left'));
  await run.click();
  await page.locator('#after[src^="/files/"]').waitFor();
  say('the result is shown', await page.locator('#report').isVisible());
  say('and charged', await until(async () => await page.locator('[data-balance]').textContent() === '9'));
  const steps = await page.locator('#steps li').allTextContents();
  say(`the steps are listed: ${steps.join(' / ')}`, steps.length === 2 && steps[0].includes('warm'));
  await compare(page, say, hasTouch);
  await zoom(page, say);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const file = await download;
  const start = readFileSync(await file.path()).subarray(0, 3).toString('hex');
  say(`the result downloads as ${file.suggestedFilename()}`, file.suggestedFilename() === 'coffee-edited.jpg' && start === 'ffd8ff');

  await page.getByRole('button', { name: 'Edit this result' }).click();
  say('the prompt is empty and focused for the next edit', await words.evaluate((field) => field === document.activeElement && field.value === ''));
  await words.fill('add a white border of 20px');
  await words.press('Control+Enter');
  const versions = page.locator('#tree .version');
  say('the second result is next to the first', await until(async () => await versions.count() === 2));
  say('it says which result it was made from', (await versions.nth(1).textContent()).includes('from 1'));
  await versions.nth(0).click();
  say('the first can be selected again', await until(async () => (await page.locator('#steps').textContent()).includes('warm')));

  await words.fill('make it sepia');
  await run.waitFor();
  say('the page warns before the run that there are too few credits', (await page.locator('#after-run').textContent()).includes('You have 3 credits. Ask for credits'));
  await run.click();
  const refused = page.locator('#alert');
  await refused.waitFor();
  say(`and does not start it: ${await refused.textContent()}`, (await refused.textContent()).includes('you have 3'));

  await page.getByRole('link', { name: 'History' }).click();
  say('the history lists both', await page.locator('.tile').count() === 2);
  say('with thumbnails', await until(() => page.locator('.tile img').first().evaluate((image) => image.naturalWidth > 0)));
  await page.locator('.tile a').first().click();
  say('a generation lists the others from the same photo', await page.locator('.tiles.small .tile').count() === 2);
  await page.getByRole('link', { name: /3\s*credits/ }).click();
  say('every transaction is listed', await page.locator('.ledger tbody tr').count() === 3);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${base}/`);
  await page.goto(`${base}/studio`);
  await page.locator('#ideas button').first().waitFor();
  say('signing out removes the photo and the prompt', await page.locator('#pictures li').count() === 0 && await words.inputValue() === '');
  const loud = complaints.filter((text) => !/status of 40[02]/.test(text));
  say(`no console errors ${loud.join(' | ')}`, loud.length === 0);
}

async function compare(page, say, hasTouch) {
  const split = page.getByLabel('Before/after position');
  const shown = () => page.locator('#original').evaluate((part) => getComputedStyle(part).clipPath);
  await split.focus();
  await page.keyboard.press('ArrowRight');
  say('the slider works with the keyboard', await split.inputValue() === '51' && (await shown()).includes('49%'));
  say('and announces its position', (await split.getAttribute('aria-valuetext')) === '51 percent original, 49 percent result');
  const canvas = page.locator('#canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  const at = [box.x + box.width / 4, box.y + box.height / 2];
  if (hasTouch) await page.touchscreen.tap(...at);
  else await page.mouse.click(...at);
  say(`and with ${hasTouch ? 'touch' : 'the pointer'}`, Math.abs(Number(await split.inputValue()) - 25) <= 1);
  const hold = page.getByRole('button', { name: 'Hold to see the original' });
  await hold.focus();
  await page.keyboard.down('Space');
  say('while held, the button shows the whole original', await shown() === 'none');
  await page.keyboard.up('Space');
  say('when released, it shows the result again', (await shown()).includes('inset'));
}

async function zoom(page, say) {
  const frame = page.locator('#frame');
  const scale = () => page.locator('#canvas').evaluate((canvas) => new DOMMatrix(getComputedStyle(canvas).transform).a);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  say('the button zooms in', await scale() === 1.5);
  await frame.focus();
  await page.keyboard.press('+');
  say('so does the keyboard', await scale() === 2.25);
  const x = () => page.locator('#canvas').evaluate((canvas) => new DOMMatrix(getComputedStyle(canvas).transform).e);
  const before = await x();
  await page.keyboard.press('ArrowRight');
  say('the arrow keys pan', await x() < before);
  await page.keyboard.press('0');
  say('0 fits the image again', await scale() === 1);
}
