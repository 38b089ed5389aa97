// Canceling what is running: an edit by pointer, by keyboard and on a phone, without a connection, a
// video, and the rest of a batch. Nothing is charged for what was canceled. check_operator.mjs tries to
// cancel what a provider has.

import { PHONE, base, finish, grant, ok, person, until } from './browser.mjs';
import { photos } from './photos.mjs';

/** Takes the built-in editor a while on a large photo. */
const LONG = 'make it look like a pencil sketch, blur it by 60px, then sharpen it';

const desktop = await prepared('desktop', {});
await canceled(desktop, async (page) => {
  await page.locator('#working-words').getByText('Editing…').waitFor();
  await page.locator('#working-cancel').click();
});
await byKeyboard(desktop);
await withoutConnection(desktop);
await film(desktop);
await batch(desktop);
const loud = desktop.complaints.filter((text) => !/status of (400|409)|ERR_CONNECTION_RESET/.test(text));
ok(`no console errors ${loud.join(' | ')}`, loud.length === 0);
const phone = await prepared('phone', { size: PHONE, hasTouch: true, isMobile: true });
await canceled(phone, byTouch);
await finish();

/** A user with a large photo that is uploaded, and a prompt that takes a while. */
async function prepared(where, looks) {
  const someone = await person({ email: `${where}@example.com`, ...looks });
  const { page } = someone;
  grant(someone.email, 500);
  await page.reload();
  const [photo] = await photos(page, 1, { width: 4000, height: 3000, grain: 20 });
  await page.locator('#file').setInputFiles(photo);
  await page.getByLabel('What should change?').fill(LONG);
  await page.locator('#recipe .step').nth(2).waitFor();
  await until(async () => await page.locator('#pictures .sent').count() === 0);
  return { ...someone, where };
}

function credits(page) {
  return page.evaluate(async () => (await fetch('/api/credits')).json());
}

/** Runs the edit, cancels it with `act`, and looks that nothing was charged. */
async function canceled({ page, where }, act) {
  const before = await credits(page);
  await page.locator('#run').click();
  await page.locator('#working-cancel').waitFor();
  await act(page);
  await page.locator('#alert').waitFor();
  ok(`${where}: ${await page.locator('#alert').textContent()}`, await page.locator('#alert').textContent() === 'Canceled. Nothing was charged.');
  ok(`${where}: it is no error`, await page.locator('#alert').getAttribute('class') === 'notice');
  ok(`${where}: the progress is gone`, await page.locator('#working').isHidden());
  const after = await until(async () => {
    const now = await credits(page);
    return now.held === 0 && now;
  });
  ok(`${where}: nothing is charged and nothing is held`, after.available === before.available && after.held === 0);
  ok(`${where}: the focus stays on the page`, await page.evaluate(() => document.activeElement !== document.body));
  await page.getByLabel('What should change?').fill(LONG);
  ok(`${where}: the next prompt clears the message`, await page.locator('#alert').isHidden());
}

async function byTouch(page) {
  const box = await page.locator('#working-cancel').boundingBox();
  ok(`on a phone, the button is ${Math.round(box.height)} px high`, box.height >= 44 && box.width >= 44);
  ok('and can be seen without scrolling', box.y >= 0 && box.y + box.height <= PHONE.height);
  await page.locator('#working-cancel').tap();
}

async function byKeyboard(someone) {
  await someone.page.getByLabel('What should change?').focus();
  await canceled({ ...someone, where: 'by keyboard' }, async (page) => {
    await page.keyboard.press('Escape');
    ok('Escape leads to the button', await page.locator('#working-cancel').evaluate((button) => button === document.activeElement));
    await page.keyboard.press('Enter');
  });
}

/** The call is lost on its way. Canceling asks the service, which then makes nothing of it. */
async function withoutConnection(someone) {
  let calls = 0;
  await someone.page.route('**/api/image-edit', (route) => {
    calls += 1;
    return calls === 1 ? route.abort('connectionreset') : route.continue();
  });
  await canceled({ ...someone, where: 'after a lost connection' }, async (page) => {
    await page.getByText('Connection lost.').first().waitFor();
    await page.locator('#working-cancel').click();
  });
  await someone.page.unroute('**/api/image-edit');
}

async function film({ page }) {
  const before = await credits(page);
  await page.getByText('Video', { exact: true }).click();
  await page.getByLabel('What should happen in the video?').fill('slowly zoom in');
  await page.locator('#run').click();
  await page.getByText('Making your video').first().waitFor();
  await page.locator('#working-cancel').click();
  await page.locator('#alert').waitFor();
  ok(`a video: ${await page.locator('#alert').textContent()}`, await page.locator('#alert').textContent() === 'Canceled. Nothing was charged.');
  const after = await credits(page);
  ok('costs nothing either', after.available === before.available && after.held === 0);
}

async function batch({ page }) {
  const COUNT = 12;
  await page.goto(base);
  await page.getByText('Edit', { exact: true }).first().click();
  const remove = page.getByRole('button', { name: /^Remove:/ });
  while (await remove.count() > 0) await remove.first().click();
  await page.locator('#file').setInputFiles(await photos(page, COUNT, { width: 2400, height: 1800, grain: 0 }));
  await page.getByLabel('What should change?').fill(LONG);
  const before = await credits(page);
  await page.getByRole('button', { name: new RegExp(`Edit all ${COUNT} ·`) }).click();
  const title = page.locator('#batch-title');
  const done = async () => Number(/^(\d+) of/.exec(await title.textContent())?.[1] ?? -1);
  await until(async () => await done() >= 2);
  await page.getByRole('button', { name: 'Cancel the rest' }).press('Enter');
  const others = page.getByRole('button', { name: /^Edit the other/ });
  await others.waitFor();
  const made = await done();
  ok(`a batch stops: ${await title.textContent()}`, made >= 2 && made < COUNT);
  ok('and says that the rest is not charged', (await page.locator('#batch-words').textContent()).includes(`${COUNT - made} canceled; nothing is charged for them.`));
  ok('the focus stays in the batch', await page.evaluate(() => document.activeElement.closest('#batch') !== null));
  const after = await credits(page);
  ok(`only results are charged: ${before.available - after.available}`, before.available - after.available === 6 * made && after.held === 0);
  await page.reload();
  await others.waitFor();
  ok('a reload does not go on', await done() === made && (await credits(page)).available === after.available);
  await others.click();
  ok('the others can be edited after all', await until(async () => await done() === COUNT, 240_000));
  ok('each once', (await credits(page)).available === before.available - 6 * COUNT);
}
