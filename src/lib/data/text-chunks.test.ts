import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textChunks } from './text-chunks.ts';
import { unfinishedBytes } from './utf8-tail.ts';

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

const read = async (bytes: Uint8Array, { encoding = 'utf-8', size = 3, isStart = true } = {}) => {
  let text = '';
  let badByte: number | undefined;
  for await (const chunk of textChunks(cut(bytes, size), { encoding, isStart })) {
    text += chunk.text;
    badByte = chunk.badByte;
  }
  return { text, badByte };
};

test('the text is whole wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), async (text, size) => {
      const plain = text.replace(/^\ufeff/, '');
      expect(await read(Buffer.from(text), { size })).toEqual({ text: plain, badByte: undefined });
    }),
  );
});

describe('a byte order mark', () => {
  test('is taken off at the start of a file only', async () => {
    expect(await read(Buffer.from('\ufeffa\ufeff'), { size: 1 })).toEqual({ text: 'a\ufeff', badByte: undefined });
    expect(await read(Buffer.from('\ufeffa'), { isStart: false })).toEqual({ text: '\ufeffa', badByte: undefined });
  });
});

describe('a bad byte', () => {
  test.each<[about: string, bytes: number[], encoding: string, badByte: number]>([
    ['in UTF-8', [0x61, 0xc3, 0xa9, 0x62, 0xff, 0x63], 'utf-8', 4],
    ['that begins a character which never ends', [0x61, 0xc3, 0xa9, 0x62, 0xe2, 0x82], 'utf-8', 4],
    ['in ASCII', [0x61, 0x62, 0x63, 0x64, 0xe9], 'ascii', 4],
  ])('%s is told with the text before it', async (_about, bytes, encoding, badByte) => {
    for (const size of [1, 2, 9])
      expect(await read(Uint8Array.from(bytes), { encoding, size })).toMatchObject({
        text: Buffer.from(bytes.slice(0, 4)).toString(),
        badByte,
      });
  });
});

test('the bytes of an unfinished character are counted', () => {
  const whole = Buffer.from('aé€😀');
  for (let end = 0; end <= whole.byteLength; end += 1) {
    const piece = whole.subarray(0, end);
    expect(piece.subarray(0, end - unfinishedBytes(piece)).toString()).not.toContain('\ufffd');
    expect(unfinishedBytes(piece)).toBeLessThan(4);
  }
});
