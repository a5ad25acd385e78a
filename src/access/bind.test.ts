import { describe, expect, test } from 'vitest';
import { isLoopback, judgeBind } from './bind.ts';

describe('which addresses only this machine can reach', () => {
  test.each(['127.0.0.1', '127.9.8.7', '::1', 'localhost', 'LOCALHOST'])('%s', (host) => expect(isLoopback(host)).toBe(true));
  test.each(['0.0.0.0', '::', '192.168.0.1', '128.0.0.1', '::ffff:10.0.0.1', 'localhost.example.com', 'files', ''])('not %s', (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});

describe('whether a door may open', () => {
  const rule = { host: '0.0.0.0', allowNonLoopback: true, locked: true, demandSecret: true, encrypted: true };

  test('at a loopback address, always and without a word', () => {
    expect(judgeBind({ host: '::1', allowNonLoopback: false, locked: false, demandSecret: true, encrypted: false })).toBeUndefined();
  });

  test('elsewhere only where that was allowed', () => {
    expect(() => judgeBind({ ...rule, allowNonLoopback: false })).toThrow(/set allow_non_loopback/);
    expect(judgeBind(rule)).toBeUndefined();
  });

  test('without a secret only for a program, which is warned', () => {
    expect(() => judgeBind({ ...rule, locked: false })).toThrow(/no secret is set; set a shared secret or tokens/);
    expect(judgeBind({ ...rule, locked: false, demandSecret: false })).toMatch(/may run every action/);
  });

  test('without encryption with a warning', () => {
    expect(judgeBind({ ...rule, encrypted: false })).toMatch(/not encrypted.*tls_cert/);
  });
});
