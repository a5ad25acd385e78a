import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import * as door from '../../index.ts';
import * as spec from '../../spec.ts';

test('trees are made alike by a function at both doors', async () => {
  using dir = tempDir({ 's/a': '1', 's/n/b': '2', 'd/old': '' });
  const planned = await spec.sync_dir(dir.at('s'), dir.at('d'), { delete: true, dry_run: true });
  expect(planned).toMatchObject({ copied: ['a', 'n/b'], deleted: ['old'], dry_run: true });
  expect(await door.syncDir(dir.at('s'), dir.at('d'), { delete: true })).toMatchObject({ copied: ['a', 'n/b'], deleted: ['old'] });
  expect(await door.syncDir(dir.at('s'), dir.at('d'))).toMatchObject({ copied: [], skipped: ['a', 'n/b'] });
  await expect(spec.sync_dir(dir.at('gone'), dir.at('d'))).rejects.toMatchObject({ type: 'DirNotExistsException' });
});
