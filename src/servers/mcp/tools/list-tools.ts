import type { EffectClass } from '../../../core/effects.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import type { McpParts } from '../parts.ts';
import { mayExecute, mayReach } from '../rights/rights.ts';
import { answerRun } from './answers.ts';
import { hintsOf } from './hints.ts';
import { runRequest } from './run-request.ts';
import { type ObjectSchema, outputSchema, propertiesOf, withDefs } from './schemas.ts';
import type { Tool } from './tool.ts';

/** `factotum_run`: a list or graph, with everything that its actions may do. */
export const runTool = (parts: McpParts): Tool => ({
  name: 'factotum_run',
  describe: () => ({
    description:
      'Runs actions on files: `actions` is a list of [name, {arguments}], `nodes` a graph of them. Later commands may use earlier values: ' +
      '"${results[0].value}", in graphs "${nodes.ID.value}". Find names with factotum_find_actions, arguments with factotum_describe_action.',
    inputSchema: listSchema(parts, ['auto_control', 'dry_run']),
    outputSchema: outputSchema(RUN_RESULT, parts.catalogue.defs),
    annotations: hintsOf(possibleEffects(parts), false),
  }),
  call: async (given, call) => answerRun(await runRequest(parts, given, call)),
});

/** `factotum_plan`: the same as a dry run. */
export const planTool = (parts: McpParts): Tool => ({
  name: 'factotum_plan',
  describe: () => ({
    description:
      'Tells what factotum_run would do with the same list or graph, file by file, and changes nothing. ' +
      'Give the plan_hash of the answer to factotum_run as expect_plan to run exactly that.',
    inputSchema: listSchema(parts, ['auto_control', 'dry_run', 'expect_plan']),
    outputSchema: outputSchema(RUN_RESULT, parts.catalogue.defs),
    annotations: hintsOf(['reads'], true),
  }),
  call: async (given, call) => answerRun(await runRequest(parts, { ...given, dry_run: true }, call)),
});

const RUN_RESULT: JsonSchema = { $ref: '#/$defs/run_result' };

/** What a list may do at most. */
const possibleEffects = ({ rights }: McpParts): EffectClass[] => [
  'reads',
  ...(rights.readOnly === true ? [] : (['writes', 'removes'] as const)),
  ...(mayExecute(rights) ? (['executes'] as const) : []),
  ...(mayReach(rights) ? (['network'] as const) : []),
];

/** The keys of wrapped lists and graphs side by side: hosts take no alternatives at the top of a schema. */
const listSchema = ({ catalogue: { defs } }: McpParts, without: readonly string[]): ObjectSchema => {
  const properties = { ...propertiesOf(defs.wrapped_list), ...propertiesOf(defs.graph) };
  const kept = Object.entries(properties).filter(([key]) => !without.includes(key));
  return withDefs({ type: 'object', properties: Object.fromEntries(kept), additionalProperties: false }, defs);
};
