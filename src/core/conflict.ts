import { extname } from 'node:path';
import type { Context } from './context.ts';
import { PathExistsException } from './errors.ts';
import type { Entry, FilePort } from './files.ts';
import { plainText } from './plain-text.ts';
import { demandOk } from './steps-result.ts';

/** What to do when something is at the target already. */
export const ON_CONFLICT = ['error', 'skip', 'overwrite', 'rename', 'trash', 'skip_if_same'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** Where to write after all; under `trash`, `makeWay` comes before that is written. A path, or undefined to leave what is there. */
export const settleConflict = async (files: FilePort, target: string, policy: OnConflict, source: Entry): Promise<string | undefined> => {
  const there = await files.stat(target, { followLinks: false });
  if (there === undefined) return target;
  switch (policy) {
    case 'overwrite':
    case 'trash':
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

/** Throws what is at the target into the trash, by the action for that, so that access rules are asked about it too. */
export const makeWay = async ({ files, runSteps }: Pick<Context, 'files' | 'runSteps'>, target: string): Promise<void> => {
  if ((await files.stat(target, { followLinks: false })) === undefined) return;
  demandOk(await runSteps([['FA_send_to_trash', { path: plainText(files.absolute(target)) }]]));
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
