import { isDeepStrictEqual } from 'node:util';
import { configJsonSchema, type KeySchema } from '../../../src/services/config/json-schema.ts';
import { PATH, REFERENCES, SECRET } from '../../../src/services/config/schema/keys.ts';
import { type ConfigKey, keysBelow } from '../config/keys.ts';
import { variableOf } from '../config/variable.ts';
import { code, derivedFrom, table } from './markdown.ts';

/** The page of all sections and keys of `factotum.toml`. */
export const configurationPage = (): string => `${derivedFrom('src/services/config/schema')}

# Configuration

\`factotum.toml\` is looked for at \`--config\`, \`$FACTOTUM_CONFIG\`, \`./factotum.toml\` and
\`$XDG_CONFIG_HOME/factotum/factotum.toml\`; the first one found counts. An option of the command line is stronger than a variable,
a variable stronger than the file, and what nobody says has its default. Unknown keys are refused. How to write one:
[configure factotum](../how-to/configure.md).

- A *path* that is relative counts from the directory of the file; in a variable or an option, from the working directory.
- A *text with references* or a *secret* may hold \`\${env:NAME}\` and \`\${file:NAME}\`, which are read when the value is used. \`$\${\` stands
  for \`\${\` itself. Secrets are never shown.
- A list in a variable is written with commas, true and false also as 1 and 0.

${Object.entries(configJsonSchema().properties ?? {})
  .flatMap(([name, schema]) => sectionText(name, schema))
  .join('\n\n')}
`;

const sectionText = (name: string, schema: KeySchema): string[] => {
  const [only, ...others] = Object.entries(schema.properties ?? {});
  // A section that holds nothing but a list of tables is read as that list.
  const isTables = only?.[1].items?.properties !== undefined || only?.[1].items?.oneOf !== undefined;
  if (only !== undefined && others.length === 0 && isTables) return sectionText(`${name}.${only[0]}`, only[1]);
  const entry = schema.items ?? (schema.additionalProperties || schema);
  const heading = schema.items !== undefined ? `[[${name}]]` : entry === schema ? `[${name}]` : `[${name}.NAME]`;
  return [
    `## \`${heading}\``,
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(entry.oneOf === undefined ? keyTable(keysBelow(entry), entry === schema ? name : undefined) : kindTables(entry.oneOf)),
  ];
};

/** A table of several kinds: first the keys that all share, then what each has alone. */
const kindTables = (kinds: readonly KeySchema[]): string[] => {
  const [first = {}] = kinds;
  const types = kinds.flatMap(({ properties }) => properties?.type?.const ?? []);
  const isShared = ({ path: [key = ''] }: ConfigKey) =>
    kinds.every(({ properties }) => isDeepStrictEqual(properties?.[key], first.properties?.[key]));
  const type: ConfigKey = { path: ['type'], schema: { description: 'The kind.', enum: types }, isRequired: true };
  return [
    ...keyTable([type, ...keysBelow(first).filter(isShared)]),
    ...kinds.flatMap((kind, at) => [
      `With \`type = "${types[at]}"\`:`,
      ...keyTable(keysBelow(kind).filter((key) => key.path[0] !== 'type' && !isShared(key))),
    ]),
  ];
};

/** A table of keys; those of a section have variables. */
const keyTable = (keys: readonly ConfigKey[], section?: string): string[] => {
  const rows = keys.filter(({ path }) => path.at(-1) !== '*');
  if (rows.length === 0) return [];
  const variables = rows.map(({ path, ...key }) => (section === undefined ? [] : variableOf({ ...key, path: [section, ...path] })));
  const hasVariables = variables.some(([variable]) => variable !== undefined);
  return [
    table(
      ['key', 'value', 'default', 'meaning', ...(hasVariables ? ['variable'] : [])],
      rows.map(({ path, schema, isRequired }, at) => [
        code(path.join('.').replaceAll('*', 'NAME')),
        valueWords(schema),
        schema.default === undefined ? (isRequired ? 'required' : '') : code(JSON.stringify(schema.default)),
        schema.description ?? '',
        ...(hasVariables ? [(variables[at] ?? []).map(({ name }) => code(name)).join('')] : []),
      ]),
    ),
  ];
};

const valueWords = (schema: KeySchema): string => {
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema[SECRET] === true) return 'secret';
  if (schema[PATH] === true) return 'path';
  if (schema[REFERENCES] === true) return 'text with references';
  if (schema.items !== undefined) return `list (${valueWords(schema.items)})`;
  return KINDS[schema.type ?? ''] ?? 'list or table';
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'table',
};
