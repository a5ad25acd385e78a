import { describe, expect, test } from 'vitest';
import { isSecretKey } from './secret-keys.ts';

describe('isSecretKey', () => {
  test.each([
    'password',
    'Password',
    'DB_PASSWORD',
    'apiKey',
    'api-key',
    'API_KEY',
    'clientSecret',
    'x-auth-token',
    'set-cookie',
    'smtp_pass',
    'smtpPass',
    'auth',
  ])('knows %s', (key) => expect(isSecretKey(key)).toBe(true));

  test.each(['tokens', 'passwordHint', 'compass', 'key', 'public_key', 'author', 'secretary', 'toString', '__proto__', ''])(
    'leaves %s',
    (key) => expect(isSecretKey(key)).toBe(false),
  );
});
