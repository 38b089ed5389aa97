// Somebody signs up where addresses are confirmed by mail: reads the letter, follows its link, edits a
// picture, forgets the password, chooses another; and once more without JavaScript. The service is one
// of the check's own, because the others' sends no mail.

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
// Every module of the checks speaks to the address that the check was given.
process.argv[2] = ready.split(' is ready at ')[1];
const { PASSWORD, base, finish, ok, person, photograph, until } = await import('./browser.mjs');
const { inspect } = await import('./inspect.mjs');

await journey('scripts', {});
await journey('none', { javaScriptEnabled: false });
await elsewhere();
await otherPages();
execFileSync(process.env.RETOUCH, ['credits', 'verify'], { env: environment });
ok('the books balance', true);
mailbox.close();
await finish();

async function journey(where, options) {
  const isPlain = options.javaScriptEnabled === false;
  const say = (words, isSo) => ok(`${isPlain ? 'without JavaScript: ' : ''}${words}`, isSo);
  const email = `ada.${where}@example.com`;
  const { page, context, complaints } = await person(options);
  const words = page.getByLabel('What should change?');
  await page.goto(base);
  if (!isPlain) {
    await page.locator('#file').setInputFiles(photograph);
    await words.fill('Make it warmer');
  }
  await fill(page, '/sign-up', { 'Email address': email, Password: PASSWORD }, 'Sign up');
  await page.waitForURL(`${base}/check-mail?for=sign-up`);
  say('whoever signs up is told to look at the mail', (await page.locator('.lead').textContent()).includes('within 24 hours'));
  say('and is not signed in yet', await page.getByRole('link', { name: 'Sign in' }).first().isVisible());

  const link = linkIn(await mailbox.letterTo(email));
  await (await fetch(link)).text();
  await page.goto(link);
  say('a program that follows links uses none up', await page.getByText(email).isVisible());
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await page.waitForURL(`${base}/`);
  say('one click later they are signed in, with 15 credits', await page.locator('[data-balance]').textContent() === '15');
  if (!isPlain) {
    await page.locator('#after[src^="blob:"]').waitFor();
    say('what was prepared is still there', await words.inputValue() === 'Make it warmer');
    await page.getByRole('button', { name: /Edit · 6 credits/ }).click();
    await page.locator('#after[src^="/files/"]').waitFor();
    say('the picture is edited', await until(async () => await page.locator('[data-balance]').textContent() === '9'));
  }
  await page.goto(link);
  say('the link works once', await page.getByText('has been used, is too old').isVisible());
  await reset(say, email, options);
  await page.goto(`${base}/account`);
  say('the old session is out', page.url().includes('/sign-in'));
  const loud = complaints.filter((text) => !/status of 40\d/.test(text));
  say(`no error on the console ${loud.join(' | ')}`, loud.length === 0);
  await context.close();
}

/** Forgets the password, in a browser of another machine. */
async function reset(say, email, options) {
  const { page, context } = await person(options);
  await page.goto(`${base}/sign-in`);
  await page.getByRole('link', { name: 'Reset it' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  say('a letter is on its way', (await page.locator('.lead').textContent()).includes('If this address has an account'));
  const link = linkIn(await mailbox.letterTo(email));
  await page.goto(link);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  say('a mistake is shown at its field', (await page.locator('#password-wrong').textContent()).includes('at least 8'));
  await page.getByLabel('New password').fill('battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  say('it is changed', await page.getByRole('status').isVisible() && page.url().endsWith('/sign-in?done=reset'));
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill('battery staple');
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${base}/`);
  say('and works', await page.locator('a.email').isVisible());
  say('its owner is told', (await mailbox.letterTo(email)).includes('The password of your account'));
  await page.goto(`${base}/account`);
  await page.getByLabel('New email address').fill(`new.${email}`);
  await page.locator('#email-password').fill('battery staple');
  await page.getByRole('button', { name: 'Change email' }).click();
  say('a new address waits', await page.getByText(`new.${email} – awaiting confirmation`).isVisible());
  await page.goto(linkIn(await mailbox.letterTo(`new.${email}`)));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  say('until it is confirmed', await page.getByRole('status').isVisible() && await page.locator('.facts').getByText(`new.${email}`).isVisible());
  say('and the old one is told', (await mailbox.letterTo(email)).includes('The email address of your account'));
  await context.close();
}

/** A stranger has signed up with somebody's address, and the link is followed by its owner. */
async function elsewhere() {
  const { page } = await person({});
  const stranger = await person({});
  await fill(stranger.page, '/sign-up', { 'Email address': 'victim@example.com', Password: PASSWORD }, 'Sign up');
  await page.goto(linkIn(await mailbox.letterTo('victim@example.com')));
  await page.getByLabel('Password').fill('what could it be');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  ok('in another browser the password is asked for', await page.locator('#password-wrong').isVisible());
  ok('nobody walks into an account of a stranger', await page.getByRole('link', { name: 'Sign in' }).first().isVisible());
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
