import { describe, expect, test } from 'vitest';
import { AzureBlobException } from '../../../core/errors.ts';
import { createFaults } from '../../faults.ts';
import { type AzureSettings, readAccount } from './settings.ts';

const read = (settings: AzureSettings) => readAccount(settings, createFaults(AzureBlobException, 'azure:/'));
const KEY = Buffer.alloc(32, 7).toString('base64');
const key = { kind: 'key', key: Buffer.alloc(32, 7) };

describe('an account', () => {
  test.each([
    [
      { connection_string: `DefaultEndpointsProtocol=https;AccountName=me;AccountKey=${KEY};EndpointSuffix=core.windows.net` },
      'me',
      'https://me.blob.core.windows.net/',
      key,
    ],
    [
      { connection_string: `AccountName=me;AccountKey=${KEY};BlobEndpoint=https://files.example.org/` },
      'me',
      'https://files.example.org/',
      key,
    ],
    [{ account_url: 'https://me.blob.core.windows.net', credential: KEY }, 'me', 'https://me.blob.core.windows.net/', key],
    [{ account_url: 'http://127.0.0.1:10000/other', credential: KEY }, 'other', 'http://127.0.0.1:10000/other', key],
    [
      { account_url: 'https://me.blob.core.windows.net/', credential: '?sv=2021&sig=a%2Bb%3D' },
      'me',
      'https://me.blob.core.windows.net/',
      { kind: 'sas', query: { sv: '2021', sig: 'a+b=' } },
    ],
    [
      { connection_string: 'BlobEndpoint=https://me.blob.core.windows.net;SharedAccessSignature=sv=2021&sig=x%3D' },
      'me',
      'https://me.blob.core.windows.net/',
      { kind: 'sas', query: { sv: '2021', sig: 'x=' } },
    ],
    [
      { account_url: 'https://me.blob.core.windows.net?sv=1&sig=y' },
      'me',
      'https://me.blob.core.windows.net/',
      { kind: 'sas', query: { sv: '1', sig: 'y' } },
    ],
    [
      { account_url: 'https://me.blob.core.windows.net', bearer_token: 'tok' },
      'me',
      'https://me.blob.core.windows.net/',
      { kind: 'bearer', token: 'tok' },
    ],
    [{ account_url: 'https://me.blob.core.windows.net', anonymous: true }, 'me', 'https://me.blob.core.windows.net/', { kind: 'none' }],
  ] as const)('%j', (settings, name, url, credential) => {
    const account = read(settings);
    expect([account.name, account.url.href, account.credential]).toEqual([name, url, credential]);
  });

  test('of an emulator has the published name and key', () => {
    expect(read({ connection_string: 'UseDevelopmentStorage=true' })).toMatchObject({
      name: 'devstoreaccount1',
      credential: { kind: 'key' },
    });
  });

  test.each([
    {},
    { connection_string: 'AccountKey=hush-hush' },
    { connection_string: 'AccountName=hush-hush' },
    { account_url: 'https://me.blob.core.windows.net' },
    { account_url: 'ftp://me', credential: 'hush-hush' },
    { account_url: 'https://hush-hush:x@me.example', credential: 'x' },
    { account_url: 'https://me.example', credential: 'hush-hush' },
  ])('%j is refused without being shown', (settings) => {
    expect(() => read(settings)).toThrow(AzureBlobException);
    expect(() => read(settings)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hush') }));
  });
});
