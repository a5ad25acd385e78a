import type { Args, Bound, LocationRole } from './args.ts';
import type { Context } from './context.ts';
import type { Example } from './example.ts';
import type { Shape } from './shapes.ts';

/** The question that the value of an action answers. */
export interface Question<R> {
  /** When the answer is no, in words behind "when": `the digest is another one`. */
  readonly no: string;
  isNo(value: R): boolean;
}

/** A location that several arguments name together, as a bucket and a key do: judged and foreseen as an argument with the role is. */
export interface NamedLocation<A extends Args = Args> {
  readonly role: LocationRole;
  /** The arguments that it is made of. */
  readonly from: readonly string[];
  of(args: Bound<A>): string;
}

/** One action: the single source of everything that is said and checked about it. */
export interface Action<N extends string = string, A extends Args = Args, R = unknown> {
  readonly name: N;
  readonly aliases?: readonly string[];
  readonly deprecated?: { readonly since: string; readonly use: string };
  /** One sentence, present tense, for help, tools, forms and pages. */
  readonly summary: string;
  /** Key order is positional order. */
  readonly args: A;
  readonly returns: Shape<R>;
  /** Set where the value answers a question. A no is no failure, but `factotum exec` exits with 1, as `cmp` and `sha256sum -c` do. */
  readonly question?: Question<R>;
  /** Running it again after a crash is harmless. */
  readonly idempotent?: boolean;
  /** Gives its value, or fails, and does nothing else: whatever its arguments turn out to be, a plan of it is complete. */
  readonly pure?: true;
  /** The value tells the values of the commands that it ran, so that `steps` need not repeat them. */
  readonly tellsSteps?: true;
  /** Only looks, and at little: a dry run calls `run` on the files as they would be, so that it ends as the run does. */
  readonly onlyLooks?: true;
  /** Changes what other runs do, though no argument says so: it counts as writing. */
  readonly changesRuns?: true;
  /** Concerns everybody's work: for the owner, and for limited callers whose access list has its very name. */
  readonly reserved?: true;
  /** Where elsewhere it reads, writes or removes, where no single argument says so. */
  readonly location?: NamedLocation<A>;
  /** Reaches other machines, though no argument says which. */
  readonly reachesOut?: true;
  /** Why no list that is kept for later may hold it, as the end of a sentence: `because its connection ends with this process`. */
  readonly onlyNow?: string;
  readonly examples: readonly Example<A>[];
  /** Foresees the effects through a planning context; left out where the roles of the arguments tell them. */
  plan?(ctx: Context, args: Bound<A>): unknown;
  run(ctx: Context, args: Bound<A>): R | Promise<R>;
}

/** Fixes the types of an action; nothing else. */
export const defineAction = <const N extends string, const A extends Args, R>(action: Action<N, A, R>): Action<N, A, R> => action;

/** Actions that belong together. */
export interface Family {
  /** The folder under `actions/`. */
  readonly name: string;
  /** What access rules and tool sets call it: `group:files`. */
  readonly group: string;
  readonly summary: string;
  /**
   * Its actions need files, programs and nested lists and nothing that the house keeps, so that a service runs them on other threads
   * than the one it answers on.
   */
  readonly isApart?: true;
  readonly actions: readonly Action[];
}

/** Fixes the types of a family; nothing else. */
export const defineFamily = (family: Family): Family => family;
