import type { Description } from '../../src/core/description.ts';
import type { JsonSchema } from '../../src/core/shapes.ts';
import { partsOf } from './schema/schema-parts.ts';
import { commentSafe, fieldName, typeText } from './type-text.ts';

/** The types of all actions as one flat interface: a consumer's compiler reads plain text instead of inferring every definition. */
export const actionMapSource = (
  descriptions: readonly Description[],
): string => `// Written by \`npm run generate\` from the definitions in src/actions.
import type { Outcome, RunResult } from '../core/result.ts';
import type { NestedList } from './typed/commands.ts';
import type { GraphNode } from './typed/lists.ts';

/**
 * Every built-in action by name: what a caller writes, the order of arguments without a name, and the value that comes back. Programs and
 * plugins declare their own actions here: \`declare module 'factotum' { interface ActionMap { … } }\`.
 */
export interface ActionMap {
${descriptions.map(memberText).join('\n')}
}
`;

const memberText = ({ name, aliases, deprecated, summary, arguments: schema, returns }: Description): string => {
  const remark = deprecated === undefined ? summary : `${summary}\n   * @deprecated since ${deprecated.since}; use ${deprecated.use}.`;
  const { properties = {}, required = [] } = partsOf(schema);
  const fields = Object.entries(properties).map(([key, argument]) => argumentText(key, argument, required.includes(key)));
  return [
    `  /** ${commentSafe(remark)} */`,
    `  ${fieldName(name)}: {`,
    fields.length === 0 ? '    args: Readonly<Record<string, never>>;' : `    args: {\n${fields.join('\n')}\n    };`,
    `    order: readonly [${Object.keys(properties)
      .map((key) => `${labelText(key)}${required.includes(key) ? '' : '?'}: ${JSON.stringify(key)}`)
      .join(', ')}];`,
    `    value: ${typeText(returns)};`,
    '  };',
    ...aliases.flatMap((alias) => [`  /** Another name of ${name}. */`, `  ${fieldName(alias)}: ActionMap[${JSON.stringify(name)}];`]),
  ].join('\n');
};

const argumentText = (key: string, schema: JsonSchema, isRequired: boolean): string => {
  const fallback = isRequired ? '' : ` Default: ${JSON.stringify(schema.default)}.`;
  return `      /** ${commentSafe(`${schema.description}${fallback}`)} */\n      readonly ${fieldName(key)}${isRequired ? '' : '?'}: ${typeText(schema)};`;
};

/** A label of a tuple, which compilers show; words of the language cannot be one before a question mark. */
const labelText = (key: string): string => (RESERVED.has(key) || fieldName(key) !== key ? `${key.replaceAll(/[^\w$]/g, '_')}_` : key);

const RESERVED = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof new null return super switch this throw true try typeof var void while with yield'
  ).split(' '),
);
