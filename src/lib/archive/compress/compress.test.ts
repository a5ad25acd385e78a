import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chunksOf, collect, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { ArchiveException } from '../../../core/errors.ts';
import { type CompressionName, compressionCalled } from './compressions.ts';

const unpack = (name: CompressionName, bytes: Uint8Array, pieceBytes = 10_000) =>
  collect(compressionCalled(name).unpack(sourceOf(bytes, pieceBytes).stream(), { signal }));
const unpackLeniently = (name: CompressionName, bytes: Uint8Array, pieceBytes = 10_000) =>
  collect(compressionCalled(name).unpack(sourceOf(bytes, pieceBytes).stream(), { signal, lenient: true }));
const pack = (name: CompressionName, bytes: Uint8Array) => collect(compressionCalled(name).pack(chunksOf(bytes, 90_000), { signal }));

const TEXT = Buffer.from(Array.from({ length: 62_000 }, (_, at) => `line ${at} ${(at * 7919) % 10_007}\n`).join(''));
const CONTENTS: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from('x')],
  ['text of some blocks', TEXT],
  ['runs', Buffer.alloc(3_000_000, 'r')],
];

/** The programs that write each format, with arguments that give it its several looks. */
const PEERS: readonly (readonly [CompressionName, string, readonly (readonly string[])[]])[] = [
  ['gz', 'gzip', [['-1'], ['-9']]],
  ['bz2', 'bzip2', [['-1'], ['-9']]],
  ['xz', 'xz', [['-0'], ['-1', '--check=crc32'], ['-0', '--block-size=100000']]],
  ['zst', 'zstd', [['-1'], ['-9'], ['--no-check'], ['--long=24']]],
];

describe.each(PEERS)('%s', (name, program, variants) => {
  const isMissing = !hasTool(program);
  const needs = `(needs ${program})`;

  describe.skipIf(isMissing)(`read as ${program} writes it ${needs}`, () => {
    describe.each(variants.map((args) => [args.join(' '), args] as const))('with %s', (_, args) => {
      test.each(CONTENTS)('%s', async (__, content) => {
        expect((await unpack(name, tool(program, [...args, '-c'], { input: content }))).equals(content)).toBe(true);
      });
    });

    test('several files joined are one', async () => {
      const joined = Buffer.concat(['one ', 'two ', 'three'].map((text) => tool(program, ['-c'], { input: Buffer.from(text) })));
      for (const pieceBytes of [1, 7, 10_000]) expect((await unpack(name, joined, pieceBytes)).toString()).toBe('one two three');
    });

    test('refused wherever it is cut', async () => {
      const whole = tool(program, ['-c'], { input: TEXT.subarray(0, 2_000) });
      for (let end = 1; end < whole.byteLength; end += 13)
        await expect(unpack(name, whole.subarray(0, end))).rejects.toBeInstanceOf(ArchiveException);
    });

    test('refused or right where a byte is changed', async () => {
      const content = TEXT.subarray(0, 3_000);
      const whole = tool(program, ['-c'], { input: content });
      for (let at = 0; at < whole.byteLength; at += 11) {
        const spoilt = Buffer.from(whole);
        spoilt[at] = (spoilt[at] ?? 0) ^ 0x10;
        const got = await unpack(name, spoilt).catch((fault: unknown) => expect(fault).toBeInstanceOf(ArchiveException));
        if (Buffer.isBuffer(got)) expect(got.equals(content)).toBe(true);
      }
    });

    test('refused with something behind its end', async () => {
      await expect(unpack(name, Buffer.concat([tool(program, ['-c'], { input: TEXT }), Buffer.from('and more')]))).rejects.toBeInstanceOf(
        ArchiveException,
      );
    });
  });

  describe.skipIf(isMissing)(`written as ${program} reads it ${needs}`, () => {
    test.each(CONTENTS)('%s', async (_, content) => {
      const packed = await pack(name, content);
      expect(tool(program, ['-d', '-c'], { input: packed }).equals(content)).toBe(true);
      expect((await unpack(name, packed)).equals(content)).toBe(true);
    });

    test('the same for the same content', async () => {
      expect((await pack(name, TEXT)).equals(await pack(name, TEXT))).toBe(true);
    });
  });

  test('a failure of the source reaches the reader', async () => {
    async function* failing() {
      yield Buffer.from(compressionCalled(name).magic);
      throw new Error('torn');
    }
    await expect(collect(compressionCalled(name).unpack(failing(), { signal }))).rejects.toThrow('torn');
  });
});

