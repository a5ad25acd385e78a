import { errorOfOutcome } from '../../core/error-of.ts';
import { InternalException } from '../../core/errors.ts';
import type { RunResult } from '../../core/result.ts';
import type { ActionCallOptions, CallAction } from '../factotum.ts';
import { sharedFactotum } from '../shared-factotum.ts';
import type { ActionValue } from '../typed/call.ts';

/** Runs one action of an instance. References in texts are read, as in every list. */
export const callThrough =
  (run: () => (request: unknown, options?: ActionCallOptions) => Promise<RunResult>): CallAction =>
  async (name, ...[args, options]) => {
    const { results } = await run()([[name, args ?? {}]], options);
    const [outcome] = results;
    if (outcome === undefined) throw new InternalException(`${name} has no result; run it again.`);
    if (outcome.status !== 'ok') throw errorOfOutcome(outcome);
    return outcome.value as ActionValue<typeof name>; // the definition of the action is where the map of types comes from
  };

/** Runs one action of the shared instance and gives its value; one that fails throws the class of its error. */
export const call = callThrough(() => sharedFactotum().run);
