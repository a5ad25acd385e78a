import type { Json } from '../../core/errors.ts';
import type { Submission } from '../../services/engine/port/engine.ts';
import type { Store } from '../../services/engine/port.ts';

/** A store that is told with every list what may be shown of it, and stay of it when its run is over. */
export const keepMasked = (store: Store, mask: (value: unknown) => unknown): Store => {
  const withKept = (submission: Submission): Submission => {
    const kept = mask(submission.body) as Json; // masking keeps the shape
    return kept === submission.body ? submission : { ...submission, kept };
  };
  return {
    ...store,
    submit: (submission) => store.submit(withKept(submission)),
    fire: (schedule, slot, submission) => store.fire(schedule, slot, submission && withKept(submission)),
    ledger: {
      ...store.ledger,
      take: (watcher, files, submission) => store.ledger.take(watcher, files, submission && withKept(submission)),
    },
  };
};
