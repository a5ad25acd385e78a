import { describe, expect, test } from 'vitest';
import { type FakeHttp, openFakeHttp } from '../../../../../test/support/fake-http.ts';
import { S3Exception } from '../../../../core/errors.ts';
import { createFaults } from '../../../faults.ts';
import { findCredentials, findRegion } from './find-credentials.ts';
import { renewed } from './renewed.ts';
import type { CredentialSources } from './sources.ts';

const faults = createFaults(S3Exception, 's3:/');
const { signal } = new AbortController();
/** Nothing answers there. */
const nowhere: NonNullable<CredentialSources['network']> = { connect: () => Promise.reject(new Error('no route')) };

const sourcesOf = (env: Record<string, string>, files: Record<string, string> = {}, network = nowhere): CredentialSources => ({
  env,
  home: '/home/me',
  readText: async (path) => files[path],
  network,
});
const find = (sources: CredentialSources) => findCredentials(sources, faults, signal);
const CREDENTIALS = '/home/me/.aws/credentials';
const CONFIG = '/home/me/.aws/config';
const file = `# mine
[default]
aws_access_key_id = AKDEFAULT
aws_secret_access_key=SKDEFAULT ; not the key of work
[ work ]
aws_access_key_id=AKWORK
aws_secret_access_key=SK/WORK+=
aws_session_token = TOKEN
s3 =
  max_concurrent_requests = 20
`;

describe('credentials', () => {
  test('of variables come first', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_SESSION_TOKEN: 'T' };
    expect(await find(sourcesOf(env, { [CREDENTIALS]: file }))).toEqual({ accessKeyId: 'A', secretAccessKey: 'S', sessionToken: 'T' });
  });

  test('of files are those of the profile', async () => {
    expect(await find(sourcesOf({}, { [CREDENTIALS]: file }))).toMatchObject({ accessKeyId: 'AKDEFAULT', secretAccessKey: 'SKDEFAULT' });
    expect(await find(sourcesOf({ AWS_PROFILE: 'work' }, { [CREDENTIALS]: file }))).toEqual({
      accessKeyId: 'AKWORK',
      secretAccessKey: 'SK/WORK+=',
      sessionToken: 'TOKEN',
    });
    const config = '[profile work]\naws_access_key_id=A\naws_secret_access_key=S\nregion = eu-west-1\n';
    expect(await find(sourcesOf({ AWS_PROFILE: 'work' }, { [CONFIG]: config }))).toMatchObject({ accessKeyId: 'A' });
    expect(await find(sourcesOf({ AWS_SHARED_CREDENTIALS_FILE: '/x' }, { '/x': file }))).toMatchObject({ accessKeyId: 'AKDEFAULT' });
    expect(await findRegion(sourcesOf({ AWS_PROFILE: 'work' }, { [CONFIG]: config }))).toBe('eu-west-1');
    expect(await findRegion(sourcesOf({ AWS_REGION: 'here', AWS_PROFILE: 'work' }, { [CONFIG]: config }))).toBe('here');
  });

  test.each([
    [{ AWS_PROFILE: 'missing' }, file, /the profile missing, which no file has/],
    [{ AWS_WEB_IDENTITY_TOKEN_FILE: '/token' }, '', /web identity is not supported/],
    [{}, '[default]\nrole_arn = arn\nsource_profile = x\n', /gets its credentials by role_arn, which is not supported/],
    [{}, '[default]\nsso_session = x\n', /sso_session/],
    [{}, '[default]\ncredential_process = /bin/x\n', /credential_process/],
    [{}, '', /No AWS credentials were found/],
  ])('%j with %j are refused with the remedy', async (env, text, words) => {
    const fault = await find(sourcesOf(env as Record<string, string>, { [CREDENTIALS]: text })).catch((each: unknown) => each);
    expect(fault).toBeInstanceOf(S3Exception);
    expect(fault).toMatchObject({ message: expect.stringMatching(words), context: { code: 'denied' } });
  });

  test('of a virtual machine need a token first', async () => {
    await using imds = await openFakeHttp(({ method, path, headers }) => {
      if (method === 'PUT' && path === '/latest/api/token') return { body: 'TOKEN' };
      if (headers['x-aws-ec2-metadata-token'] !== 'TOKEN') return { status: 401 };
      if (path === '/latest/meta-data/iam/security-credentials/') return { body: 'my-role\n' };
      if (path !== '/latest/meta-data/iam/security-credentials/my-role') return { status: 404 };
      return {
        body: JSON.stringify({ Code: 'Success', AccessKeyId: 'A', SecretAccessKey: 'S', Token: 'T', Expiration: '2030-01-01T00:00:00Z' }),
      };
    });
    expect(await find(sourcesOf({}, {}, near(imds)))).toEqual({
      accessKeyId: 'A',
      secretAccessKey: 'S',
      sessionToken: 'T',
      expiresMs: Date.UTC(2030, 0, 1),
    });
    expect(imds.requests.map(({ host }) => host)).toEqual(Array(3).fill('169.254.169.254'));
    await expect(find(sourcesOf({ AWS_EC2_METADATA_DISABLED: 'true' }, {}, near(imds)))).rejects.toThrow('No AWS credentials');
  });

  test.each([
    [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/x?y=1' }, '169.254.170.2', '/v2/x'],
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/c' }, '169.254.170.23', '/v1/c'],
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://localhost:1234/c' }, 'localhost:1234', '/c'],
  ])('of a container: %j', async (env, host, path) => {
    await using service = await openFakeHttp(() => ({ body: '{"AccessKeyId":"A","SecretAccessKey":"S","Token":"T"}' }));
    const files = { '/token': 'AUTH\n' };
    const all = { ...(env as Record<string, string>), AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/token' };
    expect(await find(sourcesOf(all, files, near(service)))).toMatchObject({ accessKeyId: 'A', sessionToken: 'T' });
    expect(service.requests[0]).toMatchObject({ host, path, headers: { authorization: 'AUTH' } });
  });

  test('a container sends its token to no other machine', async () => {
    await using service = await openFakeHttp(() => ({ status: 404 }));
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://evil.example/c', AWS_CONTAINER_AUTHORIZATION_TOKEN: 'AUTH' };
    await expect(find(sourcesOf(env, {}, near(service)))).rejects.toThrow('No AWS credentials');
    expect(service.requests.filter(({ host }) => host === 'evil.example')).toEqual([]);
  });

  test.each(['not json', '{"AccessKeyId":7}', '[]', 'null', '{"AccessKeyId":"A"}'])('a service that answers %j is none', async (body) => {
    await using service = await openFakeHttp(() => ({ body }));
    await expect(find(sourcesOf({}, {}, near(service)))).rejects.toThrow('No AWS credentials');
  });
});

