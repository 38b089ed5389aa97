// Someone with many results: finds, names, stars, shares, downloads and deletes them. On a desktop and
// on a phone.

import { readFileSync } from 'node:fs';
import { DESKTOP, PHONE, base, call, encoded, finish, grant, ok, person, until } from './browser.mjs';

await journey('desktop', DESKTOP);
await journey('phone', PHONE);
await finish();

async function journey(where, size) {
  const say = (words, isSo) => ok(`${where}: ${words}`, isSo);
  const email = `${where}@example.com`;
  const { page, complaints } = await person({ size, email });
  grant(email, 500);
  await page.goto(`${base}/history`);
  say('an empty history offers no failed tries', await page.getByText('Nothing here yet').isVisible() && await page.getByText('failed tries').count() === 0);
  for (const [instruction, input_name] of [['make it warmer', 'harbor.jpg'], ['make it grayscale', 'harbor.jpg'], ['rotate left', 'tree.jpg'], ['make it bigger than the moon', 'no.jpg']]) {
    await call(page, 'POST', '/api/image-edit', { instruction, input_name, imageBase64: encoded() });
  }
  const tiles = page.locator('.tile');
  await page.goto(`${base}/history`);
  say('failed tries are offered', await page.getByRole('link', { name: 'Show failed tries' }).isVisible());
  say('the history shows what was made, without failed tries', await tiles.count() === 3);

  await page.getByLabel('Search prompts and names').fill('harbor gray');
  await page.getByRole('button', { name: 'Search' }).click();
  say('words are found in prompts and file names', await tiles.count() === 1);
  await page.getByText('Filters').click();
  await page.getByLabel('To (UTC)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Search' }).click();
  say('an old day has nothing', await page.getByText('No results.').isVisible());
  say('and the filters stay open', await page.getByLabel('To (UTC)').inputValue() === '2020-01-01');
  await page.getByRole('link', { name: 'Clear search' }).click();

  const bar = page.getByRole('group', { name: 'Selected images' });
  say('no actions are offered before something is selected', !await bar.isVisible());
  await page.getByRole('button', { name: 'Star rotate left' }).click();
  const starred = page.locator('.star[aria-pressed="true"]');
  say('a star is set without leaving the page', await until(async () => await starred.count() === 1) && page.url() === `${base}/history`);
  await page.reload();
  say('and stays', await starred.count() === 1);

  await page.getByRole('checkbox', { name: 'Select rotate left' }).check();
  await page.getByRole('checkbox', { name: 'Select make it warmer' }).check();
  say('the number of selected images is shown', await until(async () => (await bar.textContent()).includes('2 images selected')));
  const download = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Download ZIP' }).click();
  const zip = readFileSync(await (await download).path());
  const has = (name) => zip.includes(Buffer.from(name));
  say('both come as one ZIP file under the names of the photos', zip.subarray(0, 2).toString() === 'PK' && has('harbor.png') && has('tree.png'));
  await page.getByLabel('Select all on this page').check();
  say('all can be selected', (await bar.textContent()).includes('3 images selected'));
  await page.getByLabel('Select all on this page').uncheck();

  await page.getByRole('checkbox', { name: 'Select make it warmer' }).check();
  page.once('dialog', (dialog) => dialog.dismiss());
  await bar.getByRole('button', { name: 'Delete' }).click();
  say('a refused question deletes nothing', await tiles.count() === 3);
  page.once('dialog', (dialog) => dialog.accept());
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 generation was deleted.').waitFor();
  say('a deleted generation is gone', await tiles.count() === 2);

  await own(page, say);
  await page.goto(`${base}/history?status=failed`);
  say('failed tries are shown when asked for', await tiles.count() === 0 || (await tiles.first().textContent()).includes('not charged'));
  await transactions(page, say);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  say('nothing is wider than the window', !wide);
  say(`no console errors ${complaints.join(' | ')}`, complaints.filter((text) => !/status of 40[04]/.test(text)).length === 0);
}

async function own(page, say) {
  await page.goto(`${base}/history`);
  await page.locator('.tile a').filter({ hasText: 'rotate left' }).click();
  await page.getByLabel('Name').fill('Old tree');
  await page.getByRole('button', { name: 'Save name' }).click();
  say('the name is the title', await page.getByRole('heading', { name: 'Old tree' }).isVisible());
  say('the same photo’s results are listed', await page.locator('.tiles.small .tile').count() === 2);
  const names = await page.locator('.formats a[download]').evaluateAll((links) => links.map((link) => link.download));
  say(`downloads are named ${names.join(', ')}`, names.join() === 'Old tree.png,Old tree.jpg,Old tree.webp');
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.locator('#share').getAttribute('href');
  const guest = await person();
  const path = new URL(link).pathname;
  await guest.page.goto(base + path);
  say('a guest sees the shared result', await until(() => guest.page.locator('.exhibit img').evaluate((image) => image.naturalWidth > 0)));
  say('with its name', await guest.page.getByRole('heading', { name: 'Old tree' }).isVisible());
  await offersWays(guest.page, say, 'the shared page');
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await page.getByRole('button', { name: 'Create a link' }).waitFor();
  await guest.page.reload();
  say('until sharing stops', await guest.page.getByText('This link doesn’t work.').isVisible());
  await offersWays(guest.page, say, 'a link that has ended');
  await page.goto(base + path);
  say('its owner is not asked to sign in', await page.getByText('This link doesn’t work.').isVisible() && await page.getByRole('link', { name: 'Sign in' }).count() === 0);
  await guest.context.close();
}

/** A page for guests leads to the start page, and to signing in and back. */
async function offersWays(page, say, name) {
  const here = new URL(page.url()).pathname;
  const signIn = await page.getByRole('link', { name: 'Sign in' }).first().getAttribute('href');
  say(`${name} offers to sign in and come back`, signIn === `/sign-in?next=${encodeURIComponent(here)}`);
  say(`${name} leads to the start page`, await page.getByRole('main').locator('a[href="/"]').isVisible());
}

async function transactions(page, say) {
  await page.goto(`${base}/credits`);
  const rows = page.locator('.ledger tbody tr');
  const row = rows.filter({ hasText: 'Old tree' });
  say('each run has one row', await rows.count() === 5 && await row.count() === 1);
  await row.locator('summary').click();
  say('which can be opened', (await row.locator('li').allTextContents()).join().includes('Reserved 6 credits'));
}