describe.each([
  ['gz', 'gzip'],
  ['bz2', 'bzip2'],
  ['xz', 'xz'],
] as const)('zeros behind a file of %s', (name, program) => {
  test.skipIf(!hasTool(program)).each([4, 600, 300_000])(`%d of them are the filling of a tape (needs ${program})`, async (bytes) => {
    const content = TEXT.subarray(0, 100_000);
    const packed = tool(program, ['-c'], { input: content });
    for (const joined of [[packed], [packed, packed]])
      expect((await unpack(name, Buffer.concat([...joined, Buffer.alloc(bytes)]))).equals(Buffer.concat(joined.map(() => content)))).toBe(
        true,
      );
  });
});

describe.each([
  ['gz', 'gzip'],
  ['bz2', 'bzip2'],
  ['zst', 'zstd'],
] as const)('%s with something behind its end', (name, program) => {
  describe.skipIf(!hasTool(program))(`where that is left out (needs ${program})`, () => {
    const short = [Buffer.from('x'), Buffer.from('and more'), Buffer.from([0, 0, 7])];
    const long = Buffer.alloc(70_000, 'y');

    test.each([
      [1, 5_000],
      [7, 20_000],
      [4096, 200_000],
      [10_000, TEXT.byteLength],
    ])('is read up to its end in pieces of %d bytes', async (pieceBytes, bytes) => {
      const content = TEXT.subarray(0, bytes);
      const packed = tool(program, ['-c'], { input: content });
      for (const more of [...short, pieceBytes < 100 ? long.subarray(0, 5_000) : long]) {
        expect((await unpackLeniently(name, Buffer.concat([packed, more]), pieceBytes)).equals(content)).toBe(true);
        expect((await unpackLeniently(name, Buffer.concat([packed, packed, more]), pieceBytes)).byteLength).toBe(2 * content.byteLength);
      }
    });

    test('is still refused where it is cut or damaged', async () => {
      const content = TEXT.subarray(0, 3_000);
      const whole = tool(program, ['-c'], { input: content });
      for (let end = 1; end < whole.byteLength; end += 13)
        await expect(unpackLeniently(name, whole.subarray(0, end))).rejects.toBeInstanceOf(ArchiveException);
      for (let at = 0; at < whole.byteLength; at += 11) {
        const spoilt = Buffer.from(whole);
        spoilt[at] = (spoilt[at] ?? 0) ^ 0x10;
        const got = await unpackLeniently(name, spoilt).catch((fault: unknown) => expect(fault).toBeInstanceOf(ArchiveException));
        if (Buffer.isBuffer(got)) expect(got.equals(content)).toBe(true);
      }
    });
  });
});

test('a lenient reader passes every field that a gzip header may have', async () => {
  const plain = gzipSync('text');
  const header = Buffer.from(plain.subarray(0, 10));
  header[3] = 0x02 | 0x04 | 0x08 | 0x10;
  const fields = Buffer.concat([Buffer.from([3, 0, 1, 2, 3]), Buffer.from('name\0a comment\0'), Buffer.from([0, 0])]);
  expect((await unpackLeniently('gz', Buffer.concat([header, fields, plain.subarray(10), Buffer.from('!')]), 1)).toString()).toBe('text');
});

describe.skipIf(!hasTool('zstd'))('a zstd file (needs zstd)', () => {
  test('may have notes between its frames', async () => {
    const frame = tool('zstd', ['-c'], { input: Buffer.from('text') });
    const note = Buffer.from('502a4d1804000000deadbeef', 'hex');
    expect((await unpack('zst', Buffer.concat([note, frame, note]))).toString()).toBe('text');
  });

  test('that asks for too much memory is refused', async () => {
    const greedy = Buffer.from('28b52ffd00ff010000', 'hex');
    await expect(unpack('zst', greedy)).rejects.toThrow('memory');
  });

  test('is written with a check sum for each frame', async () => {
    const packed = await pack('zst', TEXT);
    packed[packed.byteLength - 1] = (packed.at(-1) ?? 0) ^ 1;
    await expect(unpack('zst', packed)).rejects.toThrow('damaged');
  });
});

describe.skipIf(!hasTool('xz'))('an xz file (needs xz)', () => {
  test('that asks for too much memory is refused', async () => {
    const greedy = tool('xz', ['-c', '--lzma2=preset=1,dict=1GiB'], { input: Buffer.from('x') });
    await expect(unpack('xz', greedy)).rejects.toThrow('dictionary');
  });

  test('with a check sum that its decoder does not know is refused by that name', async () => {
    await expect(unpack('xz', tool('xz', ['-c', '--check=sha256'], { input: Buffer.from('x') }))).rejects.toThrow(
      'check sum or filter that is not supported',
    );
  });
});
