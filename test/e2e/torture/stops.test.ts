import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundedMap } from '../../../src/lib/async/bounded-map.ts';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { rounds } from '../../support/torture.ts';
import { binOf, builtPackage } from '../cli/built.ts';
import { finished } from '../store/contract/suite.ts';
import { canMount, fillUp, smallDisk } from '../store/small-disk.ts';

// However a process of ours ends, it says so in one message and with the exit code of docs/how-to/command-line.md: never 134, never 0
// after a failure, never in silence. The store is at work meanwhile: the writer's thread takes runs in from the spool.

const ROUNDS = rounds(3, 200);
const AT_ONCE = 3;
const SPOOLED = 40;
const DOORS = ['serve', 'http-server', 'server', 'metrics'] as const;

/** What a process did before it ended. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once it has written this, to either stream; rejects where it ends before. */
  hasSaid(words: string): Promise<void>;
}

/** A directory of its own for one process, whose store has much to do at the start. */
const openPlace = (config = ''): TempDir => {
  const dir = tempDir({ 'factotum.toml': config });
  for (let at = 0; at < SPOOLED; at += 1) spoolRun(dir.at('state/factotum'), finished(`spooled-${at}`));
  return dir;
};

const start = (dir: TempDir, args: readonly string[], { state = dir.at('state') } = {}): Process => {
  const child = spawn(process.execPath, [binOf(builtPackage), ...args], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path, LANG: 'C.UTF-8', XDG_STATE_HOME: state },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}); // it may be gone before it reads
  const said = { out: '', err: '' };
  let look = () => {};
  const listen = (stream: NodeJS.ReadableStream, to: keyof typeof said) =>
    stream.on('data', (chunk) => {
      said[to] += chunk;
      look();
    });
  listen(child.stdout, 'out');
  listen(child.stderr, 'err');
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, out: said.out, err: said.err.replaceAll(dir.path, '.') }),
  );
  return {
    child,
    ended,
    hasSaid: (words) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (said.out.includes(words) || said.err.includes(words)) resolve();
        };
        look();
        void ended.then(({ code, err }) => reject(new Error(`It ended with ${code} and never said ${words}: ${err}`)));
      }),
  };
};

const runToEnd = async (args: readonly string[], config?: string): Promise<Ended> => {
  using dir = openPlace(config);
  return await start(dir, args).ended;
};

/** Does the same again and again, some at once; answers every way in which it ended, with how often. */
const waysOf = async (work: (round: number) => Promise<Ended>): Promise<Readonly<Record<string, number>>> => {
  const ways: Record<string, number> = {};
  await boundedMap(
    Array.from({ length: ROUNDS }, (_, round) => round),
    AT_ONCE,
    async (round) => {
      const { code, signal, out, err } = await work(round);
      const way = `${signal ?? code} ${[out, err].join('|').replaceAll(/\d{4,5}/g, 'N')}`;
      ways[way] = (ways[way] ?? 0) + 1;
    },
  );
  return ways;
};
const always = (way: string) => ({ [way]: ROUNDS });

