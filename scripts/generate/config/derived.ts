import { configJsonSchema } from '../../../src/services/config/json-schema.ts';
import { parseConfig } from '../../../src/services/config/parse.ts';
import { PATH, REFERENCES, SECRET } from '../../../src/services/config/schema/keys.ts';
import { keysBelow } from './keys.ts';
import { variableOf } from './variable.ts';

/** What must be known of the configuration without loading its schema, which takes longer than most lists run. */
export const configDerivedSource = (): string => {
  const keys = keysBelow(configJsonSchema());
  const marked = (mark: string) => [...new Set(keys.filter(({ schema }) => schema[mark] === true).map(({ path }) => path.join('.')))];
  return `// Written by \`npm run generate\` from src/services/config/schema; edit those files instead.
import type { Config } from './config.generated.ts';
import type { Variable } from './variables.ts';

/** The configuration where nothing is configured. */
export const DEFAULTS: Config = ${JSON.stringify(parseConfig({}).config)};

/** Every variable that sets a key. */
export const VARIABLES: readonly Variable[] = [
${keys
  .flatMap(variableOf)
  .map((variable) => `  ${JSON.stringify(variable)},`)
  .join('\n')}
];

/** Keys that hold paths; \`*\` is any entry of a list or any name of a table. */
export const PATHS: readonly string[] = ${listing(marked(PATH))};

/** Keys whose texts may hold references. */
export const REFERRING: readonly string[] = ${listing(marked(REFERENCES))};

/** Keys that hold secrets. */
export const SECRETS: readonly string[] = ${listing(marked(SECRET))};
`;
};

const listing = (items: readonly string[]): string => `[\n${items.map((item) => `  ${JSON.stringify(item)},`).join('\n')}\n]`;
