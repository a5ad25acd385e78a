import { type PartAnswer, type SharedParts, type StartPart, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { grepPart } from './grep-part.ts';
import type { Harvest } from './harvest.ts';
import type { GrepQuery } from './query.ts';

/** A share in a search by content. */
export interface GrepOrder {
  readonly shared: SharedParts;
  readonly query: GrepQuery;
}

/** The latest search of this thread: it gets a long one in many short orders, which need not be prepared each time. */
let latest: { readonly query: string; readonly start: Promise<StartPart<Harvest>> } | undefined;

/** Takes part in a search by content; a task for other threads. */
export const grepLines = async ({ shared, query }: GrepOrder): Promise<Done<readonly PartAnswer<Harvest>[]>> => {
  const key = JSON.stringify(query);
  if (latest?.query !== key) latest = { query: key, start: grepPart(query) };
  const value = takeParts(shared, await latest.start);
  return {
    value,
    transfer: value.flatMap(({ result }) => [result.fileEnds.buffer, result.lines.buffer, result.ends.buffer, result.text.buffer]),
  };
};
