import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, binOf, builtPackage, factotum } from './built.ts';

describe('how arguments may be written', () => {
  test.each([
    ['in order', ['a.txt', 'b.txt']],
    ['by name', ['--file-path', 'a.txt', '--target-path', 'b.txt']],
    ['by name with =', ['--file-path=a.txt', '--target-path=b.txt']],
    ['with the names of the definition', ['--file_path', 'a.txt', '--target_path=b.txt']],
    ['mixed: words go to what has no option', ['--file-path', 'a.txt', 'b.txt']],
    ['with flags', ['a.txt', 'b.txt', '--no-copy-metadata']],
    ['with flags as values', ['a.txt', 'b.txt', '--copy-metadata=false']],
    ['behind --', ['--', 'a.txt', 'b.txt']],
  ])('%s', (_, args) => {
    using dir = tempDir({ 'a.txt': 'hi' });
    expect(factotum(['exec', 'copy_file', ...args], { cwd: dir.path })).toEqual({ code: 0, out: 'true\n', err: '' });
    expect(dir.read('b.txt')).toBe('hi');
  });

  test.each([
    [['FA_copy_file', 'a.txt', 'b.txt', '--copy-metadata=maybe'], '--copy-metadata must be true or false, not "maybe".'],
    [['FA_copy_file', 'a.txt', '--file-path', 'a.txt', '--file-path', 'b.txt'], '--file-path is given 2 times'],
    [['FA_with_timeout', '[]', '--seconds', '0'], '--seconds must be a number above 0, not the number 0.'],
    [['FA_with_timeout', '[]', '--seconds', 'soon'], '--seconds must be a number above 0, not "soon".'],
    [['FA_with_timeout', '[["FA_stat"]', '1'], '--actions:1:'],
    [['FA_create_file', '-', '--content', '-', '--encoding', '-'], 'Only one argument can come from standard input'],
    [[], 'ACTION is missing.'],
  ])('%j is refused', (args, message) => {
    const { code, err } = factotum(['exec', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('types', () => {
  test('lists are repeated, given in order, or JSON', () => {
    const list = '[["FA_create_dir", ["d"]]]';
    for (const args of [
      ['--execute-files-list', 'a.json', '--execute-files-list', 'b.json'],
      ['a.json', 'b.json'],
      ['["a.json", "b.json"]'],
    ]) {
      using dir = tempDir({ 'a.json': list, 'b.json': list });
      expect(answerOf<unknown[]>(factotum(['exec', 'execute_files', ...args], { cwd: dir.path }))).toHaveLength(2);
    }
  });

  test('steps and objects are JSON, from standard input too', () => {
    const steps = '[["FA_substitute", [1]]]';
    expect(factotum(['exec', 'with_timeout', steps, '5'])).toMatchObject({ code: 0, err: '' });
    expect(factotum(['exec', 'with_timeout', '--actions', '-', '--seconds', '5'], { input: steps })).toMatchObject({ code: 0 });
  });

  test('any value is JSON where it can be, else a text', () => {
    for (const [word, value] of [
      ['5', 5],
      ['"5"', '5'],
      ['five', 'five'],
      ['[1,2]', [1, 2]],
      ['null', null],
    ] as const) {
      expect(answerOf(factotum(['exec', 'substitute', '--json', word]))).toMatchObject({ results: [{ value }] });
    }
  });

  test('null may be given where leaving the argument out would not give it', () => {
    using dir = tempDir({ 'a.bin': Buffer.from([0, 255, 10]) });
    expect(answerOf(factotum(['exec', 'read_file', 'a.bin', '--encoding', 'null', '--json'], { cwd: dir.path }))).toMatchObject({
      results: [{ value: { base64: 'AP8K' } }],
    });
  });

  test('a text comes from standard input for -', () => {
    using dir = tempDir();
    expect(factotum(['create-file', 'a.txt', '-'], { cwd: dir.path, input: 'grüße\n' })).toEqual({ code: 0, out: '', err: '' });
    expect(dir.read('a.txt')).toBe('grüße\n');
  });

  test('references are read as in a list', () => {
    expect(factotum(['exec', 'substitute', '${env:COLOUR}'], { env: { COLOUR: 'blue' } })).toMatchObject({ code: 0, out: 'blue\n' });
  });
});

describe('what is printed', () => {
  test('a text as it is, with a line end; other values as JSON; nothing for null', () => {
    using dir = tempDir({ 'a.txt': 'one\ntwo' });
    expect(factotum(['exec', 'read_file', 'a.txt'], { cwd: dir.path }).out).toBe('one\ntwo\n');
    expect(answerOf(factotum(['exec', 'stat', 'a.txt'], { cwd: dir.path }))).toMatchObject({ kind: 'file', size: 7 });
    expect(factotum(['exec', 'create_dir', 'd'], { cwd: dir.path }).out).toBe('true\n');
    expect(factotum(['exec', 'create_file', 'b.txt'], { cwd: dir.path }).out).toBe('');
    expect(factotum(['exec', 'read_file', 'a.txt', '--quiet'], { cwd: dir.path }).out).toBe('');
  });

  test('bytes as they are, for the next program', () => {
    using dir = tempDir({ 'a.bin': Buffer.from([0, 255, 10]) });
    const { stdout } = spawnSync(process.execPath, [binOf(builtPackage), 'exec', 'read_file', 'a.bin', '--encoding', 'null'], {
      cwd: dir.path,
    });
    expect([...stdout]).toEqual([0, 255, 10]);
  });

  test('a failure on standard error with 1, as JSON when asked for', () => {
    expect(factotum(['exec', 'read_file', '/nowhere'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('/nowhere; check the path.'),
    });
    const ended = factotum(['exec', '--json', 'read_file', '/nowhere']);
    expect(ended).toMatchObject({ code: 1, err: '' });
    expect(answerOf(ended)).toMatchObject({ ok: false, results: [{ error: { type: 'FileNotExistsException' } }] });
  });

  test('what of a nested list went wrong', () => {
    const { code, err } = factotum(['exec', 'execute_action', '[["FA_read_file", ["/nowhere"]]]']);
    expect(code).toBe(1);
    expect(err).toContain('✗ 0 FA_read_file  FileNotExistsException');
  });
});

test("options before the action are ours, those behind it the action's first", () => {
  using dir = tempDir();
  const steps = '[["FA_create_file", ["a.txt"]]]';
  // FA_execute_action has a dry_run of its own: its value tells what the nested list would do.
  expect(answerOf(factotum(['exec', 'execute_action', '--dry-run', steps], { cwd: dir.path }))).toMatchObject([{ status: 'planned' }]);
  expect(factotum(['exec', '--dry-run', 'execute_action', steps], { cwd: dir.path }).out).toContain('nothing was changed.');
  expect(dir.read('a.txt')).toBeUndefined();
});

describe('what is found', () => {
  const FILES = { 'd/a "b".txt': 'one\ttwo\n"two"\n', 'd/é/c.md': 'two €\n', 'd/é/bytes': Buffer.from('two \xff\n', 'latin1') };

  interface Shown {
    readonly results: readonly { readonly value: unknown }[];
  }
  /** The command of the run before so many others. */
  const recorded = (before: number, options: Parameters<typeof factotum>[1]) => {
    const runs = answerOf<readonly { readonly run_id: string }[]>(factotum(['runs', '--json'], options));
    return answerOf<Shown>(factotum(['runs', 'show', runs[before]?.run_id ?? '', '--json'], options)).results[0];
  };

  test.each([
    ['paths', ['fast_find', 'd', '--no-use-index'], ['d/a "b".txt', 'd/é/bytes', 'd/é/c.md'].map((path) => `/${path}\n`).join('')],
    ['no paths', ['fast_find', 'd', '--pattern', '*.zip'], ''],
    ['lines', ['grep', 'd', 'two'], undefined],
    ['lines with others around', ['grep', 'd', 'two', '--before', '1'], undefined],
    ['the first lines', ['grep', 'd', 'two', '--max-matches', '2'], undefined],
    ['no lines', ['grep', 'd', 'three'], ''],
  ])('%s are printed as the value is, and recorded as the value', (_, words, expected) => {
    using dir = tempDir(FILES);
    using state = tempDir();
    const options = { cwd: dir.path, env: { XDG_STATE_HOME: state.path } };
    const printed = factotum(['exec', ...words], options);
    const [whole] = answerOf<Shown>(factotum(['exec', '--json', ...words], options)).results;
    expect(recorded(1, options)).toMatchObject({ value: whole?.value });
    expect(printed.code).toBe(0);
    const below = printed.out.replaceAll(dir.path, '');
    if (expected !== undefined) {
      expect(below).toBe(expected);
      expect(whole?.value).toEqual(printed.out.split('\n').slice(0, -1));
    } else {
      expect(JSON.parse(printed.out)).toEqual(whole?.value);
      expect(JSON.parse(below)[0]).toMatchObject({ path: '/d/a "b".txt', line: 1, text: 'one\ttwo' });
    }
  });

  test('what is longer than a record keeps is printed whole and recorded in part', () => {
    const lines = 40_000;
    using dir = tempDir({ 'd/long': 'two €\n'.repeat(lines) });
    using state = tempDir();
    const options = { cwd: dir.path, env: { XDG_STATE_HOME: state.path } };
    const printed = factotum(['exec', 'grep', 'd', 'two', '--max-matches', String(lines)], options);
    expect(JSON.parse(printed.out)).toHaveLength(lines);
    const kept = recorded(0, options);
    expect(kept).toMatchObject({ status: 'ok', truncated: true });
    expect(kept?.value).toBe(Buffer.from(printed.out).toString('utf8', 0, 1024 * 1024));
  });

  test('paths with line ends are printed as JSON', () => {
    using dir = tempDir({ 'd/a\nb': '', 'd/c': '' });
    expect(answerOf(factotum(['exec', '--no-history', 'fast_find', 'd'], { cwd: dir.path }))).toEqual([dir.at('d/a\nb'), dir.at('d/c')]);
  });
});

describe('a search that could not look everywhere', () => {
  const withBadName = () => {
    const dir = tempDir({ 'd/a.txt': 'text\n' });
    writeFileSync(Buffer.concat([Buffer.from(dir.at('d/bad')), Buffer.from([0xff]), Buffer.from('.txt')]), 'text\n');
    return dir;
  };

  test.each([
    ['find', ['*.txt', 'd']],
    ['grep', ['text', 'd']],
  ])('factotum %s prints what it found and exits with 1, unless that was asked for', (name, words) => {
    using dir = withBadName();
    const found = factotum([name, ...words], { cwd: dir.path });
    expect(found).toMatchObject({ code: 1, out: expect.stringContaining('d/a.txt'), err: expect.stringContaining('could not be read') });
    expect(factotum([name, ...words, '--on-unreadable', 'skip'], { cwd: dir.path }).code).toBe(0);
    expect(factotum([name, ...words, '--on-unreadable', 'fail'], { cwd: dir.path })).toMatchObject({ code: 1, out: '' });
  });

  test('exec fails as every list does', () => {
    using dir = withBadName();
    expect(factotum(['exec', 'fast_find', 'd'], { cwd: dir.path })).toMatchObject({ code: 1, out: '' });
  });
});

describe('a question that is answered with no', () => {
  const manifest = '{"version": 1, "algorithm": "md5", "files": {"a": {"size": 3, "checksum": "900150983cd24fb0d6963f7d28e17f72"}}}';

  test('exits with 1 and says so beside the value', () => {
    using dir = tempDir({ a: 'abc', b: 'abd', 'm.json': manifest });
    const at = { cwd: dir.path };
    expect(factotum(['exec', 'verify_checksum', 'a', 'md5:900150983cd24fb0d6963f7d28e17f72'], at)).toEqual({
      code: 0,
      out: 'true\n',
      err: '',
    });
    const no = factotum(['exec', 'verify_checksum', 'b', 'md5:900150983cd24fb0d6963f7d28e17f72'], at);
    expect(no).toEqual({ code: 1, out: 'false\n', err: '! No, the digest is another one.\n' });
    expect(factotum(['exec', 'verify_checksum', 'b', '00', '--json'], at)).toMatchObject({ code: 1, err: '' });
    expect(factotum(['exec', 'diff_files', 'a', 'a'], at)).toEqual({ code: 0, out: '', err: '' });
    expect(factotum(['exec', 'diff_files', 'a', 'b'], at)).toMatchObject({ code: 1, out: expect.stringContaining('-abc') });
  });

  test.each([
    [['find', '*', 'nope'], '[]\n', 'nothing was searched'],
    [['exec', 'get_dir_files_as_list', 'nope'], '[]\n', 'nothing was searched'],
    [['exec', 'find_duplicates', 'nope'], '[]\n', 'nothing was searched'],
    [['exec', 'remove_file', 'd'], 'false\n', 'is a directory and was left alone'],
    [['exec', 'remove_dir_tree', 'f'], 'false\n', 'is no directory and was left alone'],
  ])('exits with 1 where there was nothing to do it to: %s', (words, out, said) => {
    using dir = tempDir({ 'd/a': 'x', f: 'x' });
    const ended = factotum(words, { cwd: dir.path });
    expect(ended.code).toBe(1);
    expect(out.startsWith(ended.out)).toBe(true); // an empty list of paths is printed as no line
    expect(ended.err).toContain(said);
  });

  test('shows counts, which are never cut', () => {
    const names = Array.from({ length: 50 }, (_, at) => `a rather long name of a file ${at}`);
    using dir = tempDir(Object.fromEntries([['m.json', manifest], ...names.map((name) => [`d/${name}`, 'x'])]));
    const { code, err } = factotum(['exec', 'verify_manifest', 'd', 'm.json'], { cwd: dir.path });
    expect(code).toBe(1);
    expect(err).toBe(
      '! No, something is missing, modified or cannot be judged: matched 0, missing 1, modified 0, extra 50, errors 0, ok false.\n',
    );
    dir.write('list.json', '[["FA_verify_manifest", ["d", "m.json"]], ["FA_verify_checksum", ["m.json", "00"]]]');
    const run = factotum(['run', 'list.json'], { cwd: dir.path });
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/^! 0 FA_verify_manifest {2}no: matched 0, missing 1, modified 0, extra 50, errors 0, ok false/m);
    expect(run.out).toMatch(/^! 1 FA_verify_checksum {2}no: false/m);
    expect(run.out).toMatch(/^2 ok \(2 answered no\) in/m);
    expect(factotum(['run', 'list.json', '--quiet'], { cwd: dir.path }).out).toMatch(/FA_verify_manifest {2}no: /);
  });

  test('is what help speaks of', () => {
    expect(factotum(['exec', 'verify_checksum', '--help']).out).toMatch(/Exits with 1 when the\s+digest is another one\./);
    expect(JSON.parse(factotum(['actions', 'FA_verify_checksum', '--json']).out)).toMatchObject({ no: 'the digest is another one' });
  });
});

describe('short forms', () => {
  test('copy and sync take locations', () => {
    using dir = tempDir({ 'in/a.txt': 'hi' });
    const copied = factotum(['copy', 'in/a.txt', 'local://out/'], { cwd: dir.path });
    expect([copied.code, JSON.parse(copied.out)]).toMatchObject([0, { copied: 1, bytes: 2 }]);
    expect(dir.read('out/a.txt')).toBe('hi');
    const synced = factotum(['sync', 'in', 'local://mirror', '--dry-run'], { cwd: dir.path });
    expect([synced.code, dir.read('mirror/a.txt')]).toEqual([0, undefined]);
    const help = factotum(['copy', '--help'], { cwd: dir.path }).out;
    for (const told of ['--file-path', '--config <file>', 'factotum exec FA_copy_between --help']) expect(help).toContain(told);
    expect(factotum(['copy', 'mem://a', '--help'], { cwd: dir.path }).out).toContain('--[no-]require-verified');
  });

  test('the configuration may be named', () => {
    using dir = tempDir({ 'a.txt': 'hi', 'broken.toml': 'x = ', 'good.toml': '' });
    for (const config of [['--config', 'broken.toml'], ['--config=broken.toml']]) {
      const { code, err } = factotum(['copy', ...config, 'a.txt', 'b.txt'], { cwd: dir.path });
      expect([code, err]).toEqual([2, expect.stringContaining('broken.toml')]);
    }
    expect(factotum(['copy', 'a.txt', 'b.txt', '--config', 'good.toml'], { cwd: dir.path })).toMatchObject({ code: 0 });
    expect(factotum(['copy', 'a.txt', 'b.txt', '--config'], { cwd: dir.path }).err).toContain('--config needs the name of a file');
  });
});
