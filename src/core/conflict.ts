import { extname } from 'node:path';
import { PathExistsException } from './errors.ts';
import type { Entry, FilePort } from './files.ts';

/** What to do when something is at the target already. */
export const ON_CONFLICT = ['error', 'skip', 'overwrite', 'rename', 'skip_if_same'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** Where to write after all: a path, or undefined to leave what is there. */
export const settleConflict = async (files: FilePort, target: string, policy: OnConflict, source: Entry): Promise<string | undefined> => {
  const there = await files.stat(target, { followLinks: false });
  if (there === undefined) return target;
  switch (policy) {
    case 'overwrite':
      return target;
    case 'skip':
      return undefined;
    case 'rename':
      return freeName(files, target);
    case 'skip_if_same':
      return isSame(source, there) ? undefined : target;
    case 'error':
      throw new PathExistsException(`Something is already at ${target}; choose another path or another on_conflict.`, {
        context: { path: target },
      });
  }
};

/** Same size and, to the millisecond, same time: what a copy that keeps metadata leaves behind. */
const isSame = (source: Entry, there: Entry): boolean =>
  there.kind === 'file' && there.size === source.size && Math.abs(there.mtimeMs - source.mtimeMs) < 1;

/** `report.txt` becomes `report (2).txt`, or the first number that is free. */
const freeName = async (files: FilePort, target: string): Promise<string> => {
  const ending = extname(target);
  const stem = target.slice(0, target.length - ending.length);
  for (let count = 2; ; count += 1) {
    const candidate = `${stem} (${count})${ending}`;
    if ((await files.stat(candidate, { followLinks: false })) === undefined) return candidate;
  }
};
