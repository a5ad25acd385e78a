import { expect, test } from 'vitest';
import { mimeOfBytes } from '../../lib/text/mime.ts';

const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

test.each([
  ['an empty zip', zip, 'application/zip'],
  ['an MP4', Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), 'video/mp4'],
  ['text', Buffer.from('plain words\n'), 'text/plain'],
  ['text cut inside a character', Buffer.from('é').subarray(0, 1), 'application/octet-stream'],
  ['a text that ends inside a character', Buffer.concat([Buffer.from('words '), Buffer.from('é').subarray(0, 1)]), 'text/plain'],
  ['control characters', Buffer.from([1, 2, 3, 4]), 'application/octet-stream'],
  ['nothing', Buffer.alloc(0), 'application/octet-stream'],
])('%s is recognised by its bytes', async (_, bytes, type) => {
  expect(await mimeOfBytes(bytes)).toBe(type);
});
