import { appendFileSync, chmodSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure, leftovers, openGuarded, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Addition } from '../../core/files.ts';
import type { Change } from '../../core/journal.ts';
import { openBudget } from '../../core/quota.ts';

const END = Buffer.from('\n');
const line = (text: string) => (): Addition => ({ record: Buffer.from(`${text}\n`), end: END });

describe.each([
  ['the owner', openOwner],
  ['a caller with a policy', openGuarded],
])('%s', (_, open) => {
  test('records follow each other in the same file, which is made where it is missing', async () => {
    using dir = tempDir();
    symlinkSync('log', dir.at('l'));
    const port = open(dir.path);
    await port.append('log', line('1'), { signal });
    const { ino } = statSync(dir.at('log'));
    chmodSync(dir.at('log'), 0o640);
    await port.append('l', line('2'), { signal });
    const after = statSync(dir.at('log'));
    expect([dir.read('log'), after.ino, after.mode & 0o777]).toEqual(['1\n2\n', ino, 0o640]);
    expect(leftovers(dir.path)).toEqual([]);
  });

  test('many at once lose nothing, though the first has to make the file and others append beside us', async () => {
    using dir = tempDir();
    const ports = [open(dir.path), open(dir.path)];
    const wanted = Array.from({ length: 60 }, (_, at) => String(at));
    const appending = wanted.map((text, at) => (ports[at % 2] ?? open(dir.path)).append('log', line(text), { signal }));
    for (const text of ['a', 'b', 'c']) {
      appendFileSync(dir.at('log'), `${text}\n`);
      await appending[wanted.length / 3];
    }
    await Promise.all(appending);
    const lines = dir.read('log')?.split('\n').slice(0, -1) ?? [];
    expect(lines.filter((text) => /^\d+$/.test(text))).toEqual(wanted);
    expect(lines.filter((text) => !/^\d+$/.test(text))).toEqual(['a', 'b', 'c']);
  });

  test('a last line without an end gets one first, an empty file does not', async () => {
    using dir = tempDir({ half: '{"n":', empty: '' });
    const port = open(dir.path);
    await port.append('half', line('1'), { signal });
    await port.append('empty', line('1'), { signal });
    expect([dir.read('half'), dir.read('empty')]).toEqual(['{"n":\n1\n', '1\n']);
  });

  test('what to add may depend on the file, which may go meanwhile', async () => {
    using dir = tempDir({ f: 'first\n' });
    let calls = 0;
    const seen: (number | undefined)[] = [];
    await open(dir.path).append(
      'f',
      (file) => {
        calls += 1;
        seen.push(file?.entry.size);
        if (calls === 1) unlinkSync(dir.at('f'));
        return { record: Buffer.from(`${calls}\n`), end: END };
      },
      { signal },
    );
    expect([seen, dir.read('f')]).toEqual([[6, undefined], '2\n']);
  });

  test('what is no file is refused, a directory that is not there is made', async () => {
    using dir = tempDir({ 'd/x': '' });
    const port = open(dir.path);
    expect(await failure(port.append('d', line('1'), { signal }))).toBe('FileAccessException');
    await port.append('no/such', line('1'), { signal });
    expect(dir.read('no/such')).toBe('1\n');
  });
});

test('the budget is asked for the record alone, before it is written', async () => {
  using dir = tempDir({ f: 'x'.repeat(1000) });
  const port = openOwner(dir.path, { budget: openBudget(5, undefined) });
  await port.append('f', line('1'), { signal });
  expect(await failure(port.append('f', line('22222'), { signal }))).toBe('QuotaExceededException');
  expect(dir.read('f')?.slice(1000)).toBe('\n1\n');
});

test('the journal is told what will stand at the end', async () => {
  using dir = tempDir({ f: 'x' });
  const told: Change[] = [];
  await openOwner(dir.path, { before: (change) => void told.push(change) }).append('f', line('1'), { signal });
  expect(told).toMatchObject([{ kind: 'append', path: dir.at('f'), entry: { size: 1 }, added: { bytes: 2, lead: 'Cg' } }]);
});
