import { createCipheriv } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { chunksOf, collect, memorySink, NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { sparseFile } from '../../../../test/support/archives/sparse.ts';
import { ArchiveException } from '../../../core/errors.ts';
import type { ByteSource } from '../byte-source.ts';
import { decodeCp437 } from './cp437.ts';
import { type OpenZip, openZip } from './open-zip.ts';
import { loadZipJs } from './zip-js.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

const open = (source: ByteSource): Promise<OpenZip> => openZip(source, { limits: NO_LIMITS, signal });

/** All contents by name. */
const contentsOf = async (zip: OpenZip): Promise<Map<string, string>> => {
  const places = [...zip.entries.keys()];
  await zip.examine(places);
  const contents = new Map<string, string>();
  await zip.read(
    places,
    async (index, content) => void contents.set(zip.entries[index]?.name ?? '', (await collect(content)).toString('latin1')),
  );
  return contents;
};

const written = async (fill: (zip: ZipWriter) => Promise<void>): Promise<Buffer> => {
  const sink = memorySink();
  const zip = createZipWriter(sink);
  await fill(zip);
  await zip.finish();
  return sink.bytes();
};

const member = (name: string, mode = 0o100644) => ({ name, mtimeMs: Date.UTC(2024, 0, 2, 3, 4, 5), mode });
const deflated = (text: string) => ({ data: deflateRawSync(text), isDeflated: true, checksum: crc32(text), size: Buffer.byteLength(text) });

describe('what is written', () => {
  test('comes back with content, time and mode', async () => {
    const bytes = await written(async (zip) => {
      await zip.addBytes(member('d/', 0o040755), new Uint8Array(0));
      await zip.add(member('d/é.txt', 0o100600), deflated('hello'));
      await zip.addBytes(member('l', 0o120777), Buffer.from('d/é.txt'));
      await zip.addStream(member('s', 0o100755), 3, chunksOf(Buffer.from('abc')), { level: 0, signal });
    });
    const zip = await open(sourceOf(bytes));
    expect(zip.entries.map(({ name, kind, mode, mtimeMs, size }) => [name, kind, mode?.toString(8), mtimeMs, size])).toEqual([
      ['d/', 'dir', '755', member('').mtimeMs, 0],
      ['d/é.txt', 'file', '600', member('').mtimeMs, 5],
      ['l', 'symlink', '777', member('').mtimeMs, 8],
      ['s', 'file', '755', member('').mtimeMs, 3],
    ]);
    expect((await zip.examine([2]))[0]?.linkTarget).toBe('d/é.txt');
    expect(Object.fromEntries(await contentsOf(zip))).toMatchObject({ 'd/é.txt': 'hello', s: 'abc' });
  });

  test('is the same for the same input', async () => {
    const once = () =>
      written((zip) => zip.addStream(member('a'), 4, chunksOf(Buffer.from('text'.repeat(50_000)), 700), { level: 4, signal }));
    expect((await once()).equals(await once())).toBe(true);
  });

  test('is read by another library', async () => {
    const text = 'words and more words. '.repeat(30_000);
    const bytes = await written(async (zip) => {
      await zip.add(member('文.txt'), deflated('small'));
      await zip.addStream(member('large.txt'), text.length, chunksOf(Buffer.from(text), 60_000), { level: 6, signal });
    });
    const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } = await loadZipJs();
    const seen: unknown[] = [];
    for (const entry of await new ZipReader(new Uint8ArrayReader(bytes), { strictness: 'strict' }).getEntries()) {
      const content = entry.directory ? undefined : await entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
      seen.push([entry.filename, content && Buffer.from(content).toString(), entry.lastModDate.getTime()]);
    }
    expect(seen).toEqual([
      ['文.txt', 'small', member('').mtimeMs],
      ['large.txt', text, member('').mtimeMs],
    ]);
  });

  test('is stored where it would not shrink', async () => {
    const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(200_000));
    const bytes = await written((zip) => zip.addStream(member('n'), noise.byteLength, chunksOf(noise, 80_000), { level: 6, signal }));
    expect((await open(sourceOf(bytes))).entries[0]).toMatchObject({ method: 0, packedSize: noise.byteLength });
  });

  test.each([
    ['before zip can say it', -86_400_000, Date.UTC(1969, 11, 31)],
    ['after zip can say it', Date.UTC(2150, 5, 1), new Date(2107, 11, 31, 23, 59, 58).getTime()],
  ])('has the nearest time to one %s', async (_, mtimeMs, expected) => {
    const bytes = await written((zip) => zip.addBytes({ ...member('t'), mtimeMs }, new Uint8Array(0)));
    expect((await open(sourceOf(bytes))).entries[0]?.mtimeMs).toBe(expected);
  });
});

test('any members come back as they were', async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => !/[/\\\0\p{Surrogate}]/u.test(text));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, fc.uint8Array(), fc.constantFrom(0, 1, 6)), { selector: ([each]) => each, maxLength: 6 }),
      async (members) => {
        const bytes = await written(async (zip) => {
          for (const [each, content, level] of members)
            await zip.addStream(member(each), content.byteLength, chunksOf(content, 50), { level, signal });
        });
        const contents = await contentsOf(await open(sourceOf(bytes, 7)));
        expect([...contents]).toEqual(
          expect.arrayContaining(members.map(([each, content]) => [each, Buffer.from(content).toString('latin1')])),
        );
        expect(contents.size).toBe(members.length);
      },
    ),
  );
});

