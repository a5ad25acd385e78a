import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../src/app/config/load-config.ts';
import { createInstance } from '../../../src/app/create.ts';
import { S3Exception } from '../../../src/core/errors.ts';
import type { Outgoing } from '../../../src/core/storage.ts';
import { boundedMap } from '../../../src/lib/async/bounded-map.ts';
import { copyObject } from '../../../src/storage/backends/s3/copy.ts';
import { openS3 } from '../../../src/storage/backends/s3/s3.ts';
import { createFaults, storageCode } from '../../../src/storage/faults.ts';
import { withLayers } from '../../../src/storage/layers/layers.ts';
import { storageContract } from '../../contract/storage.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { makeBucket, nearWorld, rawClient, settingsOf } from '../../support/s3-peer.ts';
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

const digestOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
};

describePeer('ceph-rgw', '', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const settings = { ...settingsOf(peer), exclusive_writes: true };
  for (const bucket of ['contract', 'other.with-dots']) await makeBucket(settings, bucket);
  const storage = openS3(settings, nearWorld('s3'));
  const raw = rawClient(settings);
  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await raw[Symbol.asyncDispose]();
  });
  const uploads = async (): Promise<number> => {
    const answer = await raw.ask({ method: 'GET', bucket: 'contract', query: { uploads: '' }, signal });
    return answer.children.filter(({ name }) => name === 'Upload').length;
  };

  storageContract({ name: 's3', directory: 'contract', open: () => openS3(settings, nearWorld('s3')) });

  describe('the root', () => {
    test('lists the buckets', async () => {
      expect(await everything(storage.list('', { signal }))).toEqual(['contract/', 'other.with-dots/']);
      expect(await storage.stat('', { signal })).toMatchObject({ kind: 'dir' });
      expect(await storage.stat('contract', { signal })).toMatchObject({ path: 'contract', kind: 'dir' });
      expect(await storage.stat('missing-bucket', { signal })).toBeUndefined();
      expect(await storage.stat('missing-bucket/x', { signal })).toBeUndefined();
      expect(await everything(storage.list('missing-bucket', { signal }))).toEqual([]);
    });

    test('is no place for files, and neither is a bucket', async () => {
      for (const path of ['', 'contract']) {
        await expect(storage.write(path, outgoing('x'), { signal })).rejects.toEqual(code('is_directory'));
        await expect(storage.read(path, { signal })).rejects.toEqual(code('is_directory'));
        await expect(storage.remove(path, { signal })).rejects.toEqual(code('is_directory'));
      }
      await expect(storage.write('missing-bucket/x', outgoing('x'), { signal })).rejects.toEqual(code('not_found'));
    });
  });

  describe('a list', () => {
    test('goes on behind the first thousand', async () => {
      const names = Array.from({ length: 1_050 }, (_, at) => `contract/many/${String(at).padStart(5, '0')}`);
      await boundedMap(names, 12, (path) => storage.write(path, outgoing(''), { signal }));
      expect(await everything(storage.list('contract/many', { signal }))).toEqual(names);
    });

    test('shows markers as directories, and leaves out what is no path', async () => {
      const put = (key: string) => raw.tell({ method: 'PUT', bucket: 'contract', key, signal });
      for (const key of [
        'marked/',
        'marked/empty/',
        'marked/full/',
        'marked/full/x',
        'marked//y',
        'marked/a//b',
        'marked/\u0001',
        'marked/line\nbreak',
      ])
        await put(key);
      await put('marked/\ufffe and \uffff');
      const odd = 'contract/marked/\ufffe and \uffff';
      expect(await everything(storage.list('contract/marked', { signal }))).toEqual(
        ['contract/marked/empty/', 'contract/marked/full/', odd, 'contract/marked/a/'].sort(),
      );
      expect(await everything(storage.list('contract/marked', { signal, deep: true }))).toEqual(
        ['contract/marked/empty/', 'contract/marked/full/', 'contract/marked/full/x', odd].sort(),
      );
      expect(await storage.stat('contract/marked/empty', { signal })).toEqual({ path: 'contract/marked/empty', kind: 'dir', bytes: 0 });
      expect(await textOf(await storage.read(odd, { signal }))).toBe('');
    });

    test('of everything tells directories before what is in them, once', async () => {
      for (const path of ['a/b/c', 'a/b.d', 'a/b/d/e', 'a-x']) await storage.write(`contract/order/${path}`, outgoing(''), { signal });
      const seen: string[] = [];
      for await (const { path, kind } of storage.list('contract/order', { signal, deep: true }))
        seen.push(kind === 'dir' ? `${path}/` : path);
      expect(seen.map((path) => path.slice('contract/order/'.length))).toEqual([
        'a-x',
        'a/',
        'a/b.d',
        'a/b/',
        'a/b/c',
        'a/b/d/',
        'a/b/d/e',
      ]);
    });
  });

  describe('a large file', () => {
    test.each([true, false])('comes back as it went; its length is known: %s', async (isKnown) => {
      const content = made(40 * MIB + 17, isKnown);
      const item = await storage.write('contract/large', content, { signal });
      expect(item).toMatchObject({ bytes: 40 * MIB + 17, verified: 'etag' });
      expect(item.version).toMatch(/^[0-9a-f]{32}-3$/);
      expect(await digestOf(await storage.read('contract/large', { signal }))).toBe(
        await digestOf(content.chunks({ start: 0 }, { signal })),
      );
      expect(await uploads()).toBe(0);
    });

    test('that is cancelled or breaks leaves no upload behind', async () => {
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
      const shorter: Outgoing = { ...made(30 * MIB), bytes: 31 * MIB };
      await expect(storage.write('contract/cancelled', shorter, { signal })).rejects.toEqual(code('changed'));
      expect(await uploads()).toBe(0);
      expect(await storage.stat('contract/cancelled', { signal })).toBeUndefined();
    });

    test('is copied in parts by the service', async () => {
      await storage.write('contract/whole', made(12 * MIB), { signal });
      const writing = { client: raw, faults: createFaults(S3Exception, 's3:/'), checksum: 'md5' as const, stat: storage.stat };
      const copied = await copyObject(writing, 'contract/whole', 'other.with-dots/in parts', { signal, maxBytes: MIB, partBytes: 5 * MIB });
      expect(copied).toMatchObject({ bytes: 12 * MIB, verified: 'etag' });
      const [one, other] = await Promise.all(
        ['contract/whole', 'other.with-dots/in parts'].map(async (path) => digestOf(await storage.read(path, { signal }))),
      );
      expect(one).toBe(other);
    });

    test('whose commit was answered into the void is committed once', async () => {
      if (storage.startParts === undefined) return;
      const write = await storage.startParts('contract/twice', { signal, bytes: 3 });
      const part = await write.put(1, outgoing('abc'), { signal });
      const first = await write.commit([part], { signal });
      expect(await write.commit([part], { signal })).toEqual(first);
    });
  });

  test('of many that write exclusively one wins', async () => {
    const tries = Array.from({ length: 12 }, (_, at) =>
      storage.write('contract/exclusive', outgoing(String(at)), { signal, exclusive: true }),
    );
    const ended = await Promise.allSettled(tries);
    const won = ended.flatMap(({ status }, at) => (status === 'fulfilled' ? [String(at)] : []));
    expect(won).toHaveLength(1);
    expect(await textOf(await storage.read('contract/exclusive', { signal }))).toBe(won[0]);
    for (const each of ended) if (each.status === 'rejected') expect(storageCode(each.reason)).toMatch(/^(?:exists|busy)$/);
  });

  test('what rclone writes is read, and what is written rclone takes for the same', async () => {
    using dir = tempDir({ 'a b/ü+%.txt': 'from rclone', 'big.bin': Buffer.alloc(6 * MIB, 7) });
    const rclone = (...args: string[]) => {
      const given = [
        '--s3-provider=Ceph',
        `--s3-endpoint=${settings.endpoint_url}`,
        `--s3-access-key-id=${peer.user}`,
        `--s3-secret-access-key=${peer.password}`,
      ];
      const { AWS_CA_BUNDLE: _unused, ...env } = process.env; // rclone refuses to work with it
      return execFileSync('rclone', [...args, ...given, '--config=/dev/null'], {
        env: { ...env, RCLONE_CONFIG: '/dev/null' },
        stdio: 'pipe',
      }).toString();
    };
    rclone('copy', dir.path, ':s3:contract/from-rclone');
    expect(await textOf(await storage.read('contract/from-rclone/a b/ü+%.txt', { signal }))).toBe('from rclone');
    await storage.write('contract/for-rclone/a b/ü+%.txt', outgoing('from rclone'), { signal });
    await storage.write('contract/for-rclone/big.bin', outgoing(Buffer.alloc(6 * MIB, 7)), { signal });
    rclone('check', dir.path, ':s3:contract/for-rclone'); // by MD5; fails where something differs
  });

  test('lists carry files there, inside of it and back', async () => {
    using dir = tempDir({ 'in/a b/ü.txt': 'hello', 'in/big.bin': Buffer.alloc(40 * MIB, 7), 'in/empty': '' });
    // Services tell full seconds, and what is younger than its copy counts as changed.
    for (const name of ['in/a b/ü.txt', 'in/big.bin', 'in/empty']) utimesSync(dir.at(name), 1_600_000_000, 1_600_000_000);
    const { aws_access_key_id, aws_secret_access_key, endpoint_url = '' } = settings;
    // Without its defaults, which the backend has too.
    const table = { type: 's3', endpoint_url, aws_access_key_id, aws_secret_access_key } as Config['connections'][string];
    await using factotum = createInstance({
      cwd: dir.path,
      connections: { tables: { ceph: table }, resolve: async (text) => text },
      log: { level: 'silent' },
    });
    const { ok, results } = await factotum.run([
      ['FA_sync_between', { source: 'in', target: 's3+ceph://contract/lists/' }],
      ['FA_sync_between', { source: 'in', target: 's3+ceph://contract/lists/' }],
      ['FA_sync_between', { source: 's3+ceph://contract/lists/', target: 's3+ceph://other.with-dots/copied/' }],
      ['FA_sync_between', { source: 's3+ceph://other.with-dots/copied/', target: 'back' }],
    ]);
    expect(ok, JSON.stringify(results)).toBe(true);
    expect(results.map(({ value }) => value)).toMatchObject([{ copied: 3 }, { copied: 0, unchanged: 3 }, { copied: 3 }, { copied: 3 }]);
    execFileSync('diff', ['-r', dir.at('in'), dir.at('back')]);
    expect(await uploads()).toBe(0);
  });

  test('wrong keys are told without showing them', async () => {
    await using wrong = openS3({ ...settings, aws_secret_access_key: 'hush-hush' }, nearWorld('s3'));
    const fault = await wrong.read('contract/x', { signal }).catch((each: unknown) => each);
    expect(fault).toMatchObject({
      type: 'S3Exception',
      retryable: false,
      context: { code: 'denied', server_code: 'SignatureDoesNotMatch' },
    });
    expect(JSON.stringify(fault) + String(fault)).not.toContain('hush');
    await using unknown = openS3({ ...settings, aws_access_key_id: 'nobody' }, nearWorld('s3'));
    await expect(unknown.read('contract/x', { signal })).rejects.toMatchObject({ context: { server_code: 'InvalidAccessKeyId' } });
    await using anonymous = openS3({ endpoint_url: settings.endpoint_url, anonymous: true }, nearWorld('s3'));
    await expect(anonymous.read('contract/large', { signal })).rejects.toEqual(code('denied'));
  });

  test('a line that fails at any moment loses nothing and shows nothing half', patience(120_000), async () => {
    await using proxy = await openFaultProxy(peer.port);
    const random = seeded(seedOf(31));
    const near = { ...settings, endpoint_url: `http://127.0.0.1:${proxy.port}`, timeout: 0.4 };
    await using inner = openS3(near, nearWorld('s3'));
    const layered = withLayers(inner, { wait: async () => {}, random, retry: { attempts: 4, backoffS: 0, capS: 0 } });
    for (let round = 0; round < rounds(25, 250); round += 1) {
      const content = Buffer.alloc(1 + Math.floor(random() * 200_000), round);
      const path = `contract/torn/${round % 5}`;
      proxy.arm(randomFault(random, { 'to-server': 1.3 * content.byteLength + 2000, 'to-client': 3000 }));
      await layered.write(path, outgoing(content), { signal });
      proxy.arm(randomFault(random, { 'to-server': 2000, 'to-client': 1.1 * content.byteLength }));
      const hash = createHash('sha256');
      for await (const chunk of await layered.read(path, { signal })) hash.update(chunk);
      expect(hash.digest('hex'), `round ${round}`).toBe(createHash('sha256').update(content).digest('hex'));
    }
    proxy.arm(undefined);
    expect(await uploads()).toBe(0);
  });
});
