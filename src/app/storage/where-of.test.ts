import { expect, test } from 'vitest';
import { hostOf } from './host-of.ts';
import { secretsIn } from './secrets-in.ts';

test.each([
  ['sftp', { host: 'Files.Example.org' }, 'files.example.org'],
  ['smb', { server: '[fd00::1]' }, 'fd00::1'],
  ['webdav', { base_url: 'https://me@cloud.example.org:8443/dav' }, 'cloud.example.org'],
  ['s3', {}, 's3.amazonaws.com'],
  ['s3', { endpoint_url: 'http://127.0.0.1:9000' }, '127.0.0.1'],
  ['azure', { connection_string: 'AccountName=me;AccountKey=x' }, 'me.blob.core.windows.net'],
  ['azure', { connection_string: 'BlobEndpoint=http://127.0.0.1:10000/me;AccountName=me' }, '127.0.0.1'],
  ['azure', { account_url: 'https://me.blob.core.windows.net' }, 'me.blob.core.windows.net'],
] as const)('a connection of %s given %j leads to %s', (type, given, host) => expect(hostOf(type, given)).toBe(host));

test('secrets inside of secrets are secrets too', () => {
  expect(secretsIn({ host: 'h', password: 'p', port: 22, connection_string: 'AccountName=me;AccountKey=abc==;X=y' })).toEqual([
    'p',
    'AccountName=me;AccountKey=abc==;X=y',
    'abc==',
  ]);
  expect(secretsIn({ credential: 'sv=1&sig=xyz%3D&se=2', username: 'u' })).toEqual(['sv=1&sig=xyz%3D&se=2', 'xyz%3D']);
  expect(secretsIn({ credential: { key: 'inner', more: ['deep'] }, password: '' })).toEqual(['inner', 'deep']);
});
