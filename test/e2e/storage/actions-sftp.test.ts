import { afterAll } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { pathActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';

describePeer('sshd', '', async (start) => {
  const peer = await start();
  const base = peer.dir.at('home');
  const service = await startRemoteService({
    locations: [`sftp+nas://${base}/shared/`, `sftp://${base}/`, 'sftp://'],
    privateHost: `127.0.0.1:${peer.port}`,
    files: { known: peer.dir.read('known_hosts') ?? '' },
    env: { NAS_PASSWORD: peer.password },
    toml: `
[connections.nas]
type = "sftp"
host = "127.0.0.1"
port = ${peer.port}
username = "${peer.user}"
password = "\${env:NAS_PASSWORD}"
known_hosts = "known"
`,
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  pathActions({
    type: 'sftp',
    service,
    base,
    password: peer.password,
    fault: 'SFTPException',
    init: (password) => ['FA_sftp_later_init', { host: '127.0.0.1', port: peer.port, username: peer.user, password, known_hosts: 'known' }],
  });
});
