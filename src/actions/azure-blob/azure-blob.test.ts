import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';

const at = (blob_name: string, more = {}) => ({ container: 'c', blob_name, connection: 'nas', ...more });

test('blobs go to a container and come back, and are not replaced where that is not wanted', async () => {
  await using room = openRemoteRoom('azure', { 'a.txt': 'hello', 'in/one': '1' });
  expect(
    await room.told([
      ['FA_azure_blob_upload_file', { file_path: 'a.txt', ...at('x/a') }],
      ['FA_azure_blob_upload_file', { file_path: 'a.txt', ...at('x/a', { overwrite: false }) }],
      ['FA_azure_blob_upload_file', { file_path: 'a.txt', ...at('x/a', { overwrite: false, on_conflict: 'skip' }) }],
      ['FA_azure_blob_upload_dir', { dir_path: 'in', container: 'c', name_prefix: 'tree', connection: 'nas' }],
      ['FA_azure_blob_list_container', { container: 'c', connection: 'nas' }],
      ['FA_azure_blob_download_file', { ...at('x/a'), target_path: 'b.txt' }],
      ['FA_azure_blob_delete_blob', at('x/a')],
      ['FA_azure_blob_list_container', { container: 'c', name_prefix: 'x', connection: 'nas' }],
    ]),
  ).toEqual([true, 'PathExistsException', true, ['tree/one'], ['tree/one', 'x/a'], true, true, []]);
  expect(room.dir.read('b.txt')).toBe('hello');
});

test('FA_azure_blob_later_init opens a connection of the caller', async () => {
  await using room = openRemoteRoom('azure', { 'a.txt': 'hello' });
  const told = await room.told([
    ['FA_azure_blob_later_init', { connection_string: 'AccountName=me;AccountKey=c2VjcmV0' }],
    ['FA_azure_blob_upload_file', ['a.txt', 'c', 'k', false]],
    ['FA_azure_blob_list_container', ['c']],
  ]);
  expect(told).toEqual([null, true, ['k']]);
  expect(room.opened).toEqual([{ connection_string: 'AccountName=me;AccountKey=c2VjcmV0' }]);
});
