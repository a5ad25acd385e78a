import type { Context, KeptNames, StepOptions } from '../../core/context.ts';
import { DownloadException, StorageException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { LostAttribute, LostChange } from '../../core/journal.ts';
import { nameInSpace } from '../../core/name-space.ts';
import { LATER, NotYetKnown } from '../../core/planning.ts';
import type { OwnConnections } from '../../core/ports/connections.ts';
import type { Web, WebOptions } from '../../core/ports/web.ts';
import type { Clock, Log, ProgramRequest, ProgramResult, Services } from '../../core/ports.ts';
import type { Progress } from '../../core/progress.ts';
import { OWNER_NAME } from '../../core/reach.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect, Note, RunResult } from '../../core/result.ts';
import { addUp } from '../../core/steps-result.ts';
import type { StoragePlace } from '../../core/storage.ts';
import { UNDO_REASONS } from '../../core/undo-reasons.ts';
import { demandKeepable } from '../list/keepable.ts';
import { commandsOf } from '../list/tree.ts';
import { clockAt } from '../plan/basis.ts';
import type { Command, ListRun, StorageUse, Tally } from '../run.ts';
import { guardedProgram } from './program.ts';

/** What a command gathered while it ran, beside its value. */
export interface Gathered {
  readonly notes: Note[];
  readonly steps: RunResult[];
  /** The lists of which only the sum is shown, and how many they were. */
  rest: RunResult | undefined;
  restCount: number;
  /** Whether the result of one that did not end well is shown. */
  showsFailure: boolean;
  readonly progress: Progress[];
  /** How many nested lists were begun, and how often references were read for the action. */
  begun: number;
  read: number;
  /** What of it cannot be taken back. */
  readonly lost: LostChange[];
  /** What of its files could not be kept beside their content. */
  readonly unkept: LostAttribute[];
  /** What was planned of it by the time that planning failed. */
  told: readonly Effect[];
  /** Its arguments that were not known then. */
  unknown: readonly string[];
  /** The file port that tells of that, and the port of the list that it was made from. */
  files: { readonly own: FilePort; readonly from: FilePort } | undefined;
}

/**
 * One command under way: what it sees of the house and what its outcome is written from. A class, because one is made for
 * every command: a few fields to set, all members on one prototype. They are getters, so that they survive destructuring and cost nothing unless they are used.
 */
export class CommandContext implements Context {
  list: ListRun;
  readonly index: number;
  readonly command: Command;
  signal: AbortSignal;
  /** The action behind the command's name, once it is looked up. */
  ready: Ready | undefined;
  gathered: Gathered | undefined;
  /** Bytes of values that are kept only while the command runs. */
  held: number;

  constructor(list: ListRun, index: number) {
    this.list = list;
    this.index = index;
    this.command = list.job.commands[index] as Command; // the schedule hands out positions of this list only
    this.signal = list.signal;
    this.ready = undefined;
    this.gathered = undefined;
    this.held = 0;
  }

  get files(): FilePort {
    const { run, foresight } = this.list;
    const { runners } = run.house;
    return runners === undefined || foresight !== undefined ? this.#nearFiles : runners.filesFor(this, this.#nearFiles);
  }

  get #nearFiles(): FilePort {
    const files = this.list.files();
    if (files.forCommand === undefined || this.ready?.onlyReads === true) return files; // which loses nothing
    return telling(this, files, files.forCommand);
  }

  get log(): Log {
    return this.list.run.house.log;
  }

  get clock(): Clock {
    const { basis, run } = this.list;
    return basis === undefined ? run.house.clock : clockAt(basis, run.house.clock);
  }

  get cwd(): string {
    return this.list.run.house.cwd;
  }

  get runId(): string {
    return this.list.run.id;
  }

  get isLimited(): boolean {
    const { caller } = this.list.run;
    return caller.policy !== undefined && caller.name !== OWNER_NAME;
  }

  get ownName() {
    return (name: string): string => {
      const { caller } = this.list.run;
      return this.isLimited && caller.policy?.isSharedName(name) !== true ? nameInSpace(caller.name, name) : name;
    };
  }

  get services(): Services {
    return this.list.run.house;
  }

  get isPrinted(): boolean {
    return this.list.isPrinted;
  }

  get newId(): () => string {
    return this.list.run.house.newId;
  }

  get progress() {
    return (name: string, total?: number, unit: 'bytes' | 'items' = 'bytes'): Progress => {
      const { run } = this.list;
      const entry = run.house.progress.create(name, { total, unit, runId: run.id, action: this.command.name ?? '' });
      gather(this).progress.push(entry);
      return entry;
    };
  }

  get storage() {
    return (location: string): Promise<StoragePlace> => {
      const { openStorage } = this.list.run.house;
      return openStorage?.(location, this.#use) ?? Promise.reject(noStorage());
    };
  }

  get connections(): OwnConnections {
    const { ownConnections } = this.list.run.house;
    if (ownConnections === undefined) throw noStorage();
    return ownConnections(this.#use);
  }

  get web() {
    return (options: WebOptions): Promise<Web> => {
      const { openWeb } = this.list.run.house;
      return openWeb?.(options, this.#use) ?? Promise.reject(new DownloadException('This instance reaches no other machine.'));
    };
  }

  get #use(): StorageUse {
    const { run, budget, foresight } = this.list;
    const changing =
      this.list.files().isJournalled === true
        ? (path: string): void => void gather(this).lost.push({ path: run.house.masker.text(path), reason: UNDO_REASONS.byNetwork })
        : undefined;
    return { caller: run.caller, isKept: run.isKept, budget, foresight, changing, files: this.files, signal: this.signal };
  }

  get note() {
    return (note: Note): void => void gather(this).notes.push(note);
  }

  get spawn() {
    return (request: Omit<ProgramRequest, 'signal'>): Promise<ProgramResult> =>
      guardedProgram(this.list, { ...request, signal: this.signal });
  }

  get runSteps() {
    return async (steps: unknown, options: StepOptions = {}): Promise<RunResult> => {
      const { list } = this;
      const { signal = this.signal } = options;
      const gathered = gather(this);
      const { at = gathered.begun } = options;
      gathered.begun += 1;
      const place = list.basis === undefined ? '' : `${list.place}/${this.index}.${at}`;
      const tally = options.isOneOfMany === true && list.foresight === undefined ? { bytes: 0 } : undefined;
      const result = await list.run.house.enter(steps, { parent: list, place, signal, options, tally });
      const shownResult = tally === undefined ? keep(gathered, result) : keepOneOfMany(list, gathered, result, tally);
      // Stopped from outside, or by a limit of the run: what stopped the list, not its failure, is what became of the command.
      if (!result.ok) signal.throwIfAborted();
      if (list.run.usage.over !== undefined) throw list.run.usage.over;
      return shownResult;
    };
  }

  get hold() {
    return (bytes: number): void => {
      this.list.run.usage.hold(bytes);
      this.held += bytes;
    };
  }

  get validateSteps() {
    return (steps: unknown, kept?: KeptNames): Promise<string[]> => this.list.run.house.inspect(steps, this.list.run.caller, kept);
  }

  get demandKeepable() {
    return (steps: unknown): void => demandKeepable(commandsOf(steps), this.list.run.house);
  }

  get substitute() {
    return (value: unknown): unknown => {
      const gathered = gather(this);
      gathered.read += 1;
      const known = this.list.read(value, this.index, -gathered.read); // no argument has such a place
      return known === LATER ? this.notYetKnown('what a reference stands for') : known;
    };
  }

  notYetKnown(what: string): never {
    throw new NotYetKnown(what, { isContained: true });
  }

  get demandCertain() {
    return (): void => {
      if (this.list.foresight?.isInDoubt) throw new NotYetKnown('what the commands before leave behind');
    };
  }
}

const noStorage = () => new StorageException('This instance reaches no storage but its own disk.');

/**
 * A nested result as the action sees it. What its commands ran in turn is shown under `steps` of their entries and left out here:
 * an action may make the result its value, and with both in it every level of nesting would double the answer.
 */
const withoutSteps = (result: RunResult): RunResult =>
  result.results.some(({ steps }) => steps !== undefined)
    ? { ...result, results: result.results.map(({ steps: _, ...outcome }) => outcome) }
    : result;

/** Shows the result of a nested list in the entry of its command. */
const keep = (gathered: Gathered, result: RunResult): RunResult => {
  gathered.steps.push(result);
  return withoutSteps(result);
};

/** Beyond a number of them only the sum is shown, and the first one that failed. What is left out takes no room. */
const keepOneOfMany = (list: ListRun, gathered: Gathered, result: RunResult, tally: Tally): RunResult => {
  const isFirstToFail = !result.ok && !gathered.showsFailure;
  gathered.showsFailure ||= isFirstToFail;
  if (list.run.usage.takeShown() || isFirstToFail) {
    if (list.tally !== undefined) list.tally.bytes += tally.bytes;
    return keep(gathered, result);
  }
  list.run.usage.giveBack(tally.bytes);
  gathered.rest = addUp(gathered.rest, result);
  gathered.restCount += 1;
  return { ...result, results: [] };
};

/** The port of one command, so that what it loses is not taken for the loss of another. */
const telling = (context: CommandContext, from: FilePort, forCommand: NonNullable<FilePort['forCommand']>): FilePort => {
  const gathered = gather(context);
  if (gathered.files?.from !== from) {
    const own = forCommand({ change: (lost) => void gathered.lost.push(lost), attribute: (lost) => void gathered.unkept.push(lost) });
    gathered.files = { from, own };
  }
  return gathered.files.own;
};

/** What a command has gathered so far. */
export const gather = (context: CommandContext): Gathered => {
  context.gathered ??= {
    notes: [],
    steps: [],
    rest: undefined,
    restCount: 0,
    showsFailure: false,
    progress: [],
    begun: 0,
    read: 0,
    lost: [],
    unkept: [],
    told: [],
    unknown: [],
    files: undefined,
  };
  return context.gathered;
};
