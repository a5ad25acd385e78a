import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonActionException } from '../../core/errors.ts';
import { rewriteJson } from './rewrite.ts';

const shout = { text: (value: string) => (value === 'quiet' ? 'LOUD' : value) };

describe('rewriteJson', () => {
  test('gives back the same reference when nothing changed', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Object.is(rewriteJson(value, { text: (text) => text }), value)));
  });

  test('copies only what leads to a change', () => {
    const value = { same: [{ a: 1 }], other: [['quiet'], ['calm']] };
    const rewritten = rewriteJson(value, shout) as typeof value; // as: the next line proves it
    expect(rewritten).toEqual({ same: [{ a: 1 }], other: [['LOUD'], ['calm']] });
    expect(rewritten.same).toBe(value.same);
    expect(rewritten.other[1]).toBe(value.other[1]);
    expect(value.other[0]).toEqual(['quiet']);
  });

  test('keeps __proto__ an own key', () => {
    const rewritten = rewriteJson(JSON.parse('{"__proto__":"quiet","a":{"__proto__":{"polluted":"quiet"}}}'), shout);
    expect(JSON.stringify(rewritten)).toBe('{"__proto__":"LOUD","a":{"__proto__":{"polluted":"LOUD"}}}');
    expect({}).not.toHaveProperty('polluted');
  });

  test('renames keys, to __proto__ too', () => {
    const rewritten = rewriteJson({ a: 1, b: 2 }, { ...shout, key: (key) => (key === 'a' ? '__proto__' : key) });
    expect(JSON.stringify(rewritten)).toBe('{"b":2,"__proto__":1}');
  });

  test('does not look into what a rewriting put in place', () => {
    expect(rewriteJson(['x'], { text: () => ['x'] })).toEqual([['x']]);
    expect(rewriteJson({ k: 'quiet' }, { ...shout, entry: () => ({ v: 'quiet' }) })).toEqual({ k: { v: 'quiet' } });
  });

  test('leaves instances alone unless told what they stand for', () => {
    const at = new Date(0);
    const value = { at, bytes: Buffer.from('quiet'), call: shout.text };
    expect(rewriteJson(value, shout)).toBe(value);
    expect(rewriteJson({ at }, { ...shout, instance: () => ({ inner: 'quiet' }) })).toEqual({ at: { inner: 'LOUD' } });
  });

  test('walks a value as deep as results can nest and refuses one that contains itself', () => {
    let deep: unknown = 'quiet';
    for (let level = 0; level < 900; level += 1) deep = [deep];
    expect(JSON.stringify(rewriteJson(deep, shout))).toContain('LOUD');
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => rewriteJson(circle, shout)).toThrow(JsonActionException);
  });
});
