// A returning user who pays: checkout, upgrade, a failed payment, cancellation, and the emails about it.
// Runs the real service and the simulator of Stripe, which has its own clock, on a desktop and on a phone.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PASSWORD, PHONE, finish, ok, person, until } from './browser.mjs';
import { linkIn, openMailbox } from './mailbox.mjs';
import { startService, startSim, stopAll } from './services.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SECRET = 'whsec_of_the_check';
const DAY_S = 86_400;

const mailbox = await openMailbox();
const stripe = `${await startSim()}/stripe`;
const prices = {};
for (const [plan, cents] of [['basic', 990], ['pro', 1990], ['max', 2990]]) {
  const fields = { unit_amount: cents, currency: 'usd', 'recurring[interval]': 'month', 'product_data[name]': plan };
  prices[plan] = (await operate('prices', fields)).id;
}
const base = await startService({
  RETOUCH_BILLING__STRIPE_SECRET_KEY: 'sk_test_of_the_check',
  RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET: SECRET,
  RETOUCH_BILLING__STRIPE_PRICES: Object.entries(prices).map((pair) => pair.join('=')).join(','),
  RETOUCH_BILLING__STRIPE_BASE_URL: stripe,
  RETOUCH_MAIL__SMTP_URL: mailbox.url, RETOUCH_MAIL__FROM: 'Retouch <post@example.com>',
});
await sim('clock', { until: Math.floor(Date.now() / 1000) });
await sim('hook', { url: `${base}/api/billing/stripe/webhook`, secret: SECRET });
await journey('desktop', { size: DESKTOP });
await journey('phone', { size: PHONE, hasTouch: true, isMobile: true });
await stopAll();
mailbox.close();
ok('the ledger is correct', true);
await finish();

async function journey(where, looks) {
  const email = `${where}@example.com`;
  const say = (words, isSo) => ok(`${where}: ${words}`, isSo);
  const before = await person(looks);
  await before.page.goto(`${base}/sign-up?next=/plans`);
  await enter(before.page, email, 'Sign up', /\/check-mail/);
  await before.page.goto(linkIn(await mailbox.letterTo(email)));
  await before.page.getByRole('button', { name: 'Confirm and continue' }).click();
  await before.page.waitForURL(`${base}/plans`);
  await before.context.close();

  const { page, complaints } = await person({ ...looks, reducedMotion: 'reduce' });
  await page.goto(`${base}/plans`);
  say('a visitor sees how payment works', await page.getByText('When you pay', { exact: true }).isVisible());
  await page.goto(`${base}/sign-in?next=/credits`);
  await enter(page, email, 'Sign in', /\/credits$/);
  say('the balance is there after signing in again', await balance(page) === 15);
  await page.getByRole('link', { name: 'Plans' }).last().click();
  await buyPro(page, say);
  await upgrade(page, say);
  const told = [];
  const isTold = (subject) => until(() => {
    told.push(...mailbox.subjectsTo(email));
    return told.includes(subject);
  });
  await fail(page, say, isTold);
  await leave(page, say);
  told.push(...mailbox.subjectsTo(email));
  const about = told.filter((subject) => /plan/.test(subject));
  say(`each email came once: ${about.join(' / ')}`, about.length === 2 && new Set(about).size === 2);
  // The simulator's own pages have no icon.
  const loud = complaints.filter((text) => !/status of 404/.test(text));
  say(`no console errors ${loud.join(' | ')}`, loud.length === 0);
}

