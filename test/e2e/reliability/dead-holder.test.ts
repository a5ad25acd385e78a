import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { systemWait } from '../../../src/lib/async/wait.ts';
import { createFileLocks } from '../../../src/services/locks/file-lock.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startFactotum } from '../cli/built.ts';

const { holdFile } = createFileLocks({ clock: { now: Date.now, monotonic: () => performance.now() }, wait: systemWait });

const { signal } = new AbortController();

/** Takes a file lock and a lock by name, says so with a file, and then waits for a third lock. */
const HOLDER = [
  'FA_with_file_lock',
  {
    path: 'a.lock',
    actions: [
      [
        'FA_with_lock',
        {
          name: 'nightly',
          ttl: 5,
          db_path: 'locks.db',
          actions: [
            ['FA_create_file', ['held', '']],
            ['FA_with_file_lock', { path: 'never.lock', actions: [] }],
          ],
        },
      ],
    ],
  },
];

test('the locks of a process that was killed are free again: of files at once, by name when their time is over', {
  timeout: 180_000,
}, async () => {
  using dir = tempDir({ 'never.lock': '', 'list.json': JSON.stringify([HOLDER]) });
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  const acquire = async (timeout: number) =>
    (await factotum.run([['FA_lock_acquire', { name: 'nightly', timeout, db_path: 'locks.db' }]])).results[0]?.status;
  await holdFile(dir.at('never.lock'), { timeoutS: 0, signal }, async () => {
    const holder = startFactotum(['run', 'list.json'], dir.path);
    while (dir.read('held') === undefined) await delay(10);
    await expect(holdFile(dir.at('a.lock'), { timeoutS: 0, signal }, () => Promise.resolve())).rejects.toMatchObject({
      type: 'LockTimeoutException',
    });
    expect(await acquire(0)).toBe('failed');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await holdFile(dir.at('a.lock'), { timeoutS: 5, signal }, () => Promise.resolve('in'))).toBe('in');
    expect(await acquire(30)).toBe('ok');
  });
});
