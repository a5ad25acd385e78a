import { afterAll } from 'vitest';
import { storageContract } from '../../contract/storage.ts';
import { describePeer } from '../../support/peers.ts';
import { clientKey, openTestSftp, sftpSettings } from '../../support/sftp.ts';

describePeer('sshd', '', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const directory = peer.dir.at('home');
  storageContract({
    name: 'sftp with a key',
    directory,
    open: () => openTestSftp(sftpSettings(peer, { password: undefined, private_key: clientKey(peer, 'client_ed25519') })),
  });
});

describePeer('proftpd', 'sftp', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  storageContract({ name: 'sftp of another make', open: () => openTestSftp(sftpSettings(peer)) });
});
