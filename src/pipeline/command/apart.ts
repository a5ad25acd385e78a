import type { FilePort } from '../../core/files.ts';
import type { Ready } from '../../core/ready.ts';
import type { RunResult } from '../../core/result.ts';
import type { ListStart } from '../list/run-list.ts';
import type { ListRun } from '../run.ts';
import type { Bindings } from './bind.ts';
import type { CommandContext } from './context.ts';

/** Carries out commands on other threads, so that neither a slow device nor long work holds up the one that answers. */
export interface Runners {
  /** Whether a command of this list goes to another thread: then it is permitted there, where looking at the disk holds up nobody. */
  takes(list: ListRun, ready: Ready): boolean;
  run(context: CommandContext, ready: Ready, args: Bindings): Promise<unknown>;
  /** The port of a command that stays here, which looks at files on another thread. */
  filesFor(context: CommandContext, near: FilePort): FilePort;
  /** Whether a list that is only planned can be planned as a whole on another thread. */
  foresees(start: ListStart): boolean;
  foresee(start: ListStart): Promise<RunResult>;
  /** The run is over; a promise where something is still to be written down. */
  settle(runId: string): Promise<void> | undefined;
}

/** Whether the command is carried out on another thread. */
export const isApart = (list: ListRun, ready: Ready): boolean => {
  const { runners } = list.run.house;
  return runners !== undefined && ready.about.isApart === true && runners.takes(list, ready);
};
