import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../src/app/config/load-config.ts';
import { createInstance } from '../../../src/app/create.ts';
import type { Outgoing } from '../../../src/core/storage.ts';
import { openAzure } from '../../../src/storage/backends/azure/azure.ts';
import { storageCode } from '../../../src/storage/faults.ts';
import { withLayers } from '../../../src/storage/layers/layers.ts';
import { storageContract } from '../../contract/storage.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { developmentSettings, makeContainer, rawAzure } from '../../support/azure-peer.ts';
import { accountSas, DEVELOPMENT_ACCOUNT } from '../../support/azure-sas.ts';
import { openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { nearWorld } from '../../support/s3-peer.ts';
import { seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { patience, rounds, seedOf } from '../../support/torture.ts';

const { signal } = new AbortController();
const MIB = 1024 * 1024;

/** Content of any length, made while it is read. */
const made = (bytes: number, known = true): Outgoing => ({
  ...(known && { bytes }),
  async *chunks({ start, end = bytes }) {
    for (let at = start; at < end; ) {
      const chunk = Buffer.alloc(Math.min(MIB, end - at), at / MIB);
      at += chunk.byteLength;
      yield chunk;
    }
  },
});

const digestOf = async (chunks: AsyncIterable<Uint8Array>, name = 'sha256'): Promise<string> => {
  const hash = createHash(name);
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
};

describePeer('azurite', '', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const settings = developmentSettings(peer);
  for (const container of ['contract', 'other']) await makeContainer(settings, container);
  const storage = openAzure(settings, nearWorld('azure'));
  const raw = rawAzure(settings);
  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await raw[Symbol.asyncDispose]();
  });

  storageContract({ name: 'azure', directory: 'contract', refuses: /\\/, open: () => openAzure(settings, nearWorld('azure')) });

  test('the root lists the containers, and is no place for files', async () => {
    expect(await everything(storage.list('', { signal }))).toEqual(['contract/', 'other/']);
    expect(await storage.stat('contract', { signal })).toMatchObject({ kind: 'dir' });
    expect(await storage.stat('missing', { signal })).toBeUndefined();
    expect(await storage.stat('missing/x', { signal })).toBeUndefined();
    expect(await everything(storage.list('missing', { signal }))).toEqual([]);
    for (const path of ['', 'contract']) {
      await expect(storage.write(path, outgoing('x'), { signal })).rejects.toEqual(code('is_directory'));
      await expect(storage.read(path, { signal })).rejects.toEqual(code('is_directory'));
      await expect(storage.remove(path, { signal })).rejects.toEqual(code('is_directory'));
    }
    await expect(storage.write('missing/x', outgoing('x'), { signal })).rejects.toEqual(code('not_found'));
  });

  test('blobs that mark directories are shown as such, once', async () => {
    const put = (path: string, headers: Record<string, string> = {}) =>
      raw.tell({ method: 'PUT', path, headers: { 'x-ms-blob-type': 'BlockBlob', ...headers }, signal });
    await put('contract/marked/dir', { 'x-ms-meta-hdi_isfolder': 'true' });
    await put('contract/marked/dir-x');
    await put('contract/marked/dir/file');
    await put('contract/marked/empty/');
    await put('contract/marked/a//b');
    const names = async (deep: boolean) =>
      (await everything(storage.list('contract/marked', { signal, deep }))).map((path) => path.slice(16));
    expect(await names(false)).toEqual(['a/', 'dir-x', 'dir/', 'empty/']);
    expect(await names(true)).toEqual(['dir-x', 'dir/', 'dir/file', 'empty/']);
    expect(await storage.stat('contract/marked/dir', { signal })).toEqual({ path: 'contract/marked/dir', kind: 'dir', bytes: 0 });
    expect(await storage.stat('contract/marked/empty', { signal })).toMatchObject({ kind: 'dir' });
  });

  describe('a large file', () => {
    test.each([true, false])('comes back as it went, with its digest; its length is known: %s', async (isKnown) => {
      const content = made(40 * MIB + 17, isKnown);
      const md5 = await digestOf(content.chunks({ start: 0 }, { signal }), 'md5');
      const item = await storage.write('contract/large', content, { signal });
      expect(item).toMatchObject({ bytes: 40 * MIB + 17, hashes: { md5 } });
      expect(await storage.stat('contract/large', { signal })).toMatchObject({
        bytes: 40 * MIB + 17,
        hashes: { md5 },
        version: item.version,
      });
      expect(await digestOf(await storage.read('contract/large', { signal }), 'md5')).toBe(md5);
    });

    test('that is cancelled or breaks does not show', async () => {
      const controller = new AbortController();
      const cancelled: Outgoing = {
        async *chunks() {
          for (let count = 0; count < 40; count += 1) {
            if (count === 35) controller.abort(new Error('enough'));
            yield Buffer.alloc(MIB);
          }
        },
      };
      await expect(storage.write('contract/cancelled', cancelled, { signal: controller.signal })).rejects.toThrow('enough');
      await expect(storage.write('contract/cancelled', { ...made(30 * MIB), bytes: 31 * MIB }, { signal })).rejects.toEqual(
        code('changed'),
      );
      expect(await storage.stat('contract/cancelled', { signal })).toBeUndefined();
    });

    test('whose commit was answered into the void is committed once', async () => {
      const write = await storage.startParts?.('contract/twice', { signal, bytes: 6, exclusive: true });
      const parts = [await write?.put(1, outgoing('abc'), { signal }), await write?.put(2, outgoing('def'), { signal })].filter(
        (part) => part !== undefined,
      );
      const first = await write?.commit(parts, { signal });
      expect(await write?.commit(parts, { signal })).toMatchObject({ bytes: 6, version: first?.version });
      expect(await textOf(await storage.read('contract/twice', { signal }))).toBe('abcdef');
    });
  });

  test('of many that write exclusively one wins', async () => {
    const tries = Array.from({ length: 8 }, (_, at) =>
      storage.write('contract/exclusive', outgoing(String(at)), { signal, exclusive: true }),
    );
    const ended = await Promise.allSettled(tries);
    const won = ended.flatMap(({ status }, at) => (status === 'fulfilled' ? [String(at)] : []));
    expect(won).toHaveLength(1);
    expect(await textOf(await storage.read('contract/exclusive', { signal }))).toBe(won[0]);
    for (const each of ended) if (each.status === 'rejected') expect(storageCode(each.reason)).toBe('exists');
    const parted = await storage.startParts?.('contract/late', { signal, bytes: 1, exclusive: true });
    const part = await parted?.put(1, outgoing('x'), { signal });
    await storage.write('contract/late', outgoing('first'), { signal });
    await expect(parted?.commit(part ? [part] : [], { signal })).rejects.toEqual(code('exists'));
    expect(await textOf(await storage.read('contract/late', { signal }))).toBe('first');
  });

  const url = `http://127.0.0.1:${peer.port}/${DEVELOPMENT_ACCOUNT.name}`;
  test.each([
    ['the key', { account_url: url, credential: DEVELOPMENT_ACCOUNT.key }],
    ['a shared access signature', { account_url: url, credential: accountSas() }],
    ['a connection string with one', { connection_string: `BlobEndpoint=${url};SharedAccessSignature=${accountSas()}` }],
  ])('an account is reached with %s', async (_how, own) => {
    await using reached = openAzure(own, nearWorld('azure'));
    await reached.write('contract/with/a b+%.txt', outgoing('hello'), { signal });
    expect(await reached.copy?.('contract/with/a b+%.txt', 'other/copied ü', { signal })).toMatchObject({ bytes: 5 });
    expect(await textOf(await reached.read('other/copied ü', { signal }))).toBe('hello');
    expect(await everything(reached.list('contract/with', { signal }))).toEqual(['contract/with/a b+%.txt']);
  });

  test('wrong credentials are told without showing them', async () => {
    const wrong = Buffer.from('hush-hush'.repeat(5)).toString('base64');
    const sas = accountSas('r');
    for (const own of [
      { credential: wrong },
      { credential: sas.replace(/sig=.{8}/, 'sig=hushhush') },
      { credential: sas },
      { anonymous: true },
    ]) {
      await using refused = openAzure({ account_url: url, ...own }, nearWorld('azure'));
      const fault = await refused.write('contract/x', outgoing('x'), { signal }).catch((each: unknown) => each);
      expect(storageCode(fault)).toMatch(/^(?:denied|not_found)$/); // to strangers nothing is there
      expect(fault).toMatchObject({ type: 'AzureBlobException', retryable: false });
      for (const secret of ['hush', wrong, new URLSearchParams(sas).get('sig') ?? ''])
        expect(JSON.stringify(fault) + String(fault)).not.toContain(secret);
    }
  });

  test('what rclone writes is read, and what is written rclone takes for the same', async () => {
    using dir = tempDir({ 'a b/ü+%.txt': 'from rclone', 'big.bin': Buffer.alloc(6 * MIB, 7) });
    const env = { ...process.env, RCLONE_CONFIG_AZ_TYPE: 'azureblob', RCLONE_CONFIG_AZ_SAS_URL: `${url}?${accountSas()}` };
    const rclone = (...args: string[]) => execFileSync('rclone', [...args, '--config=/dev/null'], { env, stdio: 'pipe' }).toString();
    rclone('copy', dir.path, 'az:contract/from-rclone');
    expect(await textOf(await storage.read('contract/from-rclone/a b/ü+%.txt', { signal }))).toBe('from rclone');
    await storage.write('contract/for-rclone/a b/ü+%.txt', outgoing('from rclone'), { signal });
    await storage.write('contract/for-rclone/big.bin', outgoing(Buffer.alloc(6 * MIB, 7)), { signal });
    rclone('check', dir.path, 'az:contract/for-rclone'); // by MD5; fails where something differs
  });

  test('lists carry files there, inside of it and back', async () => {
    using dir = tempDir({ 'in/a b/ü.txt': 'hello', 'in/big.bin': Buffer.alloc(40 * MIB, 7), 'in/empty': '' });
    // Services tell full seconds, and what is younger than its copy counts as changed.
    for (const name of ['in/a b/ü.txt', 'in/big.bin', 'in/empty']) utimesSync(dir.at(name), 1_600_000_000, 1_600_000_000);
    // Without its defaults, which the backend has too.
    const table = { type: 'azure', ...settings } as Config['connections'][string];
    await using factotum = createInstance({
      cwd: dir.path,
      connections: { tables: { dev: table }, resolve: async (text) => text },
      log: { level: 'silent' },
    });
    const { ok, results } = await factotum.run([
      ['FA_sync_between', { source: 'in', target: 'azure+dev://contract/lists/' }],
      ['FA_sync_between', { source: 'in', target: 'azure+dev://contract/lists/' }],
      ['FA_sync_between', { source: 'azure+dev://contract/lists/', target: 'azure+dev://other/copied/' }],
      ['FA_sync_between', { source: 'azure+dev://other/copied/', target: 'back' }],
    ]);
    expect(ok, JSON.stringify(results)).toBe(true);
    expect(results.map(({ value }) => value)).toMatchObject([{ copied: 3 }, { copied: 0, unchanged: 3 }, { copied: 3 }, { copied: 3 }]);
    execFileSync('diff', ['-r', dir.at('in'), dir.at('back')]);
  });

  test('a line that fails at any moment loses nothing and shows nothing half', patience(120_000), async () => {
    await using proxy = await openFaultProxy(peer.port);
    const random = seeded(seedOf(32));
    await using inner = openAzure({ ...developmentSettings(proxy), timeout: 0.4 }, nearWorld('azure'));
    const layered = withLayers(inner, { wait: async () => {}, random, retry: { attempts: 4, backoffS: 0, capS: 0 } });
    for (let round = 0; round < rounds(25, 250); round += 1) {
      const content = Buffer.alloc(1 + Math.floor(random() * 200_000), round);
      const path = `contract/torn/${round % 5}`;
      proxy.arm(randomFault(random, { 'to-server': 1.1 * content.byteLength + 1000, 'to-client': 1500 }));
      await layered.write(path, outgoing(content), { signal });
      proxy.arm(randomFault(random, { 'to-server': 1500, 'to-client': 1.1 * content.byteLength }));
      const found = await digestOf(await layered.read(path, { signal }));
      expect(found, `round ${round}`).toBe(createHash('sha256').update(content).digest('hex'));
    }
  });
});

describePeer('azurite', 'tls', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());

  test('a certificate is trusted by its authority only', async () => {
    const ca = peer.dir.read('ca.pem');
    const settings = { ...developmentSettings(peer, 'https'), ca };
    await makeContainer(settings, 'secured');
    await using storage = openAzure(settings, nearWorld('azure'));
    await storage.write('secured/x', outgoing('hello'), { signal });
    expect(await textOf(await storage.read('secured/x', { signal }))).toBe('hello');
    await using stranger = openAzure(developmentSettings(peer, 'https'), nearWorld('azure'));
    await expect(stranger.stat('secured/x', { signal })).rejects.toMatchObject({ retryable: false, context: { code: 'unreachable' } });
  });
});
