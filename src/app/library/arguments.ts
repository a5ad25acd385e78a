import type { Arg, Bound, Given } from '../../core/args.ts';
import { ArgumentException } from '../../core/errors.ts';
import { faultOf, type Shape } from '../../core/shapes.ts';
import { demandKnownKeys } from '../../lib/text/known-keys.ts';

/** A parameter of a function: its name and what it may be. Their order is that of arguments without a name. */
export type Parameter = readonly [name: string, arg: Arg];

type OrderOf<P extends readonly Parameter[]> = { readonly [At in keyof P]: P[At][0] };
type ArgsOf<P extends readonly Parameter[]> = { readonly [Each in P[number] as Each[0]]: Each[1] };

/**
 * How a function may be called: with arguments in their order, those with a default left out from the end, and with an object in the
 * last place that holds the rest by name.
 */
export type Call<Order extends readonly unknown[], Args> =
  Required<Order> extends readonly [infer Key extends keyof Args, ...infer Rest]
    ?
        | [keywords: Pick<Args, Order[number] & keyof Args>]
        | (IsOptional<Args, Key> extends true
            ? [] | [value: Args[Key] | null | undefined, ...Call<Rest, Args>]
            : [value: Args[Key], ...Call<Rest, Args>])
    : [];
type IsOptional<Args, Key extends keyof Args> = Record<never, never> extends Pick<Args, Key> ? true : false;

/** How a function with these parameters may be called. */
export type CallOf<P extends readonly Parameter[]> = Call<OrderOf<P>, Given<ArgsOf<P>>>;

/** What a function with these parameters takes by name. */
export type KeywordsOf<P extends readonly Parameter[]> = Given<ArgsOf<P>>;

/** A function that gets its arguments by name, checked and with defaults, however they were written. */
export const callable =
  <const P extends readonly Parameter[], Value>(callee: string, parameters: P, work: (given: Bound<ArgsOf<P>>) => Value) =>
  (...call: CallOf<P>): Value =>
    work(readArguments(callee, parameters, call));

/** The same for work that takes time: a refusal is a rejection too. */
export const callableLater =
  <const P extends readonly Parameter[], Value>(
    callee: string,
    parameters: P,
    work: (given: Bound<ArgsOf<P>>) => Value | PromiseLike<Value>,
  ) =>
  async (...call: CallOf<P>): Promise<Value> =>
    work(readArguments(callee, parameters, call));

/** What a function gets by name, with defaults for what was left out. */
export const readArguments = <const P extends readonly Parameter[]>(
  callee: string,
  parameters: P,
  given: readonly unknown[],
): Bound<ArgsOf<P>> => {
  const defaults = parameters.map(([name, { fallback }]) => [name, fallback]);
  // Every argument is there and was judged by its parameter, which is what the type says.
  return { ...Object.fromEntries(defaults), ...readGiven(callee, parameters, given) } as Bound<ArgsOf<P>>;
};

/**
 * Reads arguments as the specification's language hands them over: in order, and by name in an object at the end. Undefined stands for
 * an argument that was left out, and so does null where there is a default. Refuses what is unknown, too much, missing, given twice, or
 * of another kind.
 */
export const readGiven = (callee: string, parameters: readonly Parameter[], given: readonly unknown[]): Record<string, unknown> => {
  const names = parameters.map(([name]) => name);
  const lastAt = given.findLastIndex((value) => value !== undefined);
  const keywords = keywordsIn(given[lastAt], parameters[lastAt]?.[1], names.slice(Math.max(lastAt, 0)));
  const ordered = given.slice(0, keywords === undefined ? lastAt + 1 : lastAt);
  if (ordered.length > names.length) throw tooMany(callee, names);
  demandKnownKeys(keywords ?? {}, Object.fromEntries(parameters), callee);
  const values = parameters.flatMap(([name, arg], at): [string, unknown][] => {
    const inOrder = isLeftOut(ordered[at], arg) ? undefined : ordered[at];
    const byName = isLeftOut(keywords?.[name], arg) ? undefined : keywords?.[name];
    if (inOrder !== undefined && byName !== undefined) throw givenTwice(callee, name);
    const value = inOrder === undefined ? byName : inOrder;
    if (value === undefined && !arg.optional) throw missing(callee, name, arg);
    return value === undefined ? [] : [[name, demandKind(value, arg, { callee, name })]];
  });
  return Object.fromEntries(values);
};

/** A plain object holds arguments by name where none is expected, or where it has nothing but names of arguments that are still to come. */
const keywordsIn = (
  value: unknown,
  arg: Arg | undefined,
  stillToCome: readonly string[],
): Readonly<Record<string, unknown>> | undefined => {
  if (!isPlainObject(value)) return undefined;
  const keys = Object.keys(value);
  const isNamed = keys.length > 0 && keys.every((key) => stillToCome.includes(key));
  return isNamed || arg?.accepts(value) !== true ? value : undefined;
};

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const isLeftOut = (value: unknown, arg: Arg): boolean => value === undefined || (value === null && arg.optional);

const demandKind = (value: unknown, arg: Arg, { callee, name }: { readonly callee: string; readonly name: string }): unknown => {
  if (arg.accepts(value)) return value;
  const { at, expected, got } = faultOf(arg, value);
  throw new ArgumentException(`${callee}: ${name}${at} must be ${expected}, not ${got}.`, { context: { argument: name, expected } });
};

const tooMany = (callee: string, names: readonly string[]) =>
  new ArgumentException(
    names.length === 0 ? `${callee} takes no arguments.` : `${callee} takes at most ${names.length} arguments: ${names.join(', ')}.`,
  );

const missing = (callee: string, name: string, { expected }: Arg) =>
  new ArgumentException(`${callee} needs ${name} (${expected}).`, { context: { argument: name, expected } });

const givenTwice = (callee: string, name: string) =>
  new ArgumentException(`${callee} was given ${name} twice, in order and by name; leave one out.`, { context: { argument: name } });

/** Something of the program itself, which no list could hold: a function, an instance. */
export const handed = <T>(expected: string, accepts: (value: unknown) => boolean): Shape<T, T> => ({ schema: {}, expected, accepts });
