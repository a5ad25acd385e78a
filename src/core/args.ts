import type { ExceptionOptions, FileAutomationException } from './errors.ts';
import type { In, NumberLimits, Out, Shape, TextLimits } from './shapes.ts';
import * as shapes from './shapes.ts';
import { startsAtHome } from './starts-at-home.ts';

/**
 * What an argument means to the world. Roles drive policy, dry run, masking, effect classes and forms.
 * A `…Tree` role covers everything below the path, a `…Location` role everything below the location.
 */
export type Role =
  | 'reads'
  | 'writes'
  | 'removes'
  | 'readsTree'
  | 'writesTree'
  | 'removesTree'
  | 'url'
  | 'host'
  | 'command'
  | 'readsLocation'
  | 'writesLocation'
  | 'removesLocation'
  | 'sink'
  | 'steps'
  | 'secret';

/** The roles of places elsewhere. */
export type LocationRole = Extract<Role, `${string}Location`>;

/** How a `steps` argument holds commands: a list, the nodes of a graph, or the bare name of one action. */
export type StepsForm = 'list' | 'nodes' | 'name';

/** One argument of an action. `optional` is true when a default stands in for it. */
export interface Arg<T = unknown, I = unknown, Optional extends boolean = boolean> extends Shape<T, I> {
  readonly description: string;
  readonly roles: readonly Role[];
  readonly optional: Optional;
  readonly fallback: T | undefined;
  readonly stepsForm?: StepsForm;
  /** Names that references inside the nested list may use. */
  readonly stepNames?: readonly string[];
  /** The action keeps the list for later and does not run it. */
  readonly stepsAreKept?: boolean;
  /** The action looks at the list and does not run it, so that nobody needs the rights of its commands. */
  readonly stepsAreChecked?: boolean;
  /** For the name of an action: the argument that holds what the action is given. */
  readonly stepArguments?: string;
  /** A path that need not exist: a dry run expects nothing there. */
  readonly mayBeMissing?: boolean;
  /**
   * It is only what is written or sent: it decides neither where, nor what is removed, run or reached. A plan in which it is not known yet
   * can be approved all the same; any other unknown argument of an action that changes something forbids that.
   */
  readonly isContent?: boolean;
  /** What the action fails with where a directory, or nothing, is at the path of its file. A dry run fails with the same. */
  readonly wrong?: WrongPath;
}

/** A type of failures. */
export type WrongPath = new (message: string, options: ExceptionOptions) => FileAutomationException;

/** The arguments of an action; key order is positional order. */
export type Args = Readonly<Record<string, Arg>>;
/** What `run` gets: every argument is there. */
export type Bound<A extends Args> = { readonly [K in keyof A]: Out<A[K]> };
/** What a caller writes: arguments with a default may be left out. */
export type Given<A extends Args> = { readonly [K in keyof A as A[K]['optional'] extends true ? never : K]: In<A[K]> } & {
  readonly [K in keyof A as A[K]['optional'] extends true ? K : never]?: In<A[K]>;
};

interface Options<T> {
  readonly default?: T | null;
  readonly role?: Role | readonly Role[];
  readonly isContent?: true;
}
interface PathOptions extends Options<string> {
  readonly mayBeMissing?: boolean;
  readonly wrong?: WrongPath;
}

type Value<T, O> = O extends { readonly default: infer D } ? (null extends D ? T | null : T) : T;
type ArgOf<T, I, O> = Arg<Value<T, O>, Value<I, O>, O extends { readonly default: unknown } ? true : false>;

const arg = <T, I, const O extends Options<T>>(
  shape: Shape<T, I>,
  description: string,
  options: O | undefined,
  extra: Partial<Arg> = {},
): ArgOf<T, I, O> => {
  const given: Options<T> = options ?? {};
  const optional = Object.hasOwn(given, 'default');
  const built: Arg = {
    ...(given.default === null ? shapes.nullable(shape) : shape),
    description,
    roles: given.role === undefined ? [] : typeof given.role === 'string' ? [given.role] : given.role,
    optional,
    fallback: given.default,
    ...(given.isContent && { isContent: true }),
    ...extra,
  };
  // The conditional types of ArgOf restate in types what the two lines above do with values.
  return built as ArgOf<T, I, O>;
};

/** A text. */
export const text = <const O extends Options<string> & TextLimits>(description: string, options?: O) =>
  arg<string, string, O>(shapes.text(options), description, options);

const pathShape: Shape<string, string> = {
  schema: { type: 'string', minLength: 1 },
  expected: 'a path that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '' && !value.includes('\0') && !startsAtHome(value),
  locate: (value) =>
    typeof value === 'string' && startsAtHome(value)
      ? {
          at: '',
          expected: 'a path with the home directory written out (in lists as ${env:HOME}; what is really called ~ is ./~)',
          got: JSON.stringify(value.slice(0, 40)),
        }
      : undefined,
};

