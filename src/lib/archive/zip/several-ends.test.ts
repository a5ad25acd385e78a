import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../../test/support/archives/build-zip.ts';
import { NO_LIMITS, signal, sourceOf } from '../../../../test/support/archives/memory.ts';
import { openZip } from './open-zip.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const zipOf = (name: string, data = 'data') => buildZip([{ type: 'file', name, data }], KITCHEN);
const END_BYTES = 22;

const namesIn = async (bytes: Buffer, more: { readonly whole?: boolean } = {}): Promise<string[]> =>
  (await openZip(sourceOf(bytes), { limits: NO_LIMITS, signal, lenient: true, ...more })).entries.map(({ name }) => name);

/** Entries of two directories; the second end record claims a comment of which nothing is there. */
const withCutComment = (): Buffer => {
  const [seen, other] = [zipOf('seen'), zipOf('other')];
  const directoryAt = other.indexOf('PK\x01\x02', 0, 'latin1');
  const local = other.subarray(0, directoryAt);
  const end = Buffer.from(other.subarray(-END_BYTES));
  const directory = Buffer.from(other.subarray(directoryAt, -END_BYTES));
  directory.writeUInt32LE(seen.byteLength, 42);
  end.writeUInt32LE(seen.byteLength + local.byteLength, 16);
  end.writeUInt16LE(1, 20);
  return Buffer.concat([seen, local, directory, end]);
};

describe('a zip file with more than one end record, read leniently,', () => {
  test('is refused where programs take another one: the last, whose comment is cut', async () => {
    await expect(namesIn(withCutComment())).rejects.toMatchObject({ type: 'ArchiveException', context: { reason: 'several_ends' } });
  });

  test('is refused where an older one stands between entries and directory', async () => {
    const [inner, outer] = [zipOf('inner'), zipOf('outer')];
    const directoryAt = outer.indexOf('PK\x01\x02', 0, 'latin1');
    const end = Buffer.from(outer.subarray(-END_BYTES));
    end.writeUInt32LE(directoryAt + inner.byteLength, 16);
    const bytes = Buffer.concat([outer.subarray(0, directoryAt), inner, outer.subarray(directoryAt, -END_BYTES), end]);
    await expect(namesIn(bytes)).rejects.toMatchObject({ context: { reason: 'several_ends' } });
  });

  test.each([1, 40])('is read where %i others are contents of its entries', async (count) => {
    const inner = { hex: zipOf('inner').toString('hex') };
    const entries = Array.from({ length: count }, (_, at) => ({
      type: 'file',
      name: `${at}.zip`,
      data: inner,
      local_extra: { hex: '99990400aabbccdd' },
    }));
    const bytes = Buffer.concat([Buffer.from('#!stub\n'), buildZip(entries, KITCHEN)]);
    expect(await namesIn(bytes)).toEqual(entries.map(({ name }) => name));
    expect(await namesIn(bytes, { whole: true })).toHaveLength(count);
  });

  test('is read where another archive stands before it, but not by who rewrites the file', async () => {
    const joined = Buffer.concat([zipOf('first'), zipOf('second')]);
    expect(await namesIn(joined)).toEqual(['second']);
    await expect(namesIn(joined, { whole: true })).rejects.toMatchObject({ context: { reason: 'several_ends' } });
    // Too far from the end to be searched, the end of the first is not seen, but its beginning is.
    const far = Buffer.concat([zipOf('first'), zipOf('second', 'x'.repeat(1_200_000))]);
    expect(await namesIn(far)).toEqual(['second']);
    await expect(namesIn(far, { whole: true })).rejects.toMatchObject({ context: { reason: 'unnamed_entries' } });
  });

  test('is refused where there are too many to look at', async () => {
    const marks = Buffer.concat(Array.from({ length: 40 }, () => Buffer.from(`PK\x05\x06${'x'.repeat(18)}`, 'latin1')));
    await expect(namesIn(Buffer.concat([zipOf('a'), marks]))).rejects.toMatchObject({ type: 'ArchiveException' });
  });
});
