import type { Storage } from '../../src/core/storage.ts';
import { createNetwork, type Network } from '../../src/lib/net/network.ts';
import { openFtpStorage } from '../../src/storage/backends/ftp/ftp.ts';
import type { FtpSettings } from '../../src/storage/backends/ftp/settings.ts';
import type { Peer } from './peers.ts';

export type FtpVariant = 'plain' | 'tls' | 'reuse' | 'implicit';

/** What logs in to a server of a test, which is trusted where it encrypts. */
export const ftpSettings = ({ port, dir, user, password }: Peer, variant: FtpVariant, given: Partial<FtpSettings> = {}): FtpSettings => ({
  host: '127.0.0.1',
  port,
  username: user,
  password,
  tls: variant !== 'plain',
  implicit: variant === 'implicit',
  ...(variant !== 'plain' && { ca: dir.read('ca.pem') ?? '' }),
  ...given,
});

/** Opens a storage on this machine. */
export const openTestFtp = (settings: FtpSettings, network: Network = createNetwork()): Storage =>
  openFtpStorage(settings, { location: 'ftp+test:/', network, rules: { allowPrivate: true }, clock: { now: Date.now } });
