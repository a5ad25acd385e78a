import type { SchemaTree } from 'hyparquet';
import { DataOpsException } from '../../../../core/errors.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { assemble } from './assemble.ts';
import { openBudget } from './budget.ts';
import { type LeafCursor, openCursor } from './cursor.ts';
import type { Assembled } from './entries.ts';
import type { ReadRange } from './file-bytes.ts';
import { type Footer, readFooter } from './footer.ts';
import { openPages } from './pages.ts';
import { columnNode, type Leaf, leavesOf, type SchemaNode } from './schema-node.ts';
import { demand, inColumn, ParquetFault, unreadable } from './unreadable.ts';

/** Which rows and columns of a file are wanted: plain data, so that any thread can read them. */
export interface ParquetOrder {
  /** The file, for messages. */
  readonly name: string;
  readonly fileBytes: number;
  /** Null: all of them. */
  readonly columns: readonly string[] | null;
  readonly offset: number;
  readonly limit: number;
  /** How much all rows together may weigh: their characters, and some for each value and each list or object. */
  readonly maxWeight: number;
}

export type ParquetRow = Record<string, unknown>;

const BATCH_ROWS = 2_000;
const BATCH_WEIGHT = 256 * 1024;
const ATOM_WEIGHT = 8;
const CONTAINER_WEIGHT = 24;
/** Read at once of each column, and of all columns together. */
const AHEAD_BYTES = 1024 * 1024;
const ALL_AHEAD_BYTES = 64 * 1024 * 1024;

/** The wanted rows of a file, in batches. Only some pages of each column are in memory. */
export async function* rowBatches(read: ReadRange, order: ParquetOrder): AsyncGenerator<ParquetRow[]> {
  try {
    yield* batches(read, order);
  } catch (fault) {
    throw unreadable(order.name, fault);
  }
}

/** A column that is wanted. */
interface WantedColumn {
  readonly name: string;
  readonly node: SchemaNode;
}

async function* batches(read: ReadRange, order: ParquetOrder): AsyncGenerator<ParquetRow[]> {
  const footer = await readFooter(read, order.fileBytes);
  const columns = chosenColumns(footer.tree, order);
  const wanted = wantedGroups(footer, order);
  const rows = wanted.reduce((sum, { rowStart, rowEnd }) => sum + rowEnd - rowStart, 0);
  if (rows * (CONTAINER_WEIGHT + ATOM_WEIGHT * columns.length) > order.maxWeight) throw tooMuch(order);
  let weight = 0;
  for (const { group, rowStart, rowEnd } of wanted) {
    const readers = await openGroup(read, { footer, group, columns, name: order.name });
    for (const { cursors, name } of readers) for (const cursor of cursors) await at(name, () => cursor.skip(rowStart));
    for (let left = rowEnd - rowStart; left > 0; ) {
      const ready = await readyRows(readers);
      const batch: ParquetRow[] = [];
      let batchWeight = 0;
      while (batch.length < Math.min(left, ready, BATCH_ROWS) && batchWeight < BATCH_WEIGHT) {
        const row: ParquetRow = {};
        for (const { name, read: readNext } of readers) setOwn(row, name, readNext());
        batchWeight += weightOf(row);
        batch.push(row);
      }
      for (const { cursors } of readers) for (const cursor of cursors) cursor.passed(batch.length);
      left -= batch.length;
      weight += batchWeight;
      if (weight > order.maxWeight) throw tooMuch(order);
      yield batch;
    }
  }
}

const chosenColumns = (tree: SchemaTree, { columns, name }: ParquetOrder): WantedColumn[] => {
  const found = new Map<string, SchemaTree[]>();
  for (const child of tree.children) {
    const same = found.get(child.element.name);
    if (same === undefined) found.set(child.element.name, [child]);
    else same.push(child);
  }
  demand(found.size > 0, 'it has no columns');
  return (columns ?? [...found.keys()]).map((column) => {
    const [first, second] = found.get(column) ?? [];
    if (first === undefined) throw unknownColumn(column, name, [...found.keys()]);
    if (second !== undefined) throw new ParquetFault('two columns have this name', { column, remedy: 'have it written with other names' });
    return { name: column, node: columnNode(first) };
  });
};