describe.each(DOORS)('factotum %s', (name) => {
  const alone = name === 'serve' ? ['--no-tcp'] : [];
  const open = name === 'serve' || name === 'http-server' ? 'Listening on http' : 'Listening on';

  describe('that cannot listen', () => {
    let taken: ReturnType<typeof createServer>;
    let port = 0;
    beforeAll(async () => {
      taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      port = (taken.address() as { port: number }).port; // it listens
    });
    afterAll(() => taken.close());

    test('because another program does, says so and exits with 2', async () => {
      expect(await waysOf(() => runToEnd([name, ...alone, '--port', String(port)]))).toEqual(
        always('2 |✗ Nothing can listen on port N of 127.0.0.1: another program does; stop that one or choose another port.\n'),
      );
    });

    test('because the address is of another machine, says so and exits with 2', async () => {
      const args = [
        name,
        ...alone,
        '--host',
        '192.0.2.1',
        '--port',
        '0',
        '--allow-non-loopback',
        '--shared-secret',
        'a long enough secret',
      ];
      const [way = '', ...others] = Object.keys(await waysOf(() => runToEnd(args)));
      expect(way).toMatch(/^2 \|(?:(?:! .*|.* WARN .*)\n)*✗ Nothing can listen on port 0 of 192\.0\.2\.1: .*\n$/);
      expect(others.filter((other) => !other.startsWith('2 |'))).toEqual([]);
    });

    test('because that was not allowed, says so and exits with 3', async () => {
      expect(await waysOf(() => runToEnd([name, ...alone, '--host', '0.0.0.0', '--port', '0']))).toEqual(
        always('3 |✗ 0.0.0.0 can be reached from other machines; set allow_non_loopback to open the door there.\n'),
      );
    });
  });

  test('that is stopped while it starts, at any moment, ends well or has not begun', async () => {
    const ways = await waysOf(async (round) => {
      using dir = openPlace();
      const { child, ended } = start(dir, [name, ...alone, '--port', '0']);
      await momentOf(round, dir, ended);
      child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
      return await ended;
    });
    for (const way of Object.keys(ways))
      expect(way).toMatch(
        /^(?:SIG(?:TERM|INT) \||0 (?:Listening[^|]*)?\|(?:Configured[^\n]*\n)?(?:! No secret[^\n]*\n)?Stopping what runs; [^\n]*\n)$/,
      );
  });

  test('that is stopped while its store is at work ends well', async () => {
    const ways = await waysOf(async (round) => {
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, [name, ...alone, '--port', '0']);
      await hasSaid(open);
      child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
      return await ended;
    });
    for (const way of Object.keys(ways)) {
      expect(way).toMatch(
        /^0 Listening on [^|]*\|[^|]*No secret is set[^\n]*\nStopping what runs; press Ctrl-C again to quit at once\.\n$/,
      );
    }
  });

  test('that is stopped twice ends with 130 at the latest', async () => {
    const ways = await waysOf(async () => {
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, [name, ...alone, '--port', '0']);
      await hasSaid(open);
      child.kill('SIGINT');
      await hasSaid('Stopping').catch(() => {});
      child.kill('SIGINT');
      return await ended;
    });
    for (const way of Object.keys(ways)) expect(way).toMatch(/^(?:0|130|SIGINT) Listening on [\s\S]*Stopping what runs[^\n]*\n$/);
  });
});

/** Some moments of a start, by what it leaves on the disk. */
const momentOf = async (round: number, dir: TempDir, ended: Promise<unknown>): Promise<void> => {
  const store = storeFileIn(dir.at('state/factotum'));
  const file = [undefined, store, `${store}-wal`, `${store}-serving`][round % 4];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (file !== undefined && !existsSync(file) && !isOver) await new Promise(setImmediate);
};

describe('the store', () => {
  test('that another service has is refused with one message and 1', async () => {
    using dir = openPlace();
    const first = start(dir, ['serve', '--no-tcp', '--port', '0']);
    await first.hasSaid('Listening');
    const ways = await waysOf(() => start(dir, ['server', '--port', '0']).ended);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    for (const way of Object.keys(ways)) expect(way).toMatch(/^1 \|✗ The store at [^\n]* is served by process [^\n]*\n$/);
  });

  test('that another program keeps locked is told with one message and 1, and does not hold up whoever stops meanwhile', async () => {
    using dir = openPlace();
    await start(dir, ['runs']).ended;
    const file = storeFileIn(dir.at('state/factotum'));
    const locker = openConnection(file);
    locker.exec('BEGIN IMMEDIATE');
    try {
      const ways = await waysOf(async (round) => {
        const { child, ended } = start(dir, ['server', '--port', '0']);
        if (round % 2 === 1) {
          await once(child, 'spawn');
          child.kill('SIGTERM');
        }
        return await ended;
      });
      for (const way of Object.keys(ways))
        expect(way).toMatch(
          /^(?:SIGTERM \||1 \|(?:Stopping[^\n]*\n)?✗ (?:Another process keeps the store|The store at [^\n]* is served by) [^\n]*\n|0 \|Stopping[^\n]*\n)$/,
        );
    } finally {
      locker.close();
    }
  });

  describe.skipIf(!canMount)('on a bad disk (needs the right to mount a tmpfs)', () => {
    test('that becomes full does not keep a service from stopping well', async () => {
      using disk = smallDisk();
      if (disk === undefined) throw new Error('no disk');
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, ['server', '--port', '0'], { state: disk.path });
      await hasSaid('Listening');
      fillUp(disk);
      child.kill('SIGTERM');
      const { code, err } = await ended;
      expect([code, err.split('\n').slice(2)]).toEqual([0, ['Stopping what runs; press Ctrl-C again to quit at once.', '']]);
    });

    test('that cannot be written is told with one message and 1', async () => {
      using disk = smallDisk();
      if (disk === undefined) throw new Error('no disk');
      using dir = openPlace();
      expect((await start(dir, ['runs'], { state: disk.path }).ended).code).toBe(0);
      disk.allowWriting(false);
      const ways = await waysOf(() => start(dir, ['server', '--port', '0'], { state: disk.path }).ended);
      for (const way of Object.keys(ways)) expect(way).toMatch(/^1 \|✗ The store at [^\n]* cannot be written; [^\n]*\n$/);
    });
  });
});

