import type { MemoryBudget } from './budget.ts';
import type { LoadedPage, PageSource } from './pages.ts';
import type { Leaf } from './schema-node.ts';
import { demand } from './unreadable.ts';

/** The entries of one leaf column, one after the other: a value, or nothing at some level, for each place in a row. */
export interface LeafCursor {
  readonly leaf: Leaf;
  /** Levels of the entry that is next. Behind the last entry a row would begin. */
  readonly repetition: number;
  readonly definition: number;
  /** The value of the entry, null where there is none, and goes on to the next. */
  take(): unknown;
  /** Loads pages until a row is whole, and tells how many are. */
  ready(): Promise<number>;
  /** Rows were taken. */
  passed(rows: number): void;
  /** Leaves out rows. */
  skip(rows: number): Promise<void>;
}

/** Opens a cursor over the pages of a column. */
export const openCursor = (leaf: Leaf, pages: PageSource, budget: MemoryBudget): LeafCursor => {
  const loaded: LoadedPage[] = [];
  let page: LoadedPage | undefined;
  let entry = 0;
  let value = 0;
  /** Rows that begin in what is loaded and were not passed. */
  let rows = 0;
  let isLast = false;
  let isFirst = true;

  const cursor = { leaf, repetition: 0, definition: 0 };
  const settle = (): void => {
    while (page !== undefined && entry >= page.count) {
      budget.give(page.bytes);
      page = loaded.shift();
      entry = 0;
      value = 0;
    }
    cursor.repetition = page?.repetitions?.[entry] ?? 0;
    cursor.definition = page === undefined ? leaf.def : page.definitions === undefined ? leaf.def : (page.definitions[entry] ?? 0);
  };
  const load = async (): Promise<void> => {
    const next = await pages.next();
    if (next === undefined) {
      isLast = true;
      return;
    }
    if (next.count > 0) {
      demand(!isFirst || (next.repetitions?.[0] ?? 0) === 0, 'the first page begins within a row');
      isFirst = false;
    }
    rows += next.rows;
    if (page === undefined) page = next;
    else loaded.push(next);
    settle();
  };
  /** Without repetition every entry is a row; else only the beginning of the next one tells that a row is whole. */
  const whole = (): number => (isLast || leaf.rep === 0 ? rows : rows - 1);
  const ready = async (): Promise<number> => {
    while (whole() < 1 && !isLast) await load();
    return whole();
  };
  const take = (): unknown => {
    demand(page !== undefined, 'it ends within a row');
    const isThere = cursor.definition === leaf.def;
    const found = isThere ? page.values.at(value) : null;
    if (isThere) value += 1;
    entry += 1;
    settle();
    return found;
  };
  /** Passes an entry by without looking at its value. */
  const drop = (): void => {
    if (cursor.definition === leaf.def) value += 1;
    entry += 1;
    settle();
  };

  return Object.assign(cursor, {
    take,
    ready,
    passed(count: number) {
      rows -= count;
    },
    async skip(count: number) {
      for (let left = count; left > 0; ) {
        if (page === undefined && !isLast) {
          const skipped = await pages.skip(left);
          if (skipped > 0) isFirst = false;
          left -= skipped;
          if (skipped > 0) continue;
        }
        const here = Math.min(left, await ready());
        demand(here > 0, 'it has fewer rows than its group');
        for (let row = 0; row < here; row += 1) {
          do drop();
          while (cursor.repetition > 0);
        }
        rows -= here;
        left -= here;
      }
    },
  });
};
