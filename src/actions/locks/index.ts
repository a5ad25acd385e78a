// Locks by name and of files. They are kept in services/locks and reach actions through ctx.services; read with-lock.ts first.
import { defineFamily } from '../../core/action.ts';
import { lockAcquire, lockRefresh, lockRelease } from './named-locks.ts';
import { withFileLock, withLock } from './with-lock.ts';

export const locks = defineFamily({
  name: 'locks',
  group: 'state',
  summary: 'Locks between lists, runs and programs: by name or of a file.',
  actions: [lockAcquire, lockRelease, lockRefresh, withLock, withFileLock],
});
