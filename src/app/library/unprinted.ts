import { inspect } from 'node:util';
import { MASK } from '../../access/secret.ts';
import { SECRETS } from '../../services/config/derived.generated.ts';
import { isTable, rewriteTexts } from '../../services/config/tree.ts';
import type { Config } from '../config/load-config.ts';

/**
 * A section whose secrets can be used and are not printed: `JSON.stringify` and `util.inspect` show a mask, of the whole and of every table
 * inside. What is copied out of it is the copier's.
 */
export const unprinted = <Name extends keyof Config>(name: Name, section: Config[Name]): Config[Name] =>
  shadowed(section, rewriteTexts({ [name]: section }, SECRETS, () => MASK)[name]) as Config[Name]; // shadowing keeps the shape

/** A copy whose tables print as the masked ones do. */
const shadowed = (value: unknown, masked: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item, at) => shadowed(item, Reflect.get(Object(masked), at)));
  if (!isTable(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shadowed(each, Reflect.get(Object(masked), key))]));
  const hidden = { value: () => masked, enumerable: false };
  return Object.defineProperties(copy, { toJSON: hidden, [inspect.custom]: hidden });
};
