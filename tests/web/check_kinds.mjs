// Images from text, videos, and several input images in an order.

import { base, finish, grant, ok, person, photograph, until } from './browser.mjs';

const { page, complaints } = await person({ email: 'ada@example.com' });
grant('ada@example.com', 500);
await page.reload();
const balance = () => page.locator('[data-balance]').textContent();
const words = page.locator('#instruction');

await page.getByText('Create', { exact: true }).click();
await words.fill('A gradient from red to blue, left to right');
await page.getByRole('button', { name: 'Save full size · 6 credits' }).click();
await page.locator('#after[src^="/files/"]').waitFor();
ok('an image is made from text', await page.locator('#report').isVisible());
ok('with no before/after slider', await page.locator('#slide').isHidden());

await page.getByRole('button', { name: 'Edit this result' }).click();
ok('the image can be edited', await page.locator('input[value="image_edit"]').isChecked() && await page.locator('#pictures li img').count() === 1);

await words.fill('make it warmer');
await page.locator('#preview-mark').waitFor();
await page.getByText('Video', { exact: true }).click();
await page.getByLabel('What should happen in the video?').fill('Zoom in slowly');
ok('the plan of the video is shown before the run', await page.locator('#foreseen li').first().waitFor().then(() => true));
ok('instead of the preview of the edit', await until(() => page.locator('#preview-mark').isHidden()));
await page.getByLabel('What should happen in the video?').fill('Make the person wave');
ok('and so is a refusal, with who can do it', await page.locator('#refusal', { hasText: 'Ask your administrator to add a provider' }).waitFor().then(() => true));
await page.getByLabel('What should happen in the video?').fill('Zoom in slowly');
const film = page.getByRole('button', { name: 'Create video · 21 credits' });
await film.click();
// Everything else that runs on the machine comes before the pixels of a video.
await page.locator('#film[src]').waitFor({ timeout: 5 * 60_000 });
ok('a video is made', (await page.locator('#film').getAttribute('src')).endsWith('.mp4'));
ok('it plays', await until(() => page.locator('#film').evaluate((video) => video.readyState >= 2 && video.videoWidth > 0)));
ok('and is charged', await until(async () => await balance() === String(515 - 6 - 21)));

// A browser logs each refused preview, and images can't be zoomed slowly.
await words.fill('');
await page.getByText('Edit', { exact: true }).click();
await page.getByRole('button', { name: /^Remove:/ }).click();
const file = (name) => ({ name, mimeType: 'image/jpeg', buffer });
const buffer = (await import('node:fs')).readFileSync(photograph);
await page.locator('#file').setInputFiles(['one.jpg', 'two.jpg', 'three.jpg'].map(file));
const names = () => page.locator('#pictures .name').allTextContents();
ok('several images are added in order', String(await names()) === 'one.jpg,two.jpg,three.jpg');
await page.getByRole('button', { name: 'Move left: three.jpg' }).press('Enter');
ok('the keyboard changes their order', String(await names()) === 'one.jpg,three.jpg,two.jpg');
ok('and the focus moves along', await page.evaluate(() => document.activeElement.getAttribute('aria-label')) === 'Move left: three.jpg');
await page.locator('#pictures li').nth(2).dragTo(page.locator('#pictures li').nth(0));
ok('so does dragging', String(await names()) === 'two.jpg,one.jpg,three.jpg');
await words.fill('rotate left');
const notes = page.locator('#plan-notes');
ok('an image that the prompt does not use is named by its number', await until(async () => (await notes.textContent()).includes('doesn’t use image 2')) && !(await notes.textContent()).includes('imageUrls'));
await words.fill('');
ok('the built-in editor is the only model that can be chosen', String(await page.locator('#model option:enabled').allTextContents()) === 'Built-in editor · 6 credits');
ok('others are shown with what they need', await page.locator('#model optgroup[label="Need a provider"] option:disabled').count() > 5 && (await page.locator('#model-facts').textContent()).includes('your administrator can add'));
ok('no setting is offered that has no effect', await page.getByLabel('Quality', { exact: true }).isHidden() && await page.locator('#provider-settings').isHidden());
await page.evaluate(() => {
  const data = new DataTransfer();
  data.items.add(new File(['x'], 'pasted.png', { type: 'image/png' }));
  document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
});
ok('an image can be pasted anywhere', (await names()).includes('pasted.png'));

await page.goto(`${base}/history`);
await page.locator('.tile a', { hasText: 'Zoom in slowly' }).click();
ok('the video has a page', await until(() => page.locator('.exhibit video').evaluate((video) => video.readyState >= 1)));
await page.getByRole('link', { name: 'Run again with these settings' }).click();
await page.locator('#run-words .price').waitFor();
ok('and its settings can be used again', await page.locator('input[value="video"]').isChecked() && await words.inputValue() === 'Zoom in slowly');
ok(`no console errors ${complaints.join(' | ')}`, complaints.length === 0);
await finish();
