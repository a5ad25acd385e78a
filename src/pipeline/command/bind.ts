import { ArgumentException } from '../../core/errors.ts';
import type { Ready } from '../../core/ready.ts';
import { faultOf, kindOf } from '../../core/shapes.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Written } from '../run.ts';

/** Stands for a value that only a real run can tell; it is not checked. */
export const LATER: unique symbol = Symbol('later');

/** Reads references in a value as written; nested lists never pass through it. */
export type Read = (value: unknown) => unknown;

/** What an action gets, by name. */
export type Bindings = Record<string, unknown>;

/** Puts written arguments to their names, reads references, checks types and fills defaults. Throws `ArgumentException`. */
export const bind = (ready: Ready, given: Written, read: Read, index: number): Bindings => {
  if (given === undefined) return fill(ready, {}, index);
  return Array.isArray(given) ? byPosition(ready, given, read, index) : byName(ready, given as { readonly [key: string]: unknown }, read, index);
};

const byName = (ready: Ready, given: { readonly [key: string]: unknown }, read: Read, index: number): Bindings => {
  const bound: Bindings = {};
  for (const key in given) {
    const at = ready.places.get(key);
    if (at === undefined) throw unknownArgument(ready, key, index);
    bound[key] = take(ready, at, given[key], read, index);
  }
  return fill(ready, bound, index);
};

const byPosition = (ready: Ready, given: readonly unknown[], read: Read, index: number): Bindings => {
  const { keys } = ready;
  if (given.length > keys.length) {
    throw wrong(ready, index, null, `takes at most ${keys.length} argument${keys.length === 1 ? '' : 's'}, not ${given.length}`);
  }
  const bound: Bindings = {};
  for (let at = 0; at < given.length; at += 1) bound[keys[at] ?? ''] = take(ready, at, given[at], read, index);
  return fill(ready, bound, index);
};

const take = (ready: Ready, at: number, written: unknown, read: Read, index: number): unknown => {
  const arg = ready.args[at];
  if (arg === undefined) return written;
  const value = ready.holdsSteps[at] === true && typeof written !== 'string' ? written : read(written);
  if (value === LATER) return LATER;
  if (arg.accepts(value)) return arg.read === undefined ? value : arg.read(value);
  const { at: place, expected, got } = faultOf(arg, value);
  throw wrong(ready, index, `${ready.keys[at]}${place}`, `${ready.keys[at]}${place} must be ${expected}, not ${got}`);
};

const fill = (ready: Ready, bound: Bindings, index: number): Bindings => {
  const { keys, args } = ready;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? '';
    if (bound[key] !== undefined) continue;
    const arg = args[at];
    if (arg?.optional === true) bound[key] = arg.fallback;
    else throw wrong(ready, index, key, `needs ${key} (${arg?.expected ?? 'a value'})`);
  }
  return bound;
};

const unknownArgument = (ready: Ready, key: string, index: number) => {
  const shown = key.slice(0, 100);
  const hint = didYouMean(key, ready.keys) || (ready.keys.length === 0 ? '; it takes none' : `; it takes ${ready.keys.join(', ')}`);
  return wrong(ready, index, shown, `has no argument ${JSON.stringify(shown)}${hint}`);
};

const wrong = (ready: Ready, index: number, argument: string | null, what: string) =>
  new ArgumentException(`Command ${index} (${ready.about.name}) ${what}${what.endsWith('?') ? '' : '.'}`, {
    context: { index, action: ready.about.name, ...(argument !== null && { argument }) },
  });

/** Arguments of a plain function: references read, nothing checked. */
export const bindPlain = (given: Written, read: Read): readonly unknown[] => {
  if (given === undefined) return [];
  const value = read(given);
  return Array.isArray(value) ? value : [value];
};

/** The arguments as written, by name where they have one: what logs, plans and history show. */
export const asWritten = (ready: Ready | undefined, given: Written): unknown => {
  if (given === undefined) return {};
  if (!Array.isArray(given) || ready === undefined || ready.plain !== undefined) return given;
  return Object.fromEntries(given.map((value, at) => [ready.keys[at] ?? `argument ${at} (${kindOf(value)})`, value]));
};
