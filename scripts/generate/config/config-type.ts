import { filledConfigSchema } from '../../../src/services/config/json-schema.ts';
import { partsOf } from '../schema/schema-parts.ts';
import { commentSafe, fieldName, typeText } from '../type-text.ts';

/** A whole configuration as plain types: a program that uses the library reads these instead of the types of the schema. */
export const configTypeSource = (): string => {
  const { properties = {}, required = [] } = partsOf(filledConfigSchema());
  const sections = Object.entries(properties).map(([name, schema]) =>
    [
      `  /** ${commentSafe(String(schema.description ?? 'See the reference.'))} */`,
      `  readonly ${fieldName(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema)};`,
    ].join('\n'),
  );
  return `// Written by \`npm run generate\` from src/services/config/schema; edit those files instead.

/** A whole configuration: defaults filled in, references as written. */
export interface Config {
${sections.join('\n')}
}
`;
};
