import { describe, expect, test } from 'vitest';
import { outgoing } from '../../test/contract/storage-samples.ts';
import { createForesight, NotYetKnown } from '../core/planning.ts';
import { createMemory, openMemory } from './backends/memory.ts';
import { planStorage } from './planned.ts';

const { signal } = new AbortController();

const open = async (files: Readonly<Record<string, string>> = {}) => {
  const memory = createMemory();
  const real = openMemory({ memory, now: () => 0 });
  for (const [path, content] of Object.entries(files)) await real.write(path, outgoing(content), { signal });
  const before = JSON.stringify([...memory.entries]);
  const foresight = createForesight();
  const planned = planStorage(real, { foresight });
  const end = foresight.begin();
  return { planned, foresight, end, isUntouched: () => JSON.stringify([...memory.entries]) === before };
};

const pathsIn = async (items: AsyncIterable<{ readonly path: string }>) => {
  const paths: string[] = [];
  for await (const { path } of items) paths.push(path);
  return paths.sort();
};

test('changes are told with their locations, and nothing is changed', async () => {
  const { planned, end, isUntouched } = await open({ 'a/old': 'old', 'a/gone': 'going' });
  await planned.write('a/old', outgoing('newer'), { signal });
  await planned.write('b/new', outgoing('new'), { signal });
  await planned.remove('a/gone', { signal });
  expect(end()).toEqual([
    { kind: 'overwrite', target: 'mem://a/old', bytes: 5 },
    { kind: 'create', target: 'mem://b' },
    { kind: 'create', target: 'mem://b/new', bytes: 3 },
    { kind: 'delete', target: 'mem://a/gone', bytes: 5 },
  ]);
  expect(isUntouched()).toBe(true);
});

test('later commands find what earlier ones would leave', async () => {
  const { planned } = await open({ 'a/old': 'old', 'a/stays': 'x' });
  await planned.remove('a/old', { signal });
  await planned.write('a/new', outgoing('new'), { signal });
  expect(await planned.stat('a/old', { signal })).toBeUndefined();
  expect(await planned.stat('a/new', { signal })).toMatchObject({ kind: 'file', bytes: 3, isPlanned: true });
  expect(await pathsIn(planned.list('a', { signal }))).toEqual(['a/new', 'a/stays']);
  expect(await pathsIn(planned.list('', { signal, deep: true }))).toEqual(['a', 'a/new', 'a/stays']);
});

test('what is written and removed again is no effect', async () => {
  const { planned, end } = await open();
  await planned.write('x', outgoing('x'), { signal });
  await planned.remove('x', { signal });
  expect(end()).toEqual([]);
});

describe('refuses as the run would', () => {
  test.each([
    ['a directory in the place of a file', (s: ReturnType<typeof planStorage>) => s.write('a', outgoing('x'), { signal }), 'is_directory'],
    ['a file in the place of a directory', (s: ReturnType<typeof planStorage>) => s.write('a/x/y', outgoing('x'), { signal }), 'exists'],
    [
      'something that is there',
      (s: ReturnType<typeof planStorage>) => s.write('a/x', outgoing('x'), { signal, exclusive: true }),
      'exists',
    ],
    ['nothing to read', (s: ReturnType<typeof planStorage>) => s.read('none', { signal }), 'not_found'],
    ['nothing to copy', async (s: ReturnType<typeof planStorage>) => s.copy?.('none', 'b', { signal }), 'not_found'],
    ['a directory that is not empty', async (s: ReturnType<typeof planStorage>) => s.removeDir?.('a', { signal }), 'not_empty'],
  ])('%s', async (_, act, code) => {
    const { planned } = await open({ 'a/x': 'x' });
    await expect(act(planned)).rejects.toMatchObject({ context: { code } });
  });
});

test('content that would be written is not known', async () => {
  const { planned } = await open();
  await planned.write('x', outgoing('x'), { signal });
  await expect(planned.read('x', { signal })).rejects.toBeInstanceOf(NotYetKnown);
});

test('a move is a deletion and a creation', async () => {
  const { planned, end } = await open({ x: 'hello' });
  await planned.move?.('x', 'y', { signal });
  expect(end()).toEqual([
    { kind: 'create', target: 'mem://y', bytes: 5 },
    { kind: 'delete', target: 'mem://x', bytes: 5 },
  ]);
});

test('another version of what was looked at makes another plan', async () => {
  const prints = async (content: readonly string[]) => {
    const memory = createMemory();
    const real = openMemory({ memory, now: () => 0 });
    for (const each of content) await real.write('x', outgoing(each), { signal });
    const foresight = createForesight();
    foresight.begin();
    await planStorage(real, { foresight }).remove('x', { signal });
    return foresight.fingerprints();
  };
  expect(await prints(['one'])).not.toEqual(await prints(['two', 'one'])); // same size, same time
});
