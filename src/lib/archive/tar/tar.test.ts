import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTar } from '../../../../test/support/archives/build-tar.ts';
import { chunksOf, collect, NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { hasTool, tool } from '../../../../test/support/archives/tools.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { ArchiveException } from '../../../core/errors.ts';
import { compressionCalled } from '../compress/compressions.ts';
import { forwardFrom, forwardOver } from '../forward-bytes.ts';
import { openTar } from './open-tar.ts';
import { paxRecord, readPax } from './pax.ts';
import { paddingOf, readTar } from './read-tar.ts';
import { TAR_END, type TarMemberHeader, tarHeader } from './write-tar.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const MTIME = Date.UTC(2024, 0, 2, 3, 4, 5);

const file = (name: string, content: Uint8Array, more: Partial<TarMemberHeader> = {}): Buffer =>
  Buffer.concat([
    tarHeader({ name, kind: 'file', size: content.byteLength, mode: 0o644, mtimeMs: MTIME, ...more }),
    content,
    Buffer.alloc(paddingOf(content.byteLength)),
  ]);

const tar = (...members: Buffer[]): Buffer => Buffer.concat([...members, TAR_END]);

/** Everything in a tar file, read both ways that there are. */
const read = async (bytes: Buffer) => {
  const seen = [];
  for await (const { entry, content } of readTar(forwardOver(sourceOf(bytes)), { limits: NO_LIMITS }))
    seen.push({ ...entry, content: (await collect(content())).toString('latin1') });
  const names: string[] = [];
  for await (const { entry } of readTar(forwardFrom(chunksOf(bytes, 333)), { limits: NO_LIMITS })) names.push(entry.name);
  expect(names).toEqual(seen.map(({ name }) => name));
  return seen;
};

describe('a header', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((text) => !/[\0/\p{Surrogate}]/u.test(text));

  test('keeps any name, mode and time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.nat(0o777),
        fc.integer({ min: -(2 ** 33), max: 2 ** 33 }),
        fc.uint8Array(),
        async (names, mode, seconds, content) => {
          const [entry] = await read(tar(file(names.join('/'), content, { mode, mtimeMs: seconds * 1000 })));
          expect(entry).toMatchObject({
            name: names.join('/'),
            kind: 'file',
            mode,
            mtimeMs: seconds * 1000,
            size: content.byteLength,
            content: Buffer.from(content).toString('latin1'),
          });
        },
      ),
    );
  });

  test('keeps a link of any length', async () => {
    const target = 'somewhere/'.repeat(30);
    const [entry] = await read(tar(tarHeader({ name: 'l', kind: 'symlink', size: 0, mode: 0o777, mtimeMs: MTIME, linkTarget: target })));
    expect(entry).toMatchObject({ kind: 'symlink', linkTarget: target });
  });

  test('says a size beyond what its field can hold', async () => {
    const size = 9 * 1024 ** 3;
    const header = tarHeader({ name: 'huge', kind: 'file', size, mode: 0o644, mtimeMs: MTIME });
    const members = readTar(forwardOver({ ...sourceOf(header), size: 10 * 1024 ** 3 }), { limits: NO_LIMITS });
    expect((await members.next()).value?.entry.size).toBe(size);
  });
});

test('an extended record counts its own length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1200 }), (value) => {
      const bytes = paxRecord('path', value);
      expect(Number.parseInt(bytes.toString('latin1'), 10)).toBe(bytes.byteLength);
      expect(readPax(bytes).get('path')?.toString()).toBe(Buffer.from(value).toString());
    }),
  );
});

