// The administrator: gets the rights with the link that the service prints, not by signing up first;
// finds a user, grants credits, suspends and reinstates the user; opens every page. All of it with the
// keyboard only. For everyone else, these pages do not exist.

import { execFileSync } from 'node:child_process';
import { DESKTOP, PASSWORD, PHONE, base, call, encoded, finish, ok, person, until } from './browser.mjs';
import { code } from './authenticator.mjs';
import { inspect, still } from './inspect.mjs';

const ADMIN = 'admin@example.com';
const ADA = 'ada@example.com';
const SECRET = 'a-secret-of-the-operator';
const paths = ['/admin', '/admin/users', '/admin/emails', '/admin/providers', '/admin/invitations', '/admin/generations', '/admin/models', '/admin/payments', '/admin/books', '/admin/log', '/admin/settings'];

const ada = await person({ email: ADA, ...still });
ok('the first user is not an administrator', (await ada.page.goto(`${base}/admin`)).status() === 404);
await call(ada.page, 'POST', '/api/image-edit', { instruction: 'rotate left', imageBase64: encoded() });
const key = (await call(ada.page, 'POST', '/api/keys', { name: 'robot' })).body.key;

// The service listens on a port that the settings of this command don't name.
const link = execFileSync(process.env.RETOUCH, ['admin', 'link'], { encoding: 'utf8' }).trim();
const admin = await person(still);
const { page } = admin;
await becomeAdministrator();
const adasPage = await find(ADA);
await giveCredits();
await look();
await suspendAndLift();
await share();
await prove();
await invite();
await toOthersThereIsNothing();
for (const path of [...paths, '/second-factor', '/admin/users?q=nobody', '/admin/generations?status=failed', '/account']) await inspect(admin, path);
await inspect(admin, adasPage, { name: '/admin/users/{id}' });
const complaints = admin.complaints.filter((words) => !words.includes('401'));
ok(`no console errors except for the wrong password ${complaints}`, complaints.length === 0);
await finish();

