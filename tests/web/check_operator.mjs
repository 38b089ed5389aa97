// The operator on the first day: starts from an empty folder, adds a provider (the simulator), invites a
// colleague, looks at the margin, exports the transactions, reads what users are written, and learns that
// what a provider has cannot be canceled.

import { readFileSync } from 'node:fs';
import { PASSWORD, call, encoded, finish, ok, person, photograph, until } from './browser.mjs';
import { code } from './authenticator.mjs';
import { printed, startService, startSim, stopAll } from './services.mjs';

const sim = await startSim();
const base = await startService({ RETOUCH_SERVER__SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
const operator = await person();
const { page } = operator;
await becomeAdministrator();
await addProvider();
await editWithIt();
await lookAtMoney();
await inviteColleague();
await exportTransactions();
await readEmails();
await cancelTooLate();
const loud = operator.complaints.filter((text) => !text.includes('status of 409'));
ok(`no console errors ${loud}`, loud.length === 0);
await stopAll();
await finish();

async function becomeAdministrator() {
  const link = printed(base, ['admin', 'link']);
  await page.goto(link);
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await join(page, 'operator@example.com');
  await page.getByRole('button', { name: 'Become administrator' }).click();
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await page.getByLabel('Code', { exact: true }).fill(code(await page.locator('.secret code').textContent()));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(`${base}/admin`);
  ok('an empty folder leads to the dashboard', await page.getByRole('heading', { name: 'Dashboard', level: 1 }).isVisible());
}

async function addProvider() {
  await page.goto(`${base}/`);
  await page.getByRole('link', { name: 'Add a provider' }).click();
  await page.waitForURL(`${base}/admin/providers`);
  ok('the studio leads to the page of providers', true);
  ok('there is no provider yet', await page.getByText('No providers yet').isVisible());
  await page.getByLabel('Type').selectOption('openai');
  await page.getByLabel('API key').fill('sk-of-the-operator');
  await page.getByLabel('Address (optional)').fill(`${sim}/openai/v1`);
  await page.getByLabel('Daily limit in US dollars (optional)').fill('5.00');
  await page.getByLabel('Your own password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save provider' }).click();
  await page.getByRole('button', { name: 'Test openai' }).click();
  ok('its key is tested with one click', await page.getByRole('status').getByText('openai works.').isVisible());
  ok('its key is not shown', !(await page.content()).includes('sk-of-the-operator'));
}

async function editWithIt() {
  await page.goto(`${base}/`);
  const request = { instruction: 'a hat for the gardener', imageBase64: encoded() };
  const made = await until(async () => {
    const answer = await call(page, 'POST', '/api/image-edit', request);
    return answer.status === 200 && answer;
  });
  ok('without a restart, it edits what the built-in editor cannot', made.status === 200);
}

async function lookAtMoney() {
  await page.goto(`${base}/admin`);
  const cells = async (name) => (await page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) }).first()
    .getByRole('cell').allTextContents()).map((text) => text.trim());
  const [cost, margin, used] = [await cells('Provider cost'), await cells('Margin'), await cells('Credits used')];
  // Midnight may pass during the check, so amounts are taken from the last 30 days.
  ok(`the cost of one edit of one photo: ${cost}`, cost.length === 3 && cost[2] === '$0.02');
  ok(`the margin of today, yesterday and 30 days: ${margin}`, margin.every((usd) => /^\$\d+\.\d\d$/.test(usd)) && margin[2] === '$0.06');
  ok(`six credits were used: ${used}`, Number(used[0]) + Number(used[1]) === 6 && used[2] === '6');
  await page.getByRole('link', { name: 'Providers', exact: true }).click();
  const row = await page.getByRole('row').filter({ hasText: 'openai' }).textContent();
  ok('the page of providers shows the daily limit', row.includes('$5.00'));
}

async function inviteColleague() {
  await page.getByRole('link', { name: 'Invitations', exact: true }).click();
  await page.getByLabel('Email address (optional)').fill('colleague@example.com');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await page.getByText('/sign-up?invitation=').textContent()).trim();
  const colleague = await person();
  await colleague.page.goto(link);
  await colleague.page.getByLabel('Password').fill(PASSWORD);
  await colleague.page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await colleague.page.waitForURL(`${base}/`);
  ok('the colleague signs up with the link', await colleague.page.locator('[data-balance]').first().isVisible());
  await page.goto(`${base}/admin/log`);
  const log = await page.getByRole('main').textContent();
  for (const act of ['Became administrator', 'openai', 'invitation']) ok(`in the log: ${act}`, log.includes(act));
}

/** What users get to read, with examples. */
async function readEmails() {
  await page.goto(`${base}/admin/emails`);
  const emails = [['credits are running low', 'You have 5 credits left'], ['plan was renewed', 'Standard (300 credits).'],
    ['payment for your Retouch plan failed', 'Standard. This month']];
  for (const [subject, example] of emails) {
    await page.getByRole('link', { name: subject }).click();
    ok(`“${subject}” can be previewed`, await page.locator('.letter').getByText(example).isVisible());
  }
}

async function cancelTooLate() {
  await page.goto(`${base}/`);
  await page.locator('#file').setInputFiles(photograph);
  await page.getByLabel('What should change?').fill('a hat for the gardener [sim:slow ms=4000]');
  await page.locator('#run').click();
  await page.locator('#working-words').getByText('Editing…').waitFor();
  await page.locator('#working-cancel').click();
  const note = page.getByText('It’s too late to cancel. You’re charged only if there’s a result.');
  ok('what a provider has cannot be canceled', await note.waitFor().then(() => true));
  ok('and its result is shown', await until(async () => await note.isHidden() && await page.locator('#report').isVisible()));
}

async function exportTransactions() {
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'transactions', exact: true }).click();
  const [head, ...rows] = readFileSync(await (await download).path(), 'utf8').trim().split(/\r?\n/).map((line) => line.split(','));
  const at = (name) => head.indexOf(name);
  const own = rows.filter((row) => row[at('email')].includes('operator@example.com'));
  const sum = own.reduce((sum, row) => sum + Number(row[at('available_change')]), 0);
  const { body } = await call(page, 'GET', '/api/credits');
  ok(`the amounts add up to the balance: ${sum}`, sum === body.available);
}

async function join(page, email) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
}
