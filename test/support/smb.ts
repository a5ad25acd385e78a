import type { Storage } from '../../src/core/storage.ts';
import { createNetwork } from '../../src/lib/net/network.ts';
import type { SmbSettings } from '../../src/storage/backends/smb/settings.ts';
import { openSmb } from '../../src/storage/backends/smb/smb.ts';
import type { Peer } from './peers.ts';

/** How to reach the share of a samba that a test has started; its user is an account that every system has. */
export const smbSettings = ({ port, password }: Pick<Peer, 'port' | 'password'>, given: Partial<SmbSettings> = {}): SmbSettings => ({
  server: '127.0.0.1',
  share: 'share',
  username: 'games',
  password,
  port,
  encrypt: false,
  connection_timeout: 10,
  ...given,
});

export const openTestSmb = (settings: SmbSettings): Storage =>
  openSmb(settings, { location: 'smb:/', network: createNetwork(), rules: { allowPrivate: true }, clock: { now: Date.now } });

/** The odd names that SMB cannot carry. */
export const REFUSED = /["*/:<>?\\|]|[. ]$|^CON$/;
