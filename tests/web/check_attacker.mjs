// Attacks: another site's page, a stolen form, script in every field, other people's URLs.

import { createServer } from 'node:http';
import { base, call, encoded, finish, ok, person } from './browser.mjs';

const SCRIPT = '"><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';
const victim = await person({ email: 'victim@example.com' });
const made = await call(victim.page, 'POST', '/api/image-edit', { instruction: `write "${'<script>window.harmed=1</script>'}" at the bottom`, imageBase64: encoded() });
const { uuid } = made.body.generation;
ok('an edit with script in its prompt succeeds', made.status === 200);

// Another site's page sends every form of the service, with the victim's cookies if the browser allows it.
const forms = ['/sign-in', '/sign-up', '/sign-out', '/theme', '/keys', `/history/${uuid}/delete`];
const elsewhere = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').searchParams.get('to');
  response.setHeader('content-type', 'text/html');
  response.end(`<form method="post" action="${base}${path}"><input name="name" value="stolen"><input name="theme" value="dark">
    <input name="email" value="evil@example.com"><input name="password" value="correct horse"><button>Win a prize</button></form>`);
});
await new Promise((listening) => elsewhere.listen(0, 'localhost', listening));
const evil = `http://localhost:${elsewhere.address().port}`;
for (const path of forms) {
  const { page } = victim;
  await page.goto(`${evil}/?to=${encodeURIComponent(path)}`);
  const [answer] = await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), page.getByRole('button').click()]);
  ok(`another site's form gets ${answer.status()} from ${path.replace(uuid, '{uuid}')}`, answer.status() === 403);
  await page.goto(`${base}/account`);
  ok('and the victim is still signed in as themselves', (await page.getByRole('main').textContent()).includes('victim@example.com'));
}
const asked = await victim.page.goto(`${evil}/?to=/`).then(() => victim.page.evaluate(async (base) => {
  const options = { method: 'POST', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"name":"stolen"}' };
  await fetch(`${base}/api/keys`, { ...options, mode: 'no-cors' }).catch(() => {});
  return fetch(`${base}/api/account`, { credentials: 'include' }).then(() => 'read', () => 'refused');
}, base));
ok(`another site's script is ${asked} an answer`, asked === 'refused');
elsewhere.close();
await victim.page.goto(base);
const keys = await call(victim.page, 'GET', '/api/keys');
ok('no key was created', keys.body.data.length === 0);

// Script in every field that a page shows.
await victim.page.goto(`${base}/keys`);
await victim.page.getByLabel('Name').fill(SCRIPT);
await victim.page.getByRole('button', { name: 'Create key' }).click();
const paths = ['/keys', '/history', `/history/${uuid}`, '/credits', `/history?q=${encodeURIComponent(SCRIPT)}`,
  `/sign-in?next=${encodeURIComponent(SCRIPT)}`, `/?from=${encodeURIComponent(SCRIPT)}`, `/?from=${uuid}`, `/${encodeURIComponent(SCRIPT)}`];
for (const path of paths) {
  await victim.page.goto(base + path);
  await victim.page.waitForLoadState('networkidle');
  const harmed = await victim.page.evaluate(() => window.harmed === 1 || document.querySelector('[onerror]') !== null);
  ok(`${path.replace(uuid, '{uuid}').slice(0, 40)}: text stays text`, !harmed);
}
await victim.page.goto(base);
await victim.page.locator('#file').setInputFiles({ name: `${SCRIPT}.png`.replaceAll('/', ' '), mimeType: 'image/png', buffer: Buffer.from('x') });
await victim.page.getByLabel('What should change?').fill(SCRIPT);
await victim.page.getByRole('button', { name: /Save full size · 6/ }).click();
await victim.page.locator('#instruction-wrong:not(:empty), #alert:not([hidden])').first().waitFor();
ok('also in the studio', await victim.page.evaluate(() => window.harmed !== 1 && document.querySelector('[onerror]') === null));

// Other people's URLs.
const other = await person({ email: 'other@example.com' });
for (const path of [`/history/${uuid}`, `/api/generations/${uuid}`]) {
  const answer = await other.page.goto(base + path);
  ok(`${path.replace(uuid, '{uuid}')} of someone else is ${answer.status()}`, answer.status() === 404);
}
await other.page.goto(`${base}/?from=${uuid}`);
await other.page.waitForLoadState('networkidle');
ok('none of it is loaded into the studio', await other.page.getByLabel('What should change?').inputValue() === '');

// No site can frame the pages, and the pages run no foreign script.
const answer = await victim.page.goto(base);
const policy = answer.headers()['content-security-policy'];
ok('no page can be framed', policy.includes("frame-ancestors 'none'"));
const ran = await victim.page.evaluate(() => {
  const script = document.createElement('script');
  script.textContent = 'window.harmed = 1';
  document.body.append(script);
  return window.harmed === 1;
});
ok('an injected script does not run', !ran);
await finish();
