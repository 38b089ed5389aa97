// A user of a service that confirms addresses by email: signs up, follows the link, edits a photo and
// resets the password; then again without JavaScript. The check starts its own service, because the
// one that `run` starts sends no email.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { linkIn, openMailbox } from './mailbox.mjs';

const mailbox = await openMailbox();
const data = mkdtempSync(join(tmpdir(), 'retouch-mail-'));
const environment = {
  ...process.env, RETOUCH_STORE__DATA_DIR: data, RETOUCH_SERVER__LISTEN: '127.0.0.1:0',
  RETOUCH_MAIL__SMTP_URL: mailbox.url, RETOUCH_MAIL__FROM: 'Retouch <post@example.com>',
};
const service = spawn(process.env.RETOUCH, ['serve'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
process.on('exit', () => { service.kill(); rmSync(data, { recursive: true, force: true }); });
const [ready] = await new Promise((done) => { createInterface(service.stdout).on('line', (line) => done([line])); });
// The modules read the address of the service from the arguments.
process.argv[2] = ready.split(' is ready at ')[1];
const { OWN, PASSWORD, base, call, encoded, finish, ok, person, photograph, stored, until } = await import('./browser.mjs');
const { inspect } = await import('./inspect.mjs');

await journey('scripts', {});
await journey('none', { javaScriptEnabled: false });
await elsewhere();
await otherPages();
execFileSync(process.env.RETOUCH, ['credits', 'verify'], { env: environment });
ok('the ledger is correct', true);
mailbox.close();
await finish();

async function journey(where, options) {
  const isPlain = options.javaScriptEnabled === false;
  const say = (words, isSo) => ok(`${isPlain ? 'without JavaScript: ' : ''}${words}`, isSo);
  const email = `ada.${where}@example.com`;
  const { page, context, complaints } = await person(options);
  const words = page.getByLabel('What should change?');
  await page.goto(`${base}/studio`);
  if (!isPlain) {
    await page.locator('#file').setInputFiles(photograph);
    await words.fill('Make it warmer');
    await stored(page, 'coffee.jpg');
  }
  await fill(page, '/sign-up', { 'Email address': email, Password: PASSWORD }, 'Sign up');
  await page.waitForURL(`${base}/check-mail?for=sign-up`);
  say('signing up leads to the page about the email', (await page.locator('.lead').textContent()).includes('within 24 hours'));
  say('and is not signed in yet', await page.getByRole('link', { name: 'Sign in' }).first().isVisible());

  const link = linkIn(await mailbox.letterTo(email));
  await (await fetch(link)).text();
  await page.goto(link);
  say('a program that opens the link does not use it up', await page.getByText(email).isVisible());
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await page.waitForURL(`${base}/`);
  say('one click signs the user in, with 15 credits', await page.locator('[data-balance]').textContent() === '15');
  if (!isPlain) {
    await page.locator(OWN).waitFor();
    say('the prompt is still there', await words.inputValue() === 'Make it warmer');
    await page.getByRole('button', { name: /Save full size · 6 credits/ }).click();
    await page.locator('#after[src^="/files/"]').waitFor();
    say('the photo is edited', await until(async () => await page.locator('[data-balance]').textContent() === '9'));
    await call(page, 'POST', '/api/image-edit', { instruction: 'make it sepia', imageBase64: encoded() });
    const low = await mailbox.letterTo(email);
    say('an email says that credits run low', low.includes('Your Retouch credits are running low') && low.includes('You have 3 credits left'));
  }
  await page.goto(link);
  say('the link works once', await page.getByText('expired or already used').isVisible());
  await reset(say, email, options);
  await page.goto(`${base}/account`);
  say('the old session is signed out', page.url().includes('/sign-in'));
  const loud = complaints.filter((text) => !/status of 40\d/.test(text));
  say(`no console errors ${loud.join(' | ')}`, loud.length === 0);
  await context.close();
}

/** Resets the password in a browser on another machine. */
async function reset(say, email, options) {
  const { page, context } = await person(options);
  await page.goto(`${base}/sign-in`);
  await page.getByRole('link', { name: 'Reset it' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  say('the page says that an email was sent if there is an account', (await page.locator('.lead').textContent()).includes('If this address has an account'));
  const link = linkIn(await mailbox.letterTo(email));
  await page.goto(link);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  say('an error is shown at its field', (await page.locator('#password-wrong').textContent()).includes('at least 8'));
  await page.getByLabel('New password').fill('battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  say('the password is changed', await page.getByRole('status').isVisible() && page.url().endsWith('/sign-in?done=reset'));
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill('battery staple');
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${base}/`);
  say('and the new one works', await page.locator('a.email').isVisible());
  say('an email confirms the change', (await mailbox.letterTo(email)).includes('The password of your account'));
  await page.goto(`${base}/account`);
  await page.getByLabel('New email address').fill(`new.${email}`);
  await page.locator('#email-password').fill('battery staple');
  await page.getByRole('button', { name: 'Change email' }).click();
  say('a new address awaits confirmation', await page.getByText(`new.${email} – awaiting confirmation`).isVisible());
  await page.goto(linkIn(await mailbox.letterTo(`new.${email}`)));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  say('and replaces the old one once confirmed', await page.getByRole('status').isVisible() && await page.locator('.facts').getByText(`new.${email}`).isVisible());
  say('and the old one gets an email', (await mailbox.letterTo(email)).includes('The email address of your account'));
  await context.close();
}

/** A stranger signs up with someone else's address, and its owner follows the link. */
async function elsewhere() {
  const { page } = await person({});
  const stranger = await person({});
  await fill(stranger.page, '/sign-up', { 'Email address': 'victim@example.com', Password: PASSWORD }, 'Sign up');
  await page.goto(linkIn(await mailbox.letterTo('victim@example.com')));
  await page.getByLabel('Password').fill('what could it be');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  ok('in another browser, the link requires the password', await page.locator('#password-wrong').isVisible());
  ok("no one is signed in to a stranger's account", await page.getByRole('link', { name: 'Sign in' }).first().isVisible());
}

async function otherPages() {
  const { page } = await person({ reducedMotion: 'reduce' });
  for (const path of ['/sign-up', '/sign-in', '/check-mail?for=sign-up', '/check-mail?for=reset', '/forgot-password']) await inspect({ page }, path);
  await fill(page, '/sign-up', { 'Email address': 'eve@example.com', Password: PASSWORD }, 'Sign up');
  const verify = new URL(linkIn(await mailbox.letterTo('eve@example.com')));
  await inspect({ page }, verify.pathname + verify.search, { name: '/verify' });
  const other = await person({ reducedMotion: 'reduce' });
  await inspect(other, verify.pathname + verify.search, { name: '/verify, elsewhere' });
  await page.goto(verify.href);
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await fill(other.page, '/forgot-password', { 'Email address': 'eve@example.com' }, 'Send reset link');
  const reset = new URL(linkIn(await mailbox.letterTo('eve@example.com')));
  await inspect(other, reset.pathname + reset.search, { name: '/reset-password' });
  await inspect({ page }, '/account');
}

async function fill(page, path, fields, button) {
  await page.goto(base + path);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('main').getByRole('button', { name: button }).click();
}
