import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { Grant } from '../../core/files.ts';
import { newPartName } from '../fs/part-name.ts';
import { makeManifest } from './make-manifest.ts';

const HEAD = { version: 1, algorithm: 'sha256', root: '/somewhere', created_at: '2026-01-01T00:00:00.000Z' } as const;

const make = async (
  dir: TempDir,
  options: { readonly patienceMs: number; readonly byHandles?: boolean; readonly signal?: AbortSignal },
) => {
  const grant: Grant = {
    root: dir.path,
    access: 'read',
    byHandles: options.byHandles ?? false,
    dry: false,
    counters: new SharedArrayBuffer(16),
  };
  let text = '';
  const made = await makeManifest({
    grant,
    head: HEAD,
    query: { algorithm: 'sha256', exclude: [], except: null, withTimes: false },
    signal: options.signal ?? new AbortController().signal,
    patienceMs: options.patienceMs,
    async write(bytes) {
      text += Buffer.from(bytes).toString();
    },
  });
  return { text, made };
};

const manyFiles = (): TempDir => {
  const dir = tempDir();
  for (let at = 0; at < 300; at += 1) dir.write(`d${at % 7}/e${at % 3}/f${at}`, 'x'.repeat((at * 977) % 200_000));
  mkdirSync(dir.at('empty'));
  return dir;
};

test('the manifest is the same on one thread and on all, by paths and by handles', async () => {
  using dir = manyFiles();
  const { text, made } = await make(dir, { patienceMs: 60_000 });
  expect(Object.keys(JSON.parse(text).files)).toHaveLength(300);
  expect(made).toMatchObject({ files: 300, unreadable: { count: 0 } });
  for (const byHandles of [false, true]) expect((await make(dir, { patienceMs: 0, byHandles })).text).toBe(text);
});

test('what somebody is still writing aside is left out', async () => {
  using dir = tempDir({ a: '1', [newPartName()]: '2' });
  expect(Object.keys(JSON.parse((await make(dir, { patienceMs: 60_000 })).text).files)).toEqual(['a']);
});

test('it stops when it is cancelled', async () => {
  using dir = manyFiles();
  await expect(make(dir, { patienceMs: 0, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});
