import type { Run, RunId, RunRecord, RunState } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';

const GOING: readonly RunState[] = ['queued', 'running'];

/** The run, if it waits or is under way. */
export const goingRun = async (store: Pick<Store, 'run'>, runId: RunId | null): Promise<RunRecord | undefined> => {
  const run = runId === null ? null : await store.run(runId);
  return run !== null && GOING.includes(run.state) ? run : undefined;
};

/** All runs of a schedule that wait or are under way. Looks through the whole history, so it is for rare questions. */
export const goingRunsOf = async (store: Pick<Store, 'runs'>, schedule: string): Promise<Run[]> => {
  const going: Run[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.runs({ sources: ['schedule'], states: GOING, limit: 1000 }, cursor);
    going.push(...page.items.filter(({ name }) => name === schedule));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return going;
};
