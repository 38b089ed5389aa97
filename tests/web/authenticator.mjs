// An authenticator app: the code that it shows for a secret (RFC 6238), with Node's own cryptography.

import { createHmac } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function code(secret, at = Date.now()) {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigInt64BE(BigInt(Math.floor(at / 30_000)));
  const tag = createHmac('sha1', bytes).update(step).digest();
  const number = tag.readUInt32BE(tag.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
