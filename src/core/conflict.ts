import { extname } from 'node:path';
import type { Context } from './context.ts';
import { PathExistsException } from './errors.ts';
import type { Entry, FilePort } from './files.ts';
import { plainText } from './plain-text.ts';
import { demandOk } from './steps-result.ts';

/** What to do when something is at the target already. */
export const ON_CONFLICT = ['error', 'skip', 'overwrite', 'rename', 'trash', 'skip_if_same'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** Where to write after all. A path, or undefined to leave what is there. */
export const settleConflict = async (files: FilePort, target: string, policy: OnConflict, source: Entry): Promise<string | undefined> =>
  (await judge(files, target, policy, source))?.to;

interface Verdict {
  readonly to: string;
  /** Something is there. */
  readonly replaces: boolean;
}

const judge = async (files: FilePort, target: string, policy: OnConflict, source: Entry): Promise<Verdict | undefined> => {
  const there = await files.stat(target, { followLinks: false });
  if (there === undefined) return { to: target, replaces: false };
  switch (policy) {
    case 'overwrite':
    case 'trash':
      return { to: target, replaces: true };
    case 'skip':
      return undefined;
    case 'rename':
      return { to: await freeName(files, target), replaces: false };
    case 'skip_if_same':
      return isSame(source, there) ? undefined : { to: target, replaces: true };
    case 'error':
      throw new PathExistsException(`Something is already at ${target}; choose another path or another on_conflict.`, {
        context: { path: target },
      });
  }
};

/** As often as others may come first; each time one of them has got what it wanted. */
const MOST_TRIES = 1000;

type Placer = Pick<Context, 'files' | 'runSteps' | 'signal'>;

/** Puts something at a path; exclusive: fails where something is there. */
type Put = (to: string, how: { readonly exclusive: boolean }) => Promise<void>;

interface Wanted {
  readonly target: string;
  readonly policy: OnConflict;
  readonly source: Entry;
}

/**
 * Settles what is at the target and puts something there; answers where, or undefined where what is there was left. What was judged free
 * is taken only while it is free: where others come first, that is a conflict like any other and is settled again.
 */
export const putSettled = async (ctx: Placer, { target, policy, source }: Wanted, put: Put): Promise<string | undefined> => {
  for (let tries = 1; ; tries += 1) {
    ctx.signal.throwIfAborted();
    const verdict = await judge(ctx.files, target, policy, source);
    if (verdict === undefined) return undefined;
    const { to, replaces } = verdict;
    if (replaces && policy === 'trash') await makeWay(ctx, to);
    const exclusive = !replaces || policy === 'trash';
    try {
      await put(to, { exclusive });
      return to;
    } catch (fault) {
      if (!exclusive || policy === 'error' || tries === MOST_TRIES || !isTaken(fault, ctx.files.absolute(to))) throw fault;
    }
  }
};

const isTaken = (fault: unknown, path: string): boolean => fault instanceof PathExistsException && fault.context.path === path;

/** Throws what is at the target into the trash, by the action for that, so that access rules are asked about it too. */
export const makeWay = async ({ files, runSteps }: Pick<Context, 'files' | 'runSteps'>, target: string): Promise<void> => {
  const look = () => files.stat(target, { followLinks: false });
  const there = await look();
  if (there === undefined) return;
  const result = await runSteps([['FA_send_to_trash', { path: plainText(files.absolute(target)) }]]);
  // Where somebody else has taken it away meanwhile, there is nothing left to throw away.
  if (!result.ok && (await look())?.identity !== there.identity) return;
  demandOk(result);
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
