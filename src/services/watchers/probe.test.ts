import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { probeDirectory } from './probe.ts';

test('a directory of this machine tells of a new file, and none is left', async () => {
  using dir = tempDir();
  expect(await probeDirectory(dir.path)).toEqual({
    path: dir.path,
    latency_ms: expect.any(Number),
    is_network_mount: false,
    message: null,
  });
  expect(readdirSync(dir.path)).toEqual([]);
});

test('where the system refuses or says nothing, there is a remedy', async () => {
  using dir = tempDir();
  const refused = await probeDirectory(dir.path, {
    watchDirectory: () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  });
  expect(refused).toMatchObject({ latency_ms: null, message: expect.stringContaining('max_user_watches') });
  const silent = await probeDirectory(dir.path, {
    watchDirectory: () => () => {},
    setTimer: (work) => {
      queueMicrotask(work);
      return () => {};
    },
  });
  expect(silent).toMatchObject({ latency_ms: null, message: expect.stringContaining('poll = true') });
  expect(readdirSync(dir.path)).toEqual([]);
});

test('a directory that is not there is a fault', async () => {
  using dir = tempDir();
  await expect(probeDirectory(dir.at('nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
});
