import type { Outcome } from '../result.ts';

/** A command that is about to run. */
export interface CommandStart {
  readonly index: number;
  /** Only nodes of a graph have one. */
  readonly id?: string;
  readonly action: string | null;
  /** Whether running it again after a crash is harmless. */
  readonly isIdempotent: boolean;
}

/** Told of the commands of a run's own list, one by one; nested lists belong to their command, and planning tells nothing. */
export interface CommandObserver {
  /** What is known to have become of a command: it is not run, and this stands in its place. */
  known(index: number): Outcome | undefined;
  /** The action is called after this is done; where it rejects, the command fails and has no effect. */
  started(command: CommandStart): void | Promise<void>;
  /** A command that was started has ended. */
  ended(outcome: Outcome): void;
}
