// Every page that users and visitors see, in both themes and all sizes. check_administrator.mjs covers
// the others.

import { call, encoded, finish, grant, person } from './browser.mjs';
import { inspect, still } from './inspect.mjs';

const EMAIL = 'ada.lovelace.of.the.analytical.engine@example.com';
const ada = await person({ email: EMAIL, ...still });
grant(EMAIL, 500);
const first = await call(ada.page, 'POST', '/api/image-edit', { instruction: 'make it warmer and crop to 1:1', imageBase64: encoded() });
const { uuid, stored_images: [address] } = first.body.generation;
await call(ada.page, 'POST', '/api/image-edit', { instruction: 'rotate left', imageUrl: address });
await call(ada.page, 'POST', '/api/keys', { name: 'laptop', credit_limit: 60 });
const shared = await call(ada.page, 'POST', `/api/generations/${uuid}/share`);
await call(ada.page, 'PATCH', `/api/generations/${uuid}`, { name: 'Coffee, warm', starred: true });
const anon = await person(still);

const pages = [
  [anon, '/'], [anon, '/studio'], [anon, '/docs'], [anon, '/docs/operations'], [anon, '/docs/reference'], [anon, '/sign-up'], [anon, '/sign-in'], [anon, '/plans'], [anon, '/no-such-page'],
  [anon, new URL(shared.body.url).pathname],
  [ada, '/'], [ada, `/?from=${uuid}&use=result`], [ada, '/history'], [ada, '/history?q=nothing'], [ada, '/history?starred=true'], [ada, `/history/${uuid}`],
  [ada, '/credits'], [ada, '/keys'], [ada, '/webhooks'], [ada, '/plans'], [ada, '/account'],
];
// A reference is long; it is sent compressed.
const LONG = { bytesMax: 400_000 };
for (const [someone, path] of pages) await inspect(someone, path, { name: named(path), ...(path.startsWith('/docs') ? LONG : {}) });
await studioWithResult();
await finish();

async function studioWithResult() {
  const prepare = async (page) => {
    await page.getByLabel('What should change?').fill('make it sepia');
    await page.locator('#after[src^="/files/"]').waitFor();
    await page.getByRole('button', { name: /Save full size · 6/ }).click();
    await page.locator('#report').waitFor();
    await page.locator('#call summary').click();
    await page.getByText('More settings').click();
  };
  const path = `/?from=${uuid}&use=result`;
  await inspect(ada, path, { name: `${named(path)}, with a result`, prepare });
}

function named(path) {
  return path.replace(uuid, '{uuid}');
}
