import type { Args, Given } from '../../core/args.ts';
import type { Out, Shape } from '../../core/shapes.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { ActionName, ActionTable, Arguments, NameIn, NeedsNothing } from './commands.ts';

/** What follows the name in `call`: the arguments, by name or in order, and options. They may be left out where the action needs none. */
export type CallArguments<M extends ActionTable<M>, N extends NameIn<M>, Options> =
  NeedsNothing<M[N]['args']> extends true
    ? [args?: Arguments<M, N> | undefined, options?: Options]
    : [args: Arguments<M, N>, options?: Options];

/** The arguments of an action by name, without references. */
export type ActionArguments<N extends ActionName> = ActionMap[N]['args'];

/** The value of an action. */
export type ActionValue<N extends ActionName> = ActionMap[N]['value'];

/** What a definition says of itself, to be declared in `ActionMap`: `interface ActionMap { FA_mine: ActionEntry<typeof mine> }`. */
export interface ActionEntry<D extends Definition> {
  args: Given<D['args']>;
  value: Out<D['returns']>;
}

/** What of a definition tells its types. */
interface Definition {
  readonly args: Args;
  readonly returns: Shape;
}
