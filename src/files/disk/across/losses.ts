import type { LostProperty } from '../../../core/files.ts';

/** What of moved things their new file system did not take, gathered by what it is. */
export interface Losses {
  add(what: LostProperty['what'], path: string): void;
  all(): readonly LostProperty[];
}

/** More are only counted. */
const MOST_NAMED = 10;

/** In which order they are told. */
const KINDS = ['owner', 'mode', 'time', 'hard_link', 'attribute', 'access_list'] as const satisfies readonly LostProperty['what'][];

export const createLosses = (): Losses => {
  const found = new Map<LostProperty['what'], string[]>();
  const counts = new Map<LostProperty['what'], number>();
  return {
    add(what, path) {
      const paths = found.get(what) ?? [];
      if (paths.length < MOST_NAMED) found.set(what, [...paths, path]);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    },
    all: () =>
      KINDS.flatMap((what) => {
        const count = counts.get(what);
        return count === undefined ? [] : [{ what, count, paths: found.get(what) ?? [] }];
      }),
  };
};
