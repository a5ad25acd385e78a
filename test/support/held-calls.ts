import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type HeldCall = 'stat' | 'open' | 'read' | 'readdir' | 'rename';

/** Calls of the system on paths with `held` in them that do not return until they are let go, as on a device that does not answer. */
export interface HeldCalls {
  /** What a process must have in its environment for that. */
  readonly env: Readonly<Record<string, string>>;
  hold(): void;
  letGo(): void;
}

const SOURCE = resolve('test/fixtures/native/hold-calls.c');

/** Undefined where nothing can be compiled or put before the C library. */
export const holdCalls = (directory: string, call: HeldCall): HeldCalls | undefined => {
  if (process.platform !== 'linux') return undefined;
  const library = join(directory, 'hold-calls.so');
  const gate = join(directory, 'gate');
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl']);
  if (status !== 0) return undefined;
  return {
    env: { LD_PRELOAD: library, HOLD_CALL: call, HOLD_GATE: gate },
    hold: () => writeFileSync(gate, ''),
    letGo: () => rmSync(gate, { force: true }),
  };
};
