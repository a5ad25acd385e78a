import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { CryptoException } from '../../core/errors.ts';
import type { Reader, Writer } from '../../core/files.ts';
import { createHeader } from './container.ts';
import { decrypt } from './decrypt.ts';
import { encrypt } from './encrypt.ts';

/** More than is worth threads, and no multiple of a chunk. */
const SIZE = 65 * 1024 * 1024 + 4321;
const KEY = Buffer.alloc(32, 7);
const header = createHeader({ nonce: Buffer.alloc(12, 9), associatedData: Buffer.from('about') });
const onBytes = () => {};

const dir = tempDir({});
beforeAll(() => {
  writeFileSync(dir.at('plain'), randomFillSync(Buffer.alloc(SIZE)));
});
afterAll(() => dir[Symbol.dispose]());

/** A file as a port shows it; without its descriptor other threads are kept out. */
const openSource = (name: string, isShared: boolean): Reader => {
  const fd = openSync(dir.at(name), 'r');
  const bytes = isShared ? Buffer.alloc(0) : readFileSync(dir.at(name));
  return {
    entry: { path: dir.at(name), name, kind: 'file', size: statSync(dir.at(name)).size, mtimeMs: 0, mode: 0, identity: '' },
    ...(isShared && { fd }),
    readAt: async (into, position) => (isShared ? readFileSync(dir.at(name)) : bytes).copy(into, 0, position),
    async *stream() {},
    [Symbol.asyncDispose]: async () => closeSync(fd),
  };
};

const openTarget = (name: string, flags = 'w+') => {
  const fd = openSync(dir.at(name), flags);
  let spent = 0;
  const writer: Pick<Writer, 'writeAt' | 'share'> = {
    writeAt: async (chunk) => void writeFileSync(dir.at(name), chunk), // the header, which comes first
    share(bytes) {
      spent = bytes;
      return { fd, path: dir.at(name), wrote: () => {} };
    },
  };
  return { writer, spent: () => spent, [Symbol.dispose]: () => closeSync(fd) };
};

const gather = () => {
  let bytes = Buffer.alloc(0);
  return {
    bytes: () => bytes,
    writeAt: async (chunk: Uint8Array, position: number) => {
      if (bytes.length === 0) bytes = Buffer.alloc(SIZE + 70 * 1024);
      bytes.set(chunk, position);
    },
  };
};

describe('a large file', () => {
  test('is encrypted on several threads to the same bytes as on one, and decrypted again', async () => {
    using target = openTarget('sealed');
    await using shared = openSource('plain', true);
    let told = 0;
    const bytes = await encrypt(shared, target.writer, { key: KEY, header, onBytes: (done) => (told += done) });
    expect({ told, spent: target.spent(), size: statSync(dir.at('sealed')).size }).toEqual({
      told: SIZE,
      spent: bytes - header.bytes.length,
      size: bytes,
    });
    await using alone = openSource('plain', false);
    const lanes = gather();
    await encrypt(alone, lanes, { key: KEY, header, onBytes });
    expect(readFileSync(dir.at('sealed')).equals(lanes.bytes().subarray(0, bytes))).toBe(true);

    using back = openTarget('back');
    await using sealed = openSource('sealed', true);
    expect(await decrypt(sealed, back.writer, { key: KEY, onBytes })).toBe(SIZE);
    expect(readFileSync(dir.at('back')).equals(readFileSync(dir.at('plain')))).toBe(true);
  });

  test('with a changed byte far inside is refused, whichever thread meets it', async () => {
    {
      using sealed = openTarget('changed');
      await using plain = openSource('plain', true);
      await encrypt(plain, sealed.writer, { key: KEY, header, onBytes });
    }
    const bytes = readFileSync(dir.at('changed'));
    bytes[SIZE - 5_000_000] = (bytes[SIZE - 5_000_000] ?? 0) ^ 1;
    writeFileSync(dir.at('changed'), bytes);
    using target = openTarget('back');
    await using source = openSource('changed', true);
    await expect(decrypt(source, target.writer, { key: KEY, onBytes })).rejects.toThrow(CryptoException);
  });

  test('that cannot be written names the target', async () => {
    writeFileSync(dir.at('read-only'), '');
    using target = openTarget('read-only', 'r');
    await using source = openSource('plain', true);
    await expect(encrypt(source, target.writer, { key: KEY, header, onBytes })).rejects.toMatchObject({
      context: { path: dir.at('read-only') },
    });
  });

  test('is left alone once somebody stops it', async () => {
    using target = openTarget('stopped');
    await using source = openSource('plain', true);
    const stop = () => {
      throw new CryptoException('Enough.');
    };
    await expect(encrypt(source, target.writer, { key: KEY, header, onBytes: stop })).rejects.toThrow('Enough.');
  });
});
