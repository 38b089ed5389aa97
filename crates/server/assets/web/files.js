// What a file is, by its bytes: whether the service accepts it, and what to say if not.

import { facts } from './dom.js';

const HEAD_BYTES = 64;
const FORMATS = [
  ['image/jpeg', /^\xff\xd8\xff/], ['image/png', /^\x89PNG/], ['image/gif', /^GIF8/], ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/bmp', /^BM/], ['image/tiff', /^(II\*\0|MM\0\*)/],
];
const UNSUPPORTED = [
  ['JPEG XL images', /^(\xff\x0a|\0\0\0\x0cJXL )/], ['PDF files', /^%PDF/], ['SVG drawings', /^\s*<(svg|\?xml)/],
  ['PSD files', /^8BPS/], ['Videos', /^([^]{4}ftyp|\x1aE\xdf\xa3)/],
];
/** The brands of formats that are boxed like videos. An AVIF image may have those of HEIC as well. */
const BRANDS = [['AVIF images', /^avi[fs]$/], ['HEIC photos', /^(hei[cxms]|hev[cx]|mif1|msf1)$/]];
const ACCEPTED = 'Use JPEG, PNG, WebP, GIF, BMP or TIFF.';

/** Formats that no browser shows. */
export const isHidden = (format) => format === 'image/tiff';

/** What is known about a file: its `format`, why it cannot be used (`wrong`) and a remark (`note`). */
export async function inspect(blob) {
  const head = await start(blob).catch(() => null);
  if (head === null) return { wrong: 'This file can’t be read any more. Add it again.' };
  if (blob.size === 0) return { wrong: 'This file is empty.' };
  const format = FORMATS.find(([, start]) => start.test(head))?.[0];
  if (!format) return { wrong: refusal(head) };
  if (blob.size > facts.image_bytes_max) return { format, wrong: tooLarge(blob.size) };
  const animated = format === 'image/gif' && await frames(blob) > 1;
  return { format, wrong: '', note: animated ? 'Animated GIF: only the first frame is used.' : '' };
}

/** Why a file of this size cannot be used, or nothing. */
export const tooLarge = (bytes) => (bytes > facts.image_bytes_max
  ? `Too large: ${megabytes(bytes)}. The limit is ${megabytes(facts.image_bytes_max)}. Resize it or save it as JPEG.` : '');

const megabytes = (bytes) => `${Math.round(bytes / 1048576)} MB`;

function refusal(head) {
  const own = brands(head);
  const [name] = BRANDS.find(([, brand]) => own.some((one) => brand.test(one))) ?? UNSUPPORTED.find(([, start]) => start.test(head)) ?? [];
  if (!name) return `We can’t read this file. ${ACCEPTED}`;
  if (name === 'HEIC photos') return 'HEIC photos aren’t supported. Export the photo as JPEG and add it again.';
  return `${name} aren’t supported. ${ACCEPTED}`;
}

/** The brands of a file in the ISO base media format: the major one and the compatible ones, around a
 *  version. */
function brands(head) {
  if (head.slice(4, 8) !== 'ftyp') return [];
  const [high, low] = [head.charCodeAt(2), head.charCodeAt(3)];
  return (head.slice(8, high * 256 + low).match(/[^]{4}/g) ?? []).filter((_, index) => index !== 1);
}

/** The first bytes, one character each. (The label `latin1` of TextDecoder means windows-1252.) */
async function start(blob) {
  return String.fromCharCode(...new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()));
}

/** Counts the frames of a GIF by their graphic control extensions, which are the same in all encodings
 *  of one byte. */
async function frames(blob) {
  const bytes = new TextDecoder('latin1').decode(await blob.arrayBuffer());
  return bytes.match(/\0!\xf9\x04[^]{4}\0[,!]/g)?.length ?? 1;
}
