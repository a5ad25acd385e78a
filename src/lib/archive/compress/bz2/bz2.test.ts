import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunksOf } from '../../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../../test/support/archives/tools.ts';
import { type Bits, bitsOf, joinBits, sliceBits } from './bits.ts';
import { BLOCK_MARK, bitsAt, END_MARK, findMark } from './marks.ts';
import { segmentsOf } from './segments.ts';
import { unpackBlock } from './unpack-block.ts';

const text = ({ bytes, length }: Bits): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, length);
const bitString = (digits: string): Bits => bitsOf(BigInt(`0b0${digits}`), digits.length);
const digits = fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 200 });

describe('bits', () => {
  test('joined are the digits joined', () => {
    fc.assert(
      fc.property(fc.array(digits), (parts) => {
        expect(text(joinBits(parts.map(bitString)))).toBe(parts.join(''));
      }),
    );
  });

  test('cut out are the digits cut out', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.nat(), (all, one, other) => {
        const [start = 0, end = 0] = [one % (all.length + 1), other % (all.length + 1)].sort((a, b) => a - b);
        expect(text(sliceBits(bitString(all).bytes, start, end))).toBe(all.slice(start, end));
      }),
    );
  });
});

describe('a mark', () => {
  test('is found at every bit', () => {
    fc.assert(
      fc.property(digits, digits, fc.constantFrom(BLOCK_MARK, END_MARK), (before, after, mark) => {
        const { bytes } = joinBits([bitString(before), bitsOf(mark, 48), bitString(after), bitString('0'.repeat(16))]);
        const found = findMark(Buffer.from(bytes), 0);
        expect(found).toBe(before.length);
        expect(bitsAt(bytes, found ?? 0, 48)).toBe(mark);
      }),
    );
  });

  test('is not seen where there is none', () => {
    expect(findMark(Buffer.alloc(1000, 0x31), 0)).toBeUndefined();
  });
});

describe.skipIf(!hasTool('bzip2'))('a block (needs bzip2)', () => {
  const content = Buffer.from(Array.from({ length: 9000 }, (_, at) => `line ${at}\n`).join(''));

  const blockOf = async (): Promise<Bits> => {
    for await (const segment of segmentsOf(chunksOf(tool('bzip2', ['-c'], { input: content })), { lenient: false }))
      if (segment.kind === 'block') return segment.bits;
    throw new Error('no block');
  };

  test('is unpacked', async () => {
    const { value } = await unpackBlock({ bits: await blockOf(), spare: undefined });
    expect(value.kind === 'content' && Buffer.from(value.content).equals(content)).toBe(true);
  });

  test('that a mark by chance cuts in two is told from a whole one, and whole again when it is joined', async () => {
    const bits = await blockOf();
    const [first, second] = [sliceBits(bits.bytes, 0, 4321), sliceBits(bits.bytes, 4321, bits.length)];
    for (const part of [first, second]) expect((await unpackBlock({ bits: part, spare: undefined })).value.kind).toBe('part');
    expect((await unpackBlock({ bits: joinBits([first, second]), spare: undefined })).value.kind).toBe('content');
  });
});
