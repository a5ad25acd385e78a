import { readFile } from 'node:fs/promises';
import { ConfigException, type Json, StorageException } from '../../core/errors.ts';
import type { ConnectionGiven } from '../../core/ports/connections.ts';
import { translate } from '../../lib/fs/faults.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Config } from '../../services/config/config.generated.ts';
import type { Backends } from './backend-table.ts';

/** The connections of an instance, as the configuration has them. */
export interface ConnectionSettings {
  readonly tables: Config['connections'];
  /** Replaces the references of a text. */
  resolve(text: string, key: string): Promise<string>;
  /** What stands in for the real ones in tests. @internal */
  readonly backends?: Backends;
}

/** Settings that name files, and under which name backends want what is in them. */
const FILES: Readonly<Record<string, string>> = { key_filename: 'private_key', known_hosts: 'known_hosts', ca_file: 'ca' };

/** What a table of `[connections]` gives its backend: references replaced, files read. */
export const givenBy = async (name: string, { tables, resolve }: ConnectionSettings): Promise<ConnectionGiven> => {
  const table = tables[name];
  if (table === undefined) throw unknownConnection(name, tables);
  const given: Record<string, Json> = {};
  for (const [key, value] of Object.entries(table)) {
    if (key === 'type') continue;
    const place = `connections.${name}.${key}`;
    const file = FILES[key];
    if (file !== undefined) given[file] = await contentOf(String(value), place);
    else given[key] = typeof value === 'string' ? await resolve(value, place) : (value as Json); // TOML holds nothing but dates beyond it, and the schema has none
  }
  return given;
};

/** Nothing of that name is configured; the names that are can be told to whoever may use them all. */
export const unknownConnection = (name: string, tables: Config['connections'], isTold = true): StorageException => {
  const known = isTold ? Object.keys(tables) : [];
  const hint = didYouMean(name, known) || (known.length === 0 ? '; write [connections.NAME] first.' : `; known are ${known.join(', ')}.`);
  return new StorageException(`There is no connection called ${name}${hint}`, { context: { connection: name, known } });
};

const MAX_BYTES = 1024 * 1024;

const contentOf = async (path: string, key: string): Promise<string> => {
  try {
    const bytes = await readFile(path);
    if (bytes.byteLength > MAX_BYTES) throw new ConfigException(`${path} (${key}) is larger than ${MAX_BYTES} bytes; name another file.`);
    return bytes.toString('utf8');
  } catch (fault) {
    if (fault instanceof ConfigException) throw fault;
    throw new ConfigException(`${key} cannot be used: ${translate(fault, { path }).message}`, { context: { key, path }, cause: fault });
  }
};
