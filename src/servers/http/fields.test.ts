import { describe, expect, test } from 'vitest';
import { Fields } from './fields.ts';

const KNOWN = [
  ['host', 'Host'],
  ['origin', 'Origin'],
  ['fetchSite', 'Sec-Fetch-Site'],
  ['authorization', 'Authorization'],
  ['contentType', 'Content-Type'],
  ['contentEncoding', 'Content-Encoding'],
  ['contentLength', 'Content-Length'],
  ['expect', 'Expect'],
  ['requestId', 'X-Request-Id'],
  ['idempotencyKey', 'Idempotency-Key'],
  ['cancelOnDisconnect', 'X-Cancel-On-Disconnect'],
] as const;

const ONCE = ['Host', 'Origin', 'Sec-Fetch-Site', 'Authorization', 'Content-Type', 'Content-Encoding'];
const JOINED = ['Expect', 'X-Request-Id', 'Idempotency-Key', 'X-Cancel-On-Disconnect'];

describe('the fields of a head', () => {
  test.each(KNOWN)('have %s from %s in any case, among others', (key, name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      const fields = new Fields(['Accept', '*/*', written, 'A value', 'X-Other', 'b']);
      expect({ ...fields }).toEqual({ ...new Fields([]), [key]: 'A value' });
    }
  });

  test.each(ONCE)('name %s when it came twice, even with the same value', (name) => {
    expect(new Fields([name, 'a', 'Accept', '*/*', name.toLowerCase(), 'a']).doubled).toBe(name.toLowerCase());
  });

  test.each(JOINED)('have %s joined when it came twice', (name) => {
    const fields = new Fields([name, 'a', name.toUpperCase(), 'b']);
    expect(fields.doubled).toBeUndefined();
    expect(Object.values(fields).filter((value) => value !== undefined)).toEqual(['a, b']);
  });

  test('are empty where nothing came, and take an empty value as one', () => {
    expect(Object.values(new Fields([])).every((value) => value === undefined)).toBe(true);
    expect(new Fields(['Origin', '']).origin).toBe('');
    expect(new Fields(['Origin', '', 'origin', '']).doubled).toBe('origin');
  });
});
