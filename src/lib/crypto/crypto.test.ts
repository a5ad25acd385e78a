import { spawnSync } from 'node:child_process';
import { createCipheriv, createHash, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CancelledException } from '../../core/errors.ts';
import type { Entry, Reader } from '../../core/files.ts';
import { createHeader } from './container.ts';
import { decrypt } from './decrypt.ts';
import { deriveKey } from './derive-key.ts';
import { encrypt } from './encrypt.ts';

const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const NONCE = Buffer.from('000102030405060708090a0b', 'hex');

const readerOf = (bytes: Buffer): Reader => ({
  entry: { path: '/x', name: 'x', kind: 'file', size: bytes.length, mtimeMs: 0, mode: 0, identity: '' } satisfies Entry,
  readAt: async (into, position) => bytes.copy(into, 0, position),
  async *stream({ start = 0, end = bytes.length } = {}) {
    yield bytes.subarray(start, end);
  },
  [Symbol.asyncDispose]: async () => {},
});

const collector = () => {
  let bytes = Buffer.alloc(0);
  return {
    bytes: () => bytes,
    writeAt: async (chunk: Uint8Array, position: number) => {
      const end = position + chunk.byteLength;
      if (bytes.length < end) bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
      bytes.set(chunk, position);
    },
  };
};

const onBytes = () => {};

const seal = async (plain: Buffer, { associatedData = '', key = KEY, chunkBits = 12, nonce = NONCE } = {}): Promise<Buffer> => {
  const target = collector();
  const header = createHeader({ nonce, associatedData: Buffer.from(associatedData), chunkBits });
  const size = await encrypt(readerOf(plain), target, { key, header, onBytes });
  expect(target.bytes()).toHaveLength(size);
  return target.bytes();
};

const open = async (sealed: Buffer, key: Buffer = KEY): Promise<Buffer> => {
  const target = collector();
  const size = await decrypt(readerOf(sealed), target, { key, onBytes });
  expect(target.bytes()).toHaveLength(size);
  return target.bytes();
};

const refused = (sealed: Buffer, key?: Buffer) => expect(open(sealed, key)).rejects.toMatchObject({ type: 'CryptoException' });

