import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';

const at = (remote_path: string, more = {}) => ({ remote_path, connection: 'nas', ...more });

test('files and directories are made, seen and removed; both slashes part names', async () => {
  await using room = openRemoteRoom('smb', { 'a.txt': 'hello', 'in/one': '1' });
  expect(
    await room.told([
      ['FA_smb_mkdir', at('new\\deep')],
      ['FA_smb_upload_file', { file_path: 'a.txt', ...at('new\\a.txt') }],
      ['FA_smb_upload_dir', { dir_path: 'in', connection: 'nas' }],
      ['FA_smb_exists', at('new/deep')],
      ['FA_smb_exists', at('none')],
      ['FA_smb_list_dir', at('new')],
      ['FA_smb_download_file', { ...at('new/a.txt'), target_path: 'b.txt' }],
      ['FA_smb_rmdir', at('new')],
      ['FA_smb_rmdir', at('new/deep')],
      ['FA_smb_delete_path', at('new/a.txt')],
      ['FA_smb_rmdir', at('new')],
      ['FA_smb_rmdir', at('new')],
    ]),
  ).toEqual([
    true,
    true,
    ['one'],
    true,
    false,
    [
      { name: 'a.txt', is_dir: false, size: 5 },
      { name: 'deep', is_dir: true, size: 0 },
    ],
    true,
    'StorageException not_empty',
    true,
    true,
    true,
    'StorageException not_found',
  ]);
  expect(room.dir.read('b.txt')).toBe('hello');
});

test('FA_smb_later_init opens a connection of the caller until FA_smb_close', async () => {
  await using room = openRemoteRoom('smb', { 'a.txt': 'hello' });
  expect(
    await room.told([
      ['FA_smb_later_init', ['files.example.org', 'team', 'me', 'word']],
      ['FA_smb_upload_file', ['a.txt', 'a']],
      ['FA_smb_exists', ['a']],
      ['FA_smb_close'],
      ['FA_smb_exists', ['a']],
    ]),
  ).toEqual([null, true, true, true, 'StorageException unreachable']);
  expect(room.opened).toEqual([
    { server: 'files.example.org', share: 'team', username: 'me', password: 'word', port: 445, encrypt: true, connection_timeout: 30 },
  ]);
});
