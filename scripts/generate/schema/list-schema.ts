import type { Description } from '../../../src/core/description.ts';
import type { JsonSchema } from '../../../src/core/shapes.ts';
import { jsonLines } from '../json-lines.ts';
import { asWritten, referenceSchema } from './as-written.ts';
import { partsOf } from './schema-parts.ts';
import { wireSchemas } from './wire-schemas.ts';

/**
 * The JSON Schema of action lists for editors: every action with its arguments, by name and by position.
 * It decides by conditions instead of alternatives, so that an editor shows what is wrong with the one thing that was meant.
 */
export const listSchemaSource = (descriptions: readonly Description[]): string =>
  jsonLines({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:factotum:action-list',
    title: 'Action list',
    description: 'A list of commands, a wrapped list or a graph. Written by `npm run generate` from the definitions in src/actions.',
    $ref: '#/$defs/steps',
    $defs: {
      ...wireSchemas,
      steps: {
        description: 'Commands to run: a list, a wrapped list or a graph.',
        ...when(isList, refer('command_list'), when({ required: ['nodes'] }, refer('graph'), refer('wrapped_list'))),
      },
      reference: referenceSchema,
      command: commandSchema(descriptions),
      ...Object.fromEntries(descriptions.flatMap(actionSchemas)),
    },
  });

const isList: JsonSchema = { type: 'array' };
const refer = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const when = (condition: JsonSchema, yes: JsonSchema, no?: JsonSchema): JsonSchema => ({
  if: condition,
  then: yes,
  ...(no && { else: no }),
});

const commandSchema = (descriptions: readonly Description[]): JsonSchema => ({
  type: 'array',
  description: 'The name of an action and its arguments, by name or in order.',
  prefixItems: [{ enum: descriptions.flatMap(({ name, aliases }) => [name, ...aliases]).sort() }],
  minItems: 1,
  maxItems: 2,
  allOf: descriptions.map((description) =>
    when({ ...isList, minItems: 1, prefixItems: [nameSchema(description)] }, refer(description.name)),
  ),
});

const nameSchema = ({ name, aliases }: Description): JsonSchema => (aliases.length === 0 ? { const: name } : { enum: [name, ...aliases] });

const actionSchemas = (description: Description): [string, JsonSchema][] => {
  const { name, summary, deprecated, order } = description;
  const { properties = {}, required = [] } = partsOf(description.arguments);
  const byName = `${name}.arguments`;
  // By position everything up to the last required argument has to be there.
  const atLeast = order.findLastIndex((key) => required.includes(key)) + 1;
  const inOrder: JsonSchema = {
    description: order.length === 0 ? 'It takes no arguments.' : `In order: ${order.join(', ')}.`,
    ...(order.length > 0 && { prefixItems: order.map((key) => refer(`${byName}/properties/${key}`)) }),
    minItems: atLeast,
    maxItems: order.length,
  };
  return [
    [
      name,
      {
        description: summary,
        ...(deprecated && { deprecated: true }),
        prefixItems: [{ ...nameSchema(description), description: summary }, when(isList, inOrder, refer(byName))],
        minItems: atLeast > 0 ? 2 : 1,
        maxItems: 2,
      },
    ],
    [
      byName,
      { ...description.arguments, properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, asWritten(each)])) },
    ],
  ];
};
