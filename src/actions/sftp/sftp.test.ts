import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';
import { createPolicy } from '../../access/policy.ts';

const FILES = { 'a.txt': 'hello', 'in/one': '1', 'in/deep/two': '22', known: 'files.example.org ssh-ed25519 AAAA', key: 'PRIVATE KEY' };
const at = (remote_path: string, more = {}) => ({ remote_path, connection: 'nas', ...more });

test('files go to a server and come back, one by one and as a tree', async () => {
  await using room = openRemoteRoom('sftp', FILES);
  expect(
    await room.told([
      ['FA_sftp_upload_file', { file_path: 'a.txt', ...at('./x/a') }],
      ['FA_sftp_upload_dir', { dir_path: 'in', remote_prefix: 'tree/', connection: 'nas' }],
      ['FA_sftp_list_dir', { connection: 'nas' }],
      ['FA_sftp_list_dir', at('tree')],
      ['FA_sftp_download_file', { ...at('x/a'), target_path: 'in' }],
      ['FA_sftp_delete_path', at('x/a')],
      ['FA_sftp_delete_path', at('x/a')],
      ['FA_sftp_delete_path', at('tree')],
      ['FA_sftp_list_dir', at('none')],
      ['FA_sftp_list_dir', at('tree/one')],
    ]),
  ).toEqual([
    true,
    ['tree/deep/two', 'tree/one'],
    ['tree', 'x'],
    ['deep', 'one'],
    true,
    true,
    'StorageException not_found',
    'StorageException is_directory',
    'StorageException not_found',
    'StorageException unsupported',
  ]);
  expect(room.dir.read('in/a')).toBe('hello');
});

test('a plan looks at what is there, and a list of a dry run sees what would be', async () => {
  await using room = openRemoteRoom('sftp', FILES);
  const { results } = await room.run(
    [
      ['FA_sftp_upload_file', { file_path: 'a.txt', ...at('x/a') }],
      ['FA_sftp_list_dir', at('x')],
    ],
    { dryRun: true },
  );
  expect(results.map(({ status }) => status)).toEqual(['planned', 'planned']);
  expect(results[0]?.plan?.effects).toContainEqual({ kind: 'create', target: 'sftp+nas://x/a', bytes: 5 });
  expect(await room.told([['FA_sftp_list_dir', at('x')]])).toEqual(['StorageException not_found']);
});

test('FA_sftp_later_init reads keys and known hosts as the caller may, and FA_sftp_close forgets all of it', async () => {
  await using room = openRemoteRoom('sftp', FILES);
  const init = ['FA_sftp_later_init', { host: 'files.example.org', username: 'me', key_filename: 'key', known_hosts: 'known' }];
  const told = await room.told([init, ['FA_sftp_upload_file', ['a.txt', '/top/a']], ['FA_sftp_close'], ['FA_sftp_list_dir', ['/top']]]);
  expect(told).toEqual([null, true, true, 'StorageException unreachable']);
  expect(room.opened).toEqual([
    { host: 'files.example.org', username: 'me', private_key: FILES.key, port: 22, known_hosts: FILES.known, timeout: 15 },
  ]);
  const policy = createPolicy({ readWrite: [room.dir.at('in')], network: true });
  const caller = { name: 'guest', remote: true, policy };
  expect(await room.told([init, ['FA_sftp_list_dir']], { caller })).toEqual(['PolicyException', 'PolicyException']);
  expect(room.opened).toHaveLength(1);
});

test('a path that looks like a location is one of this machine', async () => {
  await using room = openRemoteRoom('sftp', { 'sftp+nas:/x/a': 'odd' });
  const told = await room.told([
    ['FA_sftp_upload_file', { file_path: 'sftp+nas://x/a', ...at('b') }],
    ['FA_sftp_list_dir', { connection: 'nas' }],
  ]);
  expect(told).toEqual([true, ['b']]);
});
