import { describe, expect, test } from 'vitest';
import { unpackHadoopLz4, unpackLz4 } from './lz4.ts';

/** The letters abc, then three letters more from two back: overlapping what it makes. */
const BLOCK = Uint8Array.of(0x31, 0x61, 0x62, 0x63, 2, 0, 0x10, 0x21);
const PLAIN = 'abcbcbcb!';

const unpacked = (unpack: (input: Uint8Array, into: Uint8Array) => void, input: Uint8Array, length: number): string => {
  const into = new Uint8Array(length);
  unpack(input, into);
  return Buffer.from(into).toString();
};

const frame = (block: Uint8Array, length: number): number[] => [0, 0, 0, length, 0, 0, 0, block.byteLength, ...block];

describe('LZ4', () => {
  test('a block is unpacked', () => {
    expect(unpacked(unpackLz4, BLOCK, 9)).toBe(PLAIN);
  });

  test('frames as Hadoop writes them are unpacked, and blocks where others left the frames out', () => {
    expect(unpacked(unpackHadoopLz4, Uint8Array.from([...frame(BLOCK, 9), ...frame(BLOCK, 9)]), 18)).toBe(PLAIN + PLAIN);
    expect(unpacked(unpackHadoopLz4, BLOCK, 9)).toBe(PLAIN);
  });

  test.each<[about: string, input: readonly number[], length: number]>([
    ['more than is wanted', [...BLOCK], 8],
    ['less than is wanted', [...BLOCK], 10],
    ['a match before the start', [0x11, 0x61, 9, 0, 0x10, 0x21], 7],
    ['a match at no distance', [0x11, 0x61, 0, 0, 0x10, 0x21], 7],
    ['letters that are not there', [0xf0, 0xff, 0xff], 9],
    ['nothing', [], 9],
  ])('%s is refused', (_about, input, length) => {
    expect(() => unpacked(unpackLz4, Uint8Array.from(input), length)).toThrow(/ends early|damaged/);
    expect(() => unpacked(unpackHadoopLz4, Uint8Array.from(input), length)).toThrow(/ends early|damaged/);
  });
});
