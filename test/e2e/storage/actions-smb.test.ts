import { afterAll, expect, test } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { pathActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';

describePeer('samba', 'default', async (start) => {
  const peer = await start();
  const service = await startRemoteService({
    locations: ['smb+nas://shared/', 'smb://'],
    privateHost: `127.0.0.1:${peer.port}`,
    env: { NAS_PASSWORD: peer.password },
    toml: `
[connections.nas]
type = "smb"
server = "127.0.0.1"
port = ${peer.port}
share = "share"
username = "games"
password = "\${env:NAS_PASSWORD}"
`,
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  pathActions({
    type: 'smb',
    service,
    password: peer.password,
    fault: 'SMBException',
    init: (password) => ['FA_smb_later_init', { server: '127.0.0.1', share: 'share', username: 'games', password, port: peer.port }],
  });

  test('directories are made, seen and removed', async () => {
    const at = (remote_path: string) => ({ remote_path, connection: 'nas' });
    const told = await service.told([
      ['FA_smb_mkdir', at('new\\deep')],
      ['FA_smb_upload_file', { file_path: 'a.txt', ...at('new\\a') }],
      ['FA_smb_list_dir', at('new')],
      ['FA_smb_exists', at('new/a')],
      ['FA_smb_rmdir', at('new')],
      ['FA_smb_rmdir', at('new/deep')],
      ['FA_smb_exists', at('new/deep')],
    ]);
    const entries = [
      { name: 'a', is_dir: false, size: 5 },
      { name: 'deep', is_dir: true, size: 0 },
    ];
    expect(told).toEqual([true, true, entries, true, 'SMBException not_empty', true, false]);
  });
});
