import type { Unchecked } from '../../core/unchecked.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { Graph, WrappedList } from './lists.ts';

// What both doors take. The compiler first reads the names of a list and looks up only the arguments of these actions: that is fast, and
// what it finds wrong it tells of one argument of one action and not of all actions.

/** Actions by name: what a caller writes and the value that comes back. `ActionMap`, or it and a program's own actions. */
export type ActionTable<M> = {
  readonly [N in keyof M]: { readonly args: object; readonly value: unknown; readonly order?: readonly unknown[] };
};

/** The names of a table. */
export type NameIn<M> = keyof M & string;

/** The name of an action: a built-in one, or one that a program has declared in `ActionMap`. */
export type ActionName = NameIn<ActionMap>;

/** A text that stands for a value known only when the command runs: `${results[0].value}`. */
export type Reference = `${string}\${${string}}${string}`;

/** A value as it may stand in a list: it, or an item of it, may be a reference. */
type Written<T> = T extends readonly (infer Item extends Plain)[] ? readonly (Item | Reference)[] | Reference : T | Reference;

type Plain = string | number | boolean | null;

/** Arguments by name. */
type Named<Args> = { readonly [K in keyof Args]: [Args[K]] extends [never] ? never : Written<Args[K]> };

/** Arguments in the order of the action; those with a default may be left out from the end. */
type Ordered<Order, Args> = { readonly [At in keyof Order]: Written<Exclude<Args[Order[At] & keyof Args], undefined>> };

/** The arguments of an action as they stand in a list: an object by name, or a list in order. */
export type Arguments<M extends ActionTable<M>, N extends NameIn<M>> =
  | Named<M[N]['args']>
  | (M[N] extends { readonly order: infer Order extends readonly unknown[] } ? Ordered<Order, M[N]['args']> : readonly unknown[]);

/** One command of one action. */
export type CommandOf<M extends ActionTable<M>, N extends NameIn<M>> =
  | readonly [action: N, args: Arguments<M, N>]
  | (NeedsNothing<M[N]['args']> extends true ? readonly [action: N] : never);

/** Whether an action can be called with no argument at all. */
export type NeedsNothing<Args> = Record<never, never> extends Args ? true : false;

/** One command: the name of an action and its arguments, by name or in order. */
export type Command<M extends ActionTable<M> = ActionMap> = { [N in NameIn<M>]: CommandOf<M, N> }[NameIn<M>];

/** A list inside of an argument, which an action runs or keeps. */
export type NestedList = readonly Command[] | WrappedList<readonly Command[]> | Graph<ActionMap, readonly ActionName[]> | Unchecked;
