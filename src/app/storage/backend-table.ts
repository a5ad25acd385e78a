import type { ConnectionGiven, ConnectionType } from '../../core/ports/connections.ts';
import type { Storage } from '../../core/storage.ts';
import type { BackendWorld } from '../../storage/backend.ts';

/** What opening a connection needs beside what it was given. */
export interface ConnectionWorld extends BackendWorld {
  /** It is the owner's own: it may use what this machine keeps for its user, as the keys of an agent. */
  readonly isOwners: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the storage of a connection; its code is loaded then. */
export type OpenBackend = (given: ConnectionGiven, world: ConnectionWorld) => Promise<Storage>;

/** Kinds of storage that can be connected to. */
export type Backends = Readonly<Partial<Record<ConnectionType, OpenBackend>>>;

/**
 * All of them. What a connection was given stands under the names of its settings: the schema of the configuration, or the arguments of the
 * action that opened it, have checked it.
 */
export const BACKENDS: Backends = {};
