import { afterAll, expect, test } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { pathActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';

describePeer('apache-dav', '', async (start) => {
  const peer = await start();
  const base_url = `http://127.0.0.1:${peer.port}/digest`;
  const service = await startRemoteService({
    locations: ['webdav+nas://shared/', 'webdav://'],
    privateHost: `127.0.0.1:${peer.port}`,
    env: { NAS_PASSWORD: peer.password },
    toml: `
[connections.nas]
type = "webdav"
base_url = "${base_url}"
username = "${peer.user}"
password = "\${env:NAS_PASSWORD}"
`,
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  pathActions({
    type: 'webdav',
    service,
    password: peer.password,
    fault: 'WebDAVException',
    init: (password) => ['FA_webdav_later_init', { base_url, username: peer.user, password }],
  });

  test('collections are made, seen and removed with what is in them', async () => {
    const at = (remote_path: string) => ({ remote_path, connection: 'nas' });
    const told = await service.told([
      ['FA_webdav_mkcol', at('new')],
      ['FA_webdav_mkcol', at('new')],
      ['FA_webdav_upload_file', { file_path: 'a.txt', ...at('new/a b') }],
      ['FA_webdav_list_dir', at('new')],
      ['FA_webdav_exists', at('new/a b')],
      ['FA_webdav_delete_path', at('new')],
      ['FA_webdav_exists', at('new')],
    ]);
    const entry = { href: 'new/a%20b', name: 'a b', is_dir: false, size: 5, last_modified: expect.stringContaining('GMT') };
    expect(told).toEqual([true, 'StorageException exists', true, [entry], true, true, false]);
  });
});
