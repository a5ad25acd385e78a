import { join } from 'node:path';

/** Where the state of this user lies, by the rules of the platform. */
export const stateDirectory = (env: Readonly<Record<string, string | undefined>>, home: string): string => {
  const { XDG_STATE_HOME: wanted = '', LOCALAPPDATA: onWindows = '' } = env;
  if (wanted.startsWith('/')) return join(wanted, 'factotum'); // a relative one is to be ignored
  return process.platform === 'win32' && onWindows !== ''
    ? join(onWindows, 'factotum', 'state')
    : join(home, '.local', 'state', 'factotum');
};
