import { readFileSync } from 'node:fs';
import type { Storage } from '../../src/core/storage.ts';
import { createNetwork } from '../../src/lib/net/network.ts';
import type { SftpSettings } from '../../src/storage/backends/sftp/settings.ts';
import { openSftp } from '../../src/storage/backends/sftp/sftp.ts';
import type { Peer } from './peers.ts';

/** What logs in to a server of a test, with its host key known. */
export const sftpSettings = ({ port, dir, user, password }: Peer, given: Partial<SftpSettings> = {}): SftpSettings => ({
  host: '127.0.0.1',
  port,
  username: user,
  password,
  known_hosts: dir.read('known_hosts') ?? '',
  ...given,
});

/** Opens a storage on this machine. */
export const openTestSftp = (settings: SftpSettings): Storage =>
  openSftp(settings, { location: 'sftp+test:/', network: createNetwork(), rules: { allowPrivate: true }, clock: { now: Date.now } });

/** A private key that the server `sshd` knows. */
export const clientKey = ({ dir }: Peer, name: 'client_ed25519' | 'client_enc'): string => readFileSync(dir.at(name), 'utf8');
