import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';
import { createPolicy } from '../../access/policy.ts';

const at = (remote_path: string, more = {}) => ({ remote_path, connection: 'nas', ...more });

test('files and collections are made, seen and removed', async () => {
  await using room = openRemoteRoom('webdav', { 'a.txt': 'hello', 'in/one': '1' });
  expect(
    await room.told([
      ['FA_webdav_mkcol', at('new')],
      ['FA_webdav_mkcol', at('new')],
      ['FA_webdav_mkcol', at('none/new')],
      ['FA_webdav_upload_file', { file_path: 'a.txt', ...at('/new/a b.txt') }],
      ['FA_webdav_upload_dir', { dir_path: 'in', connection: 'nas' }],
      ['FA_webdav_exists', at('one')],
      ['FA_webdav_exists', at('two')],
      ['FA_webdav_download_file', { ...at('new/a b.txt'), target_path: 'b.txt' }],
      ['FA_webdav_delete_path', at('new')],
      ['FA_webdav_delete_path', at('new')],
      ['FA_webdav_delete_path', at('/')],
    ]),
  ).toEqual([
    true,
    'StorageException exists',
    'StorageException not_found',
    true,
    ['one'],
    true,
    false,
    true,
    true,
    'StorageException not_found',
    'StorageException unsupported',
  ]);
  expect(room.dir.read('b.txt')).toBe('hello');
});

test('a list tells of each entry what PROPFIND does, without the collection itself', async () => {
  await using room = openRemoteRoom('webdav', { 'a.txt': 'hello' });
  const { results } = await room.run([
    ['FA_webdav_upload_file', { file_path: 'a.txt', ...at('d/a b.txt') }],
    ['FA_webdav_mkcol', at('d/sub')],
    ['FA_webdav_list_dir', at('d')],
  ]);
  expect(results[2]?.value).toEqual([
    {
      href: 'd/a%20b.txt',
      name: 'a b.txt',
      is_dir: false,
      size: 5,
      last_modified: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} .* GMT$/),
    },
    { href: 'd/sub/', name: 'sub', is_dir: true, size: 0, last_modified: expect.anything() },
  ]);
});

test('deleting a collection is planned entry by entry', async () => {
  await using room = openRemoteRoom('webdav', { 'a.txt': 'hello' });
  await room.run([['FA_webdav_upload_file', { file_path: 'a.txt', ...at('d/e/a') }]]);
  const { results } = await room.run([['FA_webdav_delete_path', at('d')]], { dryRun: true });
  expect(results[0]?.plan?.effects.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
    'delete webdav+nas://d/e/a',
    'delete webdav+nas://d/e',
    'delete webdav+nas://d',
  ]);
});

test('FA_webdav_later_init into a private network is the owner’s to allow', async () => {
  await using room = openRemoteRoom('webdav');
  const init = ['FA_webdav_later_init', { base_url: 'http://files.example.org/dav', allow_private_hosts: true }];
  const caller = { name: 'guest', remote: true, policy: createPolicy({ network: true }) };
  expect(await room.told([init, ['FA_webdav_close']])).toEqual([null, true]);
  expect(await room.told([init], { caller })).toEqual(['PolicyException']);
});
