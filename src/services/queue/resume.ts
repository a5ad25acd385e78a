import { QueueException } from '../../core/errors.ts';
import type { Submission } from '../engine/port/engine.ts';
import type { RunId, RunRecord, RunState } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';
import { commandsFrom, isRecord, type ResumePoint } from './resume-point.ts';
import { isFinished, leftOutOf, unknownRun } from './taken-over.ts';

const OVER: ReadonlySet<RunState> = new Set<RunState>(['ok', 'failed', 'cancelled', 'dead']);

/** The run that goes on where another one has ended; refuses where that would repeat or invent something. */
export const resumption = async (store: Pick<Store, 'run'>, runId: RunId, from: ResumePoint | undefined): Promise<Submission> => {
  const run = await store.run(runId);
  if (run === null) throw unknownRun(runId);
  if (run.state === 'indeterminate') throw refused(run, `a command waits for a verdict; say factotum queue judge ${runId} done|retry|fail`);
  if (!OVER.has(run.state)) throw refused(run, `it is ${run.state}; cancel it first`);
  if (run.source === 'undo') throw refused(run, `it undid another run; to go on with that, say factotum undo ${run.parent}`);
  if (isRecord(run.options) && run.options.masked === true)
    throw refused(run, 'its list held secrets, which are not kept; send the list again');
  demandPlace(run);
  const again = commandsFrom(run.body, from, runId);
  if (isRecord(run.options) && run.options.interrupted === true && from === undefined)
    throw refused(run, 'nobody knows how far it came; say from which command on to run it');
  const unsure = from === undefined ? run.commands.find(({ state }) => state === 'indeterminate') : undefined;
  if (unsure !== undefined)
    throw refused(run, `nobody knows whether command ${unsure.index} took effect; say from which command on to run it`);
  const leftOut = leftOutOf(run, from === undefined ? undefined : again);
  demandWholePlan(run, again, leftOut);
  const { interrupted: _, ...options } = isRecord(run.options) ? run.options : {}; // how far the new one comes is known
  return {
    source: 'resume',
    caller: run.caller,
    body: run.body,
    name: run.name,
    mode: run.mode,
    parent: runId,
    queue: run.queue,
    priority: run.priority,
    options: {
      ...options,
      resume: { run_id: runId, ...(from !== undefined && { from }), left_out: leftOut },
    },
  };
};

/** A plan is named as a whole: where a part of it has happened, what is left is another one, which nobody has seen. */
const demandWholePlan = (run: RunRecord, again: (index: number) => boolean, leftOut: readonly number[]): void => {
  if (!isRecord(run.body) || run.body.expect_plan === undefined) return;
  const done = run.commands.find((record) => isFinished(record) && !again(record.index));
  if (done === undefined && leftOut.length === 0) return;
  throw refused(run, 'a part of the plan that it names has happened; plan the commands that are left as a list of their own and send that');
};

/** What the command line ran counts its paths from where it was typed. */
const demandPlace = (run: RunRecord): void => {
  const cwd = isRecord(run.options) ? run.options.cwd : undefined;
  if (typeof cwd === 'string' && cwd !== process.cwd())
    throw refused(run, `its paths count from ${cwd}; go there and write factotum runs resume ${run.runId}`);
};

const refused = ({ runId, state }: RunRecord, why: string) =>
  new QueueException(`The run ${runId} cannot be resumed: ${why}.`, { context: { run_id: runId, state } });