async function becomeAdministrator() {
  await page.goto(link);
  ok('the link says what it is for', await page.getByRole('heading', { name: 'Become the administrator' }).isVisible());
  const links = await page.getByRole('link', { name: 'Sign up' }).evaluateAll((all) => all.map((one) => one.href));
  ok(`every way to sign up keeps the link ${links}`, links.length === 2 && links.every((href) => href === links[0] && href.includes('token')));
  await press(page.getByRole('main').getByRole('link', { name: 'Sign up' }));
  await page.waitForURL(/sign-up/);
  await type(page.getByLabel('Email address'), ADMIN);
  await type(page.getByLabel('Password'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(link);
  await press(page.getByRole('button', { name: 'Become administrator' }));
  await page.waitForURL(/second-factor\?next=/);
  await setUpTwoSteps();
  await page.waitForURL(`${base}/admin`);
  ok('the link makes its user an administrator', await page.getByRole('heading', { name: 'Dashboard', level: 1 }).isVisible());
  ok('and works once', (await ada.page.goto(link)).status() === 404);
}

/** Creates an invitation, whose link leads to the sign-up form. */
async function invite() {
  await page.goto(`${base}/admin/invitations`);
  await type(page.getByLabel('Email address (optional)'), 'invited@example.com');
  await press(page.getByRole('button', { name: 'Create invitation' }));
  const shown = await page.getByText('/sign-up?invitation=').textContent();
  const guest = await person(still);
  await guest.page.goto(shown.trim());
  ok('an invitation leads to a form with its email address', await guest.page.getByLabel('Email address').inputValue() === 'invited@example.com');
  await press(page.getByRole('button', { name: 'Withdraw: invited@example.com' }));
  ok('and can be withdrawn', await until(async () => await page.getByText('invited@example.com').count() === 0));
}

/** Sets up an authenticator app, which administration asks for before it opens. */
async function setUpTwoSteps() {
  await press(page.getByRole('button', { name: 'Set up an app' }));
  const secret = await page.locator('.secret code').textContent();
  ok('a QR code is shown for the app', await page.getByRole('img', { name: 'QR code' }).isVisible());
  await inspect(admin, '/second-factor?next=/admin', { name: '/second-factor, set up' });
  await type(page.getByLabel('Code', { exact: true }), code(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  ok('there are ten recovery codes', await page.locator('.codes code').count() === 10);
  await press(page.getByRole('link', { name: 'Continue' }));
}

/** Finds a user by a part of the email address, and returns the path of their page. */
async function find(email) {
  await page.goto(`${base}/admin/users`);
  await type(page.getByLabel('Search by email'), email.slice(0, 3));
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=/);
  ok('a part of the email address finds the user', await page.getByRole('rowheader').count() === 1);
  await press(page.getByRole('link', { name: email }));
  await page.waitForURL(/users\/acct_/);
  return new URL(page.url()).pathname;
}

async function giveCredits() {
  await type(page.getByLabel('Amount'), '100');
  await type(page.locator('#reason'), 'for the wait');
  await press(page.getByRole('button', { name: 'Grant credits' }));
  await told('Granted 100 credits.');
  await ada.page.goto(`${base}/credits`);
  ok('the user has the credits', await ada.page.locator('[data-balance]').textContent() === '109');
  ok('and sees the reason', (await ada.page.getByRole('main').textContent()).includes('for the wait'));
}

async function look() {
  await page.goto(base + adasPage);
  await press(page.getByRole('link', { name: /1 completed/ }));
  await page.waitForURL(/account=/);
  const text = await page.getByRole('main').textContent();
  ok('generations are listed', text.includes('built-in') && text.includes('alpha-image-2-free'));
  ok('without prompts and images', !text.includes('rotate left') && await page.locator('main img').count() === 0);
  await page.goto(`${base}/admin/log`);
  const seen = page.getByRole('row').filter({ hasText: 'Viewed generations' });
  ok('and the view is logged', (await seen.first().textContent()).includes(ADA));
}

async function suspendAndLift() {
  await page.goto(base + adasPage);
  await type(page.locator('#suspend_reason'), 'spam');
  await press(page.getByRole('button', { name: 'Suspend' }));
  await told('Account suspended.');
  ok('a key is refused immediately', await byKey() === 401);
  await ada.page.goto(`${base}/credits`);
  ok('a page redirects to the sign-in page', ada.page.url().includes('/sign-in'));
  await signIn();
  ok('which says that the account is suspended', await until(() => ada.page.getByRole('alert').getByText('suspended').isVisible()));
  await type(page.locator('#suspend_reason'), 'we talked');
  await press(page.getByRole('button', { name: 'Reinstate' }));
  await told('Account reinstated.');
  ok('the key works again', await byKey() === 200);
  await signIn();
  ok('and its owner can sign in', await until(async () => new URL(ada.page.url()).pathname === '/credits'));
}

async function share() {
  const role = async (button, password) => {
    await type(page.locator('#role_reason'), 'helps out');
    await type(page.getByLabel('Your password'), password);
    await press(page.getByRole('button', { name: button }));
  };
  await page.goto(base + adasPage);
  await role('Make administrator', 'wrong horse');
  await page.locator('#role-password-wrong:not(:empty)').waitFor();
  ok('making someone an administrator requires the password', (await ada.page.goto(`${base}/admin`)).status() === 404);
  await role('Make administrator', PASSWORD);
  await told('Now an administrator.');
  ok('with the password, there is another administrator', (await ada.page.goto(`${base}/admin`)).status() === 200);
  await role('Remove administrator rights', PASSWORD);
  await told('No longer an administrator.');
  ok('until the rights are removed', (await ada.page.goto(`${base}/admin`)).status() === 404);
}

async function prove() {
  await page.goto(`${base}/admin/models`);
  ok('models list their routes', await page.getByText('100 %').first().isVisible());
  await page.goto(`${base}/admin/books`);
  await press(page.getByRole('button', { name: 'Verify ledger' }));
  await page.getByText('The ledger is correct.').waitFor();
  ok('the ledger is correct', true);
  await page.goto(`${base}/admin/log`);
  const text = await page.getByRole('main').textContent();
  const acts = ['Became administrator', 'Granted 100 credits', 'Suspended', 'Reinstated', 'Made administrator', 'Removed administrator rights', 'Verified the ledger'];
  for (const act of acts) ok(`in the log: ${act}`, text.includes(act));
  await page.goto(`${base}/admin/settings`);
  const settings = await page.content();
  ok('settings show where they are set', settings.includes('RETOUCH_METRICS__TOKEN'));
  ok('and no secrets', !settings.includes(SECRET));
  await page.setViewportSize(PHONE);
  const broken = await page.locator('.settings th code').evaluateAll((all) => {
    const lines = (one) => new Set([...one.getClientRects()].map((part) => Math.round(part.top))).size;
    return all.filter((one) => one.textContent.length <= 40 && lines(one) > 1).map((one) => one.textContent);
  });
  ok(`on a phone, names of settings are not broken ${broken}`, broken.length === 0);
  await page.setViewportSize(DESKTOP);
}

async function toOthersThereIsNothing() {
  const visitor = await person();
  for (const [name, someone] of [['a visitor', visitor], ['a member', ada]]) {
    const seen = [];
    for (const path of [...paths, adasPage]) seen.push((await someone.page.goto(base + path)).status());
    ok(`${name} sees ${[...new Set(seen)]}`, seen.every((status) => status === 404));
    const posts = [];
    for (const path of ['/admin/books', ...['credits', 'suspension', 'sign-out', 'role'].map((act) => `${adasPage}/${act}`)]) {
      posts.push(await someone.page.evaluate(async (path) => {
        const form = new URLSearchParams({ credits: '9', reason: 'x', act: 'appoint', role_reason: 'x', role_password: 'x', suspend_reason: 'x', sign_out_reason: 'x' });
        return (await fetch(path, { method: 'POST', body: form })).status;
      }, path));
    }
    ok(`${name} cannot do anything: ${[...new Set(posts)]}`, posts.every((status) => status === 404));
  }
}

async function byKey() {
  return (await fetch(`${base}/api/credits`, { headers: { authorization: `Bearer ${key}` } })).status;
}

async function signIn() {
  await ada.page.goto(`${base}/sign-in?next=/credits`);
  await ada.page.getByLabel('Email address').fill(ADA);
  await ada.page.getByLabel('Password').fill(PASSWORD);
  await ada.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await ada.page.waitForLoadState();
}

async function told(words) {
  await page.getByRole('status').getByText(words).waitFor();
  ok(`the page says: ${words}`, true);
}

/** Moves the focus to `place` with the Tab key only. */
async function reach(place) {
  await place.waitFor();
  for (let presses = 0; presses < 100; presses += 1) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${place}`);
}

async function type(place, text) {
  await reach(place);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

async function press(place) {
  await reach(place);
  await page.keyboard.press('Enter');
}
