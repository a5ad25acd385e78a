import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildRar5 } from '../../../test/support/archives/build-rar.ts';
import { buildTar } from '../../../test/support/archives/build-tar.ts';
import { buildZip } from '../../../test/support/archives/build-zip.ts';
import { signal, sourceOf } from '../../../test/support/archives/memory.ts';
import { detectFormat } from './format.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const TAR = buildTar([{ type: 'file', name: 'a', data: 'x' }], KITCHEN);

test.each([
  ['zip', buildZip([{ type: 'file', name: 'a', data: 'x' }], KITCHEN)],
  ['zip', buildZip([], KITCHEN)],
  ['tar', TAR],
  ['tar.gz', gzipSync(TAR)],
  ['gz', gzipSync('text')],
  ['gz', gzipSync(Buffer.alloc(5000))],
  ['gz', gzipSync(TAR).subarray(0, 20)],
  ['7z', Buffer.from('7z\xbc\xaf\x27\x1c and more', 'latin1')],
  ['rar', buildRar5([])],
  ['bz2', Buffer.from('BZh9 but damaged')],
  [undefined, Buffer.from('text')],
  [undefined, Buffer.alloc(0)],
  [undefined, Buffer.alloc(2048)],
  [undefined, Buffer.alloc(2048, 'x')],
])('%s is told by its content', async (format, bytes) => {
  expect(await detectFormat(sourceOf(bytes), { signal })).toBe(format);
});

test('a compressed tar is told from its first block alone', async () => {
  const packed = gzipSync(Buffer.concat([TAR, randomBytes(1024 * 1024)]));
  let bytesRead = 0;
  const source = sourceOf(packed, 1000);
  async function* stream() {
    for await (const chunk of source.stream()) {
      bytesRead += chunk.byteLength;
      yield chunk;
    }
  }
  expect(await detectFormat({ ...source, stream }, { signal })).toBe('tar.gz');
  expect(bytesRead).toBeLessThan(packed.byteLength);
});

const note = (bytes: number): Buffer => {
  const head = Buffer.from('532a4d1800000000', 'hex');
  head.writeUInt32LE(bytes, 4);
  return Buffer.concat([head, Buffer.alloc(bytes, 7)]);
};
const ZST = Buffer.from('28b52ffd04000900006869', 'hex');

test.each([
  ['zst', Buffer.concat([note(0), ZST])],
  ['zst', Buffer.concat([note(3000), note(5), ZST])],
  ['zst', note(100)],
  [undefined, Buffer.concat([note(9), Buffer.from('04224d18', 'hex'), ZST])],
  [undefined, note(100).subarray(0, 50)],
])('%s behind frames that are jumped over is told by what follows them', async (format, bytes) => {
  expect(await detectFormat(sourceOf(bytes), { signal })).toBe(format);
});
