import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Caller } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';
import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { S3Exception } from '../../core/errors.ts';
import type { ConnectionGiven } from '../../core/ports/connections.ts';
import * as shapes from '../../core/shapes.ts';
import { createMemory, type Memory, openMemory } from '../../storage/backends/memory.ts';
import type { Config } from '../config/load-config.ts';
import { createInstance } from '../create.ts';
import { buildDefaultRegistry } from '../default-registry.ts';
import type { ConnectionWorld } from './backend-table.ts';

/** Puts a text somewhere, or reads it, or opens and closes a connection of the caller. */
const put = defineAction({
  name: 'FA_test_put',
  summary: 'Puts a text.',
  args: { target: text('Where to.', { role: 'writesLocation' }), content: text('What.') },
  returns: shapes.json(),
  examples: [],
  async run({ storage: open, signal }, { target, content }) {
    const { storage, path } = await open(target);
    const bytes = Buffer.from(content);
    const outgoing = {
      bytes: bytes.byteLength,
      async *chunks() {
        yield bytes;
      },
    };
    return (await storage.write(path, outgoing, { signal })).bytes;
  },
});

const get = defineAction({
  name: 'FA_test_get',
  summary: 'Reads a text.',
  args: { source: text('Where from.', { role: 'readsLocation' }) },
  returns: shapes.json(),
  examples: [],
  async run({ storage: open, signal }, { source }) {
    const { storage, path } = await open(source);
    let read = '';
    for await (const chunk of await storage.read(path, { signal })) read += Buffer.from(chunk).toString();
    return read;
  },
});

const connect = defineAction({
  name: 'FA_test_connect',
  summary: 'Opens a connection.',
  args: { password: text('A secret.', { role: 'secret' }) },
  returns: shapes.json(),
  reachesOut: true,
  onlyNow: 'because its connection ends with this process; name a connection of [connections]',
  examples: [],
  async plan({ connections }, { password }) {
    await connections.open('s3', { password });
  },
  async run({ connections }, { password }) {
    await connections.open('s3', { password });
    return null;
  },
});

const leave = defineAction({
  name: 'FA_test_leave',
  summary: 'Closes it.',
  args: {},
  returns: shapes.json(),
  reachesOut: true,
  examples: [],
  plan: ({ connections }) => connections.close('s3'),
  async run({ connections }) {
    await connections.close('s3');
    return null;
  },
});

interface Opened {
  readonly given: ConnectionGiven;
  readonly world: ConnectionWorld;
  isClosed: boolean;
}

/** An instance whose services are memories, one for each password. */
const open = (cwd: string, tables: Config['connections'] = {}) => {
  const registry = buildDefaultRegistry();
  for (const action of [put, get, connect, leave]) registry.register(action.name, action);
  const memories = new Map<unknown, Memory>();
  const opened: Opened[] = [];
  const openS3 = async (given: ConnectionGiven, world: ConnectionWorld) => {
    const { password = given.aws_secret_access_key } = given;
    if (password === 'wrong') throw new S3Exception('The login was refused.', { context: { code: 'denied' } });
    const memory = memories.get(password) ?? createMemory();
    memories.set(password, memory);
    const entry: Opened = { given, world, isClosed: false };
    opened.push(entry);
    return {
      ...openMemory({ memory, location: world.location }),
      async [Symbol.asyncDispose]() {
        entry.isClosed = true;
      },
    };
  };
  const settingsOf = (next: Config['connections']) => ({
    tables: next,
    resolve: async (written: string) => written.replace('${env:KEY}', 'from-env'),
    backends: { s3: openS3 },
  });
  const lines: string[] = [];
  const factotum = createInstance({
    cwd,
    registry,
    connections: settingsOf(tables),
    log: { level: 'debug', write: (line) => lines.push(line) },
  });
  const reload = (next: Config['connections']) => factotum.adjust({ connections: settingsOf(next) });
  return { factotum, opened, reload, lines };
};

/** Without its defaults, which nobody looks at here. */
const s3 = (aws_secret_access_key: string) => ({ type: 's3', aws_secret_access_key }) as Config['connections'][string];
const guest = (name: string): Caller => ({
  name,
  remote: true,
  policy: createPolicy({ network: true, locations: ['s3://', 's3+backup://in/'] }),
});
const wordsOf = (results: readonly { readonly value?: unknown; readonly error?: { readonly type: string } }[]) =>
  results.map(({ value, error }) => error?.type ?? value);

