import { createRequire } from 'node:module';
import { StoreException } from '../../core/errors.ts';
import { asStoreFault } from './store-fault.ts';

export type SqlValue = string | number | null;

/** One connection. Statements are prepared once and kept. */
export interface Database {
  /** Runs statements that need no values. */
  exec(sql: string): void;
  /** Answers how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /** Answers the number of the new row; undefined where a conflict left things as they were. */
  insert(sql: string, ...values: SqlValue[]): number | undefined;
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  close(): void;
}

export interface DatabaseOptions {
  readonly isReadOnly?: boolean;
  /** How long to wait for other processes. */
  readonly busyTimeoutMs?: number;
}

interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** What both drivers have in common: `node:sqlite` and the one that the package brings for older versions of Node. */
interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type Driver = new (location: string, options: { readonly readOnly: boolean; readonly timeout: number }) => Connection;

/** Opens a database by path, `file:` address or `:memory:`. Every fault of the driver comes out as a `StoreException`. */
export const openConnection = (location: string, { isReadOnly = false, busyTimeoutMs = 5_000 }: DatabaseOptions = {}): Database => {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (fault) {
      throw asStoreFault(fault, location);
    }
  };
  const Driver = loadDriver();
  const connection = attempt(() => new Driver(location, { readOnly: isReadOnly, timeout: busyTimeoutMs }));
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    let found = prepared.get(sql);
    if (found === undefined) {
      found = connection.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  };
  return {
    exec: (sql) => attempt(() => connection.exec(sql)),
    run: (sql, ...values) => attempt(() => Number(statement(sql).run(...values).changes)),
    insert: (sql, ...values) =>
      attempt(() => {
        const { changes, lastInsertRowid } = statement(sql).run(...values);
        return Number(changes) === 0 ? undefined : Number(lastInsertRowid);
      }),
    // Rows carry no types; whoever writes the statement knows its columns.
    get: <Row>(sql: string, ...values: SqlValue[]) => attempt(() => statement(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SqlValue[]) => attempt(() => statement(sql).all(...values) as Row[]),
    close() {
      prepared.clear(); // the installed driver lets go of the files when the last statement is collected
      attempt(() => connection.close());
    },
  };
};

let loaded: Driver | undefined;

/** Loaded at first need: most runs never touch a store. */
const loadDriver = (): Driver => {
  loaded ??= (isComplete(process.versions.node) ? builtIn() : undefined) ?? brought();
  return loaded;
};

/** Before 22.16, and in all of 23, Node's own SQLite lacks the text index or cannot wait for other processes. */
const isComplete = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 23 || (major === 22 && minor >= 16);
};

const require = createRequire(import.meta.url);

const builtIn = (): Driver | undefined => {
  // Some versions of Node call their SQLite experimental, on the standard error output of whoever uses it.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const name = 'node:sqlite'; // by a name that no tool follows: older versions of Node do not have it
    return driverOf(require(name));
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_UNKNOWN_BUILTIN_MODULE') return undefined;
    throw fault;
  } finally {
    process.emitWarning = emitWarning;
  }
};

/** The build lays the first one beside the library; the second is there in the project, or where somebody has installed it. */
const BROUGHT = ['./sqlite/lib/index.cjs', '@photostructure/sqlite'];

const brought = (): Driver => {
  const faults: unknown[] = [];
  for (const name of BROUGHT) {
    try {
      return driverOf(require(name));
    } catch (fault) {
      faults.push(fault); // not there, or not for this machine
    }
  }
  throw new StoreException(
    `Node ${process.versions.node} on ${process.platform} ${process.arch} has no SQLite that can keep runs; use Node 22.16 or newer, or run npm install @photostructure/sqlite@1.2.1.`,
    { cause: new AggregateError(faults) },
  );
};

/** Both modules export the class under the same name. */
const driverOf = (found: { readonly DatabaseSync: Driver }): Driver => found.DatabaseSync;
