import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprintOf, lineFor, readKnownHost } from './known-hosts.ts';

/** The blob of a key: its type, then anything. */
const key = (type: string, body: string): Buffer => {
  const parts = [type, body].map((text) => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat(parts);
};
const ONE = key('ssh-ed25519', 'one');
const TWO = key('ssh-ed25519', 'two');
const RSA = key('ssh-rsa', 'three');
const line = (hosts: string, blob: Buffer, type = 'ssh-ed25519') => `${hosts} ${type} ${blob.toString('base64')} a comment`;
const judged = (file: string, host = 'nas', port = 22, shown = ONE) => readKnownHost(file, host, port).judge(shown).kind;

describe('a host key', () => {
  test.each([
    ['by its name', line('nas', ONE), 'known'],
    ['in capitals', line('NAS', ONE), 'known'],
    ['among several names', line('other,nas,10.0.0.1', ONE), 'known'],
    ['by a pattern', line('n?*', ONE), 'known'],
    ['but not where the pattern is taken back', line('*,!nas', ONE), 'unknown'],
    ['but not by the beginning of its name', line('na', ONE), 'unknown'],
    ['but not in a comment', `# ${line('nas', ONE)}`, 'unknown'],
    ['but not when the line is broken', 'nas ssh-ed25519 AAAA', 'unknown'],
    ['but not when the type is not that of the key', line('nas', ONE, 'ssh-rsa'), 'unknown'],
    ['but not with a marker that nobody knows', `@strange ${line('nas', ONE)}`, 'unknown'],
    ['and another one is a changed one', line('nas', TWO), 'changed'],
    ['with several keys, whichever it shows', `${line('nas', TWO)}\n${line('nas', ONE)}`, 'known'],
    ['with a line end of Windows', `${line('nas', ONE)}\r\n`, 'known'],
    ['unless it is revoked, wherever that is said', `${line('nas', ONE)}\n@revoked ${line('*', ONE)}`, 'revoked'],
    ['though another one is revoked', `@revoked ${line('*', TWO)}\n${line('nas', ONE)}`, 'known'],
    ['by an authority only is told apart', `@cert-authority ${line('*', TWO)}`, 'authority'],
  ])('is known %s', (_what, file, expected) => expect(judged(file)).toBe(expected));

  test('of another port is that of another server', () => {
    const file = `${line('[nas]:2222', ONE)}\n${line('nas', TWO)}`;
    expect([judged(file, 'nas', 2222), judged(file, 'nas', 22), judged(file, 'nas', 2200)]).toEqual(['known', 'changed', 'unknown']);
  });

  test('is found behind a hash of the name', () => {
    const salt = Buffer.from('12345678901234567890');
    const hashed = (name: string) => `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
    expect([
      judged(line(hashed('nas'), ONE)),
      judged(line(hashed('[nas]:2222'), ONE), 'nas', 2222),
      judged(line(hashed('other'), ONE)),
    ]).toEqual(['known', 'known', 'unknown']);
  });

  test('is asked for in the types that are known', () => {
    expect(readKnownHost(`${line('nas', RSA, 'ssh-rsa')}\n@revoked ${line('nas', ONE)}`, 'nas', 22).types).toEqual(['ssh-rsa']);
  });

  test('patterns of many stars end soon', () => {
    expect(judged(line(`${'*a'.repeat(500)}b`, ONE), 'a'.repeat(250))).toBe('unknown');
  });

  test('is shown as other programs show it', () => {
    expect(fingerprintOf(ONE)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(judged(lineFor('nas', 2222, ONE), 'nas', 2222)).toBe('known');
  });
});
