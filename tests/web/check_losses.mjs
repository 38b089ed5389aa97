// Leaving, reloading and a lost connection lose no result, and nothing is charged twice.

import { base, finish, ok, person, photograph, stored, until } from './browser.mjs';

const balance = (page) => page.evaluate(async () => (await (await fetch('/api/credits')).json()).available);
const kept = (page) => page.evaluate(() => new Promise((resolve) => {
  const opening = indexedDB.open('retouch', 1);
  opening.onsuccess = () => {
    const counting = opening.result.transaction('runs').objectStore('runs').count();
    counting.onsuccess = () => resolve(counting.result);
  };
}));

async function prepared(email) {
  const someone = await person({ email });
  await someone.page.locator('#file').setInputFiles(photograph);
  await someone.page.getByLabel('What should change?').fill('make it sepia');
  return someone;
}

// A photo is added while the page is still cleaning up after earlier visits.
{
  const { page } = await person({ email: 'quick@example.com' });
  const studio = await page.locator('script[src$="/studio.js"]').evaluate(({ src }) => src);
  const shelf = new URL('shelf.js', studio).href;
  const found = await page.evaluate(async (shelf) => {
    const { findPicture, keepPicture, sweepPictures } = await import(shelf);
    const bytes = new Blob(['bytes']);
    await keepPicture('left over', bytes, 'left over');
    await keepPicture('shown', bytes, 'shown');
    const sweeping = sweepPictures((id) => id === 'shown');
    await keepPicture('chosen meanwhile', bytes, 'chosen meanwhile');
    await sweeping;
    const names = ['left over', 'shown', 'chosen meanwhile'];
    return (await Promise.all(names.map(findPicture))).map(Boolean);
  }, shelf);
  ok('a photo that is no longer shown is removed', !found[0]);
  ok('a photo that is shown is kept', found[1]);
  ok('and so is a photo added during the cleanup', found[2]);
}

// The page is left before the photo is stored.
{
  const { page } = await prepared('hasty@example.com');
  await stored(page, 'coffee.jpg');
  await page.evaluate(() => new Promise((resolve) => {
    const opening = indexedDB.open('retouch', 1);
    opening.onsuccess = () => {
      const clearing = opening.result.transaction('pictures', 'readwrite');
      clearing.objectStore('pictures').clear();
      clearing.oncomplete = resolve;
    };
  }));
  await page.reload();
  await page.getByText('This browser no longer has your photo. Add it again.').waitFor();
  ok('a photo that was not stored is reported', await page.getByLabel('What should change?').inputValue() === 'make it sepia');
}

// The connection is lost while a preview is made.
{
  const { page } = await person({ email: 'offline@example.com' });
  let calls = 0;
  await page.route('**/api/preview', (route) => {
    calls += 1;
    return calls === 1 ? route.abort('connectionreset') : route.continue();
  });
  await page.getByLabel('What should change?').fill('make it sepia');
  await page.locator('#file').setInputFiles(photograph);
  await page.locator('#recipe .step').waitFor();
  ok('the preview is made when the connection is back', calls >= 2);
}

// The browser is so slow to read what it has stored that the preview is there before.
{
  const { page } = await prepared('slow@example.com');
  await stored(page, 'coffee.jpg');
  await page.locator('#stage.previewing').waitFor();
  await page.addInitScript(() => {
    const { transaction } = IDBDatabase.prototype;
    window.reads = 0;
    window.slow = new Promise((resolve) => { window.goOn = resolve; });
    IDBDatabase.prototype.transaction = function begin(shelf, mode) {
      const begun = transaction.call(this, shelf, mode);
      if (shelf !== 'runs') return begun;
      window.reads += 1;
      Object.defineProperty(begun, 'oncomplete', { set: (done) => begun.addEventListener('complete', () => window.slow.then(done)) });
      return begun;
    };
  });
  await page.reload();
  await page.locator('#stage.previewing').waitFor();
  await page.evaluate(() => window.goOn());
  await page.waitForFunction(() => window.reads > 1);
  ok('a preview that comes before the storage is read stays', await page.locator('#stage.previewing').isVisible());
  ok('and its photo is marked', await page.locator('#pictures .thumb[aria-current="true"]').count() === 1);
}

