import { expect, test } from 'vitest';
import { createBlake2sp } from './blake2sp.ts';

/** Made with hashlib of Python, eight leaves and a root put together as the authors of BLAKE2 say. */
const KNOWN: readonly (readonly [number, string])[] = [
  [0, 'dd0e891776933f43c7d032b08a917e25741f8aa9a12c12e1cac8801500f2ca4f'],
  [1, 'ea31a9c7fb61fc5d0a5ab2e5d6c781cef1c5c2aacc14cbabe69f921c0e5116fa'],
  [64, '8c43f324e5345839a3b74406ae891211db3a1c625258f574caba18e0cd8d8928'],
  [65, 'daaf597baf18435fa8fc1177407ee979b0a99c7f983e3276668bd64a8b5ec079'],
  [512, '90f6dd8ebe5eb20cbdd81ceddc069fd64c4bfc2e1a29eaf45034c0ca325da579'],
  [513, '535c2376d696f385e60aa2082c59b7fe463f5d18f133a003230ce0b4687ebd6e'],
  [5_000, 'cbab26a93b1d7f6c518cda72c543f43140405f2a8266a68a12c0e24b2e41c14e'],
];

test.each(KNOWN)('sums up %i bytes, however they come', (length, digest) => {
  const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7 + length) & 0xff));
  for (const pieceBytes of [1, 63, 100, 5000]) {
    const sum = createBlake2sp();
    for (let at = 0; at < length; at += pieceBytes) sum.update(bytes.subarray(at, at + pieceBytes));
    expect(Buffer.from(sum.digest()).toString('hex')).toBe(digest);
  }
});
