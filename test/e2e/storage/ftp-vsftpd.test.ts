import { afterAll } from 'vitest';
import { storageContract } from '../../contract/storage.ts';
import { ftpSettings, openTestFtp } from '../../support/ftp.ts';
import { describePeer } from '../../support/peers.ts';

/** It knows neither MLST nor MFMT, and demands that TLS sessions are gone on with. */
for (const variant of ['plain', 'tls', 'implicit'] as const) {
  describePeer('vsftpd', variant, async (open) => {
    const peer = await open();
    afterAll(() => peer[Symbol.asyncDispose]());
    storageContract({ name: `ftp of another make (${variant})`, open: () => openTestFtp(ftpSettings(peer, variant)) });
  });
}
