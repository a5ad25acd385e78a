import { type Caller, OWNER } from '../../../access/caller.ts';
import { ArgumentException, ExecuteActionException, QueueException } from '../../../core/errors.ts';
import type { ResumeFrom, RunDetail, RunState, Runs, RunView } from '../../../core/ports/runs.ts';
import type { ProgressRegistry } from '../../../core/progress.ts';
import { readJson } from '../../../lib/json/read.ts';
import { readJsonInSlices } from '../../../lib/json/read-in-slices.ts';
import type { Doorway } from '../../door.ts';
import { Refused } from '../refuse.ts';
import type { Answer, Exchange, Route } from '../route.ts';
import { createEvents } from './runs/events.ts';
import { keyOf, keyReused } from './runs/key.ts';
import { readQuery } from './runs/query.ts';
import { recordOf, summaryOf } from './runs/wire.ts';

export interface RunRoutesOptions {
  readonly doorway: Doorway;
  readonly runs: Runs<Caller>;
  readonly progress: ProgressRegistry;
}

/** `/runs`: lists in the background, what became of runs, and changing their course. The owner sees all, others only what they started. */
export const runRoutes = ({ doorway: { limits, masker }, runs, progress }: RunRoutesOptions): readonly Route[] => {
  const { follow, hasNews } = createEvents({ runs, progress, masker });
  const bodyOf = async (exchange: Exchange): Promise<unknown> => {
    const bytes = await exchange.body();
    return bytes.length === 0 ? {} : readJson(bytes, { maxDepth: limits.jsonDepth });
  };

  /** A run of somebody else is as unknown as one that never was. */
  const ask = async <T extends RunView>(
    { caller, params: [runId = ''] }: Exchange,
    look: (runId: string) => Promise<T | null>,
  ): Promise<T> => {
    const run = await look(runId);
    if (run === null || (!isOwner(caller) && run.caller !== caller.name)) throw noRun(runId);
    return run;
  };
  const find = (exchange: Exchange): Promise<RunDetail> => ask(exchange, runs.get);
  const findHead = (exchange: Exchange): Promise<RunView> => ask(exchange, runs.head);
  const findEnded = async (exchange: Exchange, what: string): Promise<RunView> => {
    const run = await findHead(exchange);
    if (isOver(run.state)) return run;
    throw new Refused(409, 'not-over', `Run ${run.runId} is not over; cancel it or wait for its end, then ${what} it.`);
  };

  return [
    {
      method: 'POST',
      path: '/runs',
      takesJson: true,
      handle: async (exchange) => {
        exchange.enter();
        const key = keyOf(exchange.request);
        const reading = readJsonInSlices(await exchange.body(), { maxDepth: limits.jsonDepth });
        const request = reading instanceof Promise ? await reading : reading;
        const taken = await runs.start(request, { ...askedBy(exchange), ...(key !== undefined && { key }) });
        if (!taken.isSameBody) throw keyReused();
        taken.finished?.catch(() => {}); // its record says it
        return accepted(taken.runId);
      },
    },
    {
      method: 'GET',
      path: '/runs',
      async handle({ caller, query: text }) {
        const { query, cursor } = readQuery(text);
        if (!isOwner(caller) && query.caller !== undefined && query.caller !== caller.name)
          return { status: 200, json: { runs: [], cursor: null } };
        const page = await runs.list(isOwner(caller) ? query : { ...query, caller: caller.name }, cursor);
        return { status: 200, json: { runs: page.items.map(summaryOf), cursor: page.cursor } };
      },
    },
    {
      method: 'GET',
      path: '/runs/{id}',
      handle: async (exchange) => ({ status: 200, json: recordOf(await find(exchange)) }),
    },
    {
      method: 'GET',
      path: '/runs/{id}/events',
      async handle(exchange) {
        const { runId, state } = await findHead(exchange);
        const last = lastEventOf(exchange);
        // Browsers ask again after every end, and this is how they are told not to. A run in doubt goes on after a verdict.
        if (isOver(state) && state !== 'indeterminate' && !(await hasNews(runId, last))) return { status: 204 };
        await follow(exchange.response, { runId, after: last, caller: exchange.caller.name });
        return undefined;
      },
    },
    {
      method: 'POST',
      path: '/runs/{id}/cancel',
      takesJson: true,
      async handle(exchange) {
        const { runId } = await findHead(exchange);
        return accepted(runId, { outcome: await runs.cancel(runId) });
      },
    },
    {
      method: 'POST',
      path: '/runs/{id}/resume',
      takesJson: true,
      handle: async (exchange) => {
        exchange.enter();
        const { runId } = await findEnded(exchange, 'resume');
        const from = fromIn(await bodyOf(exchange));
        const resumed = await orConflict(
          'cannot-resume',
          runs.resume(runId, { ...askedBy(exchange), ...(from !== undefined && { from }) }),
        );
        return accepted(resumed.runId);
      },
    },
    {
      method: 'POST',
      path: '/runs/{id}/undo',
      takesJson: true,
      handle: async (exchange) => {
        exchange.enter();
        const { runId } = await findEnded(exchange, 'undo');
        return accepted((await orConflict('cannot-undo', runs.undo(runId, askedBy(exchange)))).runId);
      },
    },
  ];
};

const isOwner = ({ name }: Caller): boolean => name === OWNER.name;

const isOver = (state: RunState): boolean => state !== 'queued' && state !== 'running';

const askedBy = ({ caller }: Exchange) => ({ caller, source: 'http' });

const accepted = (runId: string, more: object = {}): Answer => ({
  status: 202,
  json: { run_id: runId, ...more },
  headers: { Location: `/runs/${runId}`, 'X-Run-Id': runId },
});

const noRun = (runId: string) => new Refused(404, 'unknown-run', `No run is called ${runId}; GET /runs lists yours.`);

/** What a run does not allow, such as undoing it twice. */
const orConflict = async <T>(kind: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (fault) {
    const isConflict =
      fault instanceof QueueException || (fault instanceof ExecuteActionException && fault.type === 'ExecuteActionException');
    throw isConflict ? new Refused(409, kind, fault.message) : fault;
  }
};

const fromIn = (body: unknown): ResumeFrom => {
  const from = typeof body === 'object' && body !== null && 'from' in body ? body.from : undefined;
  if (from === undefined || typeof from === 'string' || (typeof from === 'number' && Number.isSafeInteger(from) && from >= 0)) return from;
  throw new ArgumentException('"from" is the index of a command or the id of a node.', { context: { argument: 'from' } });
};

/** Where a follower goes on: after the last event it has seen. */
const lastEventOf = ({ request: { headers } }: Exchange): number => {
  const last = headers['last-event-id'];
  return typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : 0;
};
