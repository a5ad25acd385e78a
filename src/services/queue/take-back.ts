import type { Run, RunState } from '../engine/port/runs.ts';
import type { Store } from '../engine/port.ts';

const STRANDED: ReadonlySet<RunState> = new Set<RunState>(['dead', 'indeterminate']);

/** Frees what a worker had that is known to be gone. Answers the runs that do not go on by themselves: they have an end or need a verdict. */
export const takeBack = async (store: Pick<Store, 'abandon' | 'run' | 'runs'>, worker: string): Promise<readonly Run[]> => {
  const had: Run[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.runs({ states: ['running'], limit: 1000 }, cursor);
    had.push(...page.items.filter(({ owner }) => owner === worker));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  await store.abandon(worker);
  const runs = await Promise.all(had.map(({ runId }) => store.run(runId)));
  return runs.filter((run) => run !== null).filter(({ state }) => STRANDED.has(state));
};
