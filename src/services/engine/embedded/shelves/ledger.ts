import type { Submission, Submitted } from '../../port/engine.ts';
import type { Ledger, SeenFile } from '../../port/shelves.ts';
import type { Sync, Tools } from '../repository.ts';

const PAGE = 1_000;

/** Which files a watcher has dealt with, by fingerprint. */
export const ledgerRepository = ({ db }: Tools, submit: (submission: Submission) => Submitted): Sync<Ledger> => {
  const isNew = (watcher: string, { path, fingerprint }: SeenFile): boolean =>
    db.get('SELECT 1 FROM ledger WHERE watcher = ? AND path = ? AND fingerprint = ?', watcher, path, fingerprint) === undefined;
  const write = (watcher: string, { path, fingerprint }: SeenFile): boolean =>
    db.run(
      `INSERT INTO ledger VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint WHERE fingerprint <> excluded.fingerprint`,
      watcher,
      path,
      fingerprint,
    ) === 1;
  return {
    take(watcher, files, submission) {
      const fresh = files.filter((file) => write(watcher, file));
      return { fresh, run: submission === undefined || fresh.length === 0 ? null : submit(submission) };
    },
    unknown: (watcher, files) => files.filter((file) => isNew(watcher, file)),
    list: (watcher, { after = '', limit = PAGE } = {}) =>
      db.all<SeenFile>('SELECT path, fingerprint FROM ledger WHERE watcher = ? AND path > ? ORDER BY path LIMIT ?', watcher, after, limit),
    forget(watcher, paths) {
      for (const path of paths) db.run('DELETE FROM ledger WHERE watcher = ? AND path = ?', watcher, path);
    },
    clear: (watcher) => void db.run('DELETE FROM ledger WHERE watcher = ?', watcher),
  };
};
