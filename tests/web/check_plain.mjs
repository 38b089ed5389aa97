// A browser without JavaScript: everything except the studio works with links and forms.

import { PASSWORD, base, call, encoded, finish, ok, person } from './browser.mjs';

const helper = await person({ email: 'ada@example.com' });
await call(helper.page, 'POST', '/api/image-edit', { instruction: 'make it grayscale', imageBase64: encoded() });
await call(helper.page, 'POST', '/api/image-edit', { instruction: 'make it warmer', imageBase64: encoded() });

const { page } = await person({ javaScriptEnabled: false });
await page.goto(`${base}/history?q=GRAY`);
ok('a visitor is sent to the sign-in page', page.url().includes('/sign-in'));
await page.getByLabel('Email address').fill('ada@example.com');
await page.getByLabel('Password').fill('wrong horse');
await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
ok('a wrong password is reported', await page.getByRole('alert').isVisible());
await page.getByLabel('Password').fill(PASSWORD);
await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
ok('signing in returns to the requested page', page.url() === `${base}/history?q=GRAY`);
ok('the search finds one generation', await page.locator('.tile').count() === 1);
await page.getByLabel('Search prompts').fill('');
await page.getByRole('button', { name: 'Search' }).click();
ok('an empty search finds everything', await page.locator('.tile').count() === 2);
await page.locator('.tile a').first().click();
await page.getByRole('button', { name: 'Delete' }).click();
ok('a deleted generation is gone', await page.locator('.tile').count() === 1);
await page.getByRole('link', { name: 'Keys' }).click();
await page.getByLabel('Name').fill('laptop');
await page.getByLabel('Credit limit').fill('6');
await page.getByRole('button', { name: 'Create key' }).click();
const secret = await page.locator('#secret').textContent();
const account = await fetch(`${base}/api/credits`, { headers: { authorization: `Bearer ${secret}` } });
ok('the new key works', account.status === 200);
await page.getByRole('button', { name: 'Revoke laptop' }).click();
ok('until it is revoked', (await fetch(`${base}/api/credits`, { headers: { authorization: `Bearer ${secret}` } })).status === 401);
await page.getByRole('button', { name: 'Dark' }).click();
ok('a theme can be chosen', await page.locator('html').getAttribute('data-theme') === 'dark');
ok('and the browser stays on the page, or goes to the studio', [`${base}/`, `${base}/keys`].includes(page.url()));
await page.goto(base);
ok('the studio says that it needs JavaScript', await page.locator('noscript p').isVisible());
await page.getByRole('button', { name: 'Sign out' }).click();
ok('signing out works', await page.getByRole('link', { name: 'Sign in' }).first().isVisible());
await finish();
