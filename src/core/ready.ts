import type { Action, NamedLocation } from './action.ts';
import type { Arg, Role } from './args.ts';
import { type EffectClass, effectsOf, type StepsPlace, stepsOf } from './effects.ts';
import { LATER } from './planning.ts';

/** What is known of an action before its code is loaded. */
export interface About {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: string;
  readonly group: string;
  readonly effects: readonly EffectClass[];
  readonly steps: readonly StepsPlace[];
  /** Not for limited callers, unless their access list has its very name. */
  readonly reserved?: true;
  /** A service may run it on another thread. */
  readonly isApart?: true;
}

/** A plain function registered as an action: called `fn()`, `fn(...list)` or `fn(object)`. */
export type PlainFunction = (...args: never[]) => unknown;

/** An argument that a policy judges, under one of its roles. */
export interface Guarded {
  readonly key: string;
  readonly role: Role;
}

/** An action made ready: everything the line of a command needs, computed once. */
export interface Ready {
  readonly about: About;
  readonly action: Action;
  /** Set for plain functions: their arguments are not checked. */
  readonly plain: PlainFunction | undefined;
  readonly keys: readonly string[];
  readonly args: readonly Arg[];
  readonly places: ReadonlyMap<string, number>;
  /** Every argument by name with its default; those without one are undefined. Copied for each call. */
  readonly template: Readonly<Record<string, unknown>>;
  /** Positions of arguments that must be given. */
  readonly required: readonly number[];
  /** What a policy judges: each argument with each of its roles. */
  readonly guarded: readonly Guarded[];
  /** Names of arguments that hold secrets. */
  readonly secrets: readonly string[];
  /** True at the positions of nested lists, which references must not touch. */
  readonly holdsSteps: readonly boolean[];
  /** It has programs or other machines do something, which no journal knows of. */
  readonly isForeign: boolean;
  /** It changes nothing by itself; of a plain function nobody knows. */
  readonly onlyReads: boolean;
}

const GUARDED = new Set<Role>([
  'reads',
  'writes',
  'removes',
  'readsTree',
  'writesTree',
  'removesTree',
  'url',
  'host',
  'command',
  'readsLocation',
  'writesLocation',
  'removesLocation',
]);

const compile = (action: Action, about: About, plain: PlainFunction | undefined): Ready => {
  const keys = Object.keys(action.args);
  const args = Object.values(action.args);
  return {
    about,
    action,
    plain,
    keys,
    args,
    places: new Map(keys.map((key, at) => [key, at])),
    template: Object.fromEntries(keys.map((key, at) => [key, args[at]?.fallback])),
    required: args.flatMap((arg, at) => (arg.optional ? [] : [at])),
    guarded: args.flatMap((arg, at) => arg.roles.filter((role) => GUARDED.has(role)).map((role) => ({ key: keys[at] ?? '', role }))),
    secrets: keys.filter((_, at) => args[at]?.roles.includes('secret')),
    holdsSteps: args.map((arg) => arg.stepsForm === 'list' || arg.stepsForm === 'nodes'),
    isForeign: isForeign(action, about),
    onlyReads: plain === undefined && about.effects.every((effect) => effect === 'reads' || effect === 'steps'),
  };
};

/** Reading what is elsewhere leaves it as it was, and what is changed in a storage is told of when that happens. */
const isForeign = ({ args, reachesOut }: Action, { effects }: About): boolean => {
  if (effects.includes('executes')) return true;
  if (!effects.includes('network')) return false;
  return reachesOut === true || Object.values(args).some(({ roles }) => roles.some((role) => REACHING.has(role)));
};

const REACHING = new Set<Role>(['host', 'sink']);

/** What the index would say of a definition. */
export const aboutAction = (
  action: Pick<Action, 'name' | 'aliases' | 'args' | 'changesRuns' | 'reserved' | 'reachesOut' | 'location'>,
  family: string,
  group: string,
): About => ({
  name: action.name,
  aliases: action.aliases ?? [],
  family,
  group,
  effects: effectsOf(action.args, action),
  steps: stepsOf(action.args),
  ...(action.reserved && { reserved: true }),
});

/** Whether all that a location is made of can be told by now. */
export const isKnown = ({ from }: NamedLocation, args: Readonly<Record<string, unknown>>): boolean =>
  from.every((key) => args[key] !== LATER);

/** Prepares a definition for running. */
export const prepareAction = (action: Action, about: About): Ready => compile(action, about, undefined);

/** Prepares a plain function; what it does is unknown, so it counts as running a program. */
export const prepareFunction = (name: string, fn: PlainFunction): Ready =>
  compile(
    {
      name,
      summary: `The function registered as ${name}.`,
      args: {},
      returns: { schema: {}, expected: 'anything', accepts: () => true },
      examples: [],
      run: () => undefined,
    },
    { name, aliases: [], family: 'registered', group: 'registered', effects: ['executes'], steps: [] },
    fn,
  );
