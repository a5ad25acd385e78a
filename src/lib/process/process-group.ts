import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../fs/system-fault.ts';
import { hasRunningMember } from './group-members.ts';

/** The processes that a program started and that have not left its group; they may outlive it. */
export interface ProcessGroup {
  /**
   * Asks all of them to end, then kills those that have not. Waits until nobody is left, and gives up on what cannot be killed:
   * another user's processes, ones stuck in the kernel. Should this process end meanwhile, they are killed at once.
   */
  end(): Promise<void>;
}

/** Signals, and how long a group may take to follow each of them. */
const ENDING = [
  { name: 'SIGTERM', patienceMs: 2_000 },
  { name: 'SIGKILL', patienceMs: 1_000 },
] as const;

const FIRST_PROBE_MS = 5;
const LONGEST_PROBE_MS = 100;

/** The group of a started program that leads one. */
export const groupOf = (leader: ChildProcess): ProcessGroup => {
  const id = leader.pid as number; // a started program has one
  let isGone = false;
  const notice = () => {
    isGone ||= signal(id, 0) === 'ESRCH';
  };
  // A group without members frees its number for strangers, who must not be signalled.
  leader.once('exit', notice);

  const isRunning = async (): Promise<boolean> => {
    notice();
    if (isGone) return false;
    return (leader.exitCode === null && leader.signalCode === null) || hasRunningMember(id);
  };

  const watch = async (patienceMs: number): Promise<void> => {
    const until = performance.now() + patienceMs;
    for (let waitMs = FIRST_PROBE_MS; performance.now() < until && (await isRunning()); waitMs = Math.min(waitMs * 2, LONGEST_PROBE_MS)) {
      await delay(waitMs);
    }
  };

  return {
    async end() {
      const kill = () => {
        notice();
        if (!isGone) signal(id, 'SIGKILL');
      };
      process.once('exit', kill); // somebody asks a second time and does not wait
      try {
        for (const { name, patienceMs } of ENDING) {
          if (isGone) return;
          signal(id, name);
          await watch(patienceMs);
        }
      } finally {
        process.off('exit', kill);
      }
    },
  };
};

/** Signals everyone in the group; gives the system's code when that failed. */
const signal = (group: number, name: NodeJS.Signals | 0): string | undefined => {
  try {
    process.kill(-group, name);
    return undefined;
  } catch (fault) {
    return codeOf(fault);
  }
};
