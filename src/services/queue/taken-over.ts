import { type Json, QueueException } from '../../core/errors.ts';
import type { Claim } from '../engine/port/engine.ts';
import type { CommandRecord, RunId, RunRecord } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { commandsFrom, commandsIn, isRecord, type ResumePoint } from './resume-point.ts';

/**
 * What stands in the place of commands that a claimed run does not run: what an earlier one had finished, and what whoever resumes left
 * out by naming a later command to start from. Nothing where it resumes nothing.
 */
export const takenOver = async (
  store: Pick<Store, 'run'>,
  { options, body }: Pick<Claim, 'options' | 'body'>,
): Promise<ReadonlyMap<number, CommandRecord>> => {
  const resume = isRecord(options) ? options.resume : undefined;
  if (resume === undefined || !isRecord(resume)) return NONE;
  const runId = String(resume.run_id);
  const earlier = await store.run(runId);
  if (earlier === null) throw unknownRun(runId); // without it, everything would be repeated
  const again = commandsFrom(body, resume.from as ResumePoint | undefined, runId); // as `resumption` writes it
  // What a run takes over is written down with its end; one that was killed had none.
  const inherited = earlier.counts === null ? await takenOver(store, earlier) : NONE;
  const finished = [...inherited.values(), ...earlier.commands].filter((record) => isFinished(record) && !again(record.index));
  const taken = new Map(finished.map((record) => [record.index, record]));
  const commands = commandsIn(body);
  for (const index of indexesIn(resume.left_out)) if (!taken.has(index)) taken.set(index, leftOut(index, commands[index] ?? null));
  return taken;
};

const NONE: ReadonlyMap<number, CommandRecord> = new Map();

/** What is not run though it never ended well: whoever named a later command has decided so, now or when an earlier run was resumed. */
export const leftOutOf = ({ options, body, commands }: RunRecord, again: ((index: number) => boolean) | undefined): readonly number[] => {
  const resume = isRecord(options) ? options.resume : undefined;
  if (again === undefined) return resume !== undefined && isRecord(resume) ? indexesIn(resume.left_out) : [];
  const finished = new Set(commands.filter(isFinished).map(({ index }) => index));
  return [...commandsIn(body).keys()].filter((index) => !again(index) && !finished.has(index));
};

const leftOut = (index: number, command: Json): CommandRecord => {
  const { id = null, action = command } = isRecord(command) ? command : {};
  const [name] = Array.isArray(action) ? action : [];
  return {
    index,
    id: typeof id === 'string' ? id : null,
    action: typeof name === 'string' ? name : null,
    state: 'skipped',
    reason: 'The run was resumed from a later command on.',
    attempt: 1,
    isIdempotent: false,
  };
};

const indexesIn = (value: Json | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : [];

/** Whether a command ended well and need not be run again. */
export const isFinished = ({ state }: CommandRecord): boolean => state === 'ok' || state === 'reused';

/** There is no such run. */
export const unknownRun = (runId: RunId) =>
  new QueueException(`No run has the id ${runId}, or it is no longer kept; list the runs to find it.`, { context: { run_id: runId } });
