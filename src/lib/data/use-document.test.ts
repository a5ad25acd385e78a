import { describe, expect, test } from 'vitest';
import { CancelledException } from '../../core/errors.ts';
import type { DocumentKind, DocumentUse } from './document-task.ts';
import { type DocumentReader, useDocument } from './use-document.ts';

const { signal } = new AbortController();
const many = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join('');
const ask = (kind: DocumentKind, text: string, use: DocumentUse, reader: DocumentReader = { signal, isLimited: true }) =>
  useDocument({ kind, name: 'd', bytes: Buffer.from(text), use }, reader);

/** Large enough for threads of their own. */
const YAML = many(3_000, (at) => `key${at}: ${at}\n`);
const JSON_TEXT = `{${many(80_000, (at) => `"key${at}": ${at}, `)}"z": 12345678901234567890}`;

describe.each([
  ['yaml', 'a: 1\nkey7: 7\n', YAML],
  ['json', '{"a": 1, "key7": 7}', JSON_TEXT],
] as const)('%s, short or long', (kind, short, long) => {
  test.each([
    ['short', short],
    ['long', long],
  ])('%s: reads and edits', async (_, text) => {
    expect(await ask(kind, text, { kind: 'get', keyPath: 'key7' })).toEqual({ found: true, value: 7 });
    const { found, bytes } = await ask(kind, text, { kind: 'set', keyPath: 'key7', value: 8 });
    expect(found).toBe(true);
    expect(Buffer.from(bytes ?? []).toString()).toBe(text.replace(/(key7"?: )7/, '$18'));
  });

  test('gives no new text where nothing changes', async () => {
    expect(await ask(kind, short, { kind: 'set', keyPath: 'key7', value: 7 })).toEqual({ found: true });
    expect(await ask(kind, short, { kind: 'remove', keyPath: 'nobody' })).toEqual({ found: false });
    expect(await ask(kind, short, { kind: 'get', keyPath: 'nobody' })).toEqual({ found: false });
  });

  test('faults of a long one are of the same type', async () => {
    const fault = await ask(kind, `${long}}`, { kind: 'get', keyPath: 'a' }).catch((reason: unknown) => reason);
    expect(fault).toMatchObject({ type: kind === 'json' ? 'JsonEditException' : 'DataOpsException' });
  });
});

test('a command ends with its signal while its document is read, and so does one that waits for its turn', async () => {
  const long = many(50_000, (at) => `key${at}: ${at}\n`);
  const controllers = [new AbortController(), new AbortController()];
  const work = controllers.map((each) => ask('yaml', long, { kind: 'get', keyPath: 'key7' }, { signal: each.signal, isLimited: true }));
  const ends = work.map((each) => expect(each).rejects.toThrow('no more'));
  for (const each of controllers.reverse()) each.abort(new CancelledException('no more'));
  await Promise.all(ends);
});

test('a small document with a large value, and a large document, fail in a typed way where memory is short', async () => {
  const reader = { signal, isLimited: true, maxBytes: 64 * 1024 * 1024 };
  const short = { type: 'QuotaExceededException', context: { limit: 'memory' } };
  const value = Array.from({ length: 60_000 }, (_, at) => ({ at }));
  await expect(ask('yaml', 'a: 1\n', { kind: 'set', keyPath: 'a', value }, reader)).rejects.toMatchObject(short);
  await expect(ask('json', `[${'[[]],'.repeat(500_000)}1]`, { kind: 'get', keyPath: '' }, reader)).rejects.toMatchObject(short);
});

test('a whole number as long as a book is refused before it is calculated', async () => {
  await expect(ask('yaml', `a: ${'9'.repeat(5_000)}\n`, { kind: 'get', keyPath: 'a' })).rejects.toThrow(
    'd:1:4: a whole number of more than 4300 digits',
  );
  expect(await ask('yaml', `a: "${'9'.repeat(5_000)}"\n`, { kind: 'get', keyPath: 'a' })).toMatchObject({ found: true });
});