const near = ({ network }: FakeHttp): NonNullable<CredentialSources['network']> => ({
  connect: (_host, port, options) => network.connect('198.41.0.4', port, options), // the fake answers for every address
});

describe('temporary credentials', () => {
  const HOUR = 3_600_000;
  const keys = (count: number, expiresMs?: number) => ({
    accessKeyId: String(count),
    secretAccessKey: 's',
    ...(expiresMs !== undefined && { expiresMs }),
  });

  test('are found once by all who ask, and again before they end', async () => {
    let [now, count] = [0, 0];
    const held = renewed(
      async () => {
        count += 1;
        return keys(count, now + HOUR);
      },
      () => now,
    );
    expect(await Promise.all([held.get(), held.get()])).toEqual([keys(1, HOUR), keys(1, HOUR)]);
    now = HOUR - 6 * 60_000;
    expect((await held.get())?.accessKeyId).toBe('1');
    now = HOUR - 4 * 60_000;
    expect((await Promise.all([held.get(), held.get()])).map((each) => each?.accessKeyId)).toEqual(['2', '2']);
    expect(held.forget()).toBe(true);
    expect((await held.get())?.accessKeyId).toBe('3');
  });

  test('that were not found are looked for again, and those for ever never', async () => {
    let count = 0;
    const held = renewed(
      async () => {
        count += 1;
        if (count === 1) throw new Error('not yet');
        return keys(count);
      },
      () => 10 * HOUR,
    );
    await expect(held.get()).rejects.toThrow('not yet');
    expect((await held.get())?.accessKeyId).toBe('2');
    expect(held.forget()).toBe(false);
    expect((await held.get())?.accessKeyId).toBe('2');
  });
});
