import type { Description } from '../../../core/describe.ts';
import { CancelledException } from '../../../core/errors.ts';
import type { About } from '../../../core/ready.ts';
import { rewriteJson } from '../../../lib/json/rewrite.ts';
import type { McpParts } from '../parts.ts';
import { answerError, answerObject, answerValue, type Structured } from './answers.ts';
import { hintsOf } from './hints.ts';
import { runRequest } from './run-request.ts';
import { isObjectSchema, type ObjectSchema, outputSchema, withDefs } from './schemas.ts';
import type { Given, Tool } from './tool.ts';

/** An action as a tool: its name, its schemas, one command. */
export const actionTool = (parts: McpParts, about: About, { name, summary, arguments: schema, returns, idempotent }: Description): Tool => {
  const { defs } = parts.catalogue;
  return {
    name,
    describe: () => ({
      description: summary,
      inputSchema: withDefs<ObjectSchema>({ ...schema, type: 'object' }, defs),
      outputSchema: outputSchema(returns, defs),
      annotations: hintsOf(about.effects, idempotent),
    }),
    async call(given, call) {
      const command = Object.keys(given).length === 0 ? [name] : [name, literally(given, about)];
      const [outcome] = (await runRequest(parts, [command], call)).results;
      if (outcome?.status !== 'ok') return answerError(outcome?.error ?? notRun(name, outcome?.reason), outcome);
      const { value, notes = [] } = outcome;
      return isObjectSchema(returns, defs) ? answerObject(value as Structured, notes) : answerValue(value, notes); // as its schema says
    },
  };
};

/**
 * What a tool is given means what it says: a script with `${HOME}` in it is written as it is. Only nested lists keep their references.
 */
const literally = (given: Given, { steps }: About): Given => {
  const nested = new Set(steps.flatMap(({ key, given: own }) => (own === undefined ? [key] : [key, own.key])));
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      nested.has(key) ? value : rewriteJson(value, { text: (text) => text.split('${').join('$${') }),
    ]),
  );
};

/** A command that was stopped before it began has no error of its own. */
const notRun = (action: string, reason = 'The command was not run.') => new CancelledException(reason, { context: { action } }).toJSON();
