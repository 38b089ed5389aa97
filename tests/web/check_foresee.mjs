// The preview of changes while the user types, which is free.

import { call, finish, ok, person, photograph, until } from './browser.mjs';

const { page, complaints } = await person({ email: 'careful@example.com' });
const words = page.getByLabel('What should change?');
const foreseen = page.locator('#foreseen');

await words.fill('a bit brighter in the top half, then crop to a square');
ok('there is no preview without a photo', !await foreseen.isVisible());
await page.locator('#file').setInputFiles(photograph);
const step = foreseen.getByRole('listitem').filter({ hasText: 'Increase the brightness by 10% in the top half' });
await step.waitFor();
ok('every step is listed', await foreseen.getByText('Crop to the ratio 1:1 at the center').isVisible());
ok('and every assumption', await foreseen.getByText('Assumed: the change in brightness is 10%').isVisible());

await words.fill('brighten the sky');
const use = foreseen.getByRole('button', { name: 'Use “increase the brightness by 20%”' });
await use.waitFor();
ok('the words that are not understood are quoted', (await foreseen.textContent()).includes('“sky”') || (await foreseen.textContent()).includes('"sky"'));
await use.click();
ok('one click uses the suggestion', await words.inputValue() === 'increase the brightness by 20%');
await foreseen.getByText('Preview of changes').waitFor();

const ideas = page.locator('#ideas button');
for (const idea of await ideas.allTextContents()) {
  await words.fill('');
  await until(async () => !await foreseen.isVisible());
  await ideas.getByText(idea, { exact: true }).click();
  ok(`an example works unchanged: ${idea}`, await until(() => foreseen.getByText('Preview of changes').isVisible()));
}

await words.fill('');
ok('there is no preview without a prompt', await until(async () => !await foreseen.isVisible()));

const { body } = await call(page, 'GET', '/api/credits');
ok('nothing was charged', body.available === 15 && body.held === 0);
ok(`no console errors ${complaints.join('; ')}`, complaints.length === 0);
await finish();
