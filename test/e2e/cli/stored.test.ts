import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';
import { answerOf, factotum } from './built.ts';

test('what an action stores outlives the command, for the service to find', () => {
  using dir = tempDir({ 'w/a.txt': 'text' });
  const ask = (...words: string[]) =>
    factotum(words, { cwd: dir.at('w'), env: { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('config') } });
  const list = '[["FA_stat",["a.txt"]]]';
  expect(ask('exec', 'FA_schedule_add', 'nightly', '0 3 * * *', list).code).toBe(0);
  expect(ask('exec', 'FA_queue_enqueue', list).code).toBe(0);
  expect(answerOf(ask('exec', 'FA_schedule_list', '--json'))).toMatchObject({ results: [{ value: [{ name: 'nightly', runs: 0 }] }] });
  expect(answerOf(ask('exec', 'FA_queue_size', '--json'))).toMatchObject({ results: [{ value: 1 }] });
});

test('sinks of the configuration are those of the command line', () => {
  using dir = tempDir({ 'factotum.toml': '[[notify.sinks]]\nname = "hook"\ntype = "webhook"\nurl = "https://example.com/x"\n' });
  const env = { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('config') };
  const listed = factotum(['exec', 'FA_notify_list', '--json'], { cwd: dir.path, env });
  expect(answerOf(listed)).toMatchObject({ results: [{ value: [{ name: 'hook', type: 'webhook' }] }] });
});

test('locks are those of the service and of every other command', { timeout: 180_000 }, async () => {
  using dir = tempDir({ 'w/a.txt': 'text' });
  const env = { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('config') };
  const ask = (...words: string[]) => factotum(['exec', ...words, '--json'], { cwd: dir.at('w'), env });
  expect(answerOf(ask('FA_lock_acquire', 'nightly', '--owner', 'me'))).toMatchObject({ results: [{ value: { owner: 'me', fence: 1 } }] });
  expect(answerOf(ask('FA_lock_acquire', 'nightly', '--timeout', '0'))).toMatchObject({
    results: [{ error: { type: 'LockTimeoutException' } }],
  });
  await using served = startServed({ cwd: dir.at('w'), state: dir.at('state'), env });
  const held = ['FA_with_lock', { name: 'nightly', timeout: 0, actions: [['FA_stat', ['a.txt']]] }];
  const send = async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${await served.url}/actions`, { method: 'POST', headers, body: JSON.stringify([held]) });
    return answer.json();
  };
  expect(await send()).toMatchObject({ results: [{ error: { type: 'LockTimeoutException' } }] });
  expect(answerOf(ask('FA_lock_release', 'nightly', 'me'))).toMatchObject({ results: [{ value: true }] });
  expect(await send()).toMatchObject({ ok: true });
});

test('breakers and rate limits hold from one command to the next', () => {
  using dir = tempDir({ 'w/a.txt': 'text' });
  const env = { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('config') };
  const run = (list: unknown) => factotum(['run', '-', '--json'], { cwd: dir.at('w'), env, input: JSON.stringify(list) });
  const failing = { name: 'tape', failure_threshold: 1, recovery_timeout: 3600, actions: [['FA_read_file', ['none.txt']]] };
  expect(run([['FA_with_circuit_breaker', failing]]).code).toBe(1);
  expect(answerOf(run([['FA_circuit_state', ['tape']]]))).toMatchObject({ results: [{ value: 'open' }] });
  const seldom = { name: 'mirror', rate: 0.001, burst: 1, timeout: 0, actions: [['FA_stat', ['a.txt']]] };
  expect(run([['FA_with_rate_limit', seldom]]).code).toBe(0);
  expect(answerOf(run([['FA_with_rate_limit', seldom]]))).toMatchObject({ results: [{ error: { type: 'RateLimitExceededException' } }] });
});
