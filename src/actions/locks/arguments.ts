import { number, path, text } from '../../core/args.ts';
import { StoreException } from '../../core/errors.ts';

// What the actions of this family have in common.
export const name = () => text('The lock.', { minLength: 1, maxLength: 256 });
export const owner = () => text('Who holds it, as FA_lock_acquire answered.', { minLength: 1, maxLength: 256, isContent: true });
export const timeout = () => number('Seconds to wait for it; null: as long as it takes; 0: not at all.', { default: null, min: 0 });
export const dbPath = () =>
  path('The file of a store that holds the lock; null: the store of the service.', {
    default: null,
    role: 'writes',
    wrong: StoreException,
  });