describe('a connection of the configuration', () => {
  test('is opened once, under its name and as the default of its scheme, with its references replaced', async () => {
    using dir = tempDir();
    const { factotum, opened } = open(dir.path, { s3: s3('${env:KEY}'), backup: s3('other') });
    await using _ = factotum;
    const { results } = await factotum.run([
      ['FA_test_put', { target: 's3://b/k', content: 'one' }],
      ['FA_test_get', { source: 's3://b/k' }],
      ['FA_test_get', { source: 's3+backup://b/k' }],
    ]);
    expect(wordsOf(results)).toEqual([3, 'one', 'StorageException']);
    expect(results[2]?.error?.context).toMatchObject({ code: 'not_found', location: 's3+backup://b/k' });
    expect(opened.map(({ given, world }) => [given.aws_secret_access_key, world.location, world.rules, world.isOwners])).toEqual([
      ['from-env', 's3:/', { allowPrivate: true, privateHosts: [] }, true],
      ['other', 's3+backup:/', { allowPrivate: true, privateHosts: [] }, true],
    ]);
    await factotum.close();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test('stays open over a reload that does not concern it, and is opened anew with other settings', async () => {
    using dir = tempDir();
    const { factotum, opened, reload } = open(dir.path, { backup: s3('first') });
    await using _ = factotum;
    const look = () => factotum.run([['FA_test_put', { target: 's3+backup://b/k', content: 'x' }]]);
    await look();
    reload({ backup: s3('first'), more: s3('x') });
    await look();
    expect(opened).toHaveLength(1);
    reload({ backup: s3('second') });
    await look();
    expect(opened.map(({ given }) => given.aws_secret_access_key)).toEqual(['first', 'second']);
    reload({});
    const { results } = await look();
    expect(results[0]?.error?.context).toEqual({ connection: 'backup', known: [] });
  });

  test('that nobody knows is refused with the names there are, and one of another type with its own', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path, { backup: s3('x'), nas: s3('y') });
    await using _ = factotum;
    const { results } = await factotum.run([
      ['FA_test_get', { source: 's3+bakcup://b/k' }],
      ['FA_test_get', { source: 's3+other://b/k' }],
      ['FA_test_get', { source: 'sftp+nas://k' }],
      ['FA_test_get', { source: 's3://k' }],
    ]);
    expect(results.map(({ error }) => error?.message)).toEqual([
      'There is no connection called bakcup; did you mean backup?',
      'There is no connection called other; known are backup, nas.',
      'The connection nas is of the type s3; write s3+nas://.',
      'There is no connection for s3://; open it with the later_init action of s3, write [connections.s3], or name a connection: s3+NAME://.',
    ]);
  });

  test('counts what it carries', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path, { backup: s3('x') });
    await using _ = factotum;
    await factotum.run([
      ['FA_test_put', { target: 's3+backup://b/k', content: 'hello' }],
      ['FA_test_get', { source: 's3+backup://b/k' }],
    ]);
    const text = await (await factotum.metrics()).render();
    expect(text).toContain('factotum_transfer_bytes_total{backend="s3",direction="upload"} 5');
    expect(text).toContain('factotum_transfer_bytes_total{backend="s3",direction="download"} 5');
  });
});

