import { describe, expect, test } from 'vitest';
import type { ScheduleSnapshot } from '../../../src/core/ports/scheduler.ts';
import { systemTimer } from '../../../src/lib/async/timer.ts';
import { embeddedStore } from '../../../src/services/engine/embedded/embedded-store.ts';
import { openScheduleBook } from '../../../src/services/scheduler/book.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

const CONFIG = `[[schedules]]
name = "backup"
cron = "30 6 * * *"
time_zone = "Europe/Vienna"
actions = [["FA_progress_list"]]
`;

/** A place whose store has a job called `stored`. */
const openPlace = async () => {
  const dir = tempDir({ 'factotum.toml': CONFIG });
  const store = embeddedStore({ file: dir.at('factotum/factotum.db') });
  const book = openScheduleBook({ store, clock: { now: Date.now, monotonic: Date.now }, setTimer: systemTimer });
  await book.add({ name: 'stored', cron: '0 3 * * *', timeZone: 'UTC', actions: [] }, 'owner');
  await store.close();
  const ask = (...words: string[]) => factotum(['schedule', ...words], { cwd: dir.path, env: { XDG_STATE_HOME: dir.path } });
  return { dir, ask };
};

describe('factotum schedule', () => {
  test('lists jobs of the store and of the configuration', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    const jobs = answerOf<ScheduleSnapshot[]>(ask('--json'));
    expect(jobs.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['backup', true],
      ['stored', true],
    ]);
    expect(ask('list').out).toMatch(/^JOB +TIMES .*\nbackup {2}30 6 \* \* \* \(Europe\/Vienna\) .* never +0 runs\nstored /);
  });

  test('tells when a job runs next', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    expect(ask('next', 'backup', '-n', '3').out).toMatch(/^(?:\d{4}-\d\d-\d\dT06:30:00\+0[12]:00\n){3}$/);
    expect(ask('next', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('No job is called "nobody"') });
    expect(ask('next')).toMatchObject({ code: 2, err: expect.stringContaining('JOB is missing') });
    expect(ask('next', 'backup', '-n', '0')).toMatchObject({ code: 2 });
  });

  test('pauses a job until it is resumed', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    expect(ask('pause', 'stored', '--drain')).toMatchObject({ code: 0, out: '✓ stored is paused.\n' });
    expect(ask('list').out).toMatch(/stored .* paused /);
    expect(ask('resume', 'stored').out).toMatch(/^✓ stored runs next at \d{4}-\d\d-\d\dT03:00:00\+00:00\.\n$/);
  });

  test('does not pause what no service has taken in', async () => {
    const { dir, ask } = await openPlace();
    using _ = dir;
    expect(ask('pause', 'backup')).toMatchObject({ code: 1, err: expect.stringContaining('No service has taken the job "backup" in yet') });
  });

  test('leaves nothing behind where there are no jobs', () => {
    using dir = tempDir();
    const { code, out } = factotum(['schedule'], { cwd: dir.path, env: { XDG_STATE_HOME: dir.path, XDG_CONFIG_HOME: dir.path } });
    expect({ code, out }).toEqual({ code: 0, out: 'There are no jobs; add one to [[schedules]], or with FA_schedule_add.\n' });
    expect(dir.read('factotum/factotum.db')).toBeUndefined();
  });
});
