// Sign-in through a certified OpenID provider (oidc-provider): with RS256 and a client secret, with ES256
// as a public client, with EdDSA; signing in again, canceling, a fresh proof of identity; and callbacks
// that are forged, replayed or someone else's.

import { PASSWORD, finish, ok, person, until } from './browser.mjs';
import { client, startProvider } from './provider.mjs';
import { freePort, startService, stopAll } from './services.mjs';

const port = await freePort();
const issuer = `http://127.0.0.1:${port}`;
const service = (id, secret) => startService({
  RETOUCH_OIDC__ISSUER: issuer, RETOUCH_OIDC__CLIENT_ID: id, RETOUCH_OIDC__NAME: 'Certified ID', ...(secret && { RETOUCH_OIDC__CLIENT_SECRET: secret }),
});
const SECRET = 'a secret: with signs + % & of every kind';
const base = await service('rsa client', SECRET);
const publicBase = await service('public');
const edwardsBase = await service('edwards', SECRET);
const provider = await startProvider(port, [
  client('rsa client', base, { client_secret: SECRET }),
  client('public', publicBase, { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' }),
  client('edwards', edwardsBase, { client_secret: SECRET, token_endpoint_auth_method: 'client_secret_basic', id_token_signed_response_alg: 'EdDSA' }),
]);
const main = (page) => page.getByRole('main');
const text = (page) => main(page).textContent();

/** A user whose browser loads nothing from other machines. */
async function visitor() {
  const someone = await person();
  await someone.context.route(/^https:/, (route) => route.abort());
  return someone;
}

async function leave({ page }, from = base, next = '/account') {
  await page.goto(`${from}/sign-in?next=${next}`);
  await page.getByRole('link', { name: 'Continue with Certified ID' }).click();
}

async function signInThere({ page }, name) {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

const agree = ({ page }) => page.getByRole('button', { name: 'Continue' }).click();
const cancel = ({ page }) => page.getByRole('link', { name: 'Cancel' }).click();

/** The callback URL to which the provider sends a user back, which does not reach the service. */
async function intercepted(someone, name) {
  await leave(someone);
  await someone.page.getByPlaceholder('Enter any login').waitFor();
  const answer = provider.answer();
  await signInThere(someone, name);
  await agree(someone);
  return answer;
}

const header = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url'));
const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

// A new user, with RS256 and the client secret in a header.
const ada = await visitor();
await leave(ada);
await signInThere(ada, 'ada');
await agree(ada);
await ada.page.waitForURL(`${base}/account`);
ok('a new user gets an account', (await text(ada.page)).includes('ada@example.com') && (await text(ada.page)).includes('15 available'));
const paths = provider.asked.map(({ path }) => path);
ok('the service discovers the provider, exchanges the code, and reads keys and userinfo', ['/.well-known/openid-configuration', '/auth', '/token', '/jwks', '/me'].every((path) => paths.includes(path)));
const { query } = provider.asked.find(({ path }) => path === '/auth');
ok('the request has PKCE, state and nonce', query.code_challenge_method === 'S256' && query.code_challenge.length === 43 && query.state.length > 20 && query.nonce.length > 20 && query.response_type === 'code');
ok('the ID token is signed with RS256 and has this nonce', header(provider.tokens[0]).alg === 'RS256' && claims(provider.tokens[0]).nonce === query.nonce);
ok('the secret is sent in the header', provider.asked.find(({ path }) => path === '/token').authorization.startsWith('Basic '));

// Again, in another browser: the same account, and no second consent.
const identity = async ({ page }) => page.evaluate(async () => (await (await fetch('/api/account')).json()).id);
const first = await identity(ada);
const again = await visitor();
await leave(again, base, '/credits');
await signInThere(again, 'ada');
await agree(again);
await again.page.waitForURL(`${base}/credits`);
ok('the second sign-in finds the same account', first && await identity(again) === first);

// A session alone cannot set a password. A fresh sign-in at the provider can, because of its auth_time.
await ada.page.goto(`${base}/account`);
await main(ada.page).getByRole('link', { name: 'Sign in with Certified ID again' }).first().click();
await signInThere(ada, 'ada');
await ada.page.waitForURL(`${base}/account`);
ok('the provider is asked for a fresh sign-in', provider.asked.some(({ path, query }) => path === '/auth' && query.prompt === 'login' && query.max_age === '0'));
ok('and returns its time', Number.isInteger(claims(provider.tokens.at(-1)).auth_time));
await main(ada.page).getByLabel('New password').fill(PASSWORD);
await main(ada.page).getByRole('button', { name: 'Set password' }).click();
ok('after that, a password can be set', await until(() => ada.page.url().endsWith('done=password')));

// Canceling, at the provider's sign-in and at its consent.
const bob = await visitor();
for (const sign of [false, true]) {
  await leave(bob, base, '/credits');
  if (sign) await signInThere(bob, 'bob');
  await cancel(bob);
  await bob.page.waitForURL(`${base}/sign-in?**`);
  ok(`canceling ${sign ? 'the consent' : 'the sign-in'} is acknowledged`, (await main(bob.page).getByRole('status').textContent()).includes('You canceled at the sign-in provider'));
}
ok('and does not sign the user in', (await bob.context.cookies(base)).every(({ name }) => name !== 'retouch_session'));

// An address that the provider has not verified creates no account.
const mallory = await visitor();
await leave(mallory);
await signInThere(mallory, 'mallory');
await agree(mallory);
await mallory.page.waitForURL(/provider\/return/);
ok('an unverified address creates no account', (await text(mallory.page)).includes('hasn’t verified your email address'));

// Callbacks that are forged, replayed, or from another browser.
const eve = await visitor();
const refused = async (what, who, address, words) => {
  await who.page.goto(address);
  const said = await text(who.page);
  ok(`${what} is refused`, said.includes(words) && (await who.context.cookies(base)).every(({ name }) => name !== 'retouch_session'));
};
const answer = await intercepted(eve, 'eve');
await refused("someone else's answer", await visitor(), answer, 'not started in this browser');
const forged = new URL(answer);
forged.searchParams.set('state', query.state);
await refused('a wrong state', eve, forged.href, 'not started in this browser');
await refused('the right state after a wrong one', eve, answer, 'not started in this browser');
await eve.context.clearCookies();
const fresh = await intercepted(eve, 'eve');
await eve.page.goto(fresh);
ok('an unchanged callback signs the user in', eve.page.url() === `${base}/account` && (await text(eve.page)).includes('eve@example.com'));
const used = new URL(fresh).searchParams.get('code');
await eve.context.clearCookies();
await refused('an answer that has been used', eve, fresh, 'not started in this browser');
const third = new URL(await intercepted(eve, 'eve'));
third.searchParams.set('code', used);
await refused('a code that has been used', eve, third.href, 'could not be completed');
ok('the provider refused that code itself', provider.failures.some((failure) => failure.startsWith('grant.error: invalid_grant')));
await eve.context.clearCookies();
const fourth = new URL(await intercepted(eve, 'eve'));
fourth.searchParams.set('iss', 'https://evil.example');
await refused("another issuer's answer", eve, fourth.href, 'could not be completed');

// The other signature algorithms, and a public client.
for (const [from, algorithm, name] of [[publicBase, 'ES256', 'carol'], [edwardsBase, 'EdDSA', 'dan']]) {
  const someone = await visitor();
  await leave(someone, from);
  await signInThere(someone, name);
  await agree(someone);
  await someone.page.waitForURL(`${from}/account`);
  ok(`${algorithm} signs in`, header(provider.tokens.at(-1)).alg === algorithm && (await text(someone.page)).includes(`${name}@example.com`));
}
ok('a public client sends no secret', provider.asked.filter(({ path, authorization }) => path === '/token' && !authorization).length === 1);
await stopAll();
await finish();
