// "Use this in code": the code that the studio shows works in a shell, in Python and in JavaScript.

import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { base, call, finish, grant, ok, person, photograph, until } from './browser.mjs';

const run = promisify(execFile);
const PROGRAMS = { curl: ['bash', '-c'], Python: ['python3', '-c'], JavaScript: ['node', '--input-type=module', '-e'] };
// Every character that has a special meaning in one of the three.
const WORDS = `write "it's \\ $HOME \`x\` 50% é" at the bottom`;

const { page } = await person({ email: 'ada@example.com' });
grant('ada@example.com', 500);
const { body: { key } } = await call(page, 'POST', '/api/keys', { name: 'code' });
const folder = mkdtempSync(join(tmpdir(), 'retouch-code-'));
copyFileSync(photograph, join(folder, "it's mine.jpg"));

await page.locator('#file').setInputFiles(join(folder, "it's mine.jpg"));
await page.getByLabel('What should change?').fill(WORDS);
await page.getByRole('button', { name: /Save full size · 6/ }).click();
const shown = () => page.locator('#after').getAttribute('src');
/** Waits until another result than `before` is shown, instead of a preview. */
const stored = (before) => until(async () => {
  const address = await shown();
  return address?.startsWith('/files/') && address !== before && address;
});
const first = await stored();
await each('a file');
await page.getByRole('button', { name: 'Edit this result' }).click();
await page.getByLabel('What should change?').fill('rotate left');
await page.getByRole('button', { name: /Save full size · 6/ }).click();
await stored(first);
await each('a stored image');
await page.getByText('Create', { exact: true }).click();
await page.getByLabel('What should the image show?').fill('A gradient from red to blue, left to right');
await page.getByRole('button', { name: /Save full size · 6/ }).click();
await until(async () => (await page.locator('#after').getAttribute('alt')).includes('gradient'));
await each('text only');
rmSync(folder, { recursive: true });
await finish();

async function each(what) {
  const wanted = await page.evaluate(async () => {
    const bytes = await (await fetch(new URL(document.getElementById('after').src).pathname)).arrayBuffer();
    return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join();
  });
  await page.locator('#call').evaluate((details) => { details.open = true; });
  for (const [language, [program, ...before]] of Object.entries(PROGRAMS)) {
    await page.locator('.tabs').getByRole('button', { name: language }).click();
    const code = await page.locator('#code').textContent();
    const [file] = /result\.\w+/.exec(code);
    writeFileSync(join(folder, file), '');
    const env = { ...process.env, RETOUCH_KEY: key };
    const ran = await run(program, [...before, code], { cwd: folder, env }).catch((error) => error);
    const hash = await crypto.subtle.digest('SHA-256', readFileSync(join(folder, file)));
    const same = Array.from(new Uint8Array(hash)).join() === wanted;
    ok(`${what}: ${language} makes the same image ${ran.stderr ?? ''}`, same);
    ok(`and names its format: ${file}`, file === (what === 'text only' ? 'result.png' : 'result.jpg'));
  }
}
