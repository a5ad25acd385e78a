import { errorOfOutcome } from '../../core/error-of.ts';
import { InternalException } from '../../core/errors.ts';
import { plainText } from '../../core/plain-text.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import type { ActionMap } from '../actions.generated.ts';
import { sharedFactotum } from '../shared-factotum.ts';

/** Runs one action of the shared instance and gives its value; a failed one throws its error. Arguments are taken as they are. */
export const callAction = async <N extends keyof ActionMap>(name: N, args: ActionMap[N]['args']): Promise<ActionMap[N]['value']> => {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return runOne(name, rewriteJson(given, { text: plainText }));
};

/** The same where references count: a list that is stored keeps them. */
export const askAction = <N extends keyof ActionMap>(name: N, args: ActionMap[N]['args']): Promise<ActionMap[N]['value']> =>
  runOne(name, args);

const runOne = async <N extends keyof ActionMap>(name: N, args: unknown): Promise<ActionMap[N]['value']> => {
  const { results } = await sharedFactotum().run([[name, args]]);
  const [outcome] = results;
  if (outcome === undefined) throw new InternalException(`${name} has no result; run it again.`);
  if (outcome.status !== 'ok') throw errorOfOutcome(outcome);
  // The action's own definition is where the map of types comes from.
  return outcome.value as ActionMap[N]['value'];
};
