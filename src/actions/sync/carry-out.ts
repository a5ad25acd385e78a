import type { Context } from '../../core/context.ts';
import { carryOutAnnounced } from './carry-out-announced.ts';
import { carryOutByPort } from './carry-out-by-port.ts';
import { carryOutInThreads } from './carry-out-in-threads.ts';
import type { Decision } from './decide.ts';
import type { Trees } from './find-trees.ts';
import type { SyncArgs } from './sync-args.ts';
import type { Done } from './work.ts';

/** Carries a decision out: at full speed where nobody has to be asked before each change, or one question is enough; else through the file port. */
export const carryOut = (ctx: Context, { source, target }: Trees, decision: Decision, args: SyncArgs): Promise<Done> => {
  // In a dry run a target that would be made cannot be asked for, and nothing asks it.
  const work = { ...args, ctx, source, target: target ?? source, decision };
  if (target === undefined || source.dry) return carryOutByPort(work);
  if (target.isFree) return carryOutInThreads(work);
  return ctx.files.announce === undefined ? carryOutByPort(work) : carryOutAnnounced(work, ctx.files.announce);
};
