import { afterAll } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { pathActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';

describePeer('proftpd', 'plain', async (start) => {
  const peer = await start();
  const service = await startRemoteService({
    locations: ['ftp+nas://shared/', 'ftp://'],
    privateHost: `127.0.0.1:${peer.port}`,
    env: { NAS_PASSWORD: peer.password },
    toml: `
[connections.nas]
type = "ftp"
host = "127.0.0.1"
port = ${peer.port}
username = "${peer.user}"
password = "\${env:NAS_PASSWORD}"
`,
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  pathActions({
    type: 'ftp',
    service,
    password: peer.password,
    fault: 'FTPException',
    init: (password) => ['FA_ftp_later_init', { host: '127.0.0.1', port: peer.port, username: peer.user, password }],
  });
});
