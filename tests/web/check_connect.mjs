// A visitor is sent here by an assistant, signs up on the way, sees what it asks for, and is sent back.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { base, finish, ok, PASSWORD, person } from './browser.mjs';
import { inspect, still } from './inspect.mjs';

const landed = [];
const assistant = createServer((request, response) => {
  landed.push(new URL(request.url, 'http://127.0.0.1').searchParams);
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>The assistant</title><link rel="icon" href="data:,">');
});
await new Promise((done) => assistant.listen(0, '127.0.0.1', done));
const callback = `http://127.0.0.1:${assistant.address().port}/callback`;
const verifier = randomBytes(32).toString('base64url');

const local = await register('Claude', callback);
const web = await register('An assistant with quite a long name, as some of them have', 'https://assistant-with-a-long-name.example.com/api/callback');
const ada = await person(still);
const { page } = ada;
await signUpOnTheWay();
await inspect(ada, asking(local), { name: 'consent for a program on this device' });
await inspect(ada, asking(web), { name: 'consent for a web assistant' });
await correctTheLimit();
await agree();
await cancel();
ok(`no console errors ${ada.complaints}`, ada.complaints.length === 0);
await finish();

async function register(name, uri) {
  const body = JSON.stringify({ client_name: name, redirect_uris: [uri] });
  const answer = await fetch(`${base}/oauth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { id: (await answer.json()).client_id, uri };
}

/** The path that an assistant sends a browser to. */
function asking({ id, uri }) {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return `/oauth/authorize?${new URLSearchParams({
    response_type: 'code', client_id: id, redirect_uri: uri, state: 's', code_challenge: challenge, code_challenge_method: 'S256',
  })}`;
}

async function signUpOnTheWay() {
  await page.goto(base + asking(local));
  ok('a visitor signs in first', new URL(page.url()).pathname === '/sign-in');
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Connect Claude?' }).waitFor();
  ok('and finds what the assistant asks for', new URL(page.url()).pathname === '/oauth/authorize');
}

async function correctTheLimit() {
  await page.goto(base + asking(local));
  await page.getByLabel('Daily limit').fill('many');
  await page.getByRole('button', { name: 'Connect' }).click();
  ok('a limit that makes no sense is asked for again', await page.getByText('Enter a whole number of credits').isVisible());
  ok('and kept', await page.getByLabel('Daily limit').inputValue() === 'many');
  ada.complaints.length = 0; // The browser reports status 400.
}

async function agree() {
  await page.getByLabel('Daily limit').fill('100');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(`${callback}?**`);
  const [answer] = landed;
  ok('the assistant gets a code', answer.get('code') && answer.get('state') === 's' && answer.get('iss') === base);
  const form = { grant_type: 'authorization_code', client_id: local.id, redirect_uri: callback, code: answer.get('code'), code_verifier: verifier };
  const tokens = await fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  ok('and tokens for it', (await tokens.json()).token_type === 'Bearer');
  await page.goto(`${base}/keys`);
  const row = page.getByRole('row', { name: /Claude/ });
  ok('it is among the keys', (await row.textContent()).includes('Connected assistant'));
  page.once('dialog', (dialog) => dialog.accept());
  await row.getByRole('button', { name: 'Revoke Claude' }).click();
  await page.getByRole('cell', { name: 'Revoked' }).waitFor();
  ok('and ends there', true);
}

async function cancel() {
  await page.goto(base + asking(local));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${callback}?**`);
  ok('who cancels is sent back too', landed.at(-1).get('error') === 'access_denied');
}
