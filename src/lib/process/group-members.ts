import { readdir, readFile } from 'node:fs/promises';

/**
 * Whether a process of the group still runs. The system itself also counts processes that have ended until their parent takes note,
 * and for orphans that parent is the first process of the machine or container, which may be slow or never do it. Where the system
 * does not list its processes under /proc, its count is believed.
 */
export const hasRunningMember = async (group: number): Promise<boolean> => {
  const names = await readdir('/proc').catch(() => undefined);
  if (names === undefined) return true;
  for (const name of names) if (/^\d+$/.test(name) && (await isRunningIn(name, group))) return true;
  return false;
};

const isRunningIn = async (process: string, group: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${process}/stat`, 'latin1').catch(() => ''); // it may end while we look
  // `number (name) state parent group …`, where the name may hold anything.
  const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return memberOf === String(group) && state !== 'Z' && state !== 'X';
};
