// Zip files that other programs pack by methods beyond deflate.
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { contentsOf, flipped } from '../../../../test/support/archives/contents.ts';
import { chunksOf, collect, memorySink, NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { compressionCalled } from '../compress/compressions.ts';
import { openZip } from './open-zip.ts';
import { createZipWriter } from './zip-writer.ts';

const read = async (bytes: Buffer) => contentsOf(await openZip(sourceOf(bytes, 65_536), { limits: NO_LIMITS, signal }));

const FILES = { 'a.txt': 'one', 'd/empty': '', 'd/long': 'text and more text '.repeat(30_000) };

const by7z = (method: string): Buffer => {
  using dir = tempDir(FILES);
  tool('7z', ['a', '-tzip', `-mm=${method}`, 'o.zip', 'a.txt', 'd'], { cwd: dir.path });
  return readFileSync(dir.at('o.zip'));
};

const SCRIPT = `
import sys, zipfile
with zipfile.ZipFile('o.zip', 'w', getattr(zipfile, sys.argv[1])) as z:
    for name in ('a.txt', 'd/empty', 'd/long'): z.write(name)
`;

const byPython = (method: string): Buffer => {
  using dir = tempDir(FILES);
  tool('python3', ['-c', SCRIPT, method], { cwd: dir.path });
  return readFileSync(dir.at('o.zip'));
};

const PEERS: readonly (readonly [string, string, () => Buffer])[] = [
  ...['BZip2', 'LZMA', 'PPMd', 'Deflate', 'Copy', 'xz', 'zstd'].map((method) => ['7z', method, () => by7z(method)] as const),
  ...['ZIP_BZIP2', 'ZIP_LZMA'].map((method) => ['python3', method, () => byPython(method)] as const),
];

describe.each(PEERS)('a zip file that %s packed with %s', (program, method, pack) => {
  /** Not every build of a program has every method. */
  const packed = (): Buffer | undefined => {
    try {
      return hasTool(program) ? pack() : undefined;
    } catch {
      return undefined;
    }
  };
  const bytes = packed();

  test.skipIf(bytes === undefined)(`gives its contents (needs ${program} with ${method})`, async () => {
    expect(await read(bytes ?? Buffer.alloc(0))).toEqual(FILES);
  });

  test.skipIf(bytes === undefined)(
    `is refused or right where a bit is changed (needs ${program} with ${method})`,
    async () => {
      const whole = bytes ?? Buffer.alloc(0);
      const random = seeded(3);
      const dataBits = whole.indexOf('PK\x01\x02') * 8; // what the directory says of names and kinds is judged elsewhere
      for (let count = 0; count < 40; count += 1) {
        const got = await read(flipped(whole, Math.floor(random() * dataBits))).catch(({ type }) => type);
        if (got !== 'ArchiveException' && got !== 'QuotaExceededException') expect(Object.values(got)).toEqual(Object.values(FILES));
      }
    },
    120_000,
  );
});

describe.each([20, 93])('a zip file packed with zstd, which is method %i', (method) => {
  /** A stored entry whose headers then say what it really is. */
  const make = async (): Promise<Buffer> => {
    const content = Buffer.from(FILES['d/long']);
    const packed = await collect(compressionCalled('zst').pack(chunksOf(content), { signal }));
    const sink = memorySink();
    const writer = createZipWriter(sink);
    await writer.addBytes({ name: 'a', mtimeMs: 0, mode: 0o100644 }, packed);
    await writer.finish();
    const bytes = Buffer.from(sink.bytes());
    for (const at of [6, bytes.indexOf('PK\x01\x02') + 8]) {
      bytes.writeUInt16LE(method, at + 2);
      bytes.writeUInt32LE(crc32(content), at + 8);
      bytes.writeUInt32LE(content.byteLength, at + 16);
    }
    return bytes;
  };

  test('gives its contents', async () => {
    expect(await read(await make())).toEqual({ a: FILES['d/long'] });
  });

  test('is refused where its content is changed', async () => {
    const whole = await make();
    await expect(read(flipped(whole, 60 * 8))).rejects.toMatchObject({ type: 'ArchiveException' });
  });
});

test('a method that nobody knows is refused by its number before anything is read', async () => {
  const bytes = buildZip([{ type: 'file', name: 'a', data: 'x', method: 9 }], { root: '/R', archive: () => Buffer.alloc(0) });
  const zip = await openZip(sourceOf(bytes), { limits: NO_LIMITS, signal });
  await expect(zip.examine([0])).rejects.toThrow('method 9');
});
