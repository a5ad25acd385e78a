import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { bundle } from '../files/bundle.ts';

/** A TCP door in a process of its own. */
export interface DoorProcess {
  readonly port: number;
  /** Closes it in peace and tells how much memory it took at most, and how much processor time. */
  close(): Promise<{ readonly code: number | null; readonly maxRssBytes: number; readonly cpuMs: number }>;
}

/** Opens a door on a directory, with a secret or without. */
export const openDoor = async (cwd: string, secret?: string): Promise<DoorProcess> => {
  const script = await bundle(new URL('./door-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script.path, cwd, ...(secret === undefined ? [] : [secret])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  return {
    port: Number(String(said)),
    async close() {
      const exit = once(child, 'exit');
      child.stdin.end();
      const last = await text(child.stdout);
      const [code] = await exit;
      script[Symbol.dispose]();
      const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(last);
      return { code, maxRssBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
    },
  };
};
