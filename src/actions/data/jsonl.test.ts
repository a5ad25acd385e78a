import { chmodSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

describe('appending', () => {
  test.each<[about: string, before: string, after: string]>([
    ['to a file that ends with a line end', '{"n":1}\n', '{"n":1}\n{"n":2}\n'],
    ['to a file that does not', '{"n":1}', '{"n":1}\n{"n":2}\n'],
    ['to an empty file', '', '{"n":2}\n'],
    ['to a file with line ends of Windows', '{"n":1}\r\n', '{"n":1}\r\n{"n":2}\n'],
  ])('%s', async (_about, before, after) => {
    await using house = openHouse({ files: { 'a.jsonl': before } });
    const { results } = await house.run([['FA_jsonl_append', ['a.jsonl', { n: 2 }]]]);
    expect(results[0]).toMatchObject({ status: 'ok', value: true });
    expect(house.dir.read('a.jsonl')).toBe(after);
  });

  test('keeps the mode of the file', async () => {
    await using house = openHouse({ files: { 'a.jsonl': '{"n":1}\n' } });
    chmodSync(house.dir.at('a.jsonl'), 0o604);
    await house.run([['FA_jsonl_append', ['a.jsonl', { n: 2 }]]]);
    expect(statSync(house.dir.at('a.jsonl')).mode & 0o777).toBe(0o604);
  });

  test('writes one mark at the start, in the byte order that the file has', async () => {
    const big = Buffer.from('\ufeff{"n":1}\n', 'utf16le').swap16();
    await using house = openHouse({ files: { 'big.jsonl': big } });
    await house.run([
      ['FA_jsonl_append', { path: 'big.jsonl', record: { n: 'é' }, encoding: 'utf-16' }],
      ['FA_jsonl_append', { path: 'new.jsonl', record: { n: 1 }, encoding: 'utf-16' }],
      ['FA_jsonl_append', { path: 'new.jsonl', record: { n: 2 }, encoding: 'utf-16' }],
    ]);
    expect(readFileSync(house.dir.at('big.jsonl')).swap16().toString('utf16le')).toBe('\ufeff{"n":1}\n{"n":"é"}\n');
    expect(readFileSync(house.dir.at('new.jsonl')).toString('utf16le')).toBe('\ufeff{"n":1}\n{"n":2}\n');
  });

  test('keeps keys named like prototypes', async () => {
    await using house = openHouse();
    await house.run([['FA_jsonl_append', ['a.jsonl', JSON.parse('{"__proto__":{"polluted":1}}')]]]);
    expect(house.dir.read('a.jsonl')).toBe('{"__proto__":{"polluted":1}}\n');
    expect({}).not.toHaveProperty('polluted');
  });

  test('plans the directories and the file it would make', async () => {
    await using house = openHouse({ files: { 'a.jsonl': '{}' } });
    const { results } = await house.run({
      dry_run: true,
      actions: [
        ['FA_jsonl_append', ['p/q.jsonl', { n: 1 }]],
        ['FA_jsonl_append', ['a.jsonl', { n: 1 }]],
      ],
    });
    expect(results.map(({ plan }) => plan?.effects)).toEqual([
      [
        { kind: 'create', target: house.dir.at('p') },
        { kind: 'create', target: house.dir.at('p/q.jsonl'), bytes: 8 },
      ],
      [expect.objectContaining({ kind: 'overwrite', target: house.dir.at('a.jsonl') })],
    ]);
  });
});

test('reading names the line of a broken record', async () => {
  await using house = openHouse({ files: { 'a.jsonl': '{"n":1}\n\n{"n":\n' } });
  const { results } = await house.run([['FA_jsonl_iter', ['a.jsonl']]]);
  expect(results[0]?.error).toMatchObject({ type: 'DataOpsException', context: { path: 'a.jsonl', line: 3 } });
});
