// Screenshots of the main pages for the documents, in both themes and sizes.
//
//   tests/web/run PROGRAM FOLDER screenshots   writes them to docs/screenshots

import { mkdirSync } from 'node:fs';
import { DESKTOP, PHONE, base, call, encoded, finish, grant, ok, person } from './browser.mjs';

const folder = `${process.env.SAMPLES}/../docs/screenshots`;
const EMAIL = 'ada@example.com';

const ada = await person({ email: EMAIL, reducedMotion: 'reduce' });
const { page } = ada;
grant(EMAIL, 600);
const wishes = ['make it sepia and round the corners', 'rotate left', 'add a white border of 20px', 'write "Good morning" at the bottom', 'brighter, with more contrast'];
for (const instruction of wishes) await call(page, 'POST', '/api/image-edit', { instruction, imageBase64: encoded() });
await call(page, 'POST', '/api/text-to-image', { instruction: 'A gradient from teal to navy, left to right' });
await page.reload();
await page.locator('#file').setInputFiles(`${process.env.SAMPLES}/coffee.jpg`);
await page.getByLabel('What should change?').fill('Make it grayscale, brighter, with more contrast');
await page.getByRole('button', { name: /Save full size · 6/ }).click();
await page.locator('#after[src^="/files/"]').waitFor();
mkdirSync(folder, { recursive: true });
await take('studio');
for (const name of ['history', 'credits', 'plans']) {
  await page.goto(`${base}/${name}`);
  await page.waitForLoadState('networkidle');
  await take(name);
}
await finish();

async function take(name) {
  for (const [size, viewport] of [['desktop', DESKTOP], ['phone', PHONE]]) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.jpg`, type: 'jpeg', quality: 80 });
      ok(`${name}, ${size}, ${colorScheme}`, true);
    }
  }
}
