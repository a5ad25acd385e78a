import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionGiven, ConnectionType } from '../../core/ports/connections.ts';
import type { Storage } from '../../core/storage.ts';
import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
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

/** All of them. */
export const BACKENDS: Backends = {
  async s3(given, world) {
    const { openS3 } = await import('../../storage/backends/s3/s3.ts');
    const sources = { env: world.env, home: homeDirectory(), readText: ownText };
    return openS3(settings(given), world, world.isOwners ? sources : undefined);
  },
  async azure(given, world) {
    const { openAzure } = await import('../../storage/backends/azure/azure.ts');
    return openAzure(settings(given), world);
  },
  async sftp({ agent, ...given }, world) {
    const { openSftp } = await import('../../storage/backends/sftp/sftp.ts');
    const { isOwners, env } = world;
    const known_hosts = given.known_hosts ?? (isOwners ? ((await ownText(join(homeDirectory(), '.ssh', 'known_hosts'))) ?? '') : '');
    return openSftp(settings({ ...given, known_hosts, ...(agent === true && isOwners && { agent: env.SSH_AUTH_SOCK }) }), world);
  },
  async ftp(given, world) {
    const { openFtpStorage } = await import('../../storage/backends/ftp/ftp.ts');
    return openFtpStorage(settings(given), world);
  },
  async webdav({ allow_private_hosts: _, ...given }, world) {
    const { openWebdav } = await import('../../storage/backends/webdav/webdav.ts');
    return openWebdav(settings(given), world);
  },
  async smb(given, world) {
    const { openSmb } = await import('../../storage/backends/smb/smb.ts');
    return openSmb(settings(given), world);
  },
};

/**
 * What a connection was given, as its backend wants it: the schema of the configuration, or the arguments of the action that opened it, have
 * checked every value under its name.
 */
const settings = <T>(given: ConnectionGiven): T => given as T;

/** What a file of this machine's user says; undefined where there is none. */
const ownText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
};
