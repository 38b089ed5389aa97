// A browser without JavaScript: everything but the studio works by links and forms.

import { PASSWORD, base, call, encoded, finish, ok, person } from './browser.mjs';

const helper = await person({ email: 'ada@example.com' });
await call(helper.page, 'POST', '/api/image-edit', { instruction: 'make it grayscale', imageBase64: encoded() });
await call(helper.page, 'POST', '/api/image-edit', { instruction: 'make it warmer', imageBase64: encoded() });

const { page } = await person({ javaScriptEnabled: false });
await page.goto(`${base}/history?q=GRAY`);
ok('a stranger is led to sign in', page.url().includes('/sign-in'));
await page.getByLabel('Email address').fill('ada@example.com');
await page.getByLabel('Password').fill('wrong horse');
await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
ok('a wrong password is said', await page.getByRole('alert').isVisible());
await page.getByLabel('Password').fill(PASSWORD);
await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
ok('and led back to where they were', page.url() === `${base}/history?q=GRAY`);
ok('the search has found one', await page.locator('.tile').count() === 1);
await page.getByLabel('Search prompts').fill('');
await page.getByRole('button', { name: 'Search' }).click();
ok('everything is found without words', await page.locator('.tile').count() === 2);
await page.locator('.tile a').first().click();
await page.getByRole('button', { name: 'Delete' }).click();
ok('what is deleted is gone', await page.locator('.tile').count() === 1);
await page.getByRole('link', { name: 'Keys' }).click();
await page.getByLabel('Name').fill('laptop');
await page.getByLabel('Credit limit').fill('6');
await page.getByRole('button', { name: 'Create key' }).click();
const secret = await page.locator('#secret').textContent();
const account = await fetch(`${base}/api/credits`, { headers: { authorization: `Bearer ${secret}` } });
ok('the key that is shown works', account.status === 200);
await page.getByRole('button', { name: 'Revoke laptop' }).click();
ok('until it is revoked', (await fetch(`${base}/api/credits`, { headers: { authorization: `Bearer ${secret}` } })).status === 401);
await page.getByRole('button', { name: 'Dark' }).click();
ok('a look can be chosen', await page.locator('html').getAttribute('data-theme') === 'dark');
ok('on the page where it was chosen, or the studio', [`${base}/`, `${base}/keys`].includes(page.url()));
await page.goto(base);
ok('the studio says what it needs', await page.locator('noscript p').isVisible());
await page.getByRole('button', { name: 'Sign out' }).click();
ok('signed out', await page.getByRole('link', { name: 'Sign in' }).first().isVisible());
await finish();
