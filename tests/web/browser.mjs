// Shared by all checks: a browser, users in it, and a way to report results.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const base = process.argv[2];
/** A photo of this browser on the stage, or its preview, which takes its place when it is made. */
export const OWN = '#after:is([src^="blob:"], [src^="data:"])';
export const photograph = `${process.env.SAMPLES}/coffee.jpg`;
export const PASSWORD = 'correct horse';
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** How long to wait for anything: machines on which pages take ten times as long have been seen. */
const WAIT_MS = 60_000;

let failed = 0;

/** Reports whether a check passed. */
export function ok(words, isSo) {
  console.log(`${isSo ? 'ok' : 'NOT OK'} ${words}`);
  if (!isSo) failed += 1;
}

// Without the parts of a browser that people see, which take half of its time.
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });

/** A user with their own browser window, whose console errors are collected. */
export async function person({ email, size = DESKTOP, ...options } = {}) {
  const context = await browser.newContext({ viewport: size, acceptDownloads: true, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const someone = { page, context, complaints, email };
  if (email) await signUp(someone);
  return someone;
}

export async function signUp({ page, email }) {
  await page.goto(`${base}/sign-up`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL(`${base}/`);
}

/** Grants credits, as the operator does. */
export function grant(email, credits) {
  execFileSync(process.env.RETOUCH, ['credits', 'grant', '--account', email, '--credits', String(credits), '--reason', 'a check']);
}

/** Calls the API from the page. */
export const call = (page, method, path, body) => page.evaluate(async ([method, path, body]) => {
  const response = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}, [method, path, body]);

/** The sample photo in base64, for a request. */
export const encoded = () => readFileSync(photograph).toString('base64');

export async function until(look, ms = WAIT_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen || Date.now() > end) return seen;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until the browser has stored a photo of this name: a page that is left before that loses it. */
export const stored = (page, name) => until(() => page.evaluate((name) => new Promise((resolve) => {
  const opening = indexedDB.open('retouch', 1);
  opening.onsuccess = () => {
    const reading = opening.result.transaction('pictures').objectStore('pictures').getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.some((picture) => picture.name === name));
    };
  };
}), name));

/** Ends the check with its result. */
export async function finish() {
  await browser.close();
  process.exit(failed > 0 ? 1 : 0);
}