describe('reading', () => {
  test('takes GNU long names and links', async () => {
    const long = 'n'.repeat(150);
    const bytes = buildTar(
      [
        { type: 'gnu_longname', value: long },
        { type: 'file', name: 'cut', data: 'x' },
      ],
      KITCHEN,
    );
    expect((await read(bytes))[0]?.name).toBe(long);
  });

  test('leaves out what a global header says about nothing that matters', async () => {
    const comment = buildTar(
      [
        { type: 'raw', typeflag: 'g', name: 'pax_global_header', data: '52 comment=0123456789012345678901234567890123456789\n' },
        { type: 'file', name: 'a', data: 'x' },
      ],
      KITCHEN,
    );
    expect((await read(comment)).map(({ name }) => name)).toEqual(['a']);
  });

  test.each([
    [
      'a global header that names all entries',
      [
        { type: 'raw', typeflag: 'g', name: 'g', data: '10 path=x\n' },
        { type: 'file', name: 'a' },
      ],
    ],
    [
      'two extended headers for one entry',
      [
        { type: 'pax', records: { path: 'a' } },
        { type: 'pax', records: { path: 'b' } },
        { type: 'file', name: 'c' },
      ],
    ],
    ['an extended header for nothing', [{ type: 'pax', records: { path: 'a' } }]],
    [
      'an extended header that counts wrong',
      [
        { type: 'raw', typeflag: 'x', name: 'p', data: '99 path=a\n' },
        { type: 'file', name: 'c' },
      ],
    ],
    ['a link with content', [{ type: 'symlink', name: 'l', target: 'a', data: 'content' }]],
    ['a directory with content', [{ type: 'dir', name: 'd/', data: 'content' }]],
  ])('refuses %s', async (_, entries) => {
    await expect(read(buildTar(entries, KITCHEN))).rejects.toBeInstanceOf(ArchiveException);
  });

  test('refuses an archive wherever it is cut', async () => {
    const bytes = tar(file('a', Buffer.from('one')), file('b'.repeat(120), Buffer.alloc(700, 'x')));
    for (let end = 0; end < bytes.byteLength - 512; end += 128)
      await expect(read(bytes.subarray(0, end))).rejects.toBeInstanceOf(ArchiveException);
  });

  test('takes a directory by its name, as the oldest archives mark it', async () => {
    expect((await read(buildTar([{ type: 'raw', typeflag: '0', name: 'old/' }], KITCHEN)))[0]?.kind).toBe('dir');
  });

  /** A size where no content can be; what others take for an entry stands in its place. */
  const hiding = (typeflag: string, name: string): Buffer =>
    Buffer.concat([
      buildTar([{ type: 'raw', typeflag, name, size_field: '00000002000\0' }], KITCHEN).subarray(0, 512),
      buildTar([{ type: 'file', name: 'secret.txt', data: 'secret' }], KITCHEN).subarray(0, 1024),
      buildTar([{ type: 'file', name: 'z.txt', data: 'z' }], KITCHEN),
    ]);

  test.each([
    ['an old directory', '0', 'd/'],
    ['the oldest directory', '\0', 'd/'],
    ['a character device', '3', 'c'],
    ['a block device', '4', 'b'],
    ['a pipe', '6', 'p'],
  ])('refuses %s with a size, behind which entries would hide', async (_, typeflag, name) => {
    for (const lenient of [false, true])
      await expect(openTar(sourceOf(hiding(typeflag, name)), undefined, { limits: NO_LIMITS, signal, lenient })).rejects.toMatchObject({
        type: 'ArchiveException',
        context: { entry: name, reason: 'hidden_entries' },
      });
  });

  test('shows what stands behind a directory with a size', async () => {
    expect((await read(hiding('5', 'd/'))).map(({ name }) => name)).toEqual(['d/', 'secret.txt', 'z.txt']);
  });

  const dated = (mtime: string): Buffer =>
    buildTar(
      [
        { type: 'pax', records: { mtime } },
        { type: 'file', name: 'a', mtime: '2020-01-01T00:00:00Z' },
      ],
      KITCHEN,
    );

  test.each([
    ['1748089464.5', 1_748_089_464_500],
    ['-631152000', -631_152_000_000],
    ['-0.25', -250],
    ['', Date.UTC(2020, 0, 1)],
  ])('takes the time %j of an extended header', async (mtime, expected) => {
    expect((await read(dated(mtime)))[0]?.mtimeMs).toBe(expected);
  });

  test.each(['1748089464.95a', 'a', '0x10', '1e9', ' 1', '1.2.3', '-', 'Infinity'])(
    'refuses the time %j of an extended header',
    async (mtime) => {
      await expect(read(dated(mtime))).rejects.toThrow('has an entry whose time is no number');
    },
  );

  test('notices a file that changes between its two passes', async () => {
    const bytes = tar(file('good', Buffer.from('x')));
    const other = tar(file('evil', Buffer.from('x')));
    const archive = await openTar(sourceOf(bytes), undefined, { limits: NO_LIMITS, signal });
    other.copy(bytes);
    await expect(archive.read([0], async () => {})).rejects.toThrow('changed while it was read');
  });
});

describe.skipIf(!hasTool('tar'))('GNU tar (needs tar)', () => {
  const LONG = `${'a long directory name/'.repeat(8)}file with a name.txt`;

  test('reads what is written here', async () => {
    using dir = tempDir({
      'o.tar': tar(
        file('a.txt', Buffer.from('one'), { mode: 0o600 }),
        file(LONG, Buffer.from('two')),
        file('文.txt', Buffer.from('three')),
      ),
    });
    const listed = tool('tar', ['--utc', '-tvf', dir.at('o.tar')]).toString();
    expect(listed).toContain('-rw------- 0/0               3 2024-01-02 03:04 a.txt');
    tool('tar', ['-xf', dir.at('o.tar'), '-C', dir.path]);
    expect([dir.read('a.txt'), dir.read(LONG), dir.read('文.txt')]).toEqual(['one', 'two', 'three']);
  });

  test.each(['gnu', 'pax', 'ustar', 'v7', 'oldgnu'])('is read in its format %s', async (format) => {
    using dir = tempDir({ 's/a.txt': 'one', 's/d/b.txt': 'two' });
    tool('tar', ['--format', format, '-cf', dir.at('o.tar'), '-C', dir.path, 's']);
    const bytes = Buffer.from(tool('cat', [dir.at('o.tar')]));
    expect((await read(bytes)).map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual([
      'dir s/',
      'dir s/d/',
      'file s/a.txt',
      'file s/d/b.txt',
    ]);
  });

  test.each(['gnu', 'pax'])('is read with long names in its format %s', async (format) => {
    using dir = tempDir({ [`s/${LONG}`]: 'deep' });
    tool('tar', ['--format', format, '-cf', dir.at('o.tar'), '-C', dir.at('s'), '.']);
    expect((await read(tool('cat', [dir.at('o.tar')]))).at(-1)).toMatchObject({ name: `./${LONG}`, content: 'deep' });
  });

  test('is read compressed', async () => {
    using dir = tempDir({ 's/a.txt': 'one' });
    tool('tar', ['-czf', dir.at('o.tgz'), '-C', dir.at('s'), 'a.txt']);
    const archive = await openTar(sourceOf(tool('cat', [dir.at('o.tgz')])), compressionCalled('gz'), { limits: NO_LIMITS, signal });
    const contents: string[] = [];
    await archive.read([0], async (_, content) => void contents.push((await collect(content)).toString()));
    expect(contents).toEqual(['one']);
  });
});
