// The live preview: typing, changing the plan by hand, undoing that, and running what is shown.

import { base, call, finish, ok, person, photograph, until } from './browser.mjs';

const { page, complaints } = await person({ email: 'careful@example.com' });
const words = page.getByLabel('What should change?');
const steps = page.locator('#recipe .step');
const after = page.locator('#after');
const refusal = page.locator('#refusal');
const isPreview = () => until(async () => /^(data|blob):/.test(await after.getAttribute('src')) && await steps.count() > 0);

/** The mean color of the image on the stage. */
const color = () => after.evaluate(async (image) => {
  // A preview that replaces the image meanwhile ends the decoding.
  for (let source = null; source !== image.src;) {
    source = image.src;
    await image.decode().catch((error) => { if (source === image.src) throw error; });
  }
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
});
/** Waits until the image on the stage has another color. */
const changes = async (before) => until(async () => String(await color()) !== String(before));

await words.fill('a bit brighter in the top half, then crop to a square');
ok('there are no steps without a photo', await steps.count() === 0);
await page.locator('#file').setInputFiles(photograph);
await steps.nth(1).waitFor();
ok('every step is listed, with the words it came from', (await steps.nth(0).textContent()).includes('Brightness') && (await steps.nth(0).textContent()).includes('brighter'));
await page.getByText('What was assumed').click();
ok('and every assumption', await page.getByText('The change in brightness is 10%').isVisible());
ok('and the size of the result', await until(async () => /Full size [\d,]+ × [\d,]+/.test(await page.locator('#plan-size').textContent())));

await words.fill('make it brighter and replace the sky');
const use = refusal.getByRole('button', { name: 'Use “increase the brightness by 20%”' });
await use.waitFor();
ok('what is not understood is quoted', /[“"]replace the sky[”"]/.test(await refusal.textContent()));
ok('without steps that would not run', await steps.count() === 0);
await page.locator('#run').click();
ok('running it shows no second message', await page.locator('#alert').isHidden() && await page.locator('#instruction-wrong').textContent() === '');
await use.click();
ok('one click uses the suggestion', await words.inputValue() === 'increase the brightness by 20%' && await words.evaluate((field) => field === document.activeElement));
await steps.first().waitFor();

for (const idea of ['Make it warmer and crop to 1:1', 'Pad to 9:16 with a blurred copy', 'Blur the bottom third']) {
  await words.fill('');
  await until(async () => await steps.count() === 0);
  await page.locator('#ideas button').getByText(idea, { exact: true }).click();
  ok(`an example works unchanged: ${idea}`, await until(async () => await steps.count() > 0));
}

// The photographer: three sliders, two of them undone.
await words.fill('make it warmer, more contrast, add a vignette');
await until(async () => await steps.count() === 3);
await isPreview();
const slider = (step) => steps.nth(step).locator('input[type="range"]');
const value = (step) => slider(step).inputValue();
const first = await Promise.all([0, 1, 2].map(value));
let before = await color();
await slider(0).fill('80');
ok('a slider changes the image', await changes(before));
await slider(1).fill('60');
before = await color();
await slider(2).fill('90');
await changes(before);
ok('the number next to the slider follows', await steps.nth(2).locator('input[type="number"]').inputValue() === '90');
ok('the page says that the plan is no longer that of the prompt', await page.locator('#plan-changed').isVisible());
await slider(2).focus();
await page.keyboard.press('Control+z');
await until(async () => await value(2) === first[2]);
ok('undo by keyboard keeps the focus', await slider(2).evaluate((field) => field === document.activeElement));
await page.getByRole('button', { name: 'Undo the last change to the steps' }).click();
ok('two changes are undone and one stays', await value(0) === '80' && await value(1) === first[1] && await value(2) === first[2]);
await page.getByRole('button', { name: 'Redo the change to the steps' }).click();
ok('and one is made again', await value(1) === '60');

await page.getByRole('button', { name: 'Move up: Vignette' }).press('Enter');
ok('steps are reordered by keyboard', (await steps.nth(1).textContent()).includes('Vignette'));
await steps.nth(1).locator('.grip').dragTo(steps.nth(2), { targetPosition: { x: 20, y: 60 } });
ok('and by dragging', await until(async () => (await steps.nth(2).textContent()).includes('Vignette')));
await page.getByLabel('Vignette: on').uncheck();
await page.getByRole('button', { name: 'Remove: Contrast' }).click();
ok('steps are removed', await steps.count() === 2);

const sent = page.waitForRequest((request) => request.url().endsWith('/api/image-edit'));
await page.getByRole('button', { name: 'Save full size · 6 credits' }).dblclick();
const { plan, instruction } = (await sent).postDataJSON();
ok('what is shown is what runs', instruction === undefined && plan.steps.length === 1 && plan.steps[0].operation === 'warmth' && plan.steps[0].percent === 80);
await page.locator('#after[src^="/files/"]').waitFor();
ok('it is charged once', await until(async () => await page.locator('[data-balance]').textContent() === '9'));

// The same again costs again, so the page asks.
await page.locator('#run').click();
const dialog = page.getByRole('dialog', { name: 'You’ve already made this' });
await dialog.waitFor();
await dialog.getByRole('button', { name: 'Show that result' }).click();
ok('the same run asks first', await dialog.isHidden() && await page.locator('[data-balance]').textContent() === '9');

// Words start over.
await words.fill('write "Hello" in yellow at the top');
await until(async () => (await steps.first().textContent()).includes('Text'));
ok('changing the words starts from the words', await page.locator('#plan-changed').isHidden() && await steps.count() === 1);
await isPreview();
const yellow = await after.getAttribute('src');
await steps.first().locator('input[type="color"]').first().fill('#ff0000');
ok('a color is changed by its swatch', await until(async () => await after.getAttribute('src') !== yellow));
await page.getByRole('radio', { name: 'Bottom right' }).check();
const moved = page.waitForRequest((request) => request.url().endsWith('/api/preview'));
await page.getByRole('radio', { name: 'Bottom left' }).check();
ok('a place by its nine points', (await moved).postDataJSON().plan.steps[0].place === 'bottom_left');
await page.getByRole('button', { name: 'Back to the prompt' }).click();
await until(async () => await page.locator('#plan-changed').isHidden());
ok('there is a way back to the prompt', await words.inputValue() === 'write "Hello" in yellow at the top');

await words.fill('');
ok('there are no steps without a prompt', await until(async () => await steps.count() === 0));
const { body } = await call(page, 'GET', '/api/credits');
ok('only the run was charged', body.available === 9 && body.held === 0);

// A visitor sees previews too, and keeps the focus.
const visitor = await person();
await visitor.page.goto(`${base}/studio`);
await visitor.page.getByRole('button', { name: 'Try a sample photo' }).click();
ok('the focus moves on to the prompt', await until(() => visitor.page.evaluate(() => document.activeElement.id === 'instruction')));
await visitor.page.keyboard.type('make it black and white');
ok('typing shows a preview without an account', await until(async () => await visitor.page.locator('#recipe .step').count() === 1));
const loud = [...complaints, ...visitor.complaints].filter((text) => !/status of 40[0]/.test(text));
ok(`no console errors ${loud.join('; ')}`, loud.length === 0);
await finish();