const unknownColumn = (column: string, name: string, known: readonly string[]): DataOpsException => {
  const shown = column.slice(0, 100);
  const advice = didYouMean(column, known) || '; use a name of its schema.';
  return new DataOpsException(`${name} has no column ${JSON.stringify(shown)}${advice}`, {
    context: { argument: 'columns', path: name, column: shown },
  });
};

/** The groups that hold wanted rows, with the rows counted from the start of each. */
const wantedGroups = ({ groups }: Footer, { offset, limit }: ParquetOrder) => {
  let begin = 0;
  return groups.flatMap((group) => {
    const size = Number(group.num_rows);
    demand(Number.isSafeInteger(size) && size >= 0, 'a group has an impossible number of rows');
    const rowStart = Math.max(0, offset - begin);
    const rowEnd = Math.min(size, offset + limit - begin);
    begin += size;
    return rowStart < rowEnd ? [{ group, rowStart, rowEnd }] : [];
  });
};

type ColumnReader = Assembled & { readonly name: string };

const openGroup = async (
  read: ReadRange,
  {
    footer,
    group,
    columns,
    name,
  }: {
    readonly footer: Footer;
    readonly group: Footer['groups'][number];
    readonly columns: readonly WantedColumn[];
    readonly name: string;
  },
): Promise<ColumnReader[]> => {
  const budget = openBudget(name);
  const leaves = columns.flatMap(({ node }) => leavesOf(node));
  const ahead = Math.min(AHEAD_BYTES, Math.ceil(ALL_AHEAD_BYTES / Math.max(1, leaves.length)));
  const cursors = new Map<Leaf, LeafCursor>();
  for (const leaf of leaves)
    await at(leaf.path.join('.'), async () => {
      const pages = await openPages({ read, ahead, budget }, footer.chunkOf(group, leaf.element), leaf);
      cursors.set(leaf, openCursor(leaf, pages, budget));
    });
  return columns.map(({ name: column, node }) => {
    const { read: readNext, cursors: own } = assemble(node, (leaf) => {
      const cursor = cursors.get(leaf);
      demand(cursor !== undefined, 'it is nowhere in the group');
      return cursor;
    });
    return { name: column, cursors: own, read: () => placed(column, readNext) };
  });
};

/** How many rows all columns have whole; each has one at least. */
const readyRows = async (readers: readonly ColumnReader[]): Promise<number> => {
  let rows = BATCH_ROWS;
  for (const { cursors } of readers)
    for (const cursor of cursors)
      await at(cursor.leaf.path.join('.'), async () => {
        rows = Math.min(rows, await cursor.ready());
        demand(rows > 0, 'it has fewer rows than its group');
      });
  return rows;
};

/** Says which column a fault is of. */
const at = async (column: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (fault) {
    throw inColumn(fault, column);
  }
};

const placed = (column: string, work: () => unknown): unknown => {
  try {
    return work();
  } catch (fault) {
    throw inColumn(fault, column);
  }
};

/** Assigning to this one name would set the prototype. */
const setOwn = (row: ParquetRow, name: string, value: unknown): void => {
  if (name === '__proto__') Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
  else row[name] = value;
};

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + ATOM_WEIGHT;
  if (typeof value !== 'object' || value === null) return ATOM_WEIGHT;
  let weight = CONTAINER_WEIGHT;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item);
  // Values are what was put together here, so their fields are their own.
  else for (const name in value) weight += weightOf((value as ParquetRow)[name]);
  return weight;
};

const tooMuch = ({ name, maxWeight }: ParquetOrder) =>
  new DataOpsException(`The rows wanted of ${name} are more than fits into one answer; ask for fewer with limit, offset and columns.`, {
    context: { path: name, limit: maxWeight },
  });