/** A path of this machine, relative to the run's working directory. */
export const path = <const O extends PathOptions>(description: string, options?: O) =>
  arg<string, string, O>(pathShape, description, options, {
    ...(options?.mayBeMissing === true && { mayBeMissing: true }),
    ...(options?.wrong !== undefined && { wrong: options.wrong }),
  });

/** A list of paths. */
export const paths = <const O extends Options<string[]>>(description: string, options?: O) =>
  arg<string[], readonly string[], O>(shapes.list(pathShape), description, options);

/** A switch. */
export const flag = <const O extends Options<boolean>>(description: string, options?: O) =>
  arg<boolean, boolean, O>(shapes.flag(), description, options);

/** A whole number. */
export const integer = <const O extends Options<number> & NumberLimits>(description: string, options?: O) =>
  arg<number, number, O>(shapes.integer(options), description, options);

/** A number. */
export const number = <const O extends Options<number> & NumberLimits>(description: string, options?: O) =>
  arg<number, number, O>(shapes.number(options), description, options);

/** One of a few words. */
export const oneOf = <const V extends readonly string[], const O extends Options<V[number]>>(description: string, values: V, options?: O) =>
  arg<V[number], V[number], O>(shapes.oneOf(values), description, options);

/** A list of values of one shape. */
export const list = <T, I, const O extends Options<T[]> & { readonly minItems?: number }>(
  description: string,
  of: Shape<T, I>,
  options?: O,
) => arg<T[], readonly I[], O>(shapes.list(of, options), description, options);

/** An object with free keys and values of one shape. */
export const record = <T, I, const O extends Options<Record<string, T>>>(description: string, of: Shape<T, I>, options?: O) =>
  arg<Record<string, T>, Readonly<Record<string, I>>, O>(shapes.record(of), description, options);

/** Bytes: a text as UTF-8, or `{"base64": "…"}`. */
export const bytes = <const O extends Options<Uint8Array>>(description: string, options?: O) =>
  arg<Uint8Array, string | { readonly base64: string }, O>(shapes.bytes(), description, options);

/** Any JSON value, handed over as it is. */
export const json = <const O extends Options<unknown>>(description: string, options?: O) =>
  arg<unknown, unknown, O>(shapes.json(), description, options);

/** Any of several shapes. */
export const either = <S extends readonly Shape[], const O extends Options<Out<S[number]>>>(
  description: string,
  alternatives: S,
  options?: O,
) => arg<Out<S[number]>, In<S[number]>, O>(shapes.either(...alternatives), description, options);

/** A nested list as written: its references are read when it runs, so it arrives untouched. */
export type Steps = readonly unknown[] | { readonly [key: string]: unknown };

const stepsShape: Shape<Steps, Steps> = {
  schema: { $ref: '#/$defs/steps' },
  expected: 'a list of commands',
  accepts: (value) => typeof value === 'object' && value !== null,
};

const nodesShape: Shape<readonly unknown[], readonly unknown[]> = {
  schema: { type: 'array', items: { $ref: '#/$defs/node' } },
  expected: 'a list of graph nodes',
  accepts: (value) => Array.isArray(value),
};

interface StepsOptions extends Options<Steps> {
  readonly names?: readonly string[];
  readonly areKept?: true;
  /** They are looked at only. */
  readonly areChecked?: true;
}

/** A list of commands that the action runs, or keeps to be run later; `names` are what references inside may use beside the usual. */
export const steps = <const O extends StepsOptions>(description: string, options?: O) =>
  arg<Steps, Steps, O>(stepsShape, description, options, {
    roles: options?.areChecked ? [] : ['steps'],
    stepsForm: 'list',
    ...(options?.areChecked && { stepsAreChecked: true }),
    stepNames: options?.names ?? [],
    ...(options?.areKept && { stepsAreKept: true }),
  });

/** The nodes of a graph that the action runs. */
export const nodes = <const O extends Options<readonly unknown[]>>(description: string, options?: O) =>
  arg<readonly unknown[], readonly unknown[], O>(nodesShape, description, options, { roles: ['steps'], stepsForm: 'nodes' });

/** The name of an action that the action runs; `argumentsIn` names the argument that holds what that one is given. */
export const actionName = <const O extends Options<string> & { readonly argumentsIn?: string }>(description: string, options?: O) =>
  arg<string, string, O>(shapes.text({ minLength: 1 }), description, options, {
    roles: ['steps'],
    stepsForm: 'name',
    ...(options?.argumentsIn !== undefined && { stepArguments: options.argumentsIn }),
  });
