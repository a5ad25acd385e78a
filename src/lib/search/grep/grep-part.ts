import type { Visitor } from '../../fs/walk.ts';
import type { StartPart } from '../../fs/walk-shared.ts';
import { createLineFinder } from '../../kernels/find/line-finder.ts';
import { createEntryFilter } from '../entry-filter.ts';
import { leaveOut, leaveUnreadable } from '../left-out.ts';
import { createFileSearch } from './file-search.ts';
import { createGathering, type Harvest } from './harvest.ts';
import { createJsonWriter } from './harvest-json.ts';
import { prepareLineTest } from './line-test.ts';
import type { GrepQuery } from './query.ts';

/** Most files fit; larger ones are read in so many bytes at a time. Lines that are looked at one by one take longer. */
const BLOCK_BYTES = { byNeedle: 256 * 1024, byLine: 64 * 1024 };

/** Prepares the search of parts of a tree on this thread: one query serves for many, one part at a time. */
export const grepPart = async (query: GrepQuery): Promise<StartPart<Harvest>> => {
  const { glob, exclude, behind, most, maxLineChars, jsonBelow } = query;
  const { needle, matches } = await prepareLineTest(query);
  const { includes, excludes } = createEntryFilter({ include: glob, exclude, ignoreCase: false });
  const search = createFileSearch({
    ...query,
    finder: createLineFinder(needle, matches === undefined ? BLOCK_BYTES.byNeedle : BLOCK_BYTES.byLine),
    matches,
  });
  const writeJson = jsonBelow === null ? (harvest: Harvest) => harvest : createJsonWriter(jsonBelow, maxLineChars);
  const isReached = behind === null ? () => true : (relative: string) => relative >= behind.path;

  return (mustPause) => {
    const gathering = createGathering();
    /** Searches files, or goes on with one that had to wait. */
    const searchFiles: Visitor['files'] = (run) => {
      for (; run.next < run.until; run.next += 1) {
        const name = run.steps[run.next] ?? '';
        const relative = run.directory.relative + name;
        try {
          if (!search.isOpen) search.open(run.directory.address(name), gathering, behind?.path === relative ? behind.line : 0);
          while (!search.step()) if (mustPause()) return 'again';
        } catch (fault) {
          leaveUnreadable(gathering.unreadable, relative, fault);
          gathering.forget();
        }
        const { isBinary, isCut } = search.close();
        if (isBinary) gathering.forget();
        else gathering.keep(relative);
        if (isBinary) leaveOut(gathering.binary, relative);
        if (isCut) leaveOut(gathering.endless, relative);
        if (gathering.count >= most) return 'end';
      }
      return undefined;
    };
    return {
      visitor: {
        wants: (name, kind, directory) =>
          kind === 'file' &&
          includes(name, directory) &&
          !excludes(name, directory) &&
          (behind === null || isReached(directory.relative + name)),
        enters: (name, parent) => {
          const relative = `${parent.relative}${name}/`;
          return !excludes(name, parent) && (isReached(relative) || behind?.path.startsWith(relative) === true);
        },
        entry: () => undefined, // files only
        files: searchFiles,
        unreadable: (relative, fault) => leaveUnreadable(gathering.unreadable, relative, fault),
      },
      end() {
        if (search.isOpen) gathering.forget();
        search.close();
        return writeJson(gathering.pack());
      },
    };
  };
};
