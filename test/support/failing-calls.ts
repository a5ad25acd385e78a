import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { systemFault } from '../../src/lib/fs/system-fault.ts';

// A device that fails at one call: Node's own functions are put into a wrapper that counts them and has one of them fail as the system would.

/** Calls that change something; where they open a file, those that open it for writing. */
const CHANGING = [
  'open',
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'mkdir',
  'mkdtemp',
  'rename',
  'unlink',
  'rmdir',
  'rm',
  'link',
  'symlink',
  'chmod',
  'fchmod',
  'utimes',
  'futimes',
  'lutimes',
  'chown',
  'fchown',
  'lchown',
  'truncate',
  'ftruncate',
  'fsync',
  'fdatasync',
  'copyFile',
  'cp',
] as const;
const LOOKING = ['read', 'readv', 'readFile', 'readdir', 'readlink', 'stat', 'lstat', 'fstat', 'opendir', 'realpath', 'access'] as const;
const OF_HANDLES = [
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'sync',
  'datasync',
  'truncate',
  'chmod',
  'utimes',
  'read',
  'readFile',
] as const;

export type FailureCode = 'EIO' | 'ENOSPC' | 'EROFS';

/** Which call is to fail. */
export interface Failure {
  readonly code: FailureCode;
  /** Counted from 0; none fails where it is beyond them. */
  readonly at: number;
  /** Only what is done below it, or to an open file, counts. */
  readonly below: string;
}

/** What was called. */
export interface Calls {
  readonly count: number;
  /** The call that failed. */
  readonly failed: string | undefined;
}

/** Node's functions, wrapped for as long as somebody holds this. */
export interface FailingCalls extends Disposable {
  /** From now on calls count, and one fails. */
  begin(failure: Failure): void;
  /** No call counts any more; tells those that did. */
  end(): Calls;
}

type Call = (this: unknown, ...args: unknown[]) => unknown;
/** Functions by name, of which some are replaced. */
type Functions = Record<string, unknown>;

export const openFailingCalls = async (): Promise<FailingCalls> => {
  let failure: Failure | undefined;
  let count = 0;
  let failed: string | undefined;

  /** Throws where it is this call's turn to fail. */
  const pass = (name: string, args: readonly unknown[]): void => {
    if (failure === undefined || !isMeant(name, args, failure)) return;
    count += 1;
    if (count - 1 !== failure.at) return;
    failed = name;
    throw systemFault(failure.code, name, typeof args[0] === 'string' ? args[0] : '');
  };

  const originals: (readonly [Functions, string, unknown])[] = [];
  const wrap = (owner: Functions, name: string, wrapped: (original: Call) => Call) => {
    const original = owner[name];
    if (typeof original !== 'function') return;
    originals.push([owner, name, original]);
    owner[name] = Object.assign(wrapped(original as Call), original); // Node's functions take anything; some carry others, as realpath does
  };
  const direct =
    (name: string) =>
    (original: Call): Call =>
      function (this: unknown, ...args) {
        pass(name, args);
        return original.apply(this, args);
      };
  const promised =
    (name: string) =>
    (original: Call): Call =>
      async function (this: unknown, ...args) {
        pass(name, args);
        return await original.apply(this, args);
      };
  const calledBack =
    (name: string) =>
    (original: Call): Call =>
      function (this: unknown, ...args) {
        try {
          pass(name, args);
        } catch (fault) {
          const done = args.at(-1);
          if (typeof done === 'function') return setImmediate(() => done(fault));
          throw fault;
        }
        return original.apply(this, args);
      };

  const functions = fs as unknown as Functions; // a module is a table of its functions
  const promises = fs.promises as unknown as Functions;
  for (const name of [...CHANGING, ...LOOKING]) {
    wrap(functions, `${name}Sync`, direct(name));
    wrap(functions, name, calledBack(name));
    wrap(promises, name, promised(name));
  }
  const handle = await fs.promises.open('/dev/null', 'r');
  const handles: Functions = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of OF_HANDLES) wrap(handles, name, promised(name));
  syncBuiltinESMExports();

  return {
    begin(next) {
      [failure, count, failed] = [next, 0, undefined];
    },
    end() {
      failure = undefined;
      return { count, failed };
    },
    [Symbol.dispose]() {
      for (const [owner, name, original] of originals) owner[name] = original;
      syncBuiltinESMExports();
    },
  };
};

const LOOKS: ReadonlySet<string> = new Set(LOOKING);

/** A device that cannot be read fails at both; a full or read-only one at what changes something. Closed doors elsewhere are not its matter. */
const isMeant = (name: string, args: readonly unknown[], { code, below }: Failure): boolean => {
  const [first, second] = args;
  const looks = LOOKS.has(name) || (name === 'open' && isReading(second));
  if (looks && code !== 'EIO') return false;
  return typeof first !== 'string' || first.startsWith(below) || first.startsWith('/proc/self/fd/');
};

const isReading = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0 : flags === undefined || flags === 'r';
