import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';

test('files go to a server and come back', async () => {
  await using room = openRemoteRoom('ftp', { 'a.txt': 'hello', 'in/one': '1' });
  expect(
    await room.told([
      ['FA_ftp_later_init', { host: 'files.example.org', username: 'me', password: 'word', tls: true }],
      ['FA_ftp_upload_file', ['a.txt', 'x/a']],
      ['FA_ftp_upload_dir', ['in', 'tree']],
      ['FA_ftp_list_dir'],
      ['FA_ftp_download_file', ['x/a', 'b.txt']],
      ['FA_ftp_delete_path', ['x/a']],
      ['FA_ftp_list_dir', ['x']],
      ['FA_ftp_close'],
      ['FA_ftp_close'],
    ]),
  ).toEqual([null, true, ['tree/one'], ['tree', 'x'], true, true, [], true, true]);
  expect(room.dir.read('b.txt')).toBe('hello');
  expect(room.opened).toEqual([
    { host: 'files.example.org', username: 'me', password: 'word', port: 21, tls: true, timeout: 30, passive: true },
  ]);
});