/** The format once more, from its description alone. */
const byTheBook = (plain: Buffer, associatedData: Buffer, chunkBits: number): Buffer => {
  const lengths = Buffer.alloc(6);
  lengths[0] = 2;
  lengths[1] = chunkBits;
  lengths.writeUInt32BE(associatedData.length, 2);
  const header = Buffer.concat([Buffer.from('FA-AESG'), lengths, NONCE, associatedData]);
  const fileKey = Buffer.from(hkdfSync('sha256', KEY, NONCE, createHash('sha256').update(header).digest(), 32));
  const parts = [header];
  const chunkBytes = 1 << chunkBits;
  for (let start = 0, index = 0; index === 0 || start < plain.length; start += chunkBytes, index += 1) {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(index, 7);
    nonce[11] = start + chunkBytes >= plain.length ? 1 : 0;
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonce);
    parts.push(cipher.update(plain.subarray(start, start + chunkBytes)), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(parts);
};

describe('the container', () => {
  test.each([
    ['an empty file', '', '', 41],
    ['a short one', 'known plaintext', '', 56],
    ['with associated data', 'known', 'header', 52],
    ['of exactly one chunk', 'x'.repeat(4096), '', 4096 + 41],
    ['of one byte more', 'x'.repeat(4097), '', 4097 + 57],
    ['of three chunks', 'y'.repeat(10_000), 'a', 10_000 + 1 + 25 + 48],
  ])('%s is as described', async (_about, plain, associatedData, bytes) => {
    const sealed = await seal(Buffer.from(plain), { associatedData });
    expect(sealed).toHaveLength(bytes);
    expect(sealed.equals(byTheBook(Buffer.from(plain), Buffer.from(associatedData), 12))).toBe(true);
    expect((await open(sealed)).toString()).toBe(plain);
  });

  test('known answers', async () => {
    const hex = async (plain: string, associatedData = '') => (await seal(Buffer.from(plain), { associatedData })).toString('hex');
    expect(await hex('')).toBe('46412d41455347020c00000000000102030405060708090a0b4b83a5bc8e93c41a6a3bf53bce9d4326');
    expect(await hex('known plaintext', 'header')).toBe(
      '46412d41455347020c00000006000102030405060708090a0b68656164657297ff17623b33036ea8c400b45fc4bc1a61d27151d6810c863dee799e9a55f7',
    );
    expect(
      createHash('sha256')
        .update(await seal(Buffer.alloc(10_000, 7)))
        .digest('hex'),
    ).toBe('1702a2497cc3d7835a6fccbe75063493fe04e07294c0fdca146c119ce0109ff9');
  });

  test.each([
    ['RkEtQUVTRwEAAAAAAAcHBwcHBwcHBwcHB2QEySsBL6eYp/R99OUpgAKJd5bmHDuhXrLISc/KX0Q=', 'known plaintext'],
    ['RkEtQUVTRwEAAAAABgcHBwcHBwcHBwcHB2hlYWRlcmQEySsBTkMHX0V9ystt+FtTvXHvzA==', 'known'],
  ])('a file of the older tool opens', async (sealed, plain) => {
    expect((await open(Buffer.from(sealed, 'base64'))).toString()).toBe(plain);
  });

  test('every size and key length comes back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(9_000), fc.constantFrom(0, 1, 4095, 4096, 4097, 8192, 8193)),
        fc.constantFrom(16, 24, 32),
        fc.string(),
        async (size, keyBytes, associatedData) => {
          const plain = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + 3) & 0xff));
          const key = KEY.subarray(0, keyBytes);
          const sealed = await seal(plain, { associatedData, key });
          expect((await open(sealed, key)).equals(plain)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a container that was touched opens nothing', () => {
  test('any byte changed', async () => {
    for (const plain of ['', 'known plaintext']) {
      const sealed = await seal(Buffer.from(plain), { associatedData: 'header' });
      for (let at = 0; at < sealed.length; at += 1) {
        for (const bit of [1, 0x80]) {
          const changed = Buffer.from(sealed);
          changed[at] = (changed[at] ?? 0) ^ bit;
          await refused(changed);
        }
      }
    }
  });

  test('any byte of an older container changed', async () => {
    const sealed = Buffer.from('RkEtQUVTRwEAAAAABgcHBwcHBwcHBwcHB2hlYWRlcmQEySsBTkMHX0V9ystt+FtTvXHvzA==', 'base64');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await refused(changed);
    }
  });

  const threeChunks = () => seal(Buffer.from(Array.from({ length: 12_288 }, (_, at) => at % 251)));
  const chunkOf = (sealed: Buffer, index: number) => sealed.subarray(25 + index * 4112, 25 + (index + 1) * 4112);

  test('cut short anywhere, at the edge of a chunk too', async () => {
    const sealed = await threeChunks();
    const edges = [0, 1, 2, 3].map((chunk) => 25 + chunk * 4112).filter((edge) => edge < sealed.length);
    for (const end of [...edges, ...edges.map((edge) => edge + 16), ...edges.map((edge) => edge + 17), 0, 7, 24, sealed.length - 1]) {
      await refused(sealed.subarray(0, end));
    }
    const short = await seal(Buffer.from('known plaintext'));
    for (let end = 0; end < short.length; end += 1) await refused(short.subarray(0, end));
  });

  test('chunks in another order, twice, left out, or from another file', async () => {
    const sealed = await threeChunks();
    const header = sealed.subarray(0, 25);
    const [a, b, c] = [chunkOf(sealed, 0), chunkOf(sealed, 1), chunkOf(sealed, 2)];
    const other = await seal(Buffer.alloc(12_288, 9), { nonce: Buffer.alloc(12, 1) });
    for (const chunks of [
      [b, a, c],
      [a, c, b],
      [a, a, c],
      [a, b],
      [b, c],
      [a, b, c, c],
      [a, chunkOf(other, 1), c],
    ]) {
      await refused(Buffer.concat([header, ...chunks]));
    }
    await refused(Buffer.concat([sealed, Buffer.alloc(1)]));
    await refused(Buffer.concat([sealed, Buffer.alloc(16)]));
  });

  test('with another key', async () => {
    const sealed = await seal(Buffer.from('secret'));
    await refused(sealed, Buffer.alloc(32, 1));
    await refused(sealed, KEY.subarray(0, 16));
  });

  test('an impossible length of associated data is no reason to take memory', async () => {
    const sealed = await seal(Buffer.from('x'));
    sealed.writeUInt32BE(0xffffffff, 9);
    await refused(sealed);
  });

  test('a version to come is named', async () => {
    const sealed = await seal(Buffer.from('x'));
    sealed[7] = 3;
    await expect(open(sealed)).rejects.toThrow('format version 3');
  });
});

test('a password gives the key of the test vector', async () => {
  // PBKDF2-HMAC-SHA256, RFC 7914 section 11.
  const key = await deriveKey('passwd', Buffer.from('salt'), { iterations: 1, bits: 512, signal: new AbortController().signal });
  expect(key.toString('hex')).toBe(
    '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
  );
});

test('a command that is stopped does not wait for its key, and the next one has its turn', async () => {
  const first = new AbortController();
  const second = new AbortController();
  const salt = Buffer.from('0123456789abcdef');
  const begun = deriveKey('a', salt, { iterations: 300_000, bits: 128, signal: first.signal });
  const waiting = deriveKey('b', salt, { iterations: 1, bits: 128, signal: second.signal });
  const last = deriveKey('c', salt, { iterations: 1, bits: 128, signal: new AbortController().signal });
  const ends = [expect(begun).rejects.toThrow('enough'), expect(waiting).rejects.toThrow('enough too')];
  await setImmediate(); // the first has begun by then
  first.abort(new CancelledException('enough'));
  second.abort(new CancelledException('enough too'));
  await Promise.all(ends);
  expect(await last).toHaveLength(16);
});

/** The reader that the documentation shows. */
const [, documented = ''] = /^```python\n(.*?)^```/ms.exec(readFileSync('docs/explanation/encrypted-files.md', 'utf8')) ?? [];
const python = `${documented}\nimport sys\nsys.stdout.buffer.write(decrypt(sys.stdin.buffer.read(), bytes.fromhex(sys.argv[1])))\n`;
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

test.skipIf(!hasPython)('the documented reader opens it (python3 with the package cryptography)', async () => {
  const plain = Buffer.from(Array.from({ length: 10_001 }, (_, at) => (at * 13) & 0xff));
  const { stdout, stderr } = spawnSync('python3', ['-c', python, KEY.toString('hex')], {
    input: await seal(plain, { associatedData: 'x' }),
  });
  expect(stdout.equals(plain), stderr.toString()).toBe(true);
});
