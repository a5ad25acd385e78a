import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import * as door from '../../index.ts';
import * as spec from '../../spec.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('digests, manifests and duplicates are functions at both doors', async () => {
  using dir = tempDir({ 'd/a': 'abc', 'd/b': 'abc' });
  expect(await door.fileChecksum(dir.at('d/a'))).toBe(ABC);
  expect(await spec.file_checksum(dir.at('d/a'), 'md5', 1)).toBe('900150983cd24fb0d6963f7d28e17f72');
  expect(await door.verifyChecksum(dir.at('d/a'), `sha256:${ABC}`)).toBe(true);
  expect(await spec.verify_checksum(dir.at('d/a'), '00')).toBe(false);
  expect(await door.findDuplicates(dir.at('d'))).toEqual([[dir.at('d/a'), dir.at('d/b')]]);
  expect(await spec.find_duplicates(dir.at('d'), { min_size: 4 })).toEqual([]);
  expect(await spec.write_manifest(dir.at('d'), dir.at('m.json'))).toMatchObject({ files: { a: { size: 3, checksum: ABC } } });
  expect(await door.verifyManifest(dir.at('d'), dir.at('m.json'))).toMatchObject({ matched: ['a', 'b'], ok: true });
  expect(await spec.verify_manifest(dir.at('d'), dir.at('m.json'))).toMatchObject({ ok: true });
  expect(await door.writeManifest(dir.at('d'), dir.at('m.json'), { algorithm: 'md5' })).toMatchObject({ algorithm: 'md5' });
});

test('a failed action throws its error, and a path that looks like a reference is a path', async () => {
  using dir = tempDir({ '${env:HOME}': 'abc' });
  await expect(door.fileChecksum(dir.at('gone'))).rejects.toMatchObject({ type: 'FileNotExistsException' });
  expect(await door.fileChecksum(dir.at('${env:HOME}'))).toBe(ABC);
});
