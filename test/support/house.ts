import { type AclRules, ActionACL } from '../../src/access/acl.ts';
import { OWNER } from '../../src/access/caller.ts';
import { createInstance } from '../../src/app/create.ts';
import type { Instance, InstanceOptions } from '../../src/app/instance/instance.ts';
import { FileAutomationException } from '../../src/core/errors.ts';
import type { RunResult } from '../../src/core/result.ts';
import { fixtureActions } from './fixture-actions.ts';
import { type TempDir, tempDir } from './temp-dir.ts';

/** A whole instance on a directory of its own, with the fixture actions beside the built-in ones. */
export interface TestHouse extends AsyncDisposable {
  readonly dir: TempDir;
  readonly factotum: Instance;
  /** How often FA_t_touch and FA_t_deny were called. */
  readonly touched: number;
  /** What was logged, one entry a line. */
  readonly lines: readonly string[];
  /** Runs a list as the owner, or under an access list. */
  run(request: unknown, options?: { readonly acl?: AclRules; readonly signal?: AbortSignal }): Promise<RunResult>;
  /** The typed error that refuses a request; fails the test when it is not refused. */
  refusal(request: unknown, options?: { readonly acl?: AclRules }): Promise<FileAutomationException>;
}

export interface TestHouseOptions extends Omit<InstanceOptions, 'cwd' | 'log'> {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
}

/** Opens an instance for one test: `await using house = openHouse();`. */
export const openHouse = ({ files = {}, logLevel = 'info', ...options }: TestHouseOptions = {}): TestHouse => {
  const dir = tempDir(files);
  const lines: string[] = [];
  const fixtures = fixtureActions();
  const factotum = createInstance({
    ...options,
    cwd: dir.path,
    log: { level: logLevel, format: 'json', write: (line) => lines.push(line) },
  });
  factotum.registry.registerMany(fixtures.actions);
  const run: TestHouse['run'] = (request, { acl, signal } = {}) =>
    factotum.run(request, {
      ...(signal !== undefined && { signal }),
      ...(acl !== undefined && { caller: { ...OWNER, name: 'tester', acl: new ActionACL(acl) } }),
    });
  return {
    dir,
    factotum,
    get touched() {
      return fixtures.touched;
    },
    lines,
    run,
    async refusal(request, options) {
      const answer = await run(request, options).catch((fault: unknown) => fault);
      if (answer instanceof FileAutomationException) return answer;
      throw new Error(`The request was not refused but gave ${JSON.stringify(answer) ?? String(answer)}.`, { cause: answer });
    },
    async [Symbol.asyncDispose]() {
      await factotum.close();
      dir[Symbol.dispose]();
    },
  };
};

/** Opens something on an instance; where that is refused, the instance is closed too. */
export const openOn = async <T>(house: TestHouse, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (fault) {
    await house[Symbol.asyncDispose]();
    throw fault;
  }
};
