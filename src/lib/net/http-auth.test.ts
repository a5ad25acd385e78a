import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHttpAuth, parseChallenges } from './http-auth.ts';

const MUFASA = { username: 'Mufasa', password: 'Circle of Life' };
const RFC = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
const auth = () => createHttpAuth(MUFASA, () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ');

describe('a digest', () => {
  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is that of the example in RFC 7616 (%s)', (algorithm, response) => {
    const one = auth();
    expect(one.headerFor('GET', '/dir/index.html')).toBeUndefined();
    expect(one.takeChallenge(RFC(algorithm), undefined)).toBe(true);
    const header = one.headerFor('GET', '/dir/index.html') ?? '';
    expect(header).toContain(`response="${response}"`);
    expect(header).toContain('qop=auth, nc=00000001');
    expect(one.headerFor('GET', '/dir/index.html')).toContain('nc=00000002');
  });

  test('without qop is the old one', () => {
    const one = createHttpAuth({ username: 'Mufasa', password: 'Circle Of Life' });
    one.takeChallenge('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"', undefined);
    expect(one.headerFor('GET', '/dir/index.html')).toContain('response="670fd8c2df070c60b045671b8b24ff02"');
  });

  test('of a session follows from both nonces', () => {
    const one = auth();
    one.takeChallenge(RFC('MD5-sess'), undefined);
    expect(one.headerFor('GET', '/dir/index.html')).toMatch(/response="[0-9a-f]{32}", algorithm=MD5-sess,.*cnonce="f2/);
  });

  test('is the strongest that is offered, and comes before a password in the clear', () => {
    const one = auth();
    one.takeChallenge(`Basic realm="x", ${RFC('MD5')}, ${RFC('SHA-256')}`, undefined);
    expect(one.headerFor('GET', '/')).toContain('algorithm=SHA-256');
  });

  test('is made again where the nonce is stale, and only there', () => {
    const one = auth();
    one.takeChallenge(RFC('MD5'), undefined);
    const sent = one.headerFor('GET', '/');
    expect(one.takeChallenge(RFC('MD5'), sent)).toBe(false);
    expect(one.takeChallenge(`${RFC('MD5')}, stale=true`, sent)).toBe(false); // the very same nonce
    expect(one.takeChallenge('Digest realm="r", nonce="new", qop="auth", stale=TRUE', sent)).toBe(true);
    expect(one.headerFor('GET', '/')).toContain('nonce="new"');
  });

  test('that nobody here can make is left alone', () => {
    expect(auth().takeChallenge('Digest realm="r", nonce="n", algorithm=SHA-512-256', undefined)).toBe(false);
    expect(auth().takeChallenge('Digest realm="r", nonce="n", qop="auth-int"', undefined)).toBe(false);
    expect(auth().takeChallenge('Negotiate abc==', undefined)).toBe(false);
    expect(auth().takeChallenge(undefined, undefined)).toBe(false);
  });
});

test('a password goes once, and not with a name that would be read as another', () => {
  const one = createHttpAuth({ username: 'Aladdin', password: 'open sesame' });
  expect(one.takeChallenge('Basic realm="WallyWorld"', undefined)).toBe(true);
  expect(one.headerFor('GET', '/')).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
  expect(one.takeChallenge('Basic realm="WallyWorld"', one.headerFor('GET', '/'))).toBe(false);
  expect(createHttpAuth({ username: 'a:b', password: 'c' }).takeChallenge('Basic realm="x"', undefined)).toBe(false);
});

test('a token is sent at once', () => {
  const one = createHttpAuth({ token: 'abc' });
  expect([one.headerFor('GET', '/'), one.takeChallenge('Bearer', 'Bearer abc')]).toEqual(['Bearer abc', false]);
});

test('quotes in names and realms stay what they are', () => {
  const one = createHttpAuth({ username: 'a"b\\c', password: 'p' });
  one.takeChallenge('Digest realm="a \\"b\\"", nonce="n"', undefined);
  expect(one.headerFor('GET', '/')).toContain('username="a\\"b\\\\c", realm="a \\"b\\""');
});

test('whatever a server writes is read, and no header of ours is two', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Digest realm="${text}", nonce="${text}"`),
      ),
      (challenge) => {
        for (const { scheme } of parseChallenges(challenge)) expect(scheme).toMatch(/^\S+$/);
        const one = auth();
        one.takeChallenge(challenge.replaceAll(/[\r\n\0]/g, ''), undefined); // the reader of heads lets none of these through
        expect(one.headerFor('GET', '/') ?? '').not.toMatch(/[\r\n\0]/);
      },
    ),
  );
});
