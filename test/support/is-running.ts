import { readFileSync } from 'node:fs';

/** Whether the process is there and has not ended: one that only waits for its parent to take note is a mere number. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
