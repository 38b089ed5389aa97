// Several models on one image, side by side, at their total price.

import { OWN, base, finish, grant, ok, person, photograph, until } from './browser.mjs';

const { page, context, complaints } = await person({ email: 'ada@example.com' });
ok('where only the built-in editor serves, nothing is compared', await page.getByText('Compare with other models').isHidden());

// As if providers served some of the models.
const SERVED = { 'beta-image-2': 'azure', 'gamma-2': 'gemini', 'delta-5-0': 'byteplus' };
await context.route(`${base}/`, async (route) => {
  const response = await route.fetch();
  const whole = await response.text();
  const body = whole.replace(/(<script type="application\/json" id="facts">)(.*?)(<\/script>)/s, (_, start, json, end) => {
    const facts = JSON.parse(json);
    for (const model of facts.models.image_edit) model.providers = [SERVED[model.id] ?? 'built-in'];
    return `${start}${JSON.stringify(facts).replaceAll('<', '\\u003c')}${end}`;
  });
  return route.fulfill({ response, body });
});
await page.reload();
await page.locator('#file').setInputFiles(photograph);
await page.getByLabel('What should change?').fill('make it sepia');
await page.getByText('Compare with other models').click();
await page.getByLabel('gamma-2 · 6 credits').check();
await page.getByLabel('delta-5-0 · 6 credits').check();
ok('the button shows the total price', await page.getByRole('button', { name: 'Edit with 3 models · 18 credits' }).isVisible());
await page.locator('#run').click();
const alert = page.locator('#alert');
await alert.waitFor();
ok(`too few credits: ${await alert.textContent()}`, (await alert.textContent()).includes('costs 18 credits; you have 15'));

grant('ada@example.com', 100);
ok('the draft is saved', await until(() => page.evaluate(() => new Promise((resolve) => {
  const opening = indexedDB.open('retouch', 1);
  opening.onsuccess = () => {
    const shelves = opening.result.transaction(['draft', 'pictures']);
    const draft = shelves.objectStore('draft').get('draft');
    const pictures = shelves.objectStore('pictures').count();
    shelves.oncomplete = () => resolve(draft.result?.pictures.length === 1 && draft.result.words !== '' && pictures.result === 1);
  };
}))));
await page.reload();
await page.locator(OWN).waitFor();
await page.getByText('Compare with other models').click();
await page.getByLabel('gamma-2 · 6 credits').check();
await page.getByLabel('delta-5-0 · 6 credits').check();
await page.getByRole('button', { name: 'Edit with 3 models · 18 credits' }).click();
const cells = page.locator('#race .version');
await page.locator('#race img').nth(2).waitFor();
ok('three results are side by side', await cells.count() === 3);
ok('the first is selected', await until(async () => await cells.nth(0).getAttribute('aria-current') === 'true'));
await cells.nth(2).click();
ok('another can be selected', await until(async () => await cells.nth(2).getAttribute('aria-current') === 'true'));
ok('all are charged', await page.locator('[data-balance]').textContent() === '97');
ok('all are in the history', await page.evaluate(async () => (await (await fetch('/api/generations')).json()).data.length) === 3);

// One model fails; the other still works.
await context.route('**/api/image-edit', async (route) => {
  if (!route.request().postData().includes('gamma-2')) return route.continue();
  const error = { type: 'server_error', code: 'upstream_error', message: 'The provider failed. Nothing was charged; try again.', param: null };
  return route.fulfill({ status: 500, json: { error } });
});
await page.getByLabel('delta-5-0 · 6 credits').uncheck();
await page.getByRole('button', { name: 'Edit with 2 models · 12 credits' }).click();
await page.locator('#race', { hasText: 'The provider failed' }).waitFor();
await page.locator('#race img').waitFor();
ok('the failed model shows its error in its place', await cells.nth(1).isDisabled());
ok('and is not charged', await until(async () => await page.locator('[data-balance]').textContent() === '91'));

// A model that does not support the request is not offered.
await page.getByRole('button', { name: /^Look at/ }).click();
await page.locator('#file').setInputFiles([photograph]);
ok('a model that accepts fewer images says so', await page.getByLabel('beta-image-2 – accepts only 1 image').isDisabled());
await page.getByText('Video', { exact: true }).click();
ok('models cannot be compared for videos', await page.getByText('Compare with other models').isHidden());
const loud = complaints.filter((text) => !text.includes('500'));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);
await finish();
