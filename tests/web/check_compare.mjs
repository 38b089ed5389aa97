// Before and after: the slider is in register with the original after every geometry that the plan
// knows. Otherwise, both images are side by side.

import { finish, grant, ok, person, photograph, until } from './browser.mjs';

/** Prompts that move the photo but do not change its colors, and whether they can be lined up. */
const MOVES = [
  ['crop to 1:1', true], ['crop 25% off the left', true], ['rotate 90 degrees to the right', true], ['rotate by 10 degrees', true],
  ['rotate 5 degrees clockwise cropping the corners', true], ['flip it horizontally', true], ['transpose it', true],
  ['add a white border of 20px', true], ['add a polaroid frame', true], ['pad to 16:9 with black', true],
  ['resize to 50%', true], ['add a drop shadow', true], ['crop to a circle', true],
  ['crop to 1:1, then rotate left, then add a 30px black border', true], ['trim the margins', false],
];
/** The mean difference of a channel between original and result, in the middle of the frame. */
const LEVELS_MAX = 9;

const { page, complaints } = await person({ email: 'ada@example.com', reducedMotion: 'reduce' });
grant('ada@example.com', 500);
await page.reload();
await page.locator('#file').setInputFiles(photograph);
for (const [prompt, isKnown] of MOVES) await compare(prompt, isKnown);

await page.getByRole('button', { name: 'Side by side' }).click();
const boxes = await Promise.all(['#beside-canvas', '#canvas'].map((id) => page.locator(id).boundingBox()));
ok('side by side, the original is on the left', boxes[0].x + boxes[0].width <= boxes[1].x);
await page.getByRole('button', { name: 'Zoom in' }).click();
const scales = await page.evaluate(() => ['beside-canvas', 'canvas'].map((id) => getComputedStyle(document.getElementById(id)).transform));
ok('and both zoom together', scales[0] === scales[1] && scales[0] !== 'none');
ok(`no console errors ${complaints.join(' | ')}`, complaints.length === 0);
await finish();

async function compare(prompt, isKnown) {
  const before = await page.locator('#after').getAttribute('src');
  await page.getByLabel('What should change?').fill(prompt);
  await page.locator('#run').click();
  await until(async () => {
    const now = await page.locator('#after').getAttribute('src');
    return now !== before && now?.startsWith('/files/');
  });
  await page.locator('#report').waitFor();
  if (!isKnown) {
    const isBeside = await page.locator('#beside').isVisible() && await page.locator('#slide').isHidden();
    const isSame = await page.locator('#slide').isVisible();
    return ok(`${prompt}: side by side, unless nothing moved`, isBeside || isSame);
  }
  await page.locator('#slide').waitFor();
  await page.waitForFunction(() => ['after', 'before'].every((id) => document.getElementById(id).complete));
  const apart = await difference(await pixels(100), await pixels(0));
  return ok(`${prompt}: in register, ${apart.toFixed(1)} levels apart`, apart < LEVELS_MAX);
}

/** What the middle of the frame shows at a position of the slider. */
async function pixels(percent) {
  await page.locator('#split').fill(String(percent));
  const box = await page.locator('#canvas').boundingBox();
  const clip = { x: box.x + box.width * 0.3, y: box.y + box.height * 0.3, width: box.width * 0.4, height: box.height * 0.4 };
  return (await page.screenshot({ clip })).toString('base64');
}

function difference(one, other) {
  return page.evaluate(async (both) => {
    const [first, second] = await Promise.all(both.map(async (png) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    let sum = 0;
    for (let at = 0; at < first.length; at += 1) sum += Math.abs(first[at] - second[at]);
    return sum / first.length;
  }, [one, other]);
}