async function buyPro(page, say) {
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await page.waitForURL(/\/c\/pay\//);
  const checkout = page.url();
  say('Stripe shows the price', await page.getByText('19.90 a month').isVisible());
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${base}/plans`);
  say('leaving the checkout costs nothing', await balance(page) === 15);
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await page.waitForURL((url) => url.pathname.includes('/c/pay/') && url.href !== checkout);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(/\/plans/);
  say('after payment, the page says thanks', await page.getByRole('status').filter({ hasText: 'Your payment was received' }).isVisible());
  say('and the credits are there immediately', await balance(page) === 1315);
  say('the plan shows the date of the next payment', await page.getByText('The next payment is on').isVisible());
  await deliver({ times: 2 });
  await page.goto(checkout);
  say('the first checkout is closed', await page.getByText('This checkout has ended').isVisible());
  await page.goto(`${base}/plans`);
  say('events delivered twice count once', await balance(page) === 1315);
  await look(page, say, '/plans with a plan');
  await page.goto(`${base}/credits`);
  say('the credits page shows the next renewal', await page.getByText(/Pro monthly: 1,300 credits will be added on/).isVisible());
}

async function upgrade(page, say) {
  await wait(10);
  await page.goto(`${base}/plans`);
  say('the page says how an upgrade is charged', await page.getByText('you pay the prorated difference').first().isVisible());
  await page.getByRole('button', { name: 'Upgrade to Max' }).click();
  const confirm = page.getByRole('button', { name: /Confirm and pay/ });
  await confirm.waitFor();
  const due = Number((await confirm.textContent()).match(/[\d.]+/)[0]);
  say(`the prorated price is shown before confirming: ${due}`, due > 5 && due < 8);
  await confirm.click();
  await page.waitForURL(`${base}/plans`);
  say('the plan is Max', await page.locator('.own h2').getByText('Max').isVisible());
  const credits = await balance(page) - 1315;
  // A dollar is worth 65.3 credits of Pro and 70.2 of Max: 1,300 for 19.90, 2,100 for 29.90.
  say(`credits are added in proportion: ${credits}`, credits > 480 && credits < 600);
  await page.goto(`${base}/credits`);
  say('the transactions list it', await page.locator('.ledger td').filter({ hasText: 'Paid' }).first().isVisible());
}

async function fail(page, say, isTold) {
  const { customer, subscription } = await newest();
  const before = await balance(page);
  await sim('card', { customer, declined: true });
  await wait(25);
  await deliver();
  for (const path of ['/credits', '/plans']) {
    await until(async () => {
      await page.goto(base + path);
      return page.getByRole('alert').isVisible();
    });
    say(`${path} shows the failed payment`, await page.getByRole('alert').filter({ hasText: 'The latest payment for Max monthly failed' }).isVisible());
    await look(page, say, `${path} after a failed payment`);
  }
  say('the balance has not changed', await balance(page) === before);
  say('an email says that the payment failed', await isTold('The payment for your Retouch plan failed'));
  await page.getByRole('button', { name: 'Update payment method' }).click();
  await page.waitForURL(/\/p\/session\//);
  say('the payment method can be updated', await page.getByText('past_due').isVisible());
  await sim('card', { customer, declined: false });
  await sim('retry', { invoice: (await show(`v1/subscriptions/${subscription}`)).latest_invoice });
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${base}/plans`);
  say('credits are added once the payment succeeds', await balance(page) === before + 2100);
  say('and the alert disappears', await page.getByRole('alert').count() === 0);
  say('an email says that the plan was renewed', await isTold('Your Retouch plan was renewed'));
}

async function leave(page, say) {
  const before = await balance(page);
  await page.getByRole('button', { name: 'Manage billing' }).click();
  await page.getByRole('button', { name: 'Cancel the plan' }).click();
  await page.waitForURL(`${base}/plans`);
  say('the page confirms the cancellation', await page.getByText('You won’t be charged again').isVisible());
  await look(page, say, '/plans with an end');
  await wait(32);
  await deliver({ reversed: true });
  await until(async () => {
    await page.goto(`${base}/plans`);
    return page.getByRole('button', { name: 'Choose Pro' }).isVisible();
  });
  say('after the plan ends, a plan can be chosen again', await page.locator('.own').count() === 0);
  say('and the credits are kept', await balance(page) === before);
}

async function enter(page, email, button, next) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: button }).click();
  await page.waitForURL(next);
}

async function balance(page) {
  return Number((await page.locator('[data-balance]').textContent()).replaceAll(',', ''));
}

/** Checks that there are no accessibility violations and no horizontal scrolling, in both themes. */
async function look(page, say, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(`${axe}; axe.run().then((it) => it.violations.map((one) => one.id))`);
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    say(`${name}, ${colorScheme}: ${found.join(', ')}`, found.length === 0 && !wide);
  }
}

/** Lets time pass at Stripe. */
function wait(days) {
  return sim('clock', { seconds: days * DAY_S });
}

/** Delivers Stripe's pending events, signed now. */
function deliver(how = {}) {
  return sim('deliver', { ...how, signed_at: Math.floor(Date.now() / 1000) });
}

/** The newest subscription and its customer. */
async function newest() {
  const { data: [{ data: { object } }] } = await show('v1/events?limit=1&types[]=customer.subscription.updated');
  return { customer: object.customer, subscription: object.id };
}

async function sim(what, body) {
  const headers = { 'content-type': 'application/json' };
  return answered(await fetch(`${stripe}/_sim/${what}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function operate(path, fields) {
  const headers = { authorization: 'Bearer sk_test_of_the_check' };
  return answered(await fetch(`${stripe}/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) }));
}

async function show(path) {
  return answered(await fetch(`${stripe}/${path}`, { headers: { authorization: 'Bearer sk_test_of_the_check' } }));
}

async function answered(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response.json();
}
