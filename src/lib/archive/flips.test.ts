import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildRar4, buildRar5, rarNumber } from '../../../test/support/archives/build-rar.ts';
import { contentsOf, flipped } from '../../../test/support/archives/contents.ts';
import { chunksOf, collect, memorySink, NO_LIMITS, signal, sourceOf } from '../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../test/support/archives/tools.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { rounds } from '../../../test/support/torture.ts';
import { ArchiveException, QuotaExceededException } from '../../core/errors.ts';
import { compressionCalled } from './compress/compressions.ts';
import { createBlake2sp } from './foreign/rar/blake2sp.ts';
import type { ArchiveFormat } from './format.ts';
import { openByFormat } from './open-by-format.ts';
import { createZipWriter } from './zip/zip-writer.ts';

const FLIPS = rounds(60, 2_000, 20);
const WORDS = ['one ', 'two ', 'three ', 'and so on\n'];
const CONTENT = Buffer.from(Array.from({ length: 600 }, (_, at) => WORDS[(at * at + 3 * at) % 4]).join(''));

const blake2sp = () => {
  const sum = createBlake2sp();
  sum.update(CONTENT);
  return Buffer.concat([rarNumber(0), sum.digest()]);
};

const zipped = async (level: number) => {
  const sink = memorySink();
  const writer = createZipWriter(sink);
  await writer.addStream({ name: 'a', mtimeMs: 0, mode: 0o100644 }, CONTENT.byteLength, chunksOf(CONTENT), { level, signal });
  await writer.finish();
  return sink.bytes();
};

const by7z = (...args: string[]) => {
  using dir = tempDir({ a: CONTENT });
  tool('7z', ['a', ...args, 'o.7z', 'a'], { cwd: dir.path });
  return Buffer.from(tool('cat', ['o.7z'], { cwd: dir.path }));
};

type Maker = () => Buffer | Promise<Buffer>;
const FORMATS: readonly (readonly [string, ArchiveFormat, Maker, string | undefined])[] = [
  ['zip, stored', 'zip', () => zipped(0), undefined],
  ['zip, deflated', 'zip', () => zipped(6), undefined],
  ['rar of the older format, stored', 'rar', () => buildRar4([{ name: 'a', data: CONTENT }]), undefined],
  ['rar of the older format, packed', 'rar', () => buildRar4([{ name: 'a', data: CONTENT, isPacked: true }]), undefined],
  ['rar of the newer format, stored', 'rar', () => buildRar5([{ name: 'a', data: CONTENT }]), undefined],
  ['rar of the newer format, packed', 'rar', () => buildRar5([{ name: 'a', data: CONTENT, isPacked: true }]), undefined],
  [
    'rar of the newer format with BLAKE2sp',
    'rar',
    () => buildRar5([{ name: 'a', data: CONTENT, isPacked: true, checksum: 'none', extra: [[2, blake2sp()]] }]),
    undefined,
  ],
  ['7z, copied', '7z', () => by7z('-m0=copy'), '7z'],
  ['7z, LZMA2', '7z', () => by7z('-m0=lzma2'), '7z'],
  ['7z, PPMd', '7z', () => by7z('-m0=ppmd'), '7z'],
  ['gz', 'gz', () => gzipSync(CONTENT), undefined],
  ['zst', 'zst', () => collect(compressionCalled('zst').pack(chunksOf(CONTENT), { signal })), undefined],
  ['bz2', 'bz2', () => tool('bzip2', ['-c'], { input: CONTENT }), 'bzip2'],
  ['xz', 'xz', () => tool('xz', ['-c'], { input: CONTENT }), 'xz'],
];

describe.each(FORMATS)('%s', (_, format, make, needed) => {
  test.skipIf(needed !== undefined && !hasTool(needed))(
    `no changed bit gives other content${needed === undefined ? '' : ` (needs ${needed})`}`,
    async () => {
      const whole = await make();
      const read = async (bytes: Buffer) =>
        contentsOf(await openByFormat(sourceOf(bytes, 65_536), format, { limits: NO_LIMITS, signal, bareName: 'a' }));
      expect(Object.values(await read(whole))).toEqual([CONTENT.toString('latin1')]);
      const random = seeded(7);
      const unseen: number[] = [];
      for (let count = 0; count < FLIPS; count += 1) {
        const bit = Math.floor(random() * whole.byteLength * 8);
        try {
          const contents = Object.values(await read(flipped(whole, bit)));
          if (contents.length !== 1 || contents[0] !== CONTENT.toString('latin1')) unseen.push(bit);
        } catch (fault) {
          if (!(fault instanceof ArchiveException) && !(fault instanceof QuotaExceededException)) throw fault;
        }
      }
      expect(unseen).toEqual([]);
    },
    120_000,
  );
});
