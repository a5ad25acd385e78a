import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManifestException } from '../../core/errors.ts';
import { readManifest } from './read-manifest.ts';

/** The bytes in pieces of a size. */
async function* pieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

const read = async (text: string | Uint8Array, size?: number) => {
  const { algorithm, entries } = await readManifest(pieces(text, size), '/m.json');
  return {
    algorithm,
    files: entries.paths.map((path, at) => [path, entries.sizeAt(at), entries.checksumAt(at), entries.mtimeMsAt(at)] as const),
  };
};

const AB = 'ab'.repeat(16);

describe('readManifest', () => {
  test.each([
    [
      'as we write it',
      `{\n  "version": 1,\n  "algorithm": "md5",\n  "root": "/d",\n  "files": {\n    "a": {"size": 1, "checksum": "${AB}"}\n  }\n}\n`,
    ],
    ['without space', `{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":"${AB}"}}}`],
    ['with its head behind', `{"files": {"a": {"checksum": "${AB.toUpperCase()}", "size": 1}}, "version": 1, "algorithm": "md5"}`],
    [
      'with more than is asked for',
      `{"version":1,"note":null,"ok":true,"algorithm":"md5","files":{"a":{"size":1,"checksum":"${AB}","by":"me}"}}}`,
    ],
    ['behind a mark of its byte order', `\uFEFF{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":"${AB}"}}}`],
  ])('reads a manifest %s', async (_, text) => {
    expect(await read(text)).toEqual({ algorithm: 'md5', files: [['a', 1, AB, Number.NaN]] });
  });

  test('a file that is something else is told apart from a manifest that is broken', async () => {
    await expect(read('some text')).rejects.toThrow('/m.json is no manifest; check the path.');
    await expect(read('{"version": 1, oops')).rejects.toThrow('is broken behind character');
  });

  test('an empty table of files is one', async () => {
    expect(await read('{"version": 1, "algorithm": "sha256", "files": { }}')).toEqual({ algorithm: 'sha256', files: [] });
  });

  test('entries come out in the order of paths', async () => {
    const files = Object.fromEntries(['b', 'a/b', 'a-b', 'a'].map((path) => [path, { size: path.length, checksum: AB }]));
    const { files: found } = await read(JSON.stringify({ version: 1, algorithm: 'md5', files }));
    expect(found.map(([path, size]) => [path, size])).toEqual([
      ['a', 1],
      ['a-b', 3],
      ['a/b', 3],
      ['b', 1],
    ]);
  });

  test('digests may have any length; what is no hex is none', async () => {
    const checksums = ['00', AB, 'x'.repeat(32), '', 'abc', AB];
    const files = Object.fromEntries(checksums.map((checksum, at) => [String(at), { size: 1, checksum }]));
    const { files: found } = await read(JSON.stringify({ version: 1, algorithm: 'md5', files }));
    expect(found.map(([, , checksum]) => checksum)).toEqual(['00', AB, undefined, undefined, undefined, AB]);
  });

  test.each([
    [''],
    ['[]'],
    ['{'],
    ['{}'],
    ['{"version":1}'],
    ['{"version":1,"algorithm":"md5"}'],
    ['{"version":2,"algorithm":"md5","files":{}}'],
    ['{"version":1,"files":{}}'],
    ['{"version":1,"algorithm":"rot13","files":{}}'],
    ['{"version":1,"algorithm":"md5","files":{}'],
    ['{"version":1,"algorithm":"md5","files":{}}}'],
    ['{"version":1,"algorithm":"md5","files":{},}'],
    ['{"version":1,"algorithm":"md5","files":[]}'],
    ['{"version":1,"algorithm":"md5","files":{"a":1}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":-1,"checksum":"00"}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":"1","checksum":"00"}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":0}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":"00"},}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":"00"} "b":{"size":1,"checksum":"00"}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a\u0001":{"size":1,"checksum":"00"}}}'],
    ['{"version":1,"algorithm":"md5","files":{"a":{"size":1,"checksum":"00"},"a":{"size":1,"checksum":"00"}}}'],
  ])('refuses %j', async (text) => {
    await expect(read(text)).rejects.toBeInstanceOf(ManifestException);
  });

  test('refuses bytes that are no text, and what never ends', async () => {
    await expect(read(Uint8Array.from([0x7b, 0xff, 0xff]))).rejects.toThrow('no UTF-8');
    await expect(read(`{"version":1,"algorithm":"${'x'.repeat(3 * 1024 * 1024)}`, 1 << 20)).rejects.toThrow('is broken');
  });

  test('it does not matter where the text is cut', async () => {
    const entry = fc.record({
      size: fc.nat(),
      checksum: fc.stringMatching(/^[0-9a-f]{32}$/),
      mtime_ms: fc.double({ noNaN: true, min: 0, max: 1e15 }),
    });
    const table = fc.dictionary(fc.string({ minLength: 1, unit: 'binary' }), entry, { maxKeys: 8 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), fc.constantFrom(undefined, 2), async (files, size, indent) => {
        const { files: found } = await read(JSON.stringify({ version: 1, algorithm: 'md5', files }, undefined, indent), size);
        const expected = Object.keys(files).sort();
        expect(found.map(([path]) => path)).toEqual(expected);
        expect(found.map(([, bytes, checksum, time]) => ({ size: bytes, checksum, mtime_ms: time }))).toEqual(
          expected.map((path) => ({ ...files[path], mtime_ms: (files[path]?.mtime_ms ?? 0) + 0 })),
        );
      }),
      { numRuns: 300 },
    );
  });
});
