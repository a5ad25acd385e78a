import { randomBytes } from 'node:crypto';
import { OWNER } from '../../access/caller.ts';
import { StorageException } from '../../core/errors.ts';
import type { Storage } from '../../core/storage.ts';
import { networkSettingsOf } from '../config/list-defaults.ts';
import type { Config, LoadedConfig } from '../config/load-config.ts';
import { createStorages } from '../storage/open-storage.ts';
import { whereOf } from '../storage/where-of.ts';

/** One of `[connections]` as it may be shown. */
export interface ShownConnection {
  readonly name: string;
  readonly type: string;
  /** The server, and who logs in; never a secret. */
  readonly where: string;
}

/** What a test of a connection has found out. */
export interface ConnectionReport extends ShownConnection {
  /** What was listed, and how many entries it has; the count stops at some. */
  readonly listed: { readonly location: string; readonly entries: number; readonly isCut: boolean };
  readonly probe?: { readonly location: string; readonly bytes: number; readonly verified: string };
  readonly can: {
    readonly ranges: boolean;
    readonly times: boolean;
    readonly digests: readonly string[];
    readonly parts: boolean;
    readonly exclusive_writes: boolean;
    readonly directories: string;
    readonly copies: boolean;
    readonly moves: boolean;
  };
}

export interface TestOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Where to look, and to write; left out, at the top. */
  readonly at: string;
  /** Also put a file there, read it and remove it. */
  readonly writes: boolean;
}

/** All connections, by name. */
export const listConnections = ({ connections }: Config): readonly ShownConnection[] =>
  Object.entries(connections)
    .map(([name, table]) => ({ name, type: table.type, where: whereOf(table) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

/** A directory may hold millions; nobody counts them to see that a list works. */
const MOST_COUNTED = 1_000;

/** Connects and looks, and writes where that is wanted. */
export const testConnection = async (
  { config, resolve }: LoadedConfig,
  name: string,
  { env, signal, at, writes }: TestOptions,
): Promise<ConnectionReport> => {
  const storages = createStorages({
    env,
    clock: { now: Date.now },
    connections: () => ({ tables: config.connections, resolve }),
    outbound: () => networkSettingsOf(config),
    metrics: async () => ({ meters: { transferred: () => {} } }),
    learn: () => {}, // nothing is kept or sent on here
  });
  try {
    const storage = await storages.connection(name, OWNER);
    const path = at.replace(/\/+$/, '');
    const listed = await list(storage, path, signal);
    const probe = writes ? await writeProbe(storage, path, signal) : undefined;
    const [shown] = listConnections(config).filter((each) => each.name === name);
    if (shown === undefined) throw new StorageException(`There is no connection called ${name}.`); // it was opened a moment ago
    return { ...shown, listed, ...(probe && { probe }), can: abilitiesOf(storage) };
  } finally {
    await storages.close();
  }
};

const list = async (storage: Storage, path: string, signal: AbortSignal): Promise<ConnectionReport['listed']> => {
  const location = `${storage.location}/${path}`;
  let entries = 0;
  for await (const _ of storage.list(path, { signal })) {
    if (entries === MOST_COUNTED) return { location, entries, isCut: true };
    entries += 1;
  }
  if (entries === 0 && path !== '' && (await storage.stat(path, { signal })) === undefined)
    throw new StorageException(`Nothing is at ${location}; name a directory that exists.`, { context: { code: 'not_found', location } });
  return { location, entries, isCut: false };
};

const CONTENT = Buffer.from('factotum was here to see whether it can write\n');

/** It is removed again whatever happens. */
const writeProbe = async (storage: Storage, directory: string, signal: AbortSignal): Promise<ConnectionReport['probe']> => {
  const name = `factotum-probe-${randomBytes(8).toString('hex')}`;
  const path = directory === '' ? name : `${directory}/${name}`;
  const location = `${storage.location}/${path}`;
  const content = {
    bytes: CONTENT.byteLength,
    async *chunks() {
      yield CONTENT;
    },
  };
  try {
    const { bytes, verified = 'size' } = await storage.write(path, content, { signal });
    const back: Uint8Array[] = [];
    for await (const chunk of await storage.read(path, { signal })) back.push(Buffer.from(chunk));
    if (!CONTENT.equals(Buffer.concat(back)))
      throw new StorageException(`${location} came back as something else than was written; do not trust this server with data.`, {
        context: { code: 'broken', location },
      });
    return { location, bytes, verified };
  } finally {
    await storage.remove(path, { signal: AbortSignal.timeout(30_000) });
  }
};

const abilitiesOf = ({ can, copy, move }: Storage): ConnectionReport['can'] => ({
  ranges: can.range,
  times: can.timeStepMs !== undefined,
  digests: can.hashes,
  parts: can.parts !== undefined,
  exclusive_writes: can.exclusiveWrite,
  directories: can.directories,
  copies: copy !== undefined,
  moves: move !== undefined,
});
