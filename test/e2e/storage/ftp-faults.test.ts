import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { FTPException } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { dial } from '../../../src/lib/net/connect.ts';
import { createNetwork } from '../../../src/lib/net/network.ts';
import { withLayers } from '../../../src/storage/layers/layers.ts';
import { everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { type FtpVariant, ftpSettings, openTestFtp } from '../../support/ftp.ts';
import { describePeer } from '../../support/peers.ts';
import { seeded } from '../../support/seeded.ts';
import { rounds, seedOf } from '../../support/torture.ts';

const { signal } = new AbortController();
const OLD = 'o'.repeat(20_000);
const NEW = 'n'.repeat(150_000);

/** Lines are torn side by side, because most of the time is waiting for those that stand still. */
const LINES = 5;

/** A proxy on the way to every port of the server, so that connections for data break too. */
const openLine = async () => {
  const wanted: number[] = [];
  const proxy = await openFaultProxy(() => wanted.shift() ?? 0);
  const network = createNetwork({
    dial(target, options) {
      wanted.push(target.port);
      return dial({ ...target, port: proxy.port }, options);
    },
  });
  return { proxy, network, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
};

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (each: unknown) => each,
  );
const round = async (storage: Storage, path: string): Promise<unknown[]> => [
  await outcome(storage.write(path, outgoing(NEW), { signal })),
  await outcome(storage.read(path, { signal }).then(textOf)),
  await outcome(everything(storage.list(path.slice(0, path.lastIndexOf('/')), { signal, deep: true }))),
];

const seed = seedOf(20_262);
for (const variant of ['plain', 'reuse'] satisfies FtpVariant[]) {
  describePeer('proftpd', variant, async (open) => {
    const peer = await open();
    const settings = ftpSettings(peer, variant, { timeout: variant === 'plain' ? 1 : 3 }); // shaking hands takes its time
    const straight = openTestFtp(ftpSettings(peer, variant));
    afterAll(async () => {
      await straight[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    });

    test.concurrent.each(Array.from({ length: LINES }, (_, line) => line))(
      `line %i breaks and leaves the old file or the new one (seed ${seed})`,
      async (line) => {
        await using way = await openLine();
        const { proxy, network } = way;
        const random = seeded(seed + line);
        const directory = `torn ${line}`;
        {
          await using storage = openTestFtp(settings, network);
          expect(await round(storage, `${directory}/measured`)).toEqual([undefined, undefined, undefined]);
        }
        const most = { 'to-server': proxy.passed('to-server'), 'to-client': proxy.passed('to-client') };
        for (let at = 0; at < rounds(50, 500, 10) / LINES / 2; at += 1) {
          const path = `${directory}/${at}`;
          await straight.write(path, outgoing(OLD), { signal });
          const fault = randomFault(random, most);
          proxy.arm(fault);
          await using storage = openTestFtp(settings, network);
          const met = await round(storage, path);
          const what = `${JSON.stringify(fault)} at ${at}: ${met.map(String).join(' | ')}`;
          for (const each of met) if (each !== undefined) expect(each, what).toBeInstanceOf(FTPException);
          proxy.arm(undefined);
          const found = await textOf(await straight.read(path, { signal }));
          expect([OLD, NEW], what).toContain(found);
          if (met[0] === undefined) expect(found, what).toBe(NEW);
          // The same storage goes on over a new connection, and leaves nothing behind.
          expect(await storage.stat(path, { signal }), what).toMatchObject({ kind: 'file' });
          await storage.sweep?.(path, { signal });
          await straight.remove(path, { signal });
        }
        expect(readdirSync(peer.dir.at(`files/${directory}`))).toEqual(['measured']);
      },
    );

    test('with the layers around it, everything arrives over a line that breaks once', async () => {
      await using way = await openLine();
      const random = seeded(seed);
      for (let at = 0; at < rounds(6, 60, 3); at += 1) {
        const path = `layered/${at}`;
        way.proxy.arm(randomFault(random, { 'to-server': 160_000, 'to-client': 2000 }));
        await using inner = openTestFtp(settings, way.network);
        const storage = withLayers(inner, { wait: async () => {}, random: () => 0 });
        expect(await storage.write(path, outgoing(NEW), { signal })).toMatchObject({ bytes: NEW.length, verified: 'size' });
        way.proxy.arm(randomFault(random, { 'to-server': 500, 'to-client': 160_000 }));
        expect((await textOf(await storage.read(path, { signal }))).length).toBe(NEW.length);
      }
    });
  });
}
