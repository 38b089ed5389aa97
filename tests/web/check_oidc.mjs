// People who sign in through a provider of OpenID Connect: somebody new, somebody with an account,
// somebody without a password, and a browser into which somebody else's sign-in is smuggled.

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

// Somebody new.
const ada = await person();
await enter(ada);
await ada.page.waitForURL(`${base}/account`);
ok('somebody new comes back signed in', (await main(ada.page).textContent()).includes('ada@example.com'));
ok('with the credits of a sign-up', (await main(ada.page).textContent()).includes('15 available'));
ok('an account without a password says so', (await main(ada.page).textContent()).includes('Your account has no password'));
ok('a session alone unlinks nothing', await main(ada.page).getByRole('button', { name: 'Unlink Example ID' }).count() === 0);
await main(ada.page).getByRole('button', { name: 'Delete account' }).click();
ok('a session alone deletes nothing', (await main(ada.page).getByRole('alert').textContent()).includes('Sign in again'));
await ada.page.goto(`${base}/account`);
await main(ada.page).getByRole('link', { name: 'Sign in with Example ID again' }).first().click();
await ada.page.getByRole('button', { name: /Continue as/ }).click();
await ada.page.waitForURL(`${base}/account`);
await main(ada.page).getByRole('button', { name: 'Unlink Example ID' }).click();
ok('the last way in stays', (await main(ada.page).getByRole('alert').textContent()).includes('Add another one first'));
await ada.page.goto(`${base}/account`);
await main(ada.page).getByLabel('New password').fill(PASSWORD);
await main(ada.page).getByRole('button', { name: 'Set password' }).click();
ok('who has just signed in anew sets a password', await until(() => ada.page.url().endsWith('done=password')));

// Somebody else, without JavaScript, who declines first.
await there('person', { sub: 'person-2', email: 'bob@example.com' });
const bob = await person({ javaScriptEnabled: false });
await bob.page.goto(`${base}/sign-in?next=/credits`);
await bob.page.getByRole('link', { name: 'Continue with Example ID' }).click();
await bob.page.getByRole('button', { name: 'Go back' }).click();
ok('who declines is back at the page to sign in at', bob.page.url() === `${base}/sign-in?next=%2Fcredits&done=declined`);
ok('the page says that they canceled', (await main(bob.page).getByRole('status').textContent()).includes('You canceled'));
await enter(bob);
ok('it works without JavaScript', bob.page.url() === `${base}/account` && (await main(bob.page).textContent()).includes('bob@example.com'));

// An account with a password: entered by the password, then linked.
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
ok('an address alone opens no account', (await stranger.context.cookies()).every(({ name }) => name !== 'retouch_session'));
await eve.page.goto(`${base}/account`);
await main(eve.page).getByRole('form', { name: 'Link Example ID' }).getByLabel('Password').fill(PASSWORD);
await main(eve.page).getByRole('button', { name: 'Link Example ID' }).click();
await eve.page.getByRole('button', { name: /Continue as/ }).click();
await main(eve.page).getByRole('status').waitFor();
ok('who has the password links the identity', (await main(eve.page).textContent()).includes('Linked.'));
await enter(stranger);
await stranger.page.waitForURL(`${base}/account`);
ok('and it opens the account', (await main(stranger.page).textContent()).includes('eve@example.com'));

// Eve begins a sign-in and gets Ada's browser to end it.
const trap = await person();
await trap.page.goto(`${base}/sign-in`);
await trap.page.getByRole('link', { name: 'Continue with Example ID' }).click();
await trap.page.getByRole('button', { name: /Continue as/ }).waitFor();
const agreed = await fetch(trap.page.url(), { method: 'POST', redirect: 'manual' });
const back = agreed.headers.get('location');
await ada.page.goto(back);
ok("somebody else's answer is refused", (await main(ada.page).textContent()).includes('not started in this browser'));
await ada.page.goto(`${base}/account`);
ok('and Ada stays who she is', (await main(ada.page).textContent()).includes('ada@example.com'));

// A token that was changed on its way.
await there('spoil', { how: 'changed' });
const forged = await person();
await enter(forged);
ok('a token that was changed opens nothing', (await main(forged.page).textContent()).includes('could not be completed'));
const words = [...ada.complaints, ...bob.complaints, ...eve.complaints].filter((text) => !/status of 4\d\d/.test(text));
ok(`nothing is complained of on the consoles ${words}`, words.length === 0);
await stopAll();
await finish();
