import type { Context } from '../../core/context.ts';
import { NotYetKnown } from '../../core/planning.ts';
import type { Progress } from '../../core/progress.ts';
import type { Note, RunResult } from '../../core/result.ts';
import type { ListFrame, ListRun } from '../run.ts';
import { guardedProgram } from './program.ts';
import { scopeOf } from './scope.ts';
import { substitute } from './substitute.ts';

/** What a command gathered while it ran, beside its value. */
export interface Gathered {
  readonly notes: Note[];
  readonly steps: RunResult[];
  readonly progress: Progress[];
}

/** The context of one command: the members every command of the list shares, and these three. */
export interface CommandContext extends Context {
  signal: AbortSignal;
  index: number;
  gathered: Gathered | undefined;
}

/** What all commands of a list share. Members that need the command are getters, so they survive destructuring and cost nothing unused. */
export const contextBase = (list: ListFrame): CommandContext => {
  const { run, files, signal } = list;
  const { house } = run;
  return {
    signal,
    index: 0,
    gathered: undefined,
    files,
    log: house.log,
    clock: house.clock,
    cwd: house.cwd,
    runId: run.id,
    services: house,
    newId: house.newId,
    get progress() {
      const own = this;
      return (name: string, total?: number, unit: 'bytes' | 'items' = 'bytes') => {
        const entry = house.progress.create(name, { total, unit, runId: run.id, action: list.job.commands[own.index]?.name ?? '' });
        gather(own).progress.push(entry);
        return entry;
      };
    },
    get note() {
      const own = this;
      return (note: Note) => void gather(own).notes.push(note);
    },
    get spawn() {
      const own = this;
      return (request: Parameters<Context['spawn']>[0]) => guardedProgram(list, { ...request, signal: own.signal });
    },
    get runSteps() {
      const own = this;
      return async (steps: unknown, options: Parameters<Context['runSteps']>[1] = {}) => {
        const result = await house.enter(steps, list, own.signal, options);
        gather(own).steps.push(result);
        return result;
      };
    },
    validateSteps: (steps) => house.inspect(steps, run.caller),
    get substitute() {
      const own = this;
      return (value: unknown) => substitute(value, scopeOf(list, own.index));
    },
    notYetKnown(what: string): never {
      throw new NotYetKnown(what);
    },
  };
};

const gather = (context: CommandContext): Gathered => {
  context.gathered ??= { notes: [], steps: [], progress: [] };
  return context.gathered;
};

/** The context of one command over what its list shares. */
export const contextFor = (list: ListRun, index: number): CommandContext => {
  const context: CommandContext = Object.create(list.contextBase);
  context.index = index;
  return context;
};