describe('wide archives', () => {
  test('70,000 entries are written and read', { timeout: 180_000 }, async () => {
    const sink = sparseFile();
    const zip = createZipWriter(sink);
    for (let at = 0; at < 70_000; at += 1) await zip.addBytes(member(`f${at}`), new Uint8Array(0));
    await zip.finish();
    const read = await open(sink.source());
    expect([read.entries.length, read.entries.at(-1)?.name]).toEqual([70_000, 'f69999']);
  });

  test('an entry above 4 GiB, and one that begins behind it, are written and read', { timeout: 300_000 }, async () => {
    const size = 4.2e9 + 2 ** 28;
    const sink = sparseFile();
    const zip = createZipWriter(sink);
    const zeros = Buffer.alloc(1024 * 1024);
    async function* huge() {
      for (let left = size; left > 0; left -= zeros.byteLength) yield zeros.subarray(0, Math.min(left, zeros.byteLength));
    }
    await zip.addStream(member('huge'), size, huge(), { level: 0, signal });
    await zip.addBytes(member('behind'), Buffer.from('here'));
    await zip.finish();
    const read = await open(sink.source());
    expect(read.entries.map((each) => [each.name, each.size, each.packedSize])).toEqual([
      ['huge', size, size],
      ['behind', 4, 4],
    ]);
    await read.examine([0, 1]);
    const seen: unknown[] = [];
    await read.read([0, 1], async (index, content) => {
      let bytes = 0;
      for await (const chunk of content) bytes += chunk.byteLength;
      seen.push([index, bytes]);
    });
    expect(seen).toEqual(
      expect.arrayContaining([
        [0, size],
        [1, 4],
      ]),
    );
  });
});

describe('an archive that is damaged anywhere', () => {
  const make = () =>
    written(async (zip) => {
      await zip.add(member('a.txt'), deflated('some words that can be packed, packed, packed'));
      await zip.addBytes(member('b.txt'), Buffer.from('stored'));
    });

  test('is refused or gives the right content, never a wrong one', async () => {
    const bytes = await make();
    const right = new Map([
      ['a.txt', 'some words that can be packed, packed, packed'],
      ['b.txt', 'stored'],
    ]);
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const spoilt = Buffer.from(bytes);
      spoilt[at] = (spoilt[at] ?? 0) ^ 0x55;
      const contents = await open(sourceOf(spoilt))
        .then(contentsOf)
        .catch((fault: unknown) => expect(fault).toBeInstanceOf(ArchiveException));
      if (!(contents instanceof Map)) continue;
      for (const content of contents.values()) expect([...right.values()]).toContain(content);
    }
  });

  test('is refused wherever it is cut', async () => {
    const bytes = await make();
    for (let end = 0; end < bytes.byteLength; end += 1)
      await expect(open(sourceOf(bytes.subarray(0, end)))).rejects.toMatchObject({ type: 'ArchiveException' });
  });
});

test('code page 437 is what others take it for', () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  expect(decodeCp437(all)).toBe(iconv.decode(all, 'cp437'));
});

describe('a backslash in a name', () => {
  const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
  /** The archive as if a program of another system had made it. */
  const madeBy = (system: number, name: string): Buffer => {
    const bytes = buildZip([{ type: 'file', name, data: 'x' }], KITCHEN);
    bytes.writeUInt8(system, bytes.indexOf('PK\x01\x02') + 5);
    return bytes;
  };

  test.each([
    ['Unix', 3, 'a\\b', 'a\\b'],
    ['DOS', 0, 'a\\b', 'a/b'],
    ['NTFS', 10, 'a\\b\\c', 'a/b/c'],
    ['DOS, beside a real separator', 0, 'a\\b/c', 'a\\b/c'],
  ])('of %s is read as that system means it', async (_, system, name, read) => {
    const { entries } = await openZip(sourceOf(madeBy(system, name)), { limits: NO_LIMITS, signal });
    expect(entries.map((entry) => entry.name)).toEqual([read]);
  });
});

describe('a time in an extra field', () => {
  const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
  const [atime, mtime, later] = ['00000060', '0102035f', '0102036f']; // little-endian
  const EXPECTED = 0x5f030201 * 1000;

  test.each([
    ['of older Info-ZIP and macOS', `55580800${atime}${mtime}`, EXPECTED],
    ['of older Info-ZIP with owners', `55580c00${atime}${mtime}e803e803`, EXPECTED],
    ['of PKWARE for Unix', `0d000c00${atime}${mtime}e803e803`, EXPECTED],
    ['before 1970', `55580800${atime}ffffffff`, -1000],
    ['beside the newer one, which counts', `55580800${atime}${later}55540500${`01${mtime}`}`, EXPECTED],
    ['that is cut', `55580400${atime}`, new Date(2024, 0, 2, 3, 4, 6).getTime()],
  ])('%s is read', async (_, hex, expected) => {
    const bytes = buildZip([{ type: 'file', name: 'a', data: 'x', extra: { hex } }], KITCHEN);
    expect((await open(sourceOf(bytes))).entries[0]?.mtimeMs).toBe(expected);
  });
});
