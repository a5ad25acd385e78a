import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { trialOf } from '../../../support/trials/trial.ts';
import { DOORS, doorWords, type Ended, openPlace, start, waysOf, waysUnlike } from './processes.ts';

// A service that cannot begin says why in one message, with the exit code of docs/how-to/command-line.md.

const runToEnd = async (words: readonly string[], { config = '', through = [] as readonly string[] } = {}): Promise<Ended> => {
  using dir = openPlace(config);
  dir.write('list.json', '[["FA_stat", ["."]]]');
  return await start(dir, words, { through }).ended;
};

describe('a service that cannot listen', () => {
  const taken = trialOf('taken-port');
  test('because another program does, says so and exits with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number }; // it listens
    const ways = await waysOf(taken, DOORS, ({ which }) => runToEnd(doorWords(which, port)));
    other.close();
    const wanted = /: 2 \|✗ Nothing can listen on port N of 127\.0\.0\.1: another program does; stop that one or choose another port\.\n$/;
    expect(waysUnlike(ways, wanted)).toEqual({});
  });

  // The superuser may listen everywhere unless it gives that right away.
  const firstFree = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  const through = process.getuid?.() === 0 ? ['setpriv', '--inh-caps', '-net_bind_service', '--bounding-set', '-net_bind_service'] : [];
  const denied = trialOf('denied-port');
  test.skipIf(firstFree <= 80)('because the system does not let it, says so and exits with 2 (needs ports of the superuser)', async () => {
    const ways = await waysOf(denied, DOORS, ({ which }) => runToEnd(doorWords(which, 80), { through }));
    const wanted = /: 2 \|✗ Nothing can listen on port 80 of 127\.0\.0\.1: the system does not let this user; choose a port above N\.\n$/;
    expect(waysUnlike(ways, wanted)).toEqual({});
  });

  const foreign = trialOf('foreign-address');
  test('because the address is of another machine, says so and exits with 2', async () => {
    const place = ['--host', '192.0.2.1', '--allow-non-loopback', '--shared-secret', 'a long enough secret'];
    const ways = await waysOf(foreign, DOORS, ({ which }) => runToEnd([...doorWords(which), ...place]));
    expect(waysUnlike(ways, /: 2 \|(?:(?:! .*|.* WARN .*)\n)*✗ Nothing can listen on port 0 of 192\.0\.2\.1: [^\n]*\n$/)).toEqual({});
  });

  const refused = trialOf('refused-address');
  test('because that was not allowed, says so and exits with 3', async () => {
    const ways = await waysOf(refused, DOORS, ({ which }) => runToEnd([...doorWords(which), '--host', '0.0.0.0']));
    const wanted = /: 3 \|✗ 0\.0\.0\.0 can be reached from other machines; set allow_non_loopback to open the door there\.\n$/;
    expect(waysUnlike(ways, wanted)).toEqual({});
  });
});

const NO_TOML = 'this is = = broken\n';

describe('a command', () => {
  const broken = trialOf('broken-configuration');
  test('whose configuration is broken shows the place and exits with 2', async () => {
    const ways = await waysOf(broken, [...DOORS, 'mcp', 'run'] as const, ({ which, turn }) => {
      const words = which === 'mcp' ? ['mcp'] : which === 'run' ? ['run', 'list.json'] : doorWords(which);
      // Flags are stronger than the file, so none of these is what a flag says; a list reads only what concerns it.
      const config = which === 'run' ? NO_TOML : [NO_TOML, '[http]\nprot = 1\n', '[http]\nhost = 5\n'][turn % 3];
      return runToEnd(words, { config });
    });
    expect(waysUnlike(ways, /: 2 \|✗ \.\/factotum\.toml:\d:\d+: [^\n]+\n +\d \| [^\n]*\n +\| +\^\n$/)).toEqual({});
  });

  const stateless = trialOf('state-that-is-no-directory');
  test('that has no place for its state says so and exits with 1; one that runs a list runs it all the same', async () => {
    const ways = await waysOf(stateless, [...DOORS, 'runs', 'exec'] as const, async ({ which }) => {
      using dir = openPlace();
      dir.write('no-directory', '');
      const words = which === 'exec' ? ['exec', 'stat', '.', '--json'] : which === 'runs' ? ['runs'] : doorWords(which);
      const { out, ...rest } = await start(dir, words, { state: dir.at('no-directory') }).ended;
      return { ...rest, out: out.replace(/^\{.*"ok":true.*\}\n$/, 'ok') };
    });
    const told = /: 1 \|✗ (?:A part of|The store at) [^\n]*\n$|^exec: 0 ok\|! This run is not recorded and cannot be undone: [^\n]*\n$/;
    expect(waysUnlike(ways, told)).toEqual({});
  });
});
