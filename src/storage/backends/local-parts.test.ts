import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { HeldPart, Outgoing, PartedWrite } from '../../core/storage.ts';
import { placeAnywhere } from '../../files/place.ts';
import { createRealFiles } from '../../files/real.ts';
import { localPath, openLocal } from './local.ts';

const MIB = 1024 * 1024;
const PART = 16 * MIB;
const { signal } = new AbortController();

const piece = (bytes: Buffer): Outgoing & { readonly bytes: number } => ({
  bytes: bytes.byteLength,
  async *chunks() {
    for (let at = 0; at < bytes.byteLength; at += MIB) yield bytes.subarray(at, at + MIB);
  },
});

/** A file of two parts and a bit on its way to `big`. */
const begin = (dir: TempDir) => {
  const files = createRealFiles({ cwd: dir.path, place: placeAnywhere, policy: undefined, budget: undefined });
  const { startParts, resumeParts } = openLocal(files);
  if (startParts === undefined || resumeParts === undefined) throw new Error('Files of this machine come in parts.');
  const path = localPath('big', files);
  const whole = randomBytes(2 * PART + 5);
  const put = (write: PartedWrite, number: number) =>
    write.put(number, piece(whole.subarray((number - 1) * PART, Math.min(number * PART, whole.byteLength))), { signal });
  return {
    whole,
    put,
    start: () => startParts(path, { signal, bytes: whole.byteLength }),
    goOn: (ticket: PartedWrite['ticket'], known: readonly HeldPart[]) => resumeParts(path, ticket, { signal, known }),
    seen: () => files.list('.'),
  };
};

test('what a process has written another one goes on with, and nobody sees it before it is whole', async () => {
  using dir = tempDir();
  const { whole, put, start, goOn, seen } = begin(dir);
  const first = await start();
  const held = [await put(first, 3), await put(first, 1)];
  await first.leave?.();
  expect(await seen()).toEqual([]);
  const second = await goOn(first.ticket, held);
  if (second === undefined) throw new Error('It was forgotten.');
  expect(second.held).toEqual(held);
  const middle = await put(second, 2);
  await second.commit(
    [held[1], middle, held[0]].filter((part) => part !== undefined),
    { signal },
  );
  expect(readFileSync(dir.at('big')).equals(whole)).toBe(true);
  expect(readdirSync(dir.path)).toEqual(['big']);
});

test('only parts that are there count', async () => {
  using dir = tempDir();
  const { put, start, goOn } = begin(dir);
  const first = await start();
  const held = [await put(first, 1), await put(first, 2)];
  await first.leave?.();
  const [name = ''] = readdirSync(dir.path);
  truncateSync(dir.at(name), PART + 1);
  const second = await goOn(first.ticket, held);
  expect(second?.held.map(({ number }) => number)).toEqual([1]);
  await second?.discard({ signal });
  expect(readdirSync(dir.path)).toEqual([]);
});

test('after another start of the machine nothing of it is trusted', async () => {
  using dir = tempDir();
  const { put, start, goOn } = begin(dir);
  const first = await start();
  const held = [await put(first, 1)];
  await first.leave?.();
  expect(await goOn({ ...(first.ticket as object), boot: 'another' }, held)).toBeUndefined();
  expect(readdirSync(dir.path)).toEqual([]);
});

test.each([
  ['a link', (dir: TempDir, name: string) => symlinkSync('victim', dir.at(name))],
  ['one more name of a file', (dir: TempDir, name: string) => linkSync(dir.at('victim'), dir.at(name))],
])('%s in its way is replaced and never written through', async (_, place) => {
  using dir = tempDir();
  const { put, start, goOn } = begin(dir);
  const first = await start();
  const held = [await put(first, 1)];
  await first.leave?.();
  const [name = ''] = readdirSync(dir.path);
  renameSync(dir.at(name), dir.at('away'));
  dir.write('victim', 'untouched');
  place(dir, name);
  expect(await goOn(first.ticket, held)).toBeUndefined();
  expect(dir.read('victim')).toBe('untouched');
});
