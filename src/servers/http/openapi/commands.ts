import type { Description } from '../../../core/description.ts';
import { refer, type Schema, toDialect } from './dialect.ts';

/** The schemas of one action: its command, its arguments by name, and the value it gives. */
export const actionSchemas = (description: Description): Record<string, Schema> => {
  const { name, aliases, deprecated, summary, order, examples } = description;
  // A plain function that was registered takes whatever it is given.
  const isOpen = description.arguments.additionalProperties === true;
  const byName = { ...toDialect(description.arguments, orReference), ...(order.length === 0 && !isOpen && NO_MEMBERS) };
  const atLeast = order.findLastIndex((key) => isRequired(byName, key)) + 1;
  const [example] = examples;
  return {
    [name]: {
      type: 'array',
      description: `${summary} Its name, then its arguments by name or in order.`,
      ...(deprecated && { deprecated: true }),
      minItems: atLeast > 0 ? 2 : 1,
      maxItems: 2,
      items: {
        anyOf: [
          { type: 'string', enum: [name, ...aliases] },
          refer(`${name}_arguments`),
          isOpen ? ANY_LIST : { ...ANY_LIST, minItems: atLeast, maxItems: order.length, description: inOrder(order) },
        ],
      },
      ...(example && { example: [name, example.args] }),
      'x-value': refer(`${name}_value`),
    },
    [`${name}_arguments`]: { description: `The arguments of ${name} by name.`, ...byName },
    [`${name}_value`]: described(`What ${name} gives.`, toDialect(description.returns)),
  };
};

/** Beside a reference this dialect reads nothing else. */
const described = (description: string, schema: Schema): Schema =>
  '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };

/** Every command there is. */
export const commandSchema = (descriptions: readonly Description[]): Schema => ({
  description: 'The name of an action and its arguments, by name or in order.',
  anyOf: descriptions.map(({ name }) => refer(name)),
});

/** A text that holds a reference; the value it stands for is checked when the command runs. */
export const referenceSchema: Schema = {
  type: 'string',
  pattern: '\\$\\{',
  description: 'A reference such as ${results[0].value}, in place of a value.',
};

const ANY_LIST: Schema = { type: 'array', items: {} };

/** Out of an object that can have no members generators make a type that takes everything; out of this one they do not. */
const NO_MEMBERS: Schema = { additionalProperties: toDialect({ type: 'null' }) };

const inOrder = (order: readonly string[]): string => (order.length === 0 ? 'It takes no arguments.' : `In order: ${order.join(', ')}.`);

const isRequired = ({ required }: Schema, key: string): boolean => Array.isArray(required) && required.includes(key);

/** At every place of the arguments a reference may stand for the value. */
const orReference = (schema: Schema): Schema => {
  if (takesAnyText(schema)) return schema;
  const { description, default: fallback, ...rest } = schema;
  const isUnion = Array.isArray(rest.anyOf) && Object.keys(rest).length === 1;
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [...(isUnion ? (rest.anyOf as Schema[]) : [rest]), refer('reference')], // a list by the test before
  };
};

/** Whether a text with a reference passes already. */
const takesAnyText = (schema: Schema): boolean => {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(takesAnyText);
  if (['$ref', 'allOf', 'enum', 'pattern', 'maxLength', 'format'].some((keyword) => keyword in schema)) return false;
  return schema.type === undefined || schema.type === 'string';
};
