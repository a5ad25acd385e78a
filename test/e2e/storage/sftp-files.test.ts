import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Outgoing } from '../../../src/core/storage.ts';
import { newStoragePartName } from '../../../src/storage/part-name.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { openFaultProxy } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { openTestSftp, sftpSettings } from '../../support/sftp.ts';
import { canMountTmpfs, tmpfs } from '../../support/tmpfs.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Content that is different everywhere, made while it is asked for. */
const numbered = (bytes: number): Outgoing & { readonly bytes: number } => ({
  bytes,
  async *chunks({ start, end = bytes }) {
    const block = Buffer.alloc(100_000);
    for (let at = start; at < end; ) {
      const count = Math.min(block.length, end - at);
      for (let n = 0; n < count; n += 1) block[n] = (at + n) % 251;
      yield block.subarray(0, count);
      at += count;
    }
  },
});
const digestOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
};

describePeer('sshd', '', async (open) => {
  const peer = await open();
  const storage = openTestSftp(sftpSettings(peer, { username: 'root', password: undefined, private_key: peer.dir.read('client_ed25519') }));
  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  const base = peer.dir.at('home');
  const list = (path: string, deep = false) => everything(storage.list(path, { signal, deep }));

  describe('links', () => {
    test('are shown as what they point to, and never walked in cycles', async () => {
      const root = `${base}/links`;
      mkdirSync(`${root}/a/b`, { recursive: true });
      mkdirSync(`${root}/outside/x`, { recursive: true });
      writeFileSync(`${root}/a/file`, 'content');
      writeFileSync(`${root}/outside/x/far`, 'far');
      symlinkSync('file', `${root}/a/to-file`);
      symlinkSync('nowhere', `${root}/a/dangling`);
      symlinkSync('..', `${root}/a/b/up`);
      symlinkSync(`${root}/outside/x`, `${root}/a/linked`);
      symlinkSync(`${root}/a`, `${root}/outside/x/back`);
      symlinkSync('/dev/null', `${root}/a/device`);
      const found = (await list(`${root}/a`, true)).map((path) => path.slice(root.length + 3));
      expect(found).toEqual(['b/', 'b/up/', 'file', 'linked/', 'linked/back/', 'linked/far', 'to-file']);
      expect(await textOf(await storage.read(`${root}/a/to-file`, { signal }))).toBe('content');
      expect(await storage.stat(`${root}/a/linked`, { signal })).toMatchObject({ kind: 'dir' });
      expect(await storage.stat(`${root}/a/dangling`, { signal })).toBeUndefined();
    });
  });

  describe('paths', () => {
    test('from the top of the machine and from the login directory', async () => {
      await storage.write(`${base}/paths/deep/x`, outgoing('x'), { signal });
      expect(await list('/')).toContain('/tmp/');
      expect(await storage.stat('/', { signal })).toMatchObject({ path: '/', kind: 'dir' });
      expect(await storage.stat('', { signal })).toMatchObject({ path: '', kind: 'dir' });
    });

    test('that are too long for the server are bad names', async () => {
      await expect(storage.write(`${base}/${'x'.repeat(300)}`, outgoing('x'), { signal })).rejects.toEqual(code('bad_name'));
    });

    test('through a file lead nowhere', async () => {
      await storage.write(`${base}/plain`, outgoing('x'), { signal });
      expect(await storage.stat(`${base}/plain/below`, { signal })).toBeUndefined();
      await expect(storage.write(`${base}/plain/below`, outgoing('x'), { signal })).rejects.toEqual(code('exists'));
    });
  });

  describe('a large file', () => {
    test('goes over two connections and comes back as it went', async () => {
      await using proxy = await openFaultProxy(peer.port);
      await using through = openTestSftp(
        sftpSettings(peer, {
          port: proxy.port,
          known_hosts: sftpSettings(peer).known_hosts?.replaceAll(`:${peer.port}`, `:${proxy.port}`),
        }),
      );
      const content = numbered(40_000_003);
      const item = await through.write(`${base}/large`, content, { signal, modifiedMs: 1_600_000_000_000 });
      expect(item).toMatchObject({ bytes: content.bytes, modifiedMs: 1_600_000_000_000 });
      expect(proxy.connections).toBe(2);
      const expected = await digestOf(content.chunks({ start: 0 }, { signal }));
      expect(await digestOf(await through.read(`${base}/large`, { signal }))).toBe(expected);
      expect(
        createHash('sha256')
          .update(readFileSync(`${base}/large`))
          .digest('hex'),
      ).toBe(expected);
      const stretch = { start: 20_000_001, end: 39_999_999 };
      expect(await digestOf(await through.read(`${base}/large`, { signal, stretch }))).toBe(
        await digestOf(content.chunks(stretch, { signal })),
      );
    });

    test('is given up in the middle by its reader, and the connection goes on', async () => {
      await storage.write(`${base}/half`, numbered(5_000_000), { signal });
      for await (const chunk of await storage.read(`${base}/half`, { signal })) if (chunk.byteLength > 0) break;
      expect(await storage.stat(`${base}/half`, { signal })).toMatchObject({ bytes: 5_000_000 });
    });
  });

  describe('parts', () => {
    test('that come in any order make the file, by whoever goes on', async () => {
      const [path, bytes, size] = [`${base}/parted`, 9_000_000, storage.can.parts?.minBytes ?? 0];
      const content = numbered(bytes);
      const part = (number: number) => {
        const start = (number - 1) * size;
        const end = Math.min(bytes, start + size);
        return { bytes: end - start, chunks: () => content.chunks({ start, end }, { signal }) };
      };
      const first = await storage.startParts?.(path, { signal, bytes });
      const last = await first?.put(3, part(3), { signal });
      await using other = openTestSftp(
        sftpSettings(peer, { username: 'root', password: undefined, private_key: peer.dir.read('client_ed25519') }),
      );
      const known = last === undefined ? [] : [last, { number: 9, bytes: size, receipt: '9' }];
      const second = await other.resumeParts?.(path, first?.ticket ?? null, { signal, known });
      expect(second?.held).toEqual([last]);
      const [two, one] = [await second?.put(2, part(2), { signal }), await second?.put(1, part(1), { signal })];
      const held = [one, two, last].flatMap((each) => each ?? []);
      await expect(second?.commit(held.slice(0, 2), { signal })).rejects.toEqual(code('broken'));
      await second?.commit(held, { signal });
      expect(await second?.commit(held, { signal })).toMatchObject({ bytes }); // the answer to the first may have been lost
      expect(await digestOf(await storage.read(path, { signal }))).toBe(await digestOf(content.chunks({ start: 0 }, { signal })));
    });

    test('are not taken from a ticket that names another file', async () => {
      await storage.write(`${base}/precious`, outgoing('precious'), { signal });
      for (const name of ['precious', '../precious', newStoragePartName('other')]) {
        expect(await storage.resumeParts?.(`${base}/target`, { name, bytes: 8 }, { signal })).toBeUndefined();
      }
    });
  });

  test('what killed processes have left for a target is swept, and nothing else', async () => {
    const directory = `${base}/swept`;
    mkdirSync(directory);
    const ofTheDead = (target: string) => newStoragePartName(target).replace(/-[0-9]+-[0-9]+-(?=[0-9a-f]{32}\.part$)/, '-4194999-1-');
    const [dead, living, other] = [ofTheDead('a'), newStoragePartName('a'), ofTheDead('b')];
    for (const name of [dead, living, other, 'a', '.hidden']) writeFileSync(`${directory}/${name}`, '');
    expect(await list(directory)).toEqual([`${directory}/.hidden`, `${directory}/a`]);
    await storage.sweep?.(`${directory}/a`, { signal });
    expect(readdirSync(directory).sort()).toEqual([living, other, 'a', '.hidden'].sort());
  });

  test.skipIf(!canMountTmpfs)('a full disk is told as such, and leaves nothing', async () => {
    using disk = tmpfs('size=2m');
    await expect(storage.write(`${disk.path}/big`, numbered(5_000_000), { signal })).rejects.toEqual(code('out_of_space'));
    expect(readdirSync(disk.path)).toEqual([]);
  });

  test('many calls at once share the connections', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => `${base}/many/${at % 7}/${at}`);
    await Promise.all(paths.map((path) => storage.write(path, outgoing(path), { signal })));
    expect(await Promise.all(paths.map(async (path) => textOf(await storage.read(path, { signal }))))).toEqual(paths);
  });
});
