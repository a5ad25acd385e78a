import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { SFTPException } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage.ts';
import type { SftpSettings } from '../../../src/storage/backends/sftp/settings.ts';
import { withLayers } from '../../../src/storage/layers/layers.ts';
import { everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { type FaultProxy, openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { seeded } from '../../support/seeded.ts';
import { openTestSftp, sftpSettings } from '../../support/sftp.ts';
import { rounds, seedOf } from '../../support/torture.ts';

const { signal } = new AbortController();
const OLD = 'o'.repeat(20_000);
const NEW = 'n'.repeat(150_000);

/** Lines are torn side by side, because most of the time is waiting for those that stand still. */
const LINES = 5;

describePeer('sshd', '', async (open) => {
  const peer = await open();
  const base = `${peer.dir.at('home')}/torn`;
  const straight = openTestSftp(sftpSettings(peer));
  afterAll(async () => {
    await straight[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  const through = ({ port }: FaultProxy): SftpSettings =>
    sftpSettings(peer, { port, known_hosts: peer.dir.read('known_hosts')?.replaceAll(`:${peer.port}`, `:${port}`), timeout: 1 });
  const isOver = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (each: unknown) => each,
    );
  const round = async (storage: Storage, path: string): Promise<unknown[]> => [
    await isOver(storage.write(path, outgoing(NEW), { signal })),
    await isOver(storage.read(path, { signal }).then(textOf)),
    await isOver(everything(storage.list(path.slice(0, path.lastIndexOf('/')), { signal, deep: true }))),
  ];

  const seed = seedOf(20_261);
  test.concurrent.each(Array.from({ length: LINES }, (_, line) => line))(
    `line %i breaks and leaves the old file or the new one (seed ${seed})`,
    async (line) => {
      await using proxy = await openFaultProxy(peer.port);
      const random = seeded(seed + line);
      const directory = `${base}/${line}`;
      {
        await using storage = openTestSftp(through(proxy));
        await round(storage, `${directory}/measured`);
      }
      const most = { 'to-server': proxy.passed('to-server'), 'to-client': proxy.passed('to-client') };
      for (let at = 0; at < rounds(50, 500, 10) / LINES; at += 1) {
        const path = `${directory}/${at}`;
        await straight.write(path, outgoing(OLD), { signal });
        const fault = randomFault(random, most);
        proxy.arm(fault);
        await using storage = openTestSftp(through(proxy));
        const met = await round(storage, path);
        const what = `${JSON.stringify(fault)} at ${at}: ${met.map(String).join(' | ')}`;
        for (const each of met) if (each !== undefined) expect(each, what).toBeInstanceOf(SFTPException);
        proxy.arm(undefined);
        const found = await textOf(await straight.read(path, { signal }));
        expect([OLD, NEW], what).toContain(found);
        if (met[0] === undefined) expect(found, what).toBe(NEW);
        // The same storage goes on over a new connection, and leaves nothing behind.
        expect(await storage.stat(path, { signal }), what).toMatchObject({ kind: 'file' });
        await storage.sweep?.(path, { signal });
        await straight.remove(path, { signal });
      }
      expect(readdirSync(directory)).toEqual(['measured']);
    },
  );

  test('with the layers around it, everything arrives over a line that breaks once', async () => {
    await using proxy = await openFaultProxy(peer.port);
    const random = seeded(seed);
    for (let at = 0; at < rounds(10, 100, 3); at += 1) {
      const path = `${base}/layered ${at}`;
      proxy.arm(randomFault(random, { 'to-server': 160_000, 'to-client': 4000 }));
      await using inner = openTestSftp(through(proxy));
      const storage = withLayers(inner, { wait: async () => {}, random: () => 0 });
      expect(await storage.write(path, outgoing(NEW), { signal })).toMatchObject({ bytes: NEW.length, verified: 'size' });
      proxy.arm(randomFault(random, { 'to-server': 4000, 'to-client': 160_000 }));
      expect((await textOf(await storage.read(path, { signal }))).length).toBe(NEW.length);
    }
  });
});
