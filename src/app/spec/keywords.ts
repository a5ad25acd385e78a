import { ArgumentException } from '../../core/errors.ts';
import { demandKnownKeys } from '../../lib/text/known-keys.ts';

/** What an argument must be; `any` is for those whose value the callee judges. */
type Kind = 'number' | 'string' | 'boolean' | 'function' | 'any';

/** The arguments of a callable in their order. */
type Kinds<T> = { readonly [Key in keyof T]-?: Kind };

/**
 * Reads arguments as the specification's language hands them over: in order, and by name in an object at the end. Null and undefined stand
 * for an argument that was left out. Refuses what is unknown, given twice, or of another kind.
 */
export const readArguments = <T extends object>(callee: string, kinds: Kinds<T>, given: readonly unknown[]): Partial<T> => {
  const names = Object.keys(kinds);
  const lastAt = given.findLastIndex((value) => value !== undefined);
  const keywords = keywordsIn(given[lastAt], kinds[names[lastAt] as keyof T]); // undefined beyond the last name
  const ordered = keywords === undefined ? given : given.slice(0, lastAt);
  if (ordered.length > names.length && ordered.slice(names.length).some((value) => value !== undefined)) {
    throw new ArgumentException(`${callee} takes at most ${names.length} arguments: ${names.join(', ')}.`);
  }
  demandKnownKeys(keywords ?? {}, names, callee);
  const values = names.flatMap((name, at): [string, unknown][] => {
    const positional = ordered[at] ?? undefined;
    const named = keywords?.[name] ?? undefined;
    if (positional !== undefined && named !== undefined) {
      throw new ArgumentException(`${callee} was given ${name} twice, in order and by name; leave one out.`, {
        context: { argument: name },
      });
    }
    const value = positional ?? named;
    return value === undefined ? [] : [[name, demandKind(value, kinds[name as keyof T], { callee, name })]];
  });
  return Object.fromEntries(values) as Partial<T>; // names and kinds were looked at above
};

/** A plain object where none is expected holds arguments by name. */
const keywordsIn = (value: unknown, kind: Kind | undefined): Readonly<Record<string, unknown>> | undefined => {
  if (kind === 'any' || typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Readonly<Record<string, unknown>>) : undefined; // it is a plain object
};

const demandKind = (value: unknown, kind: Kind, { callee, name }: { readonly callee: string; readonly name: string }): unknown => {
  if (kind === 'any' || typeof value === kind) return value;
  throw new ArgumentException(`${callee}: ${name} must be a ${kind}.`, { context: { argument: name, expected: kind } });
};
