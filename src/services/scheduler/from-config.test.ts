import { expect, test } from 'vitest';
import { configuredSchedule } from './from-config.ts';

const entry = {
  name: 'backup',
  cron: '0 3 * * *',
  actions: [['FA_progress_list']],
  enabled: true,
  overlap: 'queue_one',
  catch_up: 'latest',
  catch_up_window_s: 60,
  catch_up_max: 2,
  jitter_s: 5,
} as const;

test('an entry of the configuration becomes a job', () => {
  expect(configuredSchedule({ ...entry, time_zone: 'Europe/Vienna', deadline_s: 30, max_duration_s: 40, expect_every_s: 50 })).toEqual({
    name: 'backup',
    cron: '0 3 * * *',
    actions: [['FA_progress_list']],
    timeZone: 'Europe/Vienna',
    isEnabled: true,
    rules: {
      overlap: 'queue_one',
      catchUp: 'latest',
      catchUpWindowS: 60,
      catchUpMax: 2,
      jitterS: 5,
      deadlineS: 30,
      maxDurationS: 40,
      expectEveryS: 50,
    },
  });
});

test('limits that are left out or 0 are none', () => {
  const { timeZone, rules } = configuredSchedule({ ...entry, deadline_s: 0 });
  expect(timeZone).toBe(null);
  expect(rules).toMatchObject({ deadlineS: null, maxDurationS: null, expectEveryS: null });
});
