import { afterAll } from 'vitest';
import { storageContract } from '../../contract/storage.ts';
import { ftpSettings, openTestFtp } from '../../support/ftp.ts';
import { describePeer } from '../../support/peers.ts';

for (const variant of ['plain', 'tls', 'reuse', 'implicit'] as const) {
  describePeer('proftpd', variant, async (open) => {
    const peer = await open();
    afterAll(() => peer[Symbol.asyncDispose]());
    storageContract({ name: `ftp (${variant})`, open: () => openTestFtp(ftpSettings(peer, variant)) });
  });
}
