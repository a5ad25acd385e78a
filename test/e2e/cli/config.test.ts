import { chmodSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from './built.ts';

const GOOD = `[secrets]
file_root = "secrets"
[server]
shared_secret = "\${file:owner}"
[[tokens]]
name = "ci"
secret = "a-secret-in-the-file"
[[notify.sinks]]
type = "slack"
name = "team"
webhook_url = "\${env:HOOK}"
`;
const BAD = '[http]\nprot = 1\nshared_secret = "a-secret-in-the-file"\n[log]\nlevel = "loud"\n';

const goodPlace = () => {
  const dir = tempDir({ 'factotum.toml': GOOD, 'secrets/owner': 'the-secret-of-the-owner\n' });
  for (const name of ['factotum.toml', 'secrets/owner']) chmodSync(dir.at(name), 0o600);
  return dir;
};

describe('config check', () => {
  test('is content with a good file and with none', () => {
    using dir = goodPlace();
    expect(factotum(['config', 'check'], { cwd: dir.path })).toEqual({
      code: 0,
      out: `✓ ${dir.at('factotum.toml')}: nothing wrong.\n`,
      err: '',
    });
    using empty = tempDir();
    expect(factotum(['config', 'check'], { cwd: empty.path, env: { HOME: empty.path, XDG_CONFIG_HOME: '' } }).out).toContain(
      'defaults hold',
    );
  });

  test('looks into the lists of schedules and watchers, with the actions of plugins', () => {
    const lists = `[[schedules]]
name = "nightly"
cron = "0 3 * * *"
actions = [["FA_mine"], ["FA_stat", { path = ".", depth = 2 }]]
[[watchers]]
name = "inbox"
path = "."
actions = [["FA_copy_file", ["\${event.path}", "\${schedule.name}"]]]
`;
    using dir = tempDir({
      'factotum.toml': `[plugins]\npaths = ["plugin"]\n${lists}`,
      'plugin/package.json': '{"name": "mine", "version": "1.0.0", "type": "module", "factotum": {"actions": "./actions.js"}}',
      'plugin/actions.js': 'export const actions = () => ({ FA_mine: () => 1 });',
    });
    const { code, out } = factotum(['config', 'check'], { cwd: dir.path });
    expect([code, out.replaceAll(`${dir.path}/`, '')]).toEqual([
      2,
      '✗ factotum.toml:6:51: schedules[0].actions: Command 1 (FA_stat) has no argument "depth"; it takes path, follow_links.\n' +
        '✗ factotum.toml:10:47: watchers[0].actions: ${schedule.name} cannot be replaced: it has a value only in the list of a schedule; use it there.\n',
    ]);
    dir.write('factotum.toml', dir.read('factotum.toml')?.replace(', depth = 2', '').replace('${schedule.name}', 'done') ?? '');
    expect(factotum(['config', 'check'], { cwd: dir.path }).code).toBe(0);
  });

  test('tells everything that is wrong, with its place', () => {
    using dir = tempDir({ 'factotum.toml': BAD });
    const { code, out } = factotum(['config', 'check'], { cwd: dir.path });
    expect(code).toBe(2);
    expect(out).toBe(
      `✗ ${dir.at('factotum.toml')}:2:1: there is no key http.prot; did you mean port?\n` +
        `✗ ${dir.at('factotum.toml')}:5:1: log.level must be one of debug, info, warn, error, silent.\n`,
    );
    expect(answerOf(factotum(['config', 'check', '--json'], { cwd: dir.path }))).toMatchObject({
      ok: false,
      faults: [{ key: 'http.prot' }, { key: 'log.level' }],
    });
  });

  test('shows the line of a single fault, without what may be a secret', () => {
    using dir = tempDir({ 'a.toml': '[http]\nshared_secrt = "hunter2-secret"', 'b.toml': '[http]\nshared_secret = hunter2-secret' });
    const { code, err } = factotum(['config', 'check', '--config', 'a.toml'], { cwd: dir.path });
    expect(code).toBe(2);
    expect(err).toContain('did you mean shared_secret?\n  2 | shared_secrt = "**************"\n    | ^\n');
    expect(factotum(['config', 'check', '--config', 'b.toml'], { cwd: dir.path })).toMatchObject({
      code: 2,
      err: expect.not.stringContaining('hunter2'),
    });
  });

  test('warns of what works but should not stay', () => {
    using dir = goodPlace();
    chmodSync(dir.at('factotum.toml'), 0o644);
    const { code, out } = factotum(['config', 'check'], { cwd: dir.path, env: { FACTOTUM_HTTP_PROT: '1' } });
    expect(code).toBe(0);
    expect(out).toContain('! Nothing reads the variable FACTOTUM_HTTP_PROT; did you mean FACTOTUM_HTTP_PORT?\n');
    expect(out).toContain('every user of this machine can read it');
  });
});

test('config show prints what counts, and no secret', () => {
  using dir = goodPlace();
  const options = { cwd: dir.path, env: { FACTOTUM_HTTP_PORT: '8080', HOOK: 'the-hook-of-the-team' } };
  const { code, out } = factotum(['config', 'show'], options);
  expect(code).toBe(0);
  expect(out).toContain('\n[http]\n');
  expect(out).toContain('\nport = 8080\n');
  expect(out).toContain('shared_secret = "${file:owner}"');
  const json = factotum(['config', 'show', '--json'], options);
  expect(answerOf<{ tokens: unknown }>(json).tokens).toMatchObject([{ name: 'ci', secret: '***' }]);
  for (const secret of ['a-secret-in-the-file', 'the-secret-of-the-owner', 'the-hook-of-the-team'])
    expect(out + json.out).not.toContain(secret);
  // What is shown is itself a configuration.
  dir.write('shown.toml', out);
  expect(factotum(['config', 'check', '--config', 'shown.toml'], { cwd: dir.path }).code).toBe(0);
});

test('config schema prints the published schema', () => {
  expect(answerOf(factotum(['config', 'schema']))).toEqual(JSON.parse(readFileSync('schema/factotum-config.schema.json', 'utf8')));
});

test('secrets check tries every reference and tells no value', () => {
  using dir = goodPlace();
  const { code, out } = factotum(['secrets', 'check'], { cwd: dir.path });
  expect(code).toBe(2);
  expect(out).toBe(
    '✓ server.shared_secret = ${file:owner}\n✗ notify.sinks[0].webhook_url = ${env:HOOK}: the variable HOOK is not set; set it.\n',
  );
  const whole = factotum(['secrets', 'check', '--json'], { cwd: dir.path, env: { HOOK: 'the-hook-of-the-team' } });
  expect(whole.code).toBe(0);
  expect(answerOf(whole)).toMatchObject({ ok: true, references: [{ ok: true }, { ok: true }] });
  expect(whole.out).not.toMatch(/the-hook|the-secret/);
});

test('a word that is no part of config is refused with those that are', () => {
  expect(factotum(['config', 'chekc'])).toMatchObject({ code: 2, err: expect.stringContaining('check, show, schema') });
});

test('a command refuses a configuration with a section that there is not, lest its limits be taken for none', () => {
  using dir = tempDir({ 'factotum.toml': '[polcy]\nowner = true\n' });
  expect(factotum(['exec', 'FA_stat', '.', '--no-history'], { cwd: dir.path })).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no section [polcy]; did you mean policy?'),
  });
});

