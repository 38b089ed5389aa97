// A developer creates a webhook, tests it, sees what arrived and what failed, and replaces its secret.

import { createServer } from 'node:http';
import { call, encoded, finish, ok, person, until } from './browser.mjs';
import { inspect, still } from './inspect.mjs';

const arrived = [];
let status = 204;
const receiver = createServer((request, response) => {
  request.resume();
  arrived.push(request.headers);
  response.writeHead(status).end();
});
await new Promise((done) => receiver.listen(0, '127.0.0.1', done));

const ada = await person({ email: 'ada@example.com', ...still });
const { page } = ada;
await createOne();
await testIt();
await seeFailure();
await replaceSecret();
ok(`no console errors ${ada.complaints}`, ada.complaints.length === 0);
await finish();

async function createOne() {
  await page.goto(new URL('/account', page.url()).href);
  await page.getByRole('link', { name: 'webhooks', exact: true }).click();
  ok('there is none yet', await page.getByText('You have no webhooks yet.').isVisible());
  await inspect(ada, '/webhooks');
  await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.address().port}/hook`);
  await page.getByLabel('Plan changed').uncheck();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const notice = page.getByRole('status');
  ok('its secret is shown once', (await notice.locator('#secret').textContent()).startsWith('whsec_'));
  ok('it is listed', await page.getByRole('cell', { name: 'Active' }).isVisible());
  await notice.getByRole('link', { name: 'Send a test' }).click();
}

async function testIt() {
  await page.getByRole('button', { name: 'Send test' }).click();
  await until(() => arrived.length > 0);
  ok('a signed message arrives', arrived[0]['webhook-signature'].startsWith('v1,'));
  const delivered = page.getByRole('cell', { name: 'Delivered' });
  ok('the page shows it', await until(async () => { await page.reload(); return delivered.isVisible(); }));
}

async function seeFailure() {
  status = 500;
  const image = { instruction: 'make it warmer', imageBase64: encoded() };
  ok('an edit is made', (await call(page, 'POST', '/api/image-edit', image)).status === 200);
  const problem = page.getByText('The address answered 500.').first();
  ok('the failure is shown', await until(async () => { await page.reload(); return problem.isVisible(); }));
  await inspect(ada, new URL(page.url()).pathname, { name: '/webhooks/{id}' });
  status = 204;
  const before = arrived.length;
  await page.getByRole('row', { name: /Generation succeeded/ }).getByRole('button').click();
  ok('it is sent again', await until(() => arrived.length > before));
}

async function replaceSecret() {
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('heading', { name: 'Secret replaced' }).waitFor();
  const before = arrived.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  await until(() => arrived.length > before);
  ok('both secrets sign', arrived.at(-1)['webhook-signature'].match(/v1,/g).length === 2);
  await page.getByRole('button', { name: 'Pause' }).click();
  ok('it can be paused', await page.getByText('Paused').first().isVisible());
  await page.getByRole('button', { name: 'Delete' }).click();
  ok('it is gone', await page.getByText('You have no webhooks yet.').isVisible());
}
