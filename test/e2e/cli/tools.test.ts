import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, binOf, builtPackage, factotum } from './built.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasOwnSqlite = major > 23 || (major === 22 && minor >= 16);

describe('actions', () => {
  test('lists all by family', () => {
    const { code, out } = factotum(['actions']);
    expect(code).toBe(0);
    expect(out).toMatch(/^files\n(?: {2}FA_\w+ .*\n)* {2}FA_copy_file +Copies one file\.\n/m);
    expect(out).toMatch(/\d+ actions; factotum exec NAME --help tells more\.\n$/);
  });

  test('filters by family, group and words', () => {
    expect(factotum(['actions', '--family', 'reliability']).out).toContain('FA_with_retry');
    expect(factotum(['actions', '--family', 'reliability']).out).not.toContain('FA_copy_file');
    const found = factotum(['actions', '--search', 'copies', 'TREE']).out;
    expect(found).toContain('FA_copy_dir');
    expect(found).not.toContain('FA_copy_file');
    expect(factotum(['actions', '--search', 'xyzzy'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('No action speaks of that'),
    });
  });

  test('explains one, for people and programs', () => {
    const { out } = factotum(['actions', 'copy_file']);
    expect(out).toContain('--target-path <path>');
    expect(out).toContain('Family: files. Effects: reads, writes.');
    expect(answerOf(factotum(['actions', 'copy_file', '--json']))).toMatchObject({
      name: 'FA_copy_file',
      order: ['file_path', 'target_path', 'copy_metadata', 'on_conflict'],
      effects: ['reads', 'writes'],
    });
    expect(answerOf<{ name: string }[]>(factotum(['actions', '--family', 'reliability', '--json'])).map(({ name }) => name)).toContain(
      'FA_with_quota',
    );
  });
});

describe('validate', () => {
  test('says that a list is right', () => {
    const input = '[["FA_stat", ["."]], ["FA_list_actions"]]';
    expect(factotum(['validate', '-'], { input })).toEqual({ code: 0, out: '✓ 2 commands, nothing wrong.\n', err: '' });
    expect(answerOf(factotum(['validate', '-', '--json'], { input }))).toEqual({ ok: true, actions: ['FA_stat', 'FA_list_actions'] });
  });

  test('tells all problems at once, at every depth, and runs nothing', () => {
    using dir = tempDir({
      'list.json': '[["FA_create_file", ["a.txt"]], ["FA_execute_action", {"action_list": [["FA_nothing"]]}], ["FA_stat", {"pth": "x"}]]',
    });
    const { code, out, err } = factotum(['validate', 'list.json'], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/The list has \d problems and was not run\./);
    expect(err).toMatch(/\[1\]\.action_list\[0\] .*FA_nothing/);
    expect(err).toMatch(/\[2\] .*"pth"; did you mean path\?/);
    expect(dir.read('a.txt')).toBeUndefined();
    expect(answerOf(factotum(['validate', 'list.json', '--json'], { cwd: dir.path }))).toMatchObject({
      error: {
        type: 'ValidationException',
        context: {
          problems: expect.arrayContaining([expect.objectContaining({ at: [1, 'action_list', 0] }), expect.objectContaining({ at: [2] })]),
        },
      },
    });
  });
});

describe('init', () => {
  test('writes a project whose list is valid and runs, twice', () => {
    using dir = tempDir();
    const { code, out } = factotum(['init', 'demo'], { cwd: dir.path });
    expect(code).toBe(0);
    expect(out).toContain('Now try: cd demo && factotum run tour.json');
    const cwd = dir.at('demo');
    expect(factotum(['validate', 'tour.json'], { cwd }).code).toBe(0);
    expect(factotum(['run', 'tour.json'], { cwd }).code).toBe(0);
    expect(factotum(['run', 'tour.json'], { cwd }).code).toBe(0);
    expect(dir.read('demo/out/copy.txt')).toMatch(/^Hello from /);
    expect(JSON.parse(dir.read('demo/action-list.schema.json') ?? '')).toHaveProperty('$defs.FA_copy_file');
    expect(JSON.parse(dir.read('demo/.vscode/settings.json') ?? '')).toHaveProperty(
      ['json.schemas', 0, 'url'],
      './action-list.schema.json',
    );
    expect(dir.read('demo/README.md')).toContain('factotum run tour.json');
  });

  test('overwrites nothing', () => {
    using dir = tempDir({ 'README.md': 'mine' });
    expect(factotum(['init'], { cwd: dir.path })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('README.md is there already and is not overwritten'),
    });
    expect(dir.read('README.md')).toBe('mine');
    expect(dir.read('tour.json')).toBeUndefined();
  });
});

