import type { KeySchema } from '../../../src/services/config/json-schema.ts';

/** A key of the configuration and where it stands; `*` is any entry of a list or any free name. */
export interface ConfigKey {
  readonly path: readonly string[];
  readonly schema: KeySchema;
  readonly isRequired: boolean;
}

/** Every key below a schema, in order; the alternatives of a table are told one after the other. */
export const keysBelow = (schema: KeySchema, path: readonly string[] = []): ConfigKey[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([key, each]): ConfigKey[] => {
    const found: ConfigKey = { path: [...path, key], schema: each, isRequired: schema.required?.includes(key) ?? false };
    return [found, ...keysBelow(each, found.path)];
  }),
  ...entriesOf(schema).flatMap((entry): ConfigKey[] => [
    { path: [...path, '*'], schema: entry, isRequired: false },
    ...keysBelow(entry, [...path, '*']),
  ]),
  ...(schema.oneOf ?? []).flatMap((each) => keysBelow(each, path)),
];

const entriesOf = ({ items, additionalProperties }: KeySchema): KeySchema[] => [
  ...(items === undefined ? [] : [items]),
  ...(additionalProperties === undefined || additionalProperties === false ? [] : [additionalProperties]),
];
