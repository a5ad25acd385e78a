import { QuotaExceededException } from '../core/errors.ts';
import type { ListDefaults } from '../core/list-defaults.ts';
import { ValueSizes } from '../core/value-size.ts';
import { type SliceQueue, TimeSlice } from '../lib/async/time-slice.ts';
import type { ListRun } from './run.ts';

/** What holds where no configuration says otherwise. */
const EXECUTED_COMMANDS = 1_000_000;
const RUN_BYTES = 256 * 1024 * 1024;
/** How many results of lists that are run for each of many items are shown one by one; those of further ones are added up. */
const SHOWN_RESULTS = 10_000;

/** How many failures of one run, and how many calls that a dry run would make, are logged. */
const TOLD_FAILURES = 1_000;
const TOLD_PLANS = 1_000;

/** About what an entry takes beside its value, and the result of a nested list beside its entries; in memory and as JSON. */
export const OUTCOME_BYTES = 200;
export const PLANNED_BYTES = 600;
export const RESULT_BYTES = 400;
/** About what a nested list takes until it has ended, and each of its commands. */
export const LIST_BYTES = 8 * 1024;
export const COMMAND_BYTES = 100;

/**
 * What one run may still use, counted where it grows: all lists of the run, at whatever depth, share it. A class, because one is made
 * for every run.
 */
export class Usage {
  readonly #commands: number;
  readonly #bytes: number;
  #commandsLeft: number;
  #bytesLeft: number;
  #shownLeft = SHOWN_RESULTS;
  #tellsLeft = TOLD_FAILURES;
  #plansLeft = TOLD_PLANS;
  #sizes: ValueSizes | undefined;
  /** The limit that ended the run. */
  over: QuotaExceededException | undefined = undefined;
  readonly slice: TimeSlice;

  constructor({ executedCommands = EXECUTED_COMMANDS, runBytes = RUN_BYTES }: Partial<ListDefaults> = {}, queue: SliceQueue) {
    this.#commands = executedCommands;
    this.#bytes = runBytes;
    this.#commandsLeft = executedCommands;
    this.#bytesLeft = runBytes;
    this.slice = new TimeSlice(queue);
  }

  get bytesLeft(): number {
    return this.#bytesLeft;
  }

  /** Of how many in all. */
  get bytesOfRun(): number {
    return this.#bytes;
  }

  /** Counts a command that is about to run; false where the run has come to its end. */
  takeCommand(): boolean {
    this.#commandsLeft -= 1;
    return this.#commandsLeft >= 0;
  }

  /** Says that no further command may run. */
  endCommands(): QuotaExceededException {
    return this.end(overCommands(this.#commands));
  }

  /** Takes what is needed to write down how something ended; where there is no room left, the run has come to its end. */
  takeEntry(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.end(this.overBytes());
  }

  /** The size of a value if there is room for it; undefined otherwise. */
  sizeOf(value: unknown): number | undefined {
    this.#sizes ??= new ValueSizes();
    const size = this.#sizes.of(value, this.#bytesLeft);
    return size > this.#bytesLeft ? undefined : size;
  }

  /** Takes bytes for what is kept only for a while; throws where there are not that many left, and then takes none. */
  hold(bytes: number): void {
    if (bytes > this.#bytesLeft) throw this.overBytes();
    this.#bytesLeft -= bytes;
  }

  giveBack(bytes: number): void {
    this.#bytesLeft += bytes;
  }

  /** Whether one more of many results is shown by itself. */
  takeShown(): boolean {
    this.#shownLeft -= 1;
    return this.#shownLeft >= 0;
  }

  /** Whether one more failure is worth a line of the log: `last` says that it is the last one. */
  takeTold(): Telling {
    this.#tellsLeft -= 1;
    return tellingAt(this.#tellsLeft);
  }

  /** The same of a call that is only planned. */
  takePlanned(): Telling {
    this.#plansLeft -= 1;
    return tellingAt(this.#plansLeft);
  }

  overBytes(): QuotaExceededException {
    return overRunBytes(this.#bytes);
  }

  private end(fault: QuotaExceededException): QuotaExceededException {
    this.over ??= fault;
    this.#commandsLeft = 0;
    return this.over;
  }
}

type Telling = 'told' | 'last' | 'silent';

const tellingAt = (left: number): Telling => {
  if (left > 0) return 'told';
  return left === 0 ? 'last' : 'silent';
};

/** Takes what a finished command or list adds to the answer, also from the sum that is given back if that is left out of it. */
export const addEntry = ({ run, tally }: Pick<ListRun, 'run' | 'tally'>, bytes: number): void => {
  if (tally !== undefined) tally.bytes += bytes;
  run.usage.takeEntry(bytes);
};

const overCommands = (limit: number) =>
  new QuotaExceededException(
    `This run has executed ${limit} commands, all lists inside it counted, and may execute no more; do less in one run or raise executed_commands in [limits].`,
    { context: { limit: 'executed_commands', executed_commands: limit } },
  );

/** The error of a run that keeps too much. */
export const overRunBytes = (limit: number) =>
  new QuotaExceededException(
    `What this run keeps, results and values that references stand for, would take more than ${limit} bytes; do less in one run, let values go through files, or raise run_bytes in [limits].`,
    { context: { limit: 'run_bytes', run_bytes: limit } },
  );
