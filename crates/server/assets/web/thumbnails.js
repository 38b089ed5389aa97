// Small copies of images, with the true size of each. They are made one at a time, so that many photos
// do not fill the memory of a phone.

import { isHidden } from './files.js';

const SIDE_PX = 320;
/** A plan without steps: the service shows what no browser can. */
const AS_IT_IS = { version: 1, steps: [] };

let last = Promise.resolve();
/** What the service showed last: the same image is needed in several places. */
const seen = new Map();
const SEEN_KEPT = 8;

/** The size of an image and a copy that a browser can show: `{ width, height, small, shown }`, where
 *  `shown` is set only if the file itself cannot be shown. `address` gives the image for a request. */
export function thumbnail(blob, format, address) {
  const made = last.then(() => (isHidden(format) ? fromService(address) : fromFile(blob)));
  last = made.catch(() => {});
  return made;
}

async function fromFile(blob) {
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const scale = Math.min(1, SIDE_PX / Math.min(width, height));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.max(1, width * scale), height: Math.max(1, height * scale) });
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const small = await new Promise((done) => canvas.toBlob(done, 'image/webp', 0.85));
  return { width, height, small: small && URL.createObjectURL(small) };
}

/** An image as the service sees it, reduced: one in a format that browsers do not show, or an upload
 *  from another device. */
export async function fromService(address) {
  const url = await address();
  if (!seen.has(url)) {
    if (seen.size === SEEN_KEPT) seen.delete(seen.keys().next().value);
    seen.set(url, ask(url));
    seen.get(url).catch(() => seen.delete(url));
  }
  return seen.get(url);
}

async function ask(url) {
  const body = JSON.stringify({ plan: AS_IT_IS, imageUrls: [url], max_side: 1024 });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/preview', { method: 'POST', headers, body });
  if (!response.ok) throw new Error('This image can’t be shown.');
  const { image, width, height } = await response.json();
  return { width, height, small: image, shown: image };
}
