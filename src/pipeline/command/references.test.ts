import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referencesOf } from './references.ts';

describe('referencesOf', () => {
  test('lists the references of a value in order, at any depth', () => {
    const value = {
      a: '${results[2].value.rows[0].name}',
      b: ['x ${nodes.build.value} ${ENV:HOME:-/root}', { c: '${item.key}' }],
      d: '${date:%Y}${uuid}${cwd}',
    };
    expect(referencesOf(value)).toEqual([
      { kind: 'result', written: '${results[2].value.rows[0].name}', index: 2, path: ['rows', 0, 'name'] },
      { kind: 'node', written: '${nodes.build.value}', id: 'build', path: [] },
      { kind: 'env', written: '${ENV:HOME:-/root}', name: 'HOME', fallback: '/root' },
      { kind: 'named', written: '${item.key}', name: 'item', path: ['key'] },
      { kind: 'date', written: '${date:%Y}', format: '%Y' },
      { kind: 'uuid', written: '${uuid}' },
      { kind: 'cwd', written: '${cwd}' },
    ]);
  });

  test.each([
    ['an escaped reference', '$${nodes.a.value}'],
    ['a key', { '${nodes.a.value}': 1 }],
    ['a value without texts', [1, null, undefined, true]],
    ['nothing', undefined],
  ])('finds none in %s', (_, value) => {
    expect(referencesOf(value)).toEqual([]);
  });

  test.each([
    '${nope}',
    '${env:}',
    '${results[0]}',
    '${results[0].value..a}',
    '${item[x]}',
    '${date:%Q}',
    '${uuid:4}',
    '${env:${cwd}',
    '${cwd',
  ])('reports %s as unknown with what is wrong', (text) => {
    expect(referencesOf(text)).toEqual([{ kind: 'unknown', written: text, fault: expect.stringContaining(';') }]);
  });

  test('goes on behind a reference it cannot read', () => {
    expect(referencesOf('${nope} ${cwd}').map(({ kind }) => kind)).toEqual(['unknown', 'cwd']);
  });

  test('stops behind the limit', () => {
    const kinds = referencesOf('${uuid}'.repeat(100_000)).map(({ kind }) => kind);
    expect(kinds).toHaveLength(1001);
    expect(kinds.at(-1)).toBe('unknown');
  });

  test('never throws on JSON values', () => {
    const text = fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '.', '[', '0', ']', ':') });
    fc.assert(fc.property(fc.array(text), (value) => Array.isArray(referencesOf(value))));
  });
});
