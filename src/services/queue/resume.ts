import { type Json, QueueException } from '../../core/errors.ts';
import type { Claim, Submission } from '../engine/port/engine.ts';
import type { CommandRecord, RunId, RunRecord, RunState } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';

/** Where a run is taken up again: at a position of its list, or at a node of its graph with all that depend on it. */
export type ResumePoint = number | string;

const OVER: ReadonlySet<RunState> = new Set<RunState>(['ok', 'failed', 'cancelled', 'dead']);

/** The run that goes on where another one has ended; refuses where that would repeat or invent something. */
export const resumption = async (store: Pick<Store, 'run'>, runId: RunId, from: ResumePoint | undefined): Promise<Submission> => {
  const run = await store.run(runId);
  if (run === null) throw unknown(runId);
  if (!OVER.has(run.state)) throw refused(run, `it is ${run.state}; ${run.state === 'indeterminate' ? 'judge' : 'cancel'} it first`);
  if (isRecord(run.options) && run.options.masked === true)
    throw refused(run, 'its list held secrets, which are not kept; send the list again');
  demandPlace(run);
  const again = commandsFrom(run.body, from, runId);
  if (isRecord(run.options) && run.options.interrupted === true && from === undefined)
    throw refused(run, 'nobody knows how far it came; say from which command on to run it');
  const unsure = run.commands.find(({ index, state }) => state === 'indeterminate' && !again(index));
  if (unsure !== undefined)
    throw refused(run, `nobody knows whether command ${unsure.index} took effect; say from which command on to run it`);
  return {
    source: 'resume',
    caller: run.caller,
    body: run.body,
    name: run.name,
    mode: run.mode,
    parent: runId,
    queue: run.queue,
    priority: run.priority,
    options: { ...(isRecord(run.options) && run.options), resume: { run_id: runId, ...(from !== undefined && { from }) } },
  };
};

/** What the command line ran counts its paths from where it was typed. */
const demandPlace = (run: RunRecord): void => {
  const cwd = isRecord(run.options) ? run.options.cwd : undefined;
  if (typeof cwd === 'string' && cwd !== process.cwd())
    throw refused(run, `its paths count from ${cwd}; go there and write factotum runs resume ${run.runId}`);
};

/** The commands of an earlier run that a claimed one takes over; none where it resumes nothing. */
export const takenOver = async (
  store: Pick<Store, 'run'>,
  { options, body }: Pick<Claim, 'options' | 'body'>,
): Promise<ReadonlyMap<number, CommandRecord>> => {
  const resume = isRecord(options) ? options.resume : undefined;
  if (resume === undefined || !isRecord(resume)) return NONE;
  const runId = String(resume.run_id);
  const earlier = await store.run(runId);
  if (earlier === null) throw unknown(runId); // without it, everything would be repeated
  const again = commandsFrom(body, resume.from as ResumePoint | undefined, runId); // as `resumption` writes it
  const kept = earlier.commands.filter(({ index, state }) => (state === 'ok' || state === 'reused') && !again(index));
  return new Map(kept.map((record) => [record.index, record]));
};

const NONE: ReadonlyMap<number, CommandRecord> = new Map();

/** Tells which commands are run again whatever became of them. */
const commandsFrom = (body: Json, from: ResumePoint | undefined, runId: RunId): ((index: number) => boolean) => {
  if (from === undefined) return () => false;
  if (typeof from === 'number') return (index) => index >= from;
  const nodes = isRecord(body) && Array.isArray(body.nodes) ? body.nodes.filter(isRecord) : [];
  const again = new Set([from]);
  if (!nodes.some(({ id }) => id === from)) throw noSuchNode(runId, from);
  // A node may stand before those it depends on, so this goes on until nothing is added.
  for (let before = 0; before < again.size; ) {
    before = again.size;
    for (const { id, depends_on: after } of nodes)
      if (Array.isArray(after) && after.some((each) => again.has(String(each)))) again.add(String(id));
  }
  return (index) => again.has(String(nodes[index]?.id));
};

const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unknown = (runId: RunId) =>
  new QueueException(`No run has the id ${runId}, or it is no longer kept; list the runs to find it.`, { context: { run_id: runId } });

const refused = ({ runId, state }: RunRecord, why: string) =>
  new QueueException(`The run ${runId} cannot be resumed: ${why}.`, { context: { run_id: runId, state } });

const noSuchNode = (runId: RunId, from: string) =>
  new QueueException(`The run ${runId} has no node ${JSON.stringify(from)}; name one of its nodes, or a position.`, {
    context: { run_id: runId, from },
  });
