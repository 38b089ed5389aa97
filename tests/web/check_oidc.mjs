// Sign-in through an OpenID Connect provider: a new user, a user with an account, a user without a
// password, and a browser that is made to finish someone else's sign-in.

import { PASSWORD, finish, ok, person, until } from './browser.mjs';
import { startService, startSim, stopAll } from './services.mjs';

const sim = await startSim();
const base = await startService({
  RETOUCH_OIDC__ISSUER: `${sim}/oidc`, RETOUCH_OIDC__CLIENT_ID: 'retouch', RETOUCH_OIDC__CLIENT_SECRET: 'secret', RETOUCH_OIDC__NAME: 'Example ID',
});
const there = (what, body) => fetch(`${sim}/oidc/_sim/${what}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const main = (page) => page.getByRole('main');

async function enter({ page }) {
  await page.goto(`${base}/sign-in?next=/account`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: /Continue as/ }).click();
}

// A new user.
const ada = await person();
await enter(ada);
await ada.page.waitForURL(`${base}/account`);
ok('a new user is signed in', (await main(ada.page).textContent()).includes('ada@example.com'));
ok('with the sign-up credits', (await main(ada.page).textContent()).includes('15 available'));
ok('an account without a password says so', (await main(ada.page).textContent()).includes('Your account has no password'));
ok('a session alone cannot unlink', await main(ada.page).getByRole('button', { name: 'Unlink Example ID' }).count() === 0);
await main(ada.page).getByRole('button', { name: 'Delete account' }).click();
ok('a session alone cannot delete the account', (await main(ada.page).getByRole('alert').textContent()).includes('Sign in again'));
await ada.page.goto(`${base}/account`);
await main(ada.page).getByRole('link', { name: 'Sign in with Example ID again' }).first().click();
await ada.page.getByRole('button', { name: /Continue as/ }).click();
await ada.page.waitForURL(`${base}/account`);
await main(ada.page).getByRole('button', { name: 'Unlink Example ID' }).click();
ok('the last sign-in method cannot be removed', (await main(ada.page).getByRole('alert').textContent()).includes('Add another one first'));
await ada.page.goto(`${base}/account`);
await main(ada.page).getByLabel('New password').fill(PASSWORD);
await main(ada.page).getByRole('button', { name: 'Set password' }).click();
ok('after signing in again, a password can be set', await until(() => ada.page.url().endsWith('done=password')));

// Another user, without JavaScript, who cancels first.
await there('person', { sub: 'person-2', email: 'bob@example.com' });
const bob = await person({ javaScriptEnabled: false });
await bob.page.goto(`${base}/sign-in?next=/credits`);
await bob.page.getByRole('link', { name: 'Continue with Example ID' }).click();
await bob.page.getByRole('button', { name: 'Go back' }).click();
ok('canceling leads back to the sign-in page', bob.page.url() === `${base}/sign-in?next=%2Fcredits&done=declined`);
ok('which says that the user canceled', (await main(bob.page).getByRole('status').textContent()).includes('You canceled'));
await enter(bob);
ok('signing in works without JavaScript', bob.page.url() === `${base}/account` && (await main(bob.page).textContent()).includes('bob@example.com'));

// An account with a password: signs in with the password, then links the provider.
await there('person', { sub: 'person-3', email: 'eve@example.com' });
const eve = await person();
await eve.page.goto(`${base}/sign-up`);
await eve.page.getByLabel('Email address').fill('eve@example.com');
await eve.page.getByLabel('Password').fill(PASSWORD);
await main(eve.page).getByRole('button', { name: 'Sign up' }).click();
await eve.page.waitForURL(`${base}/`);
const stranger = await person();
await enter(stranger);
await stranger.page.getByRole('heading', { name: 'You already have an account' }).waitFor();
ok('a matching email address alone opens no account', (await stranger.context.cookies()).every(({ name }) => name !== 'retouch_session'));
await eve.page.goto(`${base}/account`);
await main(eve.page).getByRole('form', { name: 'Link Example ID' }).getByLabel('Password').fill(PASSWORD);
await main(eve.page).getByRole('button', { name: 'Link Example ID' }).click();
await eve.page.getByRole('button', { name: /Continue as/ }).click();
await main(eve.page).getByRole('status').waitFor();
ok('with the password, the provider can be linked', (await main(eve.page).textContent()).includes('Linked.'));
await enter(stranger);
await stranger.page.waitForURL(`${base}/account`);
ok('and then opens the account', (await main(stranger.page).textContent()).includes('eve@example.com'));

// Eve starts a sign-in and makes Ada's browser finish it.
const trap = await person();
await trap.page.goto(`${base}/sign-in`);
await trap.page.getByRole('link', { name: 'Continue with Example ID' }).click();
await trap.page.getByRole('button', { name: /Continue as/ }).waitFor();
const agreed = await fetch(trap.page.url(), { method: 'POST', redirect: 'manual' });
const back = agreed.headers.get('location');
await ada.page.goto(back);
ok("someone else's callback is refused", (await main(ada.page).textContent()).includes('not started in this browser'));
await ada.page.goto(`${base}/account`);
ok('and Ada stays signed in as herself', (await main(ada.page).textContent()).includes('ada@example.com'));

// A token that was changed on the way.
await there('token_fault', { fault: 'changed' });
const forged = await person();
await enter(forged);
ok('a changed token is refused', (await main(forged.page).textContent()).includes('could not be completed'));
const words = [...ada.complaints, ...bob.complaints, ...eve.complaints].filter((text) => !/status of 4\d\d/.test(text));
ok(`no console errors ${words}`, words.length === 0);
await stopAll();
await finish();
