// A customer out of credits: where nothing is sold, they ask for credits; where packs are sold, they buy
// one at the simulator of Stripe.

import { PASSWORD, call, finish, ok, person, until } from './browser.mjs';
import { printed, startService, startSim, stopAll } from './services.mjs';

const SECRET = 'whsec_of_the_check';
const PICTURE = { instruction: 'A gradient from teal to navy, left to right' };

await asking(await startService({}));
const stripe = `${await startSim()}/stripe`;
const fields = { unit_amount: 990, currency: 'usd', 'recurring[interval]': 'month', 'product_data[name]': 'basic' };
const price = await post(`${stripe}/v1/prices`, new URLSearchParams(fields));
const base = await startService({
  RETOUCH_BILLING__STRIPE_SECRET_KEY: 'sk_test_of_the_check',
  RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET: SECRET,
  RETOUCH_BILLING__STRIPE_PRICES: `basic=${price.id}`,
  RETOUCH_BILLING__PACKS: 'Small=300:4.90,Large=1000:14.90',
  RETOUCH_BILLING__STRIPE_BASE_URL: stripe,
});
await post(`${stripe}/_sim/clock`, { until: Math.floor(Date.now() / 1000) });
await buying(base);
await stopAll();
ok('the ledgers are correct', true);
await finish();

async function spent(base, email) {
  const { page } = await person({ reducedMotion: 'reduce' });
  await page.goto(`${base}/sign-up`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL(`${base}/`);
  for (let time = 0; time < 2; time += 1) await call(page, 'POST', '/api/text-to-image', PICTURE);
  const { status } = await call(page, 'POST', '/api/text-to-image', PICTURE);
  ok('the credits are used up', status === 402);
  return page;
}

async function asking(base) {
  const page = await spent(base, 'asks@example.com');
  ok('nothing that cannot be bought is offered', await page.getByRole('link', { name: 'Plans' }).count() === 0);
  await page.goto(`${base}/credits`);
  await page.getByRole('link', { name: 'Ask for credits' }).click();
  ok('no price is shown', !(await page.locator('main').textContent()).includes('USD'));
  await page.getByLabel('What do you need them for?').fill('Fifty product photos');
  await page.getByRole('button', { name: 'Ask for credits' }).click();
  ok('the request was sent', await page.getByText('Your request was sent').isVisible());
  await page.getByRole('button', { name: 'Withdraw the request' }).click();
  ok('and can be taken back', await page.getByLabel('What do you need them for?').isVisible());
  await page.goto(`${base}/studio`);
  await page.getByText('Create', { exact: true }).click();
  await page.getByLabel('What should the image show?').fill('A gradient from red to yellow');
  await page.locator('#run').click();
  ok('the studio says what is missing', await until(() => page.getByText('This costs 6 credits; you have 3.').isVisible()));
  printed(base, ['credits', 'grant', '--account', 'asks@example.com', '--credits', '50', '--reason', 'a check']);
  await page.locator('#run').click();
  ok('and goes on once there are new credits', await until(async () => await page.locator('[data-balance]').first().textContent() === '47'));
}

async function buying(base) {
  const page = await spent(base, 'buys@example.com');
  await page.goto(`${base}/credits`);
  await page.getByRole('link', { name: 'Get more credits' }).click();
  await page.getByRole('button', { name: 'Buy 300 credits' }).click();
  await page.waitForURL(/\/c\/pay\//);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(`${base}/plans?paid`);
  ok('the customer is thanked', await page.getByText('Thank you').isVisible());
  ok('and has the credits', await until(async () => await page.locator('[data-balance]').textContent() === '303'));
  const { status } = await call(page, 'POST', '/api/text-to-image', PICTURE);
  ok('which work', status === 200);
}

async function post(url, body) {
  const isForm = body instanceof URLSearchParams;
  const headers = { authorization: 'Bearer sk_test', ...(isForm ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) });
  return answer.json();
}
