import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLocation, parseLocation, SCHEMES } from './location.ts';

describe('a location', () => {
  test.each([
    ['a/b.txt', { scheme: 'local', path: 'a/b.txt' }],
    ['/srv/a', { scheme: 'local', path: '/srv/a' }],
    ['../up', { scheme: 'local', path: '../up' }],
    ['dir/', { scheme: 'local', path: 'dir/', isDirectory: true }],
    ['local:///srv/a', { scheme: 'local', path: '/srv/a' }],
    ['local://a/b', { scheme: 'local', path: 'a/b' }],
    ['s3://bucket/key', { scheme: 's3', path: 'bucket/key' }],
    ['s3://bucket/in/', { scheme: 's3', path: 'bucket/in', isDirectory: true }],
    ['s3+backup://bucket/k', { scheme: 's3', connection: 'backup', path: 'bucket/k' }],
    ['az://container/blob', { scheme: 'azure', path: 'container/blob' }],
    ['ftps+x://a', { scheme: 'ftp', connection: 'x', path: 'a' }],
    ['webdavs://a', { scheme: 'webdav', path: 'a' }],
    ['sftp:///abs/x', { scheme: 'sftp', path: '/abs/x' }],
    ['sftp://rel/x', { scheme: 'sftp', path: 'rel/x' }],
    ['sftp://', { scheme: 'sftp', path: '' }],
    ['s3://b/per%41cent#x?y=1+2', { scheme: 's3', path: 'b/per%41cent#x?y=1+2' }],
    ['s3://b/a:b@c', { scheme: 's3', path: 'b/a:b@c' }],
    ['smb://me@home/x', { scheme: 'smb', path: 'me@home/x' }],
    ['https://example.org/a?b#c', { scheme: 'https', path: 'https://example.org/a?b#c' }],
    ['mem://x', { scheme: 'mem', path: 'x' }],
    ['C:\\x', { scheme: 'local', path: 'C:\\x' }],
  ])('%s', (written, expected) => {
    expect(parseLocation(written)).toEqual({ connection: undefined, isDirectory: false, ...expected });
  });

  test.each([
    ['s3://bucket/../other', /"\.\."/],
    ['s3://bucket/./x', /"\."/],
    ['s3://bucket//x', /empty name/],
    ['s3:///bucket/x', /empty name/],
    ['s3://bucket/a\nb', /control character/],
    ['s3://bucket/a\0b', /control character/],
    ['s3://bucket/\ud800', /surrogate/],
    ['local:///a/../b', /"\.\."/],
    ['sftp+nas://me:pw@x', /machine or a user/],
    ['sftp://user@host.example/x', /\[connections\.NAME\].*sftp\+NAME:\/\/path/],
    ['sftp://user:pw@host/x', /machine or a user/],
    ['ftp://localhost:2121/x', /machine or a user/],
    ['smb://[::1]/x', /machine or a user/],
    ['s3+a b://x', /connection name/],
    ['s3+://x', /connection name/],
    ['mem+x://y', /which mem has not/],
    ['file:///etc/passwd', /local:\/\/\/path/],
    ['S3://bucket', /write s3:\/\//],
    ['gopher://x', /known are local, s3/],
  ])('%j is refused with the remedy', (written, words) => {
    expect(() => parseLocation(written)).toThrow(words);
  });

  test('a password in a location is not repeated', () => {
    expect(() => parseLocation('sftp://me:hunter2@host/x')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });

  test('reads what it writes', () => {
    const name = fc.stringMatching(/^[a-zA-Z0-9 %#?+~[\]'"é-]{1,12}$/).filter((each) => !/^\.+$/.test(each));
    fc.assert(
      fc.property(
        fc.constantFrom(...SCHEMES.filter((scheme) => scheme !== 'http' && scheme !== 'https')),
        fc.option(fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/), { nil: undefined }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (scheme, connection, names) => {
          const own = scheme === 'local' || scheme === 'mem' ? undefined : connection;
          const location = { scheme, connection: own, path: names.join('/'), isDirectory: false };
          expect(parseLocation(formatLocation(location))).toEqual(location);
        },
      ),
    );
  });
});

test.each(['report@2024.txt', 'a:8080/x', '[1]/x'])('behind the name of a connection %j is a path', (path) => {
  expect(parseLocation(`sftp+nas://${path}`)).toMatchObject({ connection: 'nas', path });
});
