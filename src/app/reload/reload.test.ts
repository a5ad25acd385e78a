import { expect, test } from 'vitest';
import { ConfigException } from '../../core/errors.ts';
import { type Config, type DeepPartial, type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { Part } from './change.ts';
import { createReload } from './reload.ts';

const load = async (flags: DeepPartial<Config>, text?: string): Promise<LoadedConfig> => ({
  ...(await loadConfig({ env: {}, cwd: '/nowhere', flags })),
  ...(text !== undefined && { text }),
});

/** A reload over parts that only write down what happens to them. */
const open = async (...failing: readonly string[]) => {
  const happened: string[] = [];
  const told: string[] = [];
  const lines: string[] = [];
  const part = (name: string): Part => ({
    prepare({ config }) {
      const note = (step: string) => {
        happened.push(`${name} ${step} ${config.limits.commands}`);
        if (failing.includes(`${name} ${step}`)) throw new Error(`${name} cannot ${step}`);
      };
      note('prepare');
      return { apply: () => note('apply'), revert: () => note('revert') };
    },
  });
  let next: LoadedConfig | Error = await load({ limits: { commands: 2 } }, 'two');
  const reload = createReload({
    started: await load({ limits: { commands: 1 } }, 'one'),
    async read() {
      if (next instanceof Error) throw next;
      return next;
    },
    notifier: { checked: async (name, fault) => void told.push(`${name}: ${fault === undefined ? 'fine' : String(fault)}`) },
    log: (level, message, fields) => void lines.push([level, message, JSON.stringify(fields)].join(' ')),
    parts: [part('a'), part('b')],
  });
  reload.join(part('c'));
  const offer = (what: LoadedConfig | Error) => {
    next = what;
  };
  return { reload, happened, told, lines, offer };
};

test('everything is prepared before anything is changed', async () => {
  const { reload, happened, told } = await open();
  expect((await reload.now()).config.limits.commands).toBe(2);
  expect(happened).toEqual(['a', 'b', 'c'].map((name) => `${name} prepare 2`).concat(['a', 'b', 'c'].map((name) => `${name} apply 2`)));
  expect(reload.current.text).toBe('two');
  expect(told).toEqual(['configuration: fine']);
});

test.each([
  ['b prepare', ['a prepare 2', 'b prepare 2', 'a revert 2']],
  ['b apply', ['a prepare 2', 'b prepare 2', 'c prepare 2', 'a apply 2', 'b apply 2', 'c revert 2', 'b revert 2', 'a revert 2']],
])('where %s fails, everything is taken back and the old configuration stays', async (failing, expected) => {
  const { reload, happened, lines } = await open(failing);
  await expect(reload.now()).rejects.toThrow('b cannot');
  expect(happened).toEqual(expected);
  expect(reload.current.text).toBe('one');
  expect(lines).toEqual([expect.stringMatching(/^error the configuration cannot be taken over; the old one stays .*b cannot/)]);
});

test('what cannot be taken back keeps nothing else from it, and is told', async () => {
  const { reload, happened, lines } = await open('c apply', 'b revert');
  await expect(reload.now()).rejects.toThrow('c cannot apply');
  expect(happened.slice(-3)).toEqual(['c revert 2', 'b revert 2', 'a revert 2']);
  expect(lines[0]).toContain('restart the service');
});

test('a fault is told once, another one again, and then that it is mended', async () => {
  const { reload, told, offer } = await open();
  const whole = await load({}, 'three');
  offer(new ConfigException('one fault'));
  await reload.follow();
  await reload.follow();
  offer(new ConfigException('another fault'));
  await reload.follow();
  offer(whole);
  await reload.follow();
  expect(told).toEqual([
    'configuration: ConfigException: one fault',
    'configuration: ConfigException: another fault',
    'configuration: fine',
  ]);
});

test('a file that says the same again is taken over only when that is demanded, or when it was broken', async () => {
  const { reload, happened, offer } = await open();
  const same = await load({ limits: { commands: 1 } }, 'one');
  offer(same);
  await reload.follow();
  expect(happened).toEqual([]);
  await reload.now();
  expect(happened).toHaveLength(6);
  offer(new ConfigException('broken'));
  await reload.follow();
  offer(same);
  await reload.follow();
  expect(happened).toHaveLength(12);
});

test('what needs a restart is said once, in one line, until it is set back', async () => {
  const { reload, lines, offer } = await open();
  const moved = { http: { port: 1, hosts: ['a.example'] }, store: { path: '/elsewhere.db' }, log: { level: 'debug' } } as const;
  offer(await load(moved, 'moved'));
  await reload.now();
  await reload.now();
  offer(await load({}, 'back'));
  await reload.now();
  expect(lines.filter((line) => line.includes('restart'))).toEqual([
    'warn some changes of the configuration need a restart {"keys":["http.port","http.hosts","store.path"]}',
  ]);
});

test('one change waits for the other', async () => {
  const { reload, happened } = await open();
  await Promise.all([reload.now(), reload.now()]);
  expect(happened.slice(0, 6)).toEqual(happened.slice(6));
});