test('init says that a file stands where its directory should be', () => {
  using dir = tempDir({ file: '' });
  expect(factotum(['init', 'file'], { cwd: dir.path })).toMatchObject({
    code: 1,
    err: expect.stringContaining('A part of file/tour.json is not a directory; check the path.'),
  });
});

describe('doctor', () => {
  const findings = (env: Readonly<Record<string, string>>) =>
    answerOf<{ ok: boolean; findings: { status: string; about: string; message: string }[] }>(factotum(['doctor', '--json'], { env }));

  test('finds a sound machine well and warns of servers without a secret', () => {
    using home = tempDir();
    const { code, out } = factotum(['doctor'], { env: { XDG_STATE_HOME: home.path, XDG_CONFIG_HOME: home.path } });
    expect(code).toBe(0);
    expect(out).toContain(`✓ Node.js          ${process.version}`);
    expect(out).toMatch(/! servers .*without a shared secret every user of this machine may run actions/);
    expect(out).toContain('Everything that is needed is here.');
  });

  test('exits with 1 when the state cannot be kept', () => {
    using home = tempDir({ file: '' });
    chmodSync(home.at('file'), 0o400);
    const env = { XDG_STATE_HOME: home.at('file/state') };
    expect(factotum(['doctor'], { env })).toMatchObject({ code: 1, out: expect.stringContaining('Something has to be mended.') });
    expect(findings(env).findings.find(({ about }) => about === 'state')).toMatchObject({
      status: 'bad',
      message: expect.stringContaining('cannot be written'),
    });
  });

  test('exits with 1 when a newer version has written the store, and leaves that as it is', () => {
    using home = tempDir();
    const env = { XDG_STATE_HOME: home.path };
    expect(findings(env).findings.find(({ about }) => about === 'store')).toMatchObject({ status: 'good' });
    factotum(['runs', 'prune'], { env }); // makes the store
    const file = home.at('factotum/factotum.db');
    const db = openConnection(file);
    db.exec('PRAGMA user_version = 999');
    db.close();
    expect(factotum(['doctor'], { env })).toMatchObject({ code: 1, out: expect.stringMatching(/store .*has schema 999/) });
    expect(openConnection(file, { isReadOnly: true }).get('PRAGMA user_version')).toEqual({ user_version: 999 });
  });

  test.skipIf(hasOwnSqlite)('exits with 1 when there is no SQLite', () => {
    using home = tempDir();
    const folder = mkdtempSync(join(dirname(builtPackage), 'doctor-'));
    try {
      cpSync(join(builtPackage, 'dist'), join(folder, 'dist'), {
        recursive: true,
        filter: (path) => !/\/bin\/cache$|\/sqlite$/.test(path),
      });
      const nowhere = '{ "exports": {} }';
      mkdirSync(join(folder, 'node_modules/@photostructure/sqlite'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/@photostructure/sqlite/package.json'), nowhere);
      const { code, out } = factotum(['doctor'], { env: { XDG_STATE_HOME: home.path }, bin: binOf(folder) });
      expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(/store .*has no SQLite that can keep runs/) });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('reads the configuration and says what is wrong with it', () => {
    using dir = tempDir({
      'bad.toml': 'x=',
      'good.toml': '[server]\nshared_secret = "${env:OWNER_SECRET}"\n[store]\npath = "kept/store.db"\n',
    });
    const about = (file: string) => {
      const { findings } = answerOf<{ findings: { about: string }[] }>(factotum(['doctor', '--json', '--config', file], { cwd: dir.path }));
      return ['configuration', 'state', 'servers'].map((each) => findings.find((finding) => finding.about === each));
    };
    expect(about('bad.toml')).toMatchObject([
      { status: 'bad', message: expect.stringContaining('bad.toml:1:3: this is not TOML') },
      {},
      {},
    ]);
    expect(about('good.toml')).toMatchObject([
      { status: 'good', message: dir.at('good.toml') },
      { status: 'good', message: `${dir.at('kept')} can be created` },
      { status: 'good' },
    ]);
  });

  test('looks for programs on the PATH and at the encoding', () => {
    using bin = tempDir({ xz: '#!/bin/sh\n' });
    chmodSync(bin.at('xz'), 0o755);
    const { findings: found } = findings({ PATH: bin.path, LC_ALL: 'POSIX' });
    expect(found.find(({ about }) => about === 'xz')).toMatchObject({ status: 'good', message: bin.at('xz') });
    expect(found.find(({ about }) => about === 'bzip2')).toMatchObject({ status: 'warn' });
    expect(found.find(({ about }) => about === 'encoding')).toMatchObject({ status: 'warn' });
  });
});