describe('whoever listened to it has gone', () => {
  test.each([
    ['serve', ['serve', '--no-tcp', '--port', '0']],
    ['server', ['server', '--port', '0']],
  ] as const)('factotum %s goes on, and stops well when told', async (_, args) => {
    const ways = await waysOf(async () => {
      using dir = openPlace();
      const { child, ended } = start(dir, args);
      child.stdout?.destroy();
      const serving = `${storeFileIn(dir.at('state/factotum'))}-serving`;
      while (!existsSync(serving)) await new Promise(setImmediate);
      child.kill('SIGTERM');
      return await ended;
    });
    expect(Object.keys(ways).filter((way) => !way.startsWith('0 '))).toEqual([]);
  });

  test('factotum run ends as the list did', async () => {
    const ways = await waysOf(async (round) => {
      using dir = openPlace();
      dir.write(
        'list.json',
        JSON.stringify([
          ['FA_create_file', ['a.txt', 'hi']],
          [round % 2 === 0 ? 'FA_stat' : 'FA_none', ['a.txt']],
        ]),
      );
      const { child, ended } = start(dir, ['run', 'list.json', '--json']);
      child.stdout?.destroy();
      const { code } = await ended;
      return { code: code === round % 2 ? 0 : code, signal: null, out: '', err: dir.read('a.txt') ?? 'nothing' };
    });
    expect(ways).toEqual(always('0 |hi'));
  });

  test('factotum mcp ends with 0, and when it is told to', async () => {
    const ways = await waysOf(async (round) => {
      using dir = openPlace();
      const { child, ended, hasSaid } = start(dir, ['mcp', '--root', '.']);
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
      await hasSaid('"result"');
      if (round % 2 === 0) child.stdin?.end();
      else child.kill('SIGTERM');
      return { ...(await ended), out: '' };
    });
    for (const way of Object.keys(ways)) expect(way).toMatch(/^0 \|(?:Stopping[^\n]*\n)?$/);
  });
});

describe('a list that is stopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('by %s is told, recorded, and ends with 130', async (signal) => {
    const ways = await waysOf(async () => {
      using dir = openPlace();
      dir.write('list.json', JSON.stringify([['FA_run_shell', { argv: ['sh', '-c', 'touch begun; exec sleep 600'], timeout: 900 }]]));
      const { child, ended } = start(dir, ['run', 'list.json', '--json']);
      while (!existsSync(dir.at('begun'))) await new Promise(setImmediate);
      child.kill(signal);
      const { out, ...rest } = await ended;
      const { status, results } = JSON.parse(out);
      return { ...rest, out: `${status} ${results[0].error.type}` };
    });
    expect(ways).toEqual(always('130 cancelled CancelledException|Stopping what runs; press Ctrl-C again to quit at once.\n'));
  });
});
