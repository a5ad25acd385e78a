import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { ownDirectoryName } from '../../lib/fs/own-names.ts';
import { readOwner } from '../../lib/fs/part-name.ts';
import { stateDirectory } from '../../lib/fs/state-directory.ts';
import { undoFiles } from './undo-files.ts';

/** The name of a temporary file whose process is gone. */
const abandonedName = (): string => {
  const { home, boot, ticks } = readOwner();
  return `.factotum-${home}-${boot}-${spawnSync('true').pid}-${ticks}-${'f'.repeat(32)}.part`;
};

test('when a run is undone, what a killed process was writing goes too', async () => {
  const part = abandonedName();
  using dir = tempDir({ [`w/${part}`]: 'half', 'w/mine': 'whole' });
  vi.stubEnv('XDG_STATE_HOME', dir.at('state'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const state = stateDirectory(process.env, dir.path);
  const records = join(state, ownDirectoryName('writers'));
  mkdirSync(state, { recursive: true });
  mkdirSync(records, { mode: 0o700 });
  writeFileSync(join(records, part), `${JSON.stringify([dir.at('w'), false])}\n`);

  await undoFiles.discard('some-run', []);
  expect(readdirSync(dir.at('w'))).toEqual(['mine']);
});