// The service does the work, and its answer never arrives.
{
  const { page } = await prepared('lost@example.com');
  let calls = 0;
  await page.route('**/api/image-edit', async (route) => {
    calls += 1;
    if (calls > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  await page.locator('#report').waitFor();
  ok(`the result came with call ${calls}`, calls === 2);
  ok('it was charged once', await balance(page) === 9);
  ok('nothing is kept after the result is shown', await kept(page) === 0);
}

// A proxy does not wait for the answer and sends an error page of its own.
{
  const { page } = await prepared('gateway@example.com');
  const keys = [];
  await page.route('**/api/image-edit', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 2) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.fulfill({ status: 504 - keys.length, contentType: 'text/html', body: '<h1>Gateway</h1>' });
  });
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  await page.locator('#report').waitFor();
  ok('the result arrives in spite of gateway errors', keys.length === 3 && new Set(keys).size === 1);
  ok('and was charged once', await balance(page) === 9);
}

// The page is closed during an edit and opened again.
{
  const { page, context } = await prepared('left@example.com');
  const keys = [];
  let worked = false;
  await context.route('**/api/image-edit', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    worked = true;
    return undefined;
  });
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  ok('the service did the work', await until(() => worked));
  ok('the elapsed time is shown during the edit', await page.locator('#clock').isVisible());
  await page.reload();
  await page.locator('#after[src^="/files/"]').waitFor();
  ok('the result is there after reloading', await page.locator('#report').isVisible());
  ok('the request was repeated with the same key', keys.length === 2 && keys[0] === keys[1] && keys[0].length === 32);
  ok('and charged once', await balance(page) === 9);
  ok('the original is still next to it', (await page.locator('#before').getAttribute('src')).startsWith('blob:'));
  await page.reload();
  await page.locator('#after[src^="/files/"]').waitFor();
  ok('a third visit shows it too, and sends no request', keys.length === 2 && await kept(page) === 0);
}

// Another user signs in where an edit was left.
{
  const { page, context } = await prepared('first@example.com');
  let calls = 0;
  await context.route('**/api/image-edit', async (route) => {
    calls += 1;
    await route.fetch();
  });
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  await until(() => calls === 1);
  await context.clearCookies();
  await context.unroute('**/api/image-edit');
  await context.route('**/api/image-edit', (route) => { calls += 1; return route.continue(); });
  await page.goto(new URL('/sign-up', page.url()).href);
  await page.getByLabel('Email address').fill('second@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await page.locator('#run-words .price').waitFor();
  await page.waitForLoadState('networkidle');
  ok('no one pays for another user', calls === 1 && await balance(page) === 15);
}

// Errors are shown at their place and cost nothing.
{
  const { page } = await prepared('wrong@example.com');
  await page.getByLabel('What should change?').fill('blur the background');
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  const wrong = page.locator('#instruction-wrong');
  ok(`a prompt that cannot be followed is explained: ${(await until(() => wrong.textContent())).slice(0, 60)}…`,
    (await wrong.textContent()).includes('generative model'));
  ok('at its field', await page.getByLabel('What should change?').getAttribute('aria-invalid') === 'true');
  await page.getByLabel('What should change?').fill('make it sepia');
  await page.getByText('More settings').click();
  await page.getByLabel('Exact size').fill('9x9');
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  await until(() => page.locator('#size-wrong').textContent());
  ok('so is a size out of range', (await page.locator('#size-wrong').textContent()).includes('64'));
  await page.getByLabel('Exact size').fill('');
  await page.locator('#file').setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('nothing') });
  await page.getByRole('button', { name: 'Move left: broken.png' }).click();
  await page.locator('#pictures li .wrong').first().waitFor();
  ok(`a broken image: ${await page.locator('#pictures li .wrong').first().textContent()}`, true);
  ok('nothing was charged', await balance(page) === 15);
  await page.getByRole('button', { name: 'Remove: broken.png' }).click();
  ok('the focus stays in the list of photos', await page.evaluate(() => document.activeElement.closest('#pictures') !== null));
}

// A photo is uploaded once, and another browser uses the upload while the service keeps it. Later, the
// page says that the photo has to be added again.
{
  const { page, context } = await prepared('roams@example.com');
  await page.getByRole('button', { name: /Save full size · 6/ }).click();
  await page.locator('#after[src^="/files/"]').waitFor();
  const uuid = await page.evaluate(async () => (await (await fetch('/api/generations')).json()).data[0].uuid);
  await page.goto(`${base}/?from=${uuid}`);
  await page.locator('#pictures li img').waitFor();
  ok('the original photo is there again', await page.locator('#alert').isHidden());
  const elsewhere = await person();
  await elsewhere.context.addCookies(await context.cookies());
  await elsewhere.page.goto(`${base}/?from=${uuid}`);
  await elsewhere.page.locator('#after[src^="data:image/"]').waitFor();
  ok('another browser uses the upload', await elsewhere.page.locator('#alert').isHidden());
  const { pictures: [upload] } = await page.evaluate(async (uuid) => (await (await fetch(`/api/generations/${uuid}`)).json()).request, uuid);
  await page.evaluate((path) => fetch(path, { method: 'DELETE' }), new URL(upload).pathname);
  await elsewhere.page.goto(`${base}/?from=${uuid}`);
  const wrong = elsewhere.page.locator('#pictures .wrong');
  await wrong.waitFor();
  ok(`once it is deleted, the page says so: ${await wrong.textContent()}`, (await wrong.textContent()).includes('Add it again'));
  ok('the prompt is there', await elsewhere.page.getByLabel('What should change?').inputValue() === 'make it sepia');
}

await finish();
