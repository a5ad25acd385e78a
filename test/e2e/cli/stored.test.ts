import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

test('what an action stores outlives the command, for the service to find', () => {
  using dir = tempDir({ 'w/a.txt': 'text' });
  const ask = (...words: string[]) =>
    factotum(words, { cwd: dir.at('w'), env: { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('config') } });
  const list = '[["FA_stat",{"file_path":"a.txt"}]]';
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
