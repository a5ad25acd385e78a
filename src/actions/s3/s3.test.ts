import { expect, test } from 'vitest';
import { openRemoteRoom } from '../../../test/support/remote-room.ts';
import { createPolicy } from '../../access/policy.ts';

const FILES = { 'a.txt': 'hello', 'in/one': '1', 'in/deep/two': '22' };
const at = (key: string, more = {}) => ({ bucket: 'b', key, connection: 'nas', ...more });

test('files go to a bucket and come back, one by one and as a tree', async () => {
  await using room = openRemoteRoom('s3', FILES);
  expect(
    await room.told([
      ['FA_s3_upload_file', { file_path: 'a.txt', ...at('x/a') }],
      ['FA_s3_upload_dir', { dir_path: 'in', bucket: 'b', key_prefix: 'tree/', connection: 'nas' }],
      ['FA_s3_list_bucket', { bucket: 'b', connection: 'nas' }],
      ['FA_s3_list_bucket', { bucket: 'b', prefix: 'tree/d', connection: 'nas' }],
      ['FA_s3_download_file', { ...at('x/a'), target_path: 'out/a.txt' }],
      ['FA_s3_delete_object', at('x/a')],
      ['FA_s3_delete_object', at('x/a')],
      ['FA_s3_list_bucket', { bucket: 'b', prefix: 'x', connection: 'nas' }],
    ]),
  ).toEqual([
    true,
    ['tree/deep/two', 'tree/one'],
    ['tree/deep/two', 'tree/one', 'x/a'],
    ['tree/deep/two'],
    true,
    true,
    'StorageException not_found',
    [],
  ]);
  expect(room.dir.read('out/a.txt')).toBe('hello');
});

test('a plan tells locations and changes nothing', async () => {
  await using room = openRemoteRoom('s3', FILES);
  const list = [
    ['FA_s3_upload_file', { file_path: 'a.txt', ...at('x/a') }],
    ['FA_s3_upload_file', { file_path: 'a.txt', ...at('x/a') }],
    ['FA_s3_delete_object', at('x/a')],
  ];
  const { results } = await room.run(list, { dryRun: true });
  const changes = results.map(({ plan }) => plan?.effects.filter(({ kind, target }) => kind !== 'read' && target.endsWith('/a')));
  expect(changes).toEqual([
    [{ kind: 'create', target: 's3+nas://b/x/a', bytes: 5 }],
    [{ kind: 'overwrite', target: 's3+nas://b/x/a', bytes: 5 }],
    [{ kind: 'delete', target: 's3+nas://b/x/a' }],
  ]);
  expect(await room.told([['FA_s3_list_bucket', { bucket: 'b', connection: 'nas' }]])).toEqual([[]]);
});

test('what is missing here is refused with the type of its kind', async () => {
  await using room = openRemoteRoom('s3', FILES);
  const list = [
    ['FA_s3_upload_file', { file_path: 'none', ...at('k') }],
    ['FA_s3_upload_dir', { dir_path: 'none', bucket: 'b', connection: 'nas' }],
    ['FA_s3_download_file', { ...at('none'), target_path: 'x' }],
    ['FA_s3_upload_file', { file_path: 'a.txt', bucket: 'b', key: '../k', connection: 'nas' }],
  ];
  const refusals = ['FileNotExistsException', 'DirNotExistsException', 'StorageException not_found', 'ArgumentException'];
  expect(await room.told(list)).toEqual(refusals);
  expect(await room.told(list, { dryRun: true })).toEqual(refusals);
});

test('a caller with limits has what its locations allow, and connects where it may reach machines', async () => {
  await using room = openRemoteRoom('s3', FILES);
  const policy = createPolicy({ readWrite: [room.dir.path], locations: ['s3+nas://b/in/'], readOnlyLocations: ['s3+nas://b/'] });
  const caller = { name: 'guest', remote: true, policy };
  const told = await room.told(
    [
      ['FA_s3_upload_file', { file_path: 'a.txt', ...at('in/a') }],
      ['FA_s3_upload_file', { file_path: 'a.txt', ...at('other') }],
      ['FA_s3_list_bucket', { bucket: 'b', prefix: 'in/', connection: 'nas' }],
      ['FA_s3_list_bucket', { bucket: 'c', connection: 'nas' }],
      ['FA_s3_later_init', { aws_access_key_id: 'id', aws_secret_access_key: 'key' }],
    ],
    { caller },
  );
  expect(told).toEqual([true, 'PolicyException', ['in/a'], 'PolicyException', 'PolicyException']);
});

test('FA_s3_later_init opens a connection of the caller', async () => {
  await using room = openRemoteRoom('s3', FILES);
  const told = await room.told([
    ['FA_s3_later_init', { aws_access_key_id: 'the-id', aws_secret_access_key: 'the-secret', endpoint_url: 'https://s3.example.org' }],
    ['FA_s3_upload_file', ['a.txt', 'b', 'k']],
    ['FA_s3_list_bucket', ['b']],
  ]);
  expect(told).toEqual([null, true, ['k']]);
  expect(room.opened).toEqual([
    { aws_access_key_id: 'the-id', aws_secret_access_key: 'the-secret', endpoint_url: 'https://s3.example.org' },
  ]);
});
