import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import corpus from '../../../test/fixtures/corpus/secrets-masking.json' with { type: 'json' };
import recorded from '../../../test/fixtures/differential/cases-shell.json' with { type: 'json' };
import { openHouse } from '../../../test/support/house.ts';
import { isRunning } from '../../../test/support/is-running.ts';

const shell = (script: string, more: object = {}) => ['FA_run_shell', { argv: ['sh', '-c', script], ...more }];

describe('answers as recorded', () => {
  test.each(recorded)('$id: $why', async ({ setup, actions, expect: { results } }) => {
    const { files = {} } = setup as { readonly files?: Readonly<Record<string, string>> }; // most cases have none
    await using house = openHouse({ files });
    const { results: outcomes } = await house.run(JSON.parse(JSON.stringify(actions).replaceAll('{{root}}', house.dir.path)));
    for (const [at, { status, value, error_type: types }] of (results as readonly Recorded[]).entries()) {
      expect(outcomes[at]).toMatchObject({ status, ...(value !== undefined && { value }) });
      if (types !== undefined) expect([types].flat()).toContain(outcomes[at]?.error?.type);
    }
  });

  interface Recorded {
    readonly status: string;
    readonly value?: unknown;
    readonly error_type?: string | readonly string[];
  }
});

describe('what a program leaves in the result', () => {
  test('a code and a signal below zero when a signal ended it', async () => {
    await using house = openHouse();
    const { results } = await house.run([shell('kill -TERM $$', { check: false }), shell('kill -TERM $$')]);
    expect(results[0]?.value).toEqual({ returncode: -15, stdout: '', stderr: '', signal: 'SIGTERM' });
    expect(results[1]?.error).toMatchObject({
      type: 'ShellException',
      message: 'sh was ended by SIGTERM (set check to false to accept that).',
      context: { program: 'sh', returncode: null, signal: 'SIGTERM' },
    });
  });

  test('its code and the end of what it said when it failed', async () => {
    await using house = openHouse();
    const { results } = await house.run([shell('printf %0999d 0 >&2; echo the end >&2; exit 7')]);
    expect(results[0]?.error).toMatchObject({ type: 'ShellException', retryable: false, context: { program: 'sh', returncode: 7 } });
    expect(results[0]?.error?.message).toMatch(
      /^sh failed with exit code 7 \(set check to false to accept that\) and said: …0{493}the end$/,
    );
  });

  test('a note when there was more output than is kept, even if it failed', async () => {
    await using house = openHouse();
    const { results } = await house.run([
      ['FA_run_shell', { argv: ['head', '-c', '11000000', '/dev/zero'] }],
      shell('head -c 11000000 /dev/zero; exit 1'),
    ]);
    const note = { kind: 'truncated', message: 'Only the first 10485760 bytes of each output are kept.', max_bytes: 10_485_760 };
    expect(results.map(({ status, notes }) => [status, notes])).toEqual([
      ['ok', [note]],
      ['failed', [note]],
    ]);
    expect(results[0]?.value).toMatchObject({ returncode: 0, truncated: true });
  });

  test('a failure worth another try when its time was up', async () => {
    await using house = openHouse();
    const { results } = await house.run([['FA_run_shell', { argv: ['sleep', '1000'], timeout: 0.05, check: false }]]);
    expect(results[0]?.error).toMatchObject({ type: 'ShellException', retryable: true, context: { program: 'sleep', timeout_s: 0.05 } });
    expect(results[0]?.error?.message).toContain('raise timeout');
  });
});

describe('where a program runs', () => {
  test('in the working directory of the instance unless told otherwise', async () => {
    await using house = openHouse({ files: { 'sub/x': '' } });
    const { results } = await house.run([
      ['FA_run_shell', [['pwd']]],
      ['FA_run_shell', { argv: ['pwd'], cwd: 'sub' }],
    ]);
    expect(results.map(({ value }) => value)).toMatchObject([{ stdout: `${house.dir.path}\n` }, { stdout: `${house.dir.at('sub')}\n` }]);
  });

  test.each(['nowhere', 'a.txt'])('not in %s, which is no directory', async (cwd) => {
    await using house = openHouse({ files: { 'a.txt': 'hi' } });
    const { results } = await house.run([['FA_run_shell', { argv: ['true'], cwd }]]);
    expect(results[0]?.error).toMatchObject({ type: 'ShellException', context: { argument: 'cwd', path: cwd } });
  });
});

test('arguments with a NUL are refused with their place', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_run_shell', [['printf', 'a\0b']]]]);
  expect(results[0]?.error).toMatchObject({ type: 'ArgumentException', context: { argument: 'argv[1]' } });
});

