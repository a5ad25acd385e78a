import { OWNER } from '../../src/access/caller.ts';
import { createRuns } from '../../src/app/serve/runs.ts';
import { openService, type ServiceOptions } from '../../src/app/serve/serve.ts';
import { createRunJournals } from '../../src/files/journal/run-journals.ts';
import { undoFiles } from '../../src/files/journal/undo-files.ts';
import { memoryStore } from '../../src/services/engine/memory/memory-store.ts';
import type { Store } from '../../src/services/engine/port.ts';
import { createDispatcher } from '../../src/services/queue/dispatcher.ts';
import { createUndo } from '../../src/services/undo/undo.ts';
import { openHouse, type TestHouse } from './house.ts';
import { tempDir } from './temp-dir.ts';

/** A house with a history, its HTTP door open on a port of its own. */
export interface RunsDoor extends AsyncDisposable {
  readonly house: TestHouse;
  readonly store: Store;
  readonly url: string;
}

export interface RunsDoorOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly service?: ServiceOptions;
}

const clock = { now: Date.now, monotonic: () => performance.now() };

/** Opens a door for one test: `await using door = await openRunsDoor();`. */
export const openRunsDoor = async ({ files = {}, service: serviceOptions = {} }: RunsDoorOptions = {}): Promise<RunsDoor> => {
  const state = tempDir();
  const store = memoryStore();
  const journals = createRunJournals({
    stateDirectory: state.path,
    maxBytes: 1e9,
    maxFiles: 1e6,
    now: Date.now,
    append: async (runId, entries) => void (await store.undo.append(runId, entries)),
  });
  const house = openHouse({ logLevel: 'error', files, journalOf: journals.of });
  const { gateway, log } = house.factotum;
  const callerOf = (name: string) => ({ ...OWNER, name });
  const dispatcher = createDispatcher({
    store,
    clock,
    log,
    callerOf,
    mask: (value) => value,
    runList: (body, call) => gateway.run(body, call).finally(() => journals.close(call.runId)),
  });
  await dispatcher.start();
  const undo = createUndo({ store, files: undoFiles, clock, log, worker: 'tester', callerOf });
  const runs = createRuns({
    store,
    dispatcher,
    undo,
    shares: house.factotum.shares,
    mask: house.factotum.masker.json,
    admit: gateway.admit,
  });
  const service = await openService(house.factotum, { ...serviceOptions, runs, http: { ...serviceOptions.http, port: 0 } });
  return {
    house,
    store,
    url: service.door('http').url,
    async [Symbol.asyncDispose]() {
      await service.close();
      await undo.close();
      await dispatcher.close({ drainMs: 100 });
      await house[Symbol.asyncDispose]();
      await store.close();
      state[Symbol.dispose]();
    },
  };
};
