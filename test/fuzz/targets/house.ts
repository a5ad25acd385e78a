import { createPolicy } from '../../../src/access/policy.ts';
import { FileAutomationException } from '../../../src/core/errors.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { Broken } from '../target.ts';

/** An instance whose directory `in` is all that its caller reaches. */
export interface FuzzHouse extends AsyncDisposable {
  readonly house: TestHouse;
  /** Runs a list as a caller with limits; a refusal is undefined. Throws `Broken` at a fault that is not typed. */
  run(request: unknown): Promise<RunResult | undefined>;
}

export const openFuzzHouse = (files: Readonly<Record<string, string | Uint8Array>> = {}): FuzzHouse => {
  const house = openHouse({ files: { 'in/keep': '', 'outside/keep': 'untouched', ...files }, logLevel: 'error' });
  const caller = { name: 'fuzzer', remote: true, policy: createPolicy({ readWrite: [house.dir.at('in')], maxBytes: 50_000_000 }) };
  return {
    house,
    async run(request) {
      const result = await house.factotum.run(request, { caller }).catch(typed);
      for (const { error } of result?.results ?? [])
        if (error?.type === 'InternalException') throw new Broken(`not typed: ${JSON.stringify(error)}\n${house.lines.join('\n')}`);
      return result;
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

/** Gives undefined for an error of ours; anything else is a fault. */
export const typed = (fault: unknown): undefined => {
  if (fault instanceof FileAutomationException && fault.type !== 'InternalException') return undefined;
  throw fault instanceof Error ? new Broken(`not typed: ${fault.stack}`) : new Broken(`not even an error: ${String(fault)}`);
};
