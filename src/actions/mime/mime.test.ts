import { expect, test } from 'vitest';
import { mimeOfBytes, mimeOfName } from '../../lib/text/mime.ts';

const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

test.each([
  ['an empty zip', zip, 'application/zip'],
  ['an MP4', Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), 'video/mp4'],
  ['an older rar', Buffer.from('526172211a0700cf907300000d00000000000000', 'hex'), 'application/vnd.rar'],
  ['a newer rar', Buffer.from('526172211a070100c51a33320301', 'hex'), 'application/vnd.rar'],
  ['the mark of a rar alone', Buffer.from('526172211a07', 'hex'), 'application/vnd.rar'],
  ['an MP3 with a tag', Buffer.from('4944330400000000000a', 'hex'), 'audio/mpeg'],
  ['the mark of a tag alone', Buffer.from('ID3'), 'audio/mpeg'],
  ['an MP3 without a tag', Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(413)]), 'audio/mpeg'],
  ['text', Buffer.from('plain words\n'), 'text/plain'],
  ['text cut inside a character', Buffer.from('é').subarray(0, 1), 'application/octet-stream'],
  ['a text that ends inside a character', Buffer.concat([Buffer.from('words '), Buffer.from('é').subarray(0, 1)]), 'text/plain'],
  ['control characters', Buffer.from([1, 2, 3, 4]), 'application/octet-stream'],
  ['nothing', Buffer.alloc(0), 'application/octet-stream'],
])('%s is recognised by its bytes', async (_, bytes, type) => {
  expect(await mimeOfBytes(bytes)).toBe(type);
});

test('a rar file has one type, by its name and by its content', async () => {
  expect(await mimeOfName('a.rar')).toBe(await mimeOfBytes(Buffer.from('526172211a070100', 'hex')));
});
