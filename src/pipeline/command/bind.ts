import { ArgumentException } from '../../core/errors.ts';
import { LATER } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import { faultOf, kindOf } from '../../core/shapes.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Written } from '../run.ts';

/** Reads references in a value as written by the command at `index` for its argument `at`; nested lists never pass through it. */
export type Read = (value: unknown, index: number, at: number) => unknown;

/** What an action gets, by name. */
export type Bindings = Record<string, unknown>;

/** Arguments as written by name. */
type Named = { readonly [key: string]: unknown };

/** Puts written arguments to their names, reads references, checks types and fills defaults. Throws `ArgumentException`. */
export const bind = (ready: Ready, given: Written, read: Read, index: number): Bindings => {
  const isNamed = given !== undefined && !Array.isArray(given);
  if (isNamed && fitsAsWritten(ready, given as Named)) return { ...(given as Named) };
  // A copy of one template has the same hidden class for every call, and the defaults are in it already.
  const bound: Bindings = { ...ready.template };
  if (isNamed) byName(bound, ready, given as Named, read, index);
  else if (given !== undefined) byPosition(bound, ready, given as readonly unknown[], read, index);
  for (const at of ready.required) {
    const key = ready.keys[at] ?? '';
    if (bound[key] === undefined) throw missing(ready, at, index);
  }
  return bound;
};

/** Whether every argument stands there, in order, with a fitting value in which nothing is to be read. */
const fitsAsWritten = ({ keys, args }: Ready, given: Named): boolean => {
  // One look tells the many that leave their last argument out; what is inherited would be lost in a copy.
  if (given[keys[keys.length - 1] ?? ''] === undefined || Object.getPrototypeOf(given) !== Object.prototype) return false;
  let at = 0;
  for (const key in given) {
    const arg = args[at];
    const written = given[key];
    if (keys[at] !== key || arg === undefined || arg.read !== undefined) return false;
    if (mayHoldReferences(written) || !arg.accepts(written)) return false;
    at += 1;
  }
  return at === keys.length;
};

const byName = (bound: Bindings, ready: Ready, given: Named, read: Read, index: number) => {
  let turn = 0;
  for (const key in given) {
    // Most lists give arguments in the order of the definition, and then nothing needs to be looked up.
    const at = ready.keys[turn] === key ? turn : placeOf(ready, key, index);
    bound[key] = take(ready, at, given[key], read, index);
    turn = at + 1;
  }
};

const placeOf = (ready: Ready, key: string, index: number): number => {
  const at = ready.places.get(key);
  if (at === undefined) throw unknownArgument(ready, key, index);
  return at;
};

const byPosition = (bound: Bindings, ready: Ready, given: readonly unknown[], read: Read, index: number) => {
  const { keys } = ready;
  if (given.length > keys.length) throw tooMany(ready, given.length, index);
  for (let at = 0; at < given.length; at += 1) bound[keys[at] ?? ''] = take(ready, at, given[at], read, index);
};

const take = (ready: Ready, at: number, written: unknown, read: Read, index: number): unknown => {
  const arg = ready.args[at];
  if (arg === undefined) return written;
  // A nested list stays as written: its references are read when it runs. A text can only be a reference to one.
  const value =
    !mayHoldReferences(written) || (ready.holdsSteps[at] === true && typeof written !== 'string') ? written : read(written, index, at);
  if (value === LATER) return LATER; // what it is cannot be checked
  if (arg.accepts(value)) return arg.read === undefined ? value : arg.read(value);
  const { at: place, expected, got: shown } = faultOf(arg, value);
  const got = arg.roles.includes('secret') ? kindOf(value) : shown;
  throw wrong(ready, index, `${ready.keys[at]}${place}`, `${ready.keys[at]}${place} must be ${expected}, not ${got}`);
};

/** False for texts without `${`, numbers, booleans and null: most arguments are never looked into. */
const mayHoldReferences = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('${') : typeof value === 'object' && value !== null;

/** Makes each check of `bind` on its own through `attempt`, with the argument it is about, so that all faults come to light. */
export const bindEach = (
  ready: Ready,
  given: Written,
  read: Read,
  index: number,
  attempt: (check: () => unknown, argument?: string) => void,
): void => {
  const known = new Set<number>();
  if (Array.isArray(given)) {
    attempt(() => {
      if (given.length > ready.keys.length) throw tooMany(ready, given.length, index);
    });
    for (const [at, written] of given.entries()) {
      if (written !== undefined) known.add(at);
      attempt(() => take(ready, at, written, read, index), ready.keys[at]);
    }
  } else {
    for (const [key, written] of Object.entries(given ?? {})) {
      if (written !== undefined) known.add(ready.places.get(key) ?? -1);
      attempt(() => take(ready, placeOf(ready, key, index), written, read, index), key);
    }
  }
  for (const at of ready.required) {
    attempt(() => {
      if (!known.has(at)) throw missing(ready, at, index);
    }, ready.keys[at]);
  }
};

const tooMany = (ready: Ready, count: number, index: number) =>
  wrong(ready, index, null, `takes at most ${ready.keys.length} argument${ready.keys.length === 1 ? '' : 's'}, not ${count}`);

const missing = (ready: Ready, at: number, index: number) =>
  wrong(ready, index, ready.keys[at] ?? '', `needs ${ready.keys[at]} (${ready.args[at]?.expected ?? 'a value'})`);

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
export const bindPlain = (given: Written, read: Read, index: number): readonly unknown[] => {
  if (given === undefined) return [];
  const value = read(given, index, 0);
  return Array.isArray(value) ? value : [value];
};

/** The arguments as written, by name where they have one: what logs, plans and history show. */
export const asWritten = (ready: Ready | undefined, given: Written): unknown => {
  if (given === undefined) return {};
  if (ready === undefined || ready.plain !== undefined) return given;
  const named = Array.isArray(given)
    ? Object.fromEntries(given.map((value, at) => [ready.keys[at] ?? `argument ${at} (${kindOf(value)})`, value]))
    : given;
  const entries = Object.entries(named);
  // Of an argument that the action does not know nobody can say that it is no secret: its name may be misspelt.
  const isHidden = (key: string) => ready.secrets.includes(key) || !ready.places.has(key);
  if (ready.secrets.length === 0 && entries.every(([key]) => ready.places.has(key))) return named;
  return Object.fromEntries(entries.map(([key, value]) => [key, isHidden(key) ? hidden(value) : value]));
};

/** A secret is shown as the reference it was written as, or not at all; null says that there is none. */
const hidden = (value: unknown): unknown => (value === null || (typeof value === 'string' && /^\$\{[^}]*\}$/.test(value)) ? value : '***');
