import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/**
 * Whether what one-shots leave should be tidied up now: once a day, for users who run no service and never look. Only one of many
 * processes is told so.
 */
export const isTidyingDue = (stateDirectory: string, now: number): boolean => {
  const mark = join(stateDirectory, 'tidied');
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  if (last !== undefined && now - last < DAY_MS) return false;
  writeFileSync(mark, '', { mode: 0o600 });
  return last !== undefined;
};
