import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../../support/seeded.ts';
import { seedOf } from '../../../support/torture.ts';
import { trialOf } from '../../../support/trials/trial.ts';
import { doorWords, openPlace, type Process, start, waysOf, waysUnlike } from './processes.ts';

// A list that is stopped, or whose answer finds no reader or no room, ends as docs/how-to/command-line.md says.

const SEED = seedOf(11);
const LONGEST_MS = 400;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const signalOf = (turn: number): NodeJS.Signals => SIGNALS[turn % SIGNALS.length] ?? 'SIGTERM';

/** Runs for ever once it has begun; `exec` does the same by one action. */
const SLEEP = ['sh', '-c', 'touch begun; exec sleep 600'];
const LIST = JSON.stringify([['FA_run_shell', { argv: SLEEP, timeout: 900 }]]);
const wordsOf = (command: 'run' | 'exec'): readonly string[] =>
  command === 'run' ? ['run', 'list.json', '--json'] : ['exec', 'run_shell', '--timeout', '900', '--json', '--argv', JSON.stringify(SLEEP)];

/** What is said of the one command in a result, or what was written instead of one. */
const inShort = (out: string): string => {
  if (!out.startsWith('{"run_id"')) return out;
  const { status, results } = JSON.parse(out);
  return `${status} ${results[0].error?.type ?? ''}`;
};

const underWay = trialOf('stopped-list');
test('one that is stopped while it works says so, and ends with 130', async () => {
  const ways = await waysOf(underWay, ['run', 'exec'] as const, async ({ which, turn }) => {
    using dir = openPlace();
    dir.write('list.json', LIST);
    const { child, ended } = start(dir, wordsOf(which));
    while (!existsSync(dir.at('begun'))) await new Promise(setImmediate);
    child.kill(signalOf(turn));
    const { out, ...rest } = await ended;
    return { ...rest, out: inShort(out) };
  });
  expect(waysUnlike(ways, /: 130 cancelled CancelledException\|Stopping what runs; press Ctrl-C again to quit at once\.\n$/)).toEqual({});
});

const anyMoment = trialOf('stopped-list-at-any-moment');
test(`one that is stopped at any moment ends with 130, or had not begun (seed ${SEED})`, async () => {
  const random = seeded(SEED);
  const ways = await waysOf(anyMoment, ['run', 'exec'] as const, async ({ which, turn }) => {
    using dir = openPlace();
    dir.write('list.json', LIST);
    const { child, ended } = start(dir, wordsOf(which));
    await pause(random() * LONGEST_MS);
    child.kill(signalOf(turn));
    const { out, ...rest } = await ended;
    return { ...rest, out: inShort(out) };
  });
  expect(waysUnlike(ways, /: (?:SIG(?:TERM|INT|HUP) \||130 cancelled CancelledException\|Stopping what runs; [^\n]*\n)$/)).toEqual({});
});

const unread = trialOf('unread-answer');
test('one whose answer nobody reads ends as the list did', async () => {
  const ways = await waysOf(unread, ['FA_stat', 'FA_none'] as const, async ({ which }) => {
    using dir = openPlace();
    const list = [
      ['FA_create_file', ['a.txt', 'hi']],
      [which, ['a.txt']],
    ];
    dir.write('list.json', JSON.stringify(list));
    const { child, ended } = start(dir, ['run', 'list.json', '--json']);
    child.stdout?.destroy();
    const { code, signal } = await ended;
    return { code, signal, out: '', err: dir.read('a.txt') ?? 'nothing' };
  });
  expect(waysUnlike(ways, /^FA_stat: 0 \|hi$|^FA_none: 1 \|hi$/)).toEqual({});
});

/** Starts a command whose standard output is a device without room. */
const startFull = (dir: ReturnType<typeof openPlace>, words: readonly string[]): Process => {
  const full = openSync('/dev/full', 'w');
  try {
    return start(dir, words, { stdout: full });
  } finally {
    closeSync(full);
  }
};

describe.skipIf(!existsSync('/dev/full'))('a standard output without room (needs /dev/full)', () => {
  const commands = ['run list.json', 'run list.json --json', 'exec stat .', 'runs', 'actions', '--help', '--version', 'completion bash'];
  const full = trialOf('full-standard-output');
  test('is told in one message, and the exit code is 1', async () => {
    const ways = await waysOf(full, commands, async ({ which }) => {
      using dir = openPlace();
      dir.write('list.json', '[["FA_create_file", ["a.txt", "hi"]]]');
      const ended = await startFull(dir, which.split(' ')).ended;
      if (which.startsWith('run ')) expect(dir.read('a.txt')).toBe('hi');
      return ended;
    });
    const wanted = /: 1 \|(?:✗ )?The (?:answer|version) could not be written to standard output: the system says ENOSPC\.[^\n]*\n$/;
    expect(waysUnlike(ways, wanted)).toEqual({});
  });

  const doors = ['serve', 'server'] as const;
  const service = trialOf('service-without-standard-output');
  test('does not keep a service from its work', async () => {
    const ways = await waysOf(service, doors, async ({ which }) => {
      using dir = openPlace();
      const { child, ended, hasSaid } = startFull(dir, doorWords(which));
      await hasSaid(/the service goes on/);
      child.kill('SIGTERM');
      return await ended;
    });
    expect(waysUnlike(ways, /: 0 \|Configured[^\n]*\n! Standard output cannot be written[^\n]*\nStopping[^\n]*\n$/)).toEqual({});
  });
});

describe('a host of factotum mcp', () => {
  const ENDS = ['end of input', 'SIGTERM', 'SIGINT', 'SIGHUP', 'closed output'] as const;
  const HELLO = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const leaving = trialOf('leaving-host');
  test('that leaves, or ends it, in whatever way, is let go with 0', async () => {
    const ways = await waysOf(leaving, ENDS, async ({ which }) => {
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, ['mcp', '--root', '.']);
      child.stdin?.write(`${JSON.stringify(HELLO)}\n`);
      await hasSaid(/"result"/);
      if (which === 'end of input') child.stdin?.end();
      else if (which === 'closed output') {
        child.stdout?.destroy();
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
      } else child.kill(which);
      return { ...(await ended), out: '' };
    });
    expect(waysUnlike(ways, /^SIG\w+: 0 \|Stopping[^\n]*\n$|^(?:end of input|closed output): 0 \|$/)).toEqual({});
  });
});
