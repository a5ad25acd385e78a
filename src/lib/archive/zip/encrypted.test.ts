import { describe, expect, test } from 'vitest';
import { chunksOf, collect, memorySink, NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { createEncryptedZipWriter } from './encrypted-zip-writer.ts';
import { openZip } from './open-zip.ts';

const PASSWORD = 'correct horse é';
const FILES = { 'a.txt': 'one', 'd/文.txt': 'two', long: 'some words '.repeat(30_000), empty: '' };

const readAll = async (bytes: Uint8Array, password: string | undefined): Promise<Record<string, string>> => {
  const zip = await openZip(sourceOf(bytes, 5000), {
    limits: NO_LIMITS,
    signal,
    password: password === undefined ? undefined : Buffer.from(password),
  });
  const files = zip.entries.flatMap(({ kind }, index) => (kind === 'file' ? [index] : []));
  await zip.examine(files);
  const contents: Record<string, string> = {};
  await zip.read(files, async (index, content) => {
    contents[zip.entries[index]?.name ?? ''] = (await collect(content)).toString();
  });
  return contents;
};

const written = async (): Promise<Buffer> => {
  const sink = memorySink();
  const zip = await createEncryptedZipWriter(sink, { password: Buffer.from(PASSWORD), level: 6 });
  await zip.addBytes({ name: 'd/', mtimeMs: Date.UTC(2024, 0, 2), mode: 0o040755 }, new Uint8Array(0));
  for (const [name, text] of Object.entries(FILES)) {
    await zip.addStream({ name, mtimeMs: Date.UTC(2024, 0, 2), mode: 0o100600 }, text.length, chunksOf(Buffer.from(text), 4000), {
      level: 6,
      signal,
    });
  }
  await zip.finish();
  return sink.bytes();
};

describe('an archive that is written under a password', () => {
  test('gives its contents for the password', async () => {
    expect(await readAll(await written(), PASSWORD)).toEqual(FILES);
  });

  test('is encrypted with AES-256 throughout and keeps modes and times', async () => {
    const { entries } = await openZip(sourceOf(await written()), { limits: NO_LIMITS, signal });
    const files = entries.filter(({ kind }) => kind === 'file');
    expect(files.map(({ isEncrypted, method, aesField, mode, mtimeMs }) => [isEncrypted, method, aesField?.[4], mode, mtimeMs])).toEqual(
      files.map(() => [true, 99, 3, 0o600, Date.UTC(2024, 0, 2)]),
    );
    expect(entries.find(({ kind }) => kind === 'dir')).toMatchObject({ name: 'd/', isEncrypted: false, mode: 0o755 });
    expect((await written()).includes(Buffer.from('some words'))).toBe(false);
  });

  test.each([
    ['a wrong password', 'wrong', 'the password is wrong or the archive is damaged'],
    ['no password', undefined, 'is encrypted; give the password'],
  ])('is refused with %s', async (_, password, words) => {
    await expect(readAll(await written(), password)).rejects.toThrow(words);
  });

  test('is refused where a byte of its content is changed', async () => {
    const bytes = await written();
    const { entries } = await openZip(sourceOf(bytes), { limits: NO_LIMITS, signal });
    const { offset = 0, packedSize = 0 } = entries.find(({ name }) => name === 'long') ?? {};
    const contentAt = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    for (const at of [0, 17, 20, packedSize >> 1, packedSize - 1]) {
      const spoilt = Buffer.from(bytes);
      spoilt[contentAt + at] = (spoilt[contentAt + at] ?? 0) ^ 1;
      await expect(readAll(spoilt, PASSWORD)).rejects.toMatchObject({ type: 'ArchiveException' });
    }
  });

  test.skipIf(!hasTool('7z'))('is opened by 7z (needs 7z)', async () => {
    using dir = tempDir({ 'o.zip': await written() });
    tool('7z', ['x', `-p${PASSWORD}`, '-ox', 'o.zip'], { cwd: dir.path });
    expect(Object.keys(FILES).map((name) => dir.read(`x/${name}`))).toEqual(Object.values(FILES));
  });
});

describe.skipIf(!hasTool('7z'))('an archive of 7z (needs 7z)', () => {
  test.each(['AES128', 'AES192', 'AES256', 'ZipCrypto'])('encrypted with %s gives its contents', async (method) => {
    using dir = tempDir(FILES);
    tool('7z', ['a', '-tzip', `-mem=${method}`, '-psecret', 'o.zip', 'a.txt', 'd', 'long', 'empty'], { cwd: dir.path });
    const bytes = tool('cat', ['o.zip'], { cwd: dir.path });
    expect(await readAll(bytes, 'secret')).toEqual(FILES);
    await expect(readAll(bytes, 'wrong')).rejects.toMatchObject({ type: 'ArchiveException' });
  });
});

describe.skipIf(!hasTool('zip'))('an archive of zip (needs zip)', () => {
  test.each([[[]], [['-0']]])('encrypted the older way with %j gives its contents', async (args) => {
    using dir = tempDir(FILES);
    tool('zip', [...args, '-q', '-r', '-P', 'secret', 'o.zip', 'a.txt', 'd', 'long', 'empty'], { cwd: dir.path });
    const bytes = tool('cat', ['o.zip'], { cwd: dir.path });
    expect(await readAll(bytes, 'secret')).toEqual(FILES);
    for (const wrong of ['a', 'b', 'c', 'd', 'e']) await expect(readAll(bytes, wrong)).rejects.toMatchObject({ type: 'ArchiveException' });
  });
});