describe('a connection that a caller opens', () => {
  test('is the default of its scheme for this caller alone, until it is closed', async () => {
    using dir = tempDir();
    const { factotum, opened } = open(dir.path);
    await using _ = factotum;
    const as = (name: string, ...list: readonly unknown[]) => factotum.run(list, { caller: guest(name) });
    await as('ann', ['FA_test_connect', { password: 'pw-of-ann' }], ['FA_test_put', { target: 's3://b/k', content: 'hers' }]);
    const look = ['FA_test_get', { source: 's3://b/k' }];
    expect(wordsOf((await as('bob', look)).results)).toEqual(['StorageException']);
    expect(wordsOf((await as('ann', look, ['FA_test_leave'], look)).results)).toEqual(['hers', null, 'StorageException']);
    expect(opened.map(({ isClosed, world }) => [isClosed, world.isOwners, world.rules])).toEqual([
      [true, false, { allowPrivate: false, privateHosts: [] }],
    ]);
  });

  test('stays where the next cannot be opened, and comes before the configured one', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path, { s3: s3('configured') });
    await using _ = factotum;
    const { results } = await factotum.run([
      ['FA_test_put', { target: 's3://b/k', content: 'for all' }],
      ['FA_test_connect', { password: 'mine' }],
      ['FA_test_put', { target: 's3://b/k', content: 'own' }],
      ['FA_test_connect', { password: 'wrong' }],
      ['FA_test_get', { source: 's3://b/k' }],
      ['FA_test_leave'],
      ['FA_test_get', { source: 's3://b/k' }],
    ]);
    expect(wordsOf(results)).toEqual([7, null, 3, 'S3Exception', 'own', null, 'for all']);
  });

  test('lasts in a dry run as long as the plan', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path);
    await using _ = factotum;
    const put = ['FA_test_put', { target: 's3://b/k', content: 'x' }];
    const list = [['FA_test_connect', { password: 'secret-of-plan' }], put];
    const dry = await factotum.run(list, { dryRun: true });
    expect(dry.results.map(({ status, plan }) => [status, plan?.effects])).toEqual([
      ['planned', [{ kind: 'network', target: 's3.amazonaws.com' }]],
      ['planned', [{ kind: 'create', target: 's3://b/k' }]],
    ]);
    expect(wordsOf((await factotum.run([put])).results)).toEqual(['StorageException']);
    expect(JSON.stringify(dry)).not.toContain('secret-of-plan');
  });

  test('is refused in lists that are kept for later, with the remedy', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path, { backup: s3('x') });
    await using _ = factotum;
    const queued = (...action: readonly unknown[]) => ['FA_queue_enqueue', { action, db_path: 'queue.db' }];
    const { results } = await factotum.run([
      queued(['FA_test_connect', { password: 'pw' }]),
      queued(['FA_for_each', { items: [1], actions: [['FA_test_get', { source: 's3://b/k' }]] }]),
      queued(['FA_test_get', { source: 's3+backup://b/k' }]),
      queued(['FA_test_get', { source: '${env:WHERE}' }]),
    ]);
    expect(results.map(({ error, value }) => error?.message ?? value)).toEqual([
      'The list could not run: command 0 (FA_test_connect) cannot be kept for later, because its connection ends with this process; name a connection of [connections].',
      'The list could not run: command 0 (FA_test_get) uses s3://b/k on a connection that ends with this process; name a connection of [connections].',
      1,
      2,
    ]);
  });

  test('is refused in lists that are written down before they run', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path, { backup: s3('x') });
    await using _ = factotum;
    const admit = (...list: readonly unknown[]) => factotum.gateway.admit(list, { name: 'owner', remote: true });
    await expect(admit(['FA_test_connect', { password: 'pw' }])).rejects.toMatchObject({ type: 'ValidationException' });
    await expect(admit(['FA_test_get', { source: 's3://b/k' }])).rejects.toMatchObject({ type: 'ValidationException' });
    await admit(['FA_test_get', { source: 's3+backup://b/k' }]);
  });

  test('is not used by a list that was kept', async () => {
    using dir = tempDir();
    const { factotum } = open(dir.path);
    await using _ = factotum;
    await factotum.run([
      ['FA_test_connect', { password: 'mine' }],
      ['FA_test_put', { target: 's3://b/k', content: 'own' }],
    ]);
    const list = [
      ['FA_test_get', { source: 's3://b/k' }],
      ['FA_test_connect', { password: 'other' }],
    ];
    const caller = { name: 'owner', remote: false };
    for (const source of ['queue', 'schedule', 'watch', 'resume']) {
      const { results } = await factotum.gateway.run(list, { caller, source });
      expect(wordsOf(results)).toEqual(['StorageException', 'StorageException']);
    }
    expect(wordsOf((await factotum.gateway.run(list.slice(0, 1), { caller, source: 'http' })).results)).toEqual(['own']);
  });

  test('is told nowhere', async () => {
    using dir = tempDir();
    const { factotum, lines } = open(dir.path);
    await using _ = factotum;
    const result = await factotum.run([
      ['FA_test_connect', { password: 'a-very-secret-word' }],
      ['FA_test_get', { source: 's3://a-very-secret-word' }],
    ]);
    expect(JSON.stringify(result.results[1]?.error)).not.toContain('a-very-secret-word');
    expect(lines.join('\n')).not.toContain('a-very-secret-word');
  });
});