describe('--config', () => {
  const LIMITED = '[limits]\ncommands = 1\n';
  const LIST = JSON.stringify([
    ['FA_stat', ['.']],
    ['FA_stat', ['.']],
  ]);

  test.each([
    ['run', ['run', 'list.json']],
    ['validate', ['validate', 'list.json']],
  ])('names the file that counts for %s', (_name, words) => {
    using dir = tempDir({ 'other.toml': LIMITED, 'list.json': LIST });
    const options = { cwd: dir.path, env: { HOME: dir.path } };
    expect(factotum(words, options).code).toBe(0);
    expect(factotum([...words, '--config', 'other.toml'], options)).toMatchObject({ code: 2, err: expect.stringContaining('1') });
    expect(factotum([...words, '--config', 'missing.toml'], options)).toMatchObject({
      code: 2,
      err: expect.stringContaining('missing.toml'),
    });
  });

  test('names it for exec and actions, and stays in the command that runs a plan', () => {
    using dir = tempDir({ 'other.toml': '[defaults]\nquota = { max_bytes = 3 }\n', 'broken.toml': 'a = ' });
    const options = { cwd: dir.path, env: { HOME: dir.path } };
    const words = ['exec', '--config', 'other.toml', 'create_file', 'a.txt'];
    expect(factotum([...words, '--content', 'four'], options)).toMatchObject({ code: 1, err: expect.stringContaining('bytes') });
    expect(factotum([...words.slice(0, 3), '--dry-run', ...words.slice(3)], options).out).toContain(
      'exec --config other.toml FA_create_file a.txt',
    );
    expect(factotum(['actions', '--config', 'broken.toml'], options)).toMatchObject({
      code: 2,
      err: expect.stringContaining('broken.toml'),
    });
  });
});
