import type { Description } from '../../../core/description.ts';
import { CancelledException, PolicyException } from '../../../core/errors.ts';
import type { About } from '../../../core/ready.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import { rewriteJson } from '../../../lib/json/rewrite.ts';
import type { McpParts } from '../parts.ts';
import { answerError, answerObject, answerValue, type Structured } from './answers.ts';
import { hintsOf } from './hints.ts';
import { runRequest } from './run-request.ts';
import { isObjectSchema, type ObjectSchema, outputSchema, propertiesOf, withDefs } from './schemas.ts';
import type { Given, Tool } from './tool.ts';

/** An action as a tool: its name, its schemas, one command. */
export const actionTool = (parts: McpParts, about: About, { name, summary, arguments: schema, returns, idempotent }: Description): Tool => {
  const { defs } = parts.catalogue;
  const own = propertiesOf(schema);
  // An action of somebody else may have an argument of that name.
  const properties = Object.hasOwn(own, 'expect_plan') ? own : { ...own, expect_plan: EXPECT_PLAN };
  return {
    name,
    describe: () => ({
      description: summary,
      inputSchema: withDefs<ObjectSchema>({ ...schema, type: 'object', properties }, defs),
      outputSchema: outputSchema(returns, defs),
      annotations: hintsOf(about.effects, idempotent),
    }),
    async call(all, call) {
      const { given, expectPlan } = properties === own ? { given: all, expectPlan: undefined } : apart(all);
      const command = Object.keys(given).length === 0 ? [name] : [name, literally(given, about)];
      const request = expectPlan === undefined ? [command] : { actions: [command], expect_plan: expectPlan };
      const [outcome] = (await runRequest(parts, request, call).catch(tellingHow(name))).results;
      if (outcome?.status !== 'ok') return answerError(outcome?.error ?? notRun(name, outcome?.reason), outcome);
      const { value, notes = [] } = outcome;
      return isObjectSchema(returns, defs) ? answerObject(value as Structured, notes) : answerValue(value, notes); // as its schema says
    },
  };
};

/** What is for the action, and the plan that is expected. */
const apart = ({ expect_plan: expectPlan, ...given }: Given): { readonly given: Given; readonly expectPlan: unknown } => ({
  given,
  expectPlan,
});

/** Said in few words: it stands in every tool. */
const EXPECT_PLAN: JsonSchema = { type: 'string', description: 'Only if planning it gives this plan_hash.' };

/** A call that needs somebody's yes is made again through the same tool. */
const tellingHow =
  (name: string) =>
  (fault: unknown): never => {
    if (!(fault instanceof PolicyException) || typeof fault.context.plan_hash !== 'string') throw fault;
    const { plan_hash: plan } = fault.context;
    throw new PolicyException(
      `This call needs somebody's yes: have the owner run \`factotum approve ${plan}\`, then call ${name} again with the same arguments and "expect_plan": "${plan}". What it would do is told by factotum_plan.`,
      { context: fault.context },
    );
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
