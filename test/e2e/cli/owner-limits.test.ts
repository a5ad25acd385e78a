import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';
import { answerOf, factotum } from './built.ts';

/** A directory whose owner may change what lies below `w` and run no program. */
const openRoom = (more = '') => {
  const dir = tempDir({ 'w/a.txt': 'old', 'b.txt': 'mine' });
  const config = `[policy]\nowner = true\nroots = ["${dir.at('w')}"]\ndeny = ["FA_grep"]\n${more}`;
  dir.write('factotum.toml', config);
  return dir;
};

const envOf = (dir: TempDir) => ({ XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('none'), SOME_TOKEN: 'not-for-lists' });

interface Answer {
  readonly code: number | null;
  readonly types: readonly (string | undefined)[];
}

interface Result {
  readonly results?: readonly { readonly error?: { readonly type: string } }[];
  readonly error?: { readonly type: string };
  readonly run_id: string;
}

const typesOf = ({ results, error }: Result) => (error === undefined ? (results ?? []).map((each) => each.error?.type) : [error.type]);

/** The same list by the command line. */
const byCommand = (dir: TempDir, list: unknown): Answer => {
  dir.write('list.json', JSON.stringify(list));
  const ended = factotum(['run', 'list.json', '--json'], { cwd: dir.path, env: envOf(dir) });
  return { code: ended.code, types: typesOf(answerOf<Result>(ended.out === '' ? { ...ended, out: ended.err } : ended)) };
};

const LISTS: readonly (readonly [string, (dir: TempDir) => unknown, readonly (string | undefined)[]])[] = [
  ['a file inside', (dir) => [['FA_create_file', [dir.at('w/new.txt'), 'x']]], [undefined]],
  ['a file outside', (dir) => [['FA_remove_file', [dir.at('b.txt')]]], ['PolicyException']],
  ['the configuration', (dir) => [['FA_create_file', [dir.at('factotum.toml'), '']]], ['PolicyException']],
  ['a program', () => [['FA_run_shell', [['true']]]], ['PolicyException']],
  ['a variable', () => [['FA_create_file', ['w/v', '${env:SOME_TOKEN}']]], ['PolicyException']],
  ['an action that is denied', () => [['FA_grep', ['w', 'x']]], ['ActionNotPermittedException']],
];

describe('limits of the owner', () => {
  test('hold for a list of the command line exactly as for one that is sent to the service', { timeout: 180_000 }, async () => {
    using dir = openRoom();
    await using served = startServed({ cwd: dir.path, state: dir.at('state'), env: envOf(dir) });
    const url = await served.url;
    for (const [what, listOf, types] of LISTS) {
      const body = JSON.stringify(listOf(dir));
      const answer = await fetch(`${url}/actions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      expect([what, typesOf((await answer.json()) as Result)]).toEqual([what, types]);
      expect([what, byCommand(dir, listOf(dir)).types]).toEqual([what, types]);
    }
    expect(dir.read('b.txt')).toBe('mine');
  });

  test('hold for a single action, an older flag and a short form, and the exit code says so', () => {
    using dir = openRoom();
    const ask = (...words: string[]) => factotum(words, { cwd: dir.path, env: envOf(dir) });
    expect(ask('exec', 'FA_remove_file', dir.at('b.txt')).code).toBe(3);
    expect(ask('--execute_str', JSON.stringify([['FA_remove_file', [dir.at('b.txt')]]])).code).toBe(3);
    expect(ask('copy', dir.at('w/a.txt'), dir.at('c.txt')).code).toBe(3);
    expect([dir.read('b.txt'), existsSync(dir.at('c.txt'))]).toEqual(['mine', false]);
  });

  test('hold when a run is resumed or undone later', () => {
    using dir = openRoom();
    const ask = (...words: string[]) => factotum(words, { cwd: dir.path, env: envOf(dir) });
    dir.write('factotum.toml', '');
    const { run_id } = answerOf<Result>(ask('exec', 'FA_remove_file', dir.at('b.txt'), '--json'));
    const failed = answerOf<Result>(ask('exec', 'FA_read_file', dir.at('none.txt'), '--json'));
    dir.write('factotum.toml', `[policy]\nowner = true\nroots = ["${dir.at('w')}"]\n`);
    expect(ask('undo', run_id)).toMatchObject({ code: 1, out: expect.stringContaining(dir.at('b.txt')) });
    expect(existsSync(dir.at('b.txt'))).toBe(false);
    dir.write('none.txt', 'here');
    expect(typesOf(answerOf<Result>(ask('runs', 'resume', failed.run_id, '--json')))).toEqual(['PolicyException']);
  });

  test('can demand a yes, which is given once', () => {
    using dir = openRoom('require_approval = "destructive"\n');
    const ask = (...words: string[]) => factotum(words, { cwd: dir.path, env: envOf(dir) });
    const refused = ask('exec', 'FA_remove_file', dir.at('w/a.txt'));
    expect(refused.code).toBe(3);
    const [hash = ''] = /(?<=factotum approve )[0-9a-f]+/.exec(refused.err) ?? [];
    expect(ask('approve', hash).code).toBe(0);
    expect(ask('exec', 'FA_remove_file', dir.at('w/a.txt'), '--expect-plan', hash).code).toBe(0);
    expect(existsSync(dir.at('w/a.txt'))).toBe(false);
  });

  test.each(['["\\u0070olicy"]', "[ 'policy' ]"])('hold however the section is written: %s', (head) => {
    using dir = tempDir({ 'b.txt': 'mine', 'factotum.toml': `${head}\nowner = true\n` });
    expect(factotum(['exec', 'FA_remove_file', dir.at('b.txt')], { cwd: dir.path, env: envOf(dir) }).code).toBe(3);
  });

  test('are none where the configuration does not name the owner', () => {
    using dir = tempDir({ 'b.txt': 'mine', 'factotum.toml': '[policy]\nroots = []\n' });
    expect(factotum(['exec', 'FA_remove_file', dir.at('b.txt')], { cwd: dir.path, env: envOf(dir) }).code).toBe(0);
  });
});
