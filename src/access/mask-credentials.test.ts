import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../test/support/cpu-ms.ts';
import { maskCredentials } from './mask-credentials.ts';

describe('maskCredentials', () => {
  test.each([
    ['a password with an at sign', 'https://u:p@ss@host/x', 'https://***@host/x'],
    ['two addresses in one line', 'from ftp://a:b@c to sftp://d:e@f', 'from ftp://***@c to sftp://***@f'],
    ['a parameter behind a harmless one', '/x?next=/y?access_token=abc', '/x?next=/y?access_token=***'],
    ['a parameter in a fragment', 'https://h/#id_token=abc&x=1', 'https://h/#id_token=***&x=1'],
    ['an API key', 'https://h/?key=abc&keyword=x', 'https://h/?key=***&keyword=x'],
    ['a short token in a header', 'authorization: bearer zzz', 'authorization: bearer ***'],
    ['a header inside JSON', '{"Authorization":"Basic abc"}', '{"Authorization":"Basic ***"}'],
  ])('masks %s', (_, text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
    expect(maskCredentials(masked)).toBe(masked);
  });

  test.each([
    'https://registry.example/@scope/name',
    'https://h/?mail=a@b.example&tokens=5',
    'Basic authentication is required.',
    'basic read-only access',
    'a lookup?token is not one',
  ])('leaves %s', (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  test('leaves text of letters and blanks as it is', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z ]*$/),
        (text) => text.includes('bearer') || text.includes('basic') || maskCredentials(text) === text,
      ),
    );
  });

  test.each(['://', '?a', '&a=', 'bearer ', '?password', '?passpasspass', 'x://a@'])('takes linear time on a megabyte of %j', (piece) => {
    const started = cpuMs();
    maskCredentials(piece.repeat(1_000_000 / piece.length));
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});
