import { describe, expect, test } from 'vitest';
import { stateDirectory } from './state-directory.ts';

describe.skipIf(process.platform === 'win32')('the state of a user lies', () => {
  test.each([
    ['below the directory that XDG names', { XDG_STATE_HOME: '/var/state' }, '/var/state/factotum'],
    ['in the home directory without it', {}, '/home/u/.local/state/factotum'],
    ['in the home directory where it is empty', { XDG_STATE_HOME: '' }, '/home/u/.local/state/factotum'],
    ['in the home directory where it is relative', { XDG_STATE_HOME: 'state' }, '/home/u/.local/state/factotum'],
  ])('%s', (_, env, expected) => {
    expect(stateDirectory(env, '/home/u')).toBe(expected);
  });
});
