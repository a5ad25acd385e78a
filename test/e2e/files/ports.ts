import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPolicy, type PolicyRules } from '../../../src/access/policy.ts';
import type { FilePort } from '../../../src/core/files.ts';
import type { Change, Journal } from '../../../src/core/journal.ts';
import type { Budget } from '../../../src/core/quota.ts';
import type { Sweeper } from '../../../src/files/disk/sweep.ts';
import { placeAnywhere, placeInside } from '../../../src/files/place.ts';
import { createRealFiles } from '../../../src/files/real.ts';

export const { signal } = new AbortController();

interface PortOptions {
  readonly budget?: Budget | undefined;
  /** Told of every change before it happens. */
  readonly before?: (change: Change) => void | Promise<void>;
  /** Told of bulk work. */
  readonly beforeBulk?: Journal['beforeBulk'];
  readonly sweeper?: Sweeper;
}

const parts = ({ budget, before, beforeBulk, sweeper }: PortOptions) => ({
  budget,
  ...(sweeper !== undefined && { sweeper }),
  ...(before !== undefined && { journal: { before: async (change: Change) => before(change), ...(beforeBulk && { beforeBulk }) } }),
});

/** The real port of the owner. */
export const openOwner = (cwd: string, options: PortOptions = {}): FilePort =>
  createRealFiles({ cwd, place: placeAnywhere, policy: undefined, ...parts(options) });

interface GuardedOptions extends PortOptions, PolicyRules {
  /** Called between the judgement of a path and its use: the moment of an attacker. */
  readonly between?: (real: string) => void;
}

/** The real port of a caller with a policy: by default one that may change what is below `cwd`. */
export const openGuarded = (cwd: string, { between, readWrite = [cwd], readOnly = [], ...options }: GuardedOptions = {}): FilePort => {
  const policy = createPolicy({ readWrite, readOnly });
  return createRealFiles({ cwd, place: placeInside(policy, between), policy, ...parts(options) });
};

/** What the house left behind under temporary names, at any depth. */
export const leftovers = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.name.startsWith('.factotum-')) return [path];
    return entry.isDirectory() ? leftovers(path) : [];
  });

/** A temporary directory on another file system than the usual one; undefined where there is none. */
export const otherDevice = (): ({ readonly path: string } & Disposable) | undefined => {
  const elsewhere = '/dev/shm';
  const there = lstatSync(elsewhere, { throwIfNoEntry: false });
  if (there === undefined || there.dev === lstatSync(realpathSync(tmpdir())).dev) return undefined;
  const path = mkdtempSync(join(elsewhere, 'factotum-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

/** The type of the error that a promise fails with; `{ value }` when it does not fail. */
export const failure = async (work: Promise<unknown>): Promise<unknown> => {
  const fault: unknown = await work.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  return typeof fault === 'object' && fault !== null && 'type' in fault ? fault.type : fault;
};
