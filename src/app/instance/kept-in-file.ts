import { dirname, resolve } from 'node:path';
import type { Log } from '../../core/ports.ts';
import type { RunJournals } from '../../files/journal/run-journals.ts';
import type { Store } from '../../services/engine/port.ts';
import type { InstanceOptions } from './instance.ts';

/** What makes an instance keep everything in a file, run what is stored there, and have a journal of every run; opened at the first need. */
export const keptInFile = (file: string, log: Log): Required<Pick<InstanceOptions, 'state' | 'journalOf' | 'settleRun'>> => {
  let journals: RunJournals | undefined;
  return {
    journalOf: (runId) => journals?.of(runId),
    settleRun: (runId) => (journals?.has(runId) === true ? journals.close(runId) : undefined),
    state: {
      async open() {
        const opened = await openAll(resolve(file), log);
        journals = opened.journals;
        return opened.store;
      },
      isServing: true,
      keepsHistory: true,
    },
  };
};

/** Old records go after the usual times. */
const openAll = async (file: string, log: Log): Promise<{ readonly store: Store; readonly journals: RunJournals }> => {
  const [{ embeddedStore }, { createRunJournals }, { createWriteAhead }, { createStorePart }, { DEFAULTS }] = await Promise.all([
    import('../../services/engine/embedded/embedded-store.ts'),
    import('../../files/journal/run-journals.ts'),
    import('../../files/journal/write-ahead.ts'),
    import('../reload/store-part.ts'),
    import('../../services/config/derived.generated.ts'),
  ]);
  const store = embeddedStore({ file, isServing: true });
  const keeping = createStorePart(store, DEFAULTS.store);
  const ahead = createWriteAhead({ stateDirectory: dirname(file), store: store.undo.append });
  const journals = createRunJournals({
    stateDirectory: dirname(file),
    maxBytes: keeping.undoBytes,
    maxFiles: keeping.undoFiles,
    now: Date.now,
    append: ahead.append,
    flush: ahead.flush,
  });
  await ahead.takeIn(); // before anything is resumed
  keeping.start(log);
  const close = async () => {
    keeping.close();
    await store.close();
  };
  return { store: { ...store, close, [Symbol.asyncDispose]: close }, journals };
};
