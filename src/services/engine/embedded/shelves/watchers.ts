import type { Named, Watcher } from '../../port/shelves.ts';
import { fromText, type Sync, type Tools, toText } from '../repository.ts';
import { namedRepository } from './named.ts';

interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly options: string;
  readonly enabled: number;
  readonly created_at: number;
}

/** Watchers that were started and not stopped. */
export const watchersRepository = (tools: Tools): Sync<Named<Watcher>> =>
  namedRepository<Watcher, Row>(tools, {
    table: 'watcher',
    columns: ['name', 'path', 'body', 'options', 'enabled', 'created_at'],
    toValues: (it) => [
      it.name,
      it.path,
      tools.seal.seal(toText(it.body)),
      tools.seal.seal(toText(it.options)),
      Number(it.isEnabled),
      it.createdAt,
    ],
    fromRow: (row) => ({
      name: row.name,
      path: row.path,
      body: fromText(tools.seal.open(row.body)),
      options: fromText(tools.seal.open(row.options)),
      isEnabled: row.enabled === 1,
      createdAt: row.created_at,
    }),
  });
