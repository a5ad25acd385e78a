import type { Context } from '../../core/context.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import { type Attempted, attemptEach } from './attempt-each.ts';

/** Removes many files: one that cannot go is no reason to keep the others, and one that is gone already is as good as removed. */
export const removeEach = ({ files, signal }: Pick<Context, 'files' | 'signal'>, paths: readonly string[]): Promise<Attempted<string>> =>
  attemptEach(paths, { files, signal, pathOf: (path) => path }, async (path) => {
    try {
      await files.remove(path);
    } catch (fault) {
      if (!(fault instanceof FileNotExistsException)) throw fault;
    }
  });
