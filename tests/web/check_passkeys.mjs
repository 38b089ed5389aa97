// Passkeys with the browser's virtual authenticator: added, used with the button and with autofill,
// removed. Refused: another origin, a replayed answer, a clone.

import { PASSWORD, finish, ok, person, until } from './browser.mjs';
import { freePort, startService, stopAll } from './services.mjs';

const port = await freePort();
const base = `http://localhost:${port}`;
await startService({ RETOUCH_SERVER__LISTEN: `127.0.0.1:${port}`, RETOUCH_SERVER__PUBLIC_URL: base });
const main = (page) => page.getByRole('main');
const EMAIL = 'ada@example.com';

/** Gives a user's browser a virtual device. */
async function device(someone, options = {}) {
  const client = await someone.context.newCDPSession(someone.page);
  await client.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true, ...options },
  });
  const credentials = async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return { client, authenticatorId, credentials };
}

async function signOut({ page }) {
  await page.goto(`${base}/account`);
  await main(page).getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL(`${base}/`);
}

async function add({ page }, name, password = PASSWORD) {
  const form = main(page).getByRole('form', { name: 'Add a passkey' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Add passkey' }).click();
}

const ada = await person();
const { page } = ada;
page.on('dialog', (dialog) => dialog.accept());
// The device does not respond to autofill until that is tested.
const key = await device(ada, { automaticPresenceSimulation: false });
const touch = (enabled) => key.client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: key.authenticatorId, enabled });
await page.goto(`${base}/sign-up`);
await page.getByLabel('Email address').fill(EMAIL);
await page.getByLabel('Password').fill(PASSWORD);
await main(page).getByRole('button', { name: 'Sign up' }).click();
await page.waitForURL(`${base}/`);
await page.goto(`${base}/account`);
await touch(true);
await add(ada, 'laptop', 'wrong horse');
ok('adding a passkey requires the password', await until(async () => (await page.locator('#passkey-wrong').textContent()).includes('password is wrong')));
await add(ada, 'laptop');
await page.waitForURL(/done=passkey/);
ok('a passkey is added', (await main(page).textContent()).includes('laptop'));
const [made] = await key.credentials();
ok('it is discoverable on the device', made.isResidentCredential && made.rpId === 'localhost');
await add(ada, 'again');
ok('a device makes one passkey per account', await until(async () => (await page.locator('#passkey-wrong').textContent()).includes('already has a passkey for this account')));

// Autofill: the browser offers the passkey at the email field, without the button.
await signOut(ada);
await page.goto(`${base}/sign-in?next=/credits`);
ok('autofill signs in', await page.waitForURL(`${base}/credits`).then(() => true, () => false));

// With the button.
await signOut(ada);
await touch(false);
await page.goto(`${base}/sign-in?next=/keys`);
const sent = page.waitForRequest((request) => request.url().endsWith('/api/auth/passkey'));
const button = main(page).getByRole('button', { name: 'Sign in with a passkey' });
await button.waitFor();
await touch(true);
await button.click();
const proof = (await sent).postDataJSON();
await page.waitForURL(`${base}/keys`);
ok('the button signs in', (await page.textContent('header')).includes(EMAIL));

// A replayed answer, and one from another origin.
const send = (body) => page.evaluate(async (body) => {
  const response = await fetch('/api/auth/passkey', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return [response.status, (await response.json()).error?.code];
}, body);
const replayed = await send(proof);
ok(`an answer works once: ${replayed}`, replayed[0] === 401 && replayed[1] === 'passkey_refused');
const elsewhere = `http://localhost:${await freePort()}`;
const spoilt = await page.evaluate(async (elsewhere) => {
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const asked = await (await fetch('/api/auth/passkey/options', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json();
  const said = { type: 'webauthn.get', challenge: asked.challenge, origin: elsewhere, crossOrigin: false };
  return text(new TextEncoder().encode(JSON.stringify(said)));
}, elsewhere);
const wrong = await send({ ...proof, client_data: spoilt });
ok(`another origin is refused: ${wrong}`, wrong[0] === 401);

// A clone of the passkey with a lower counter.
await key.client.send('WebAuthn.removeCredential', { authenticatorId: key.authenticatorId, credentialId: made.credentialId });
await key.client.send('WebAuthn.addCredential', { authenticatorId: key.authenticatorId, credential: { ...made, signCount: 0 } });
await signOut(ada);
await touch(false);
await page.goto(`${base}/sign-in?next=/account`);
await button.waitFor();
await touch(true);
await button.click();
ok('a clone is refused', await until(async () => (await page.locator('#passkey-wrong').textContent()).includes('may have been cloned')));
await page.getByLabel('Email address').fill(EMAIL);
await page.getByLabel('Password').fill(PASSWORD);
await main(page).getByRole('button', { name: 'Sign in', exact: true }).click();
await page.waitForURL(`${base}/account`);
ok('and the account page shows a warning', (await main(page).textContent()).includes('may have been cloned'));
await main(page).getByRole('button', { name: 'Remove laptop' }).click();
await page.waitForURL(/done=passkey-removed/);
ok('the passkey can be removed', !(await main(page).textContent()).includes('laptop'));

const plain = await person({ javaScriptEnabled: false });
await plain.page.goto(`${base}/sign-in`);
ok('without JavaScript, the page says that passkeys need it', (await main(plain.page).textContent()).includes('requires JavaScript'));
const words = ada.complaints.filter((text) => !/status of 4\d\d/.test(text));
ok(`no console errors ${words}`, words.length === 0);
await stopAll();
await finish();
