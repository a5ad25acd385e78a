import { extname } from 'node:path';
import { PathExistsException } from '../../core/errors.ts';
import { type ComparedFile, isUnchanged } from './is-unchanged.ts';
import { locationOf, type TransferEnd, type TransferOptions } from './transfer.ts';

/** Where a file goes after all; `exclusive` where nothing may be there. */
export interface SettledTarget {
  readonly to: TransferEnd;
  readonly exclusive: boolean;
}

/** Looks at the target and decides what becomes of what is there; undefined where it stays. Whoever overwrites does not look. */
export const settle = async (
  from: ComparedFile,
  target: TransferEnd,
  { onConflict, compare, signal }: TransferOptions,
): Promise<SettledTarget | undefined> => {
  if (onConflict === 'overwrite') return { to: target, exclusive: false };
  const there = await target.storage.stat(target.path, { signal });
  if (there === undefined) return { to: target, exclusive: onConflict !== 'skip_if_same' };
  switch (onConflict) {
    case 'skip':
      return undefined;
    case 'skip_if_same':
      return (await isUnchanged(from, { end: target, item: there }, compare, signal)) ? undefined : { to: target, exclusive: false };
    case 'rename':
      return { to: await freeName(target, signal), exclusive: true };
    case 'error':
      throw new PathExistsException(`Something is already at ${locationOf(target)}; choose another target or another on_conflict.`, {
        context: { path: locationOf(target) },
      });
  }
};

/** `report.txt` becomes `report (2).txt`, or the first number that is free. */
const freeName = async ({ storage, path }: TransferEnd, signal: AbortSignal): Promise<TransferEnd> => {
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let count = 2; ; count += 1) {
    const candidate = `${stem} (${count})${ending}`;
    if ((await storage.stat(candidate, { signal })) === undefined) return { storage, path: candidate };
  }
};