test('cancelling the run ends the program and what it started', async () => {
  await using house = openHouse();
  const pipe = house.dir.at('pids');
  execFileSync('mkfifo', [pipe]); // reading a named pipe waits for the writer
  const controller = new AbortController();
  const running = house.run([shell(`sleep 1000 & echo $$ $! > ${pipe}; wait`), ['FA_run_shell', [['true']]]], {
    signal: controller.signal,
  });
  const pids = (await readFile(pipe, 'utf8')).trim().split(' ').map(Number);
  expect(pids.filter(isRunning)).toEqual(pids);
  controller.abort();
  const { status, results } = await running;
  expect([status, ...results.map((outcome) => outcome.status)]).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(pids.filter(isRunning)).toEqual([]);
});

describe('a dry run', () => {
  test('starts nothing and says that a program would run', async () => {
    await using house = openHouse();
    const { results } = await house.run({ dry_run: true, actions: [['FA_run_shell', [['touch', 'made']]]] });
    expect(results[0]).toMatchObject({
      status: 'planned',
      plan: { arguments: { argv: ['touch', 'made'] }, effects: [{ kind: 'execute', target: 'touch made' }], complete: false },
    });
    expect(house.dir.read('made')).toBeUndefined();
  });

  test('lets a program run in a directory that an earlier command would make', async () => {
    await using house = openHouse();
    const { results } = await house.run({
      dry_run: true,
      actions: [
        ['FA_create_dir', ['new']],
        ['FA_run_shell', { argv: ['pwd'], cwd: 'new' }],
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(['planned', 'planned']);
  });

  test.each([
    ['a working directory that is missing', { argv: ['true'], cwd: 'nowhere' }, 'ShellException'],
    ['a refused variable', { argv: ['true'], env: { LD_PRELOAD: 'x' } }, 'PolicyException'],
    ['a batch file', { argv: ['x.BAT'] }, 'ShellException'],
  ])('fails as the real run would: %s', async (_, args, type) => {
    await using house = openHouse();
    const { results } = await house.run({ dry_run: true, actions: [['FA_run_shell', args]] });
    expect(results[0]).toMatchObject({ status: 'failed', error: { type } });
  });
});

test.each([
  ...['BASH_ENV', 'BASH_FUNC_ls%%', 'PERL5OPT', 'PERL5LIB', 'RUBYOPT', 'RUBYLIB', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'PYTHONPATH'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'node_extra_ca_certs', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GIT_SSH_COMMAND'],
])('nobody may have a program load something else by %s', async (name) => {
  await using house = openHouse();
  for (const dry_run of [true, false]) {
    const { results } = await house.run({ dry_run, actions: [['FA_run_shell', { argv: ['true'], env: { [name]: 'x' } }]] });
    expect(results[0]).toMatchObject({ status: 'failed', error: { type: 'PolicyException', context: { rule: 'env', name } } });
  }
});

test('the mode of Node may be named', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_run_shell', { argv: ['/bin/sh', '-c', 'echo $NODE_ENV'], env: { NODE_ENV: 'production' } }]]);
  expect(results[0]).toMatchObject({ value: { stdout: 'production\n' } });
});

describe('a secret is not shown', () => {
  const caseOf = (id: string) => {
    const found = corpus.cases.find((each) => each.id === id);
    return { secret: found?.secrets[0] ?? '', argv: [found?.run ?? []].flat() };
  };
  const PATH = process.env.PATH ?? '';

  test.each([
    ['a variable that the program inherits', 'API_TOKEN', 'echo $API_TOKEN >&2; exit 1', {}],
    ['a variable handed over in env', 'TOK', 'echo $T >&2; exit 1', { env: { T: '${env:TOK}', PATH } }],
    [
      'a variable handed over under a name of its own',
      'HARMLESS',
      'echo $PASSWORD >&2; exit 1',
      { env: { PASSWORD: '${env:HARMLESS}', PATH } },
    ],
    ['an argument', 'TOK', 'echo ${env:TOK} >&2; exit 1', {}],
  ])('in the error message when it came from %s', async (_, name, script, more) => {
    const { secret } = caseOf('stderr');
    await using house = openHouse({ env: { PATH, [name]: secret } });
    const { results } = await house.run([shell(script, more)]);
    expect(results[0]?.error?.message).toMatch(/ and said: \*\*\*$/);
    expect(JSON.stringify(results) + house.lines.join('')).not.toContain(secret);
  });

  test('in the logged arguments', async () => {
    const { secret, argv } = caseOf('argv');
    await using house = openHouse();
    house.factotum.masker.learn(secret);
    await house.run({ dry_run: true, actions: [['FA_run_shell', { argv }]] });
    const [line = '{}'] = house.lines;
    expect(JSON.parse(line).arguments).toEqual({ argv: ['tool', '--token', '***'] });
  });

  test('in a plan', async () => {
    const { secret } = caseOf('argv');
    await using house = openHouse({ env: { TOK: secret } });
    const { results } = await house.run({ dry_run: true, actions: [['FA_run_shell', [['tool', '--token', '${env:TOK}']]]] });
    expect(results[0]?.plan?.effects).toEqual([{ kind: 'execute', target: 'tool --token ***' }]);
  });
});
