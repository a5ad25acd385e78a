import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { SMBException } from '../../../src/core/errors.ts';
import type { SmbSettings } from '../../../src/storage/backends/smb/settings.ts';
import { newStoragePartName } from '../../../src/storage/part-name.ts';
import { everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { openFaultProxy, randomFault } from '../../support/fault-proxy.ts';
import { describePeer } from '../../support/peers.ts';
import { seeded } from '../../support/seeded.ts';
import { openTestSmb, smbSettings } from '../../support/smb.ts';
import { patience, rounds, seedOf } from '../../support/torture.ts';

const { signal } = new AbortController();
const top = async (settings: SmbSettings) => {
  await using storage = openTestSmb(settings);
  return (await storage.stat('', { signal }))?.kind;
};
const refusal = async (settings: SmbSettings): Promise<SMBException> => {
  const fault = await top(settings).catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(SMBException);
  expect(`${JSON.stringify(fault)} ${String((fault as Error).cause)}`).not.toMatch(/fapeer-pw|wrong-secret/);
  return fault as SMBException; // just looked at
};

describePeer('samba', 'default', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const by = (given: Partial<SmbSettings>) => smbSettings(peer, given);

  describe('a login', () => {
    test.each(['games', 'GAMES', 'PEER\\games', 'PEERGROUP\\games'])('of %s', async (username) =>
      expect(await top(by({ username }))).toBe('dir'),
    );

    test.each<[string, Partial<SmbSettings>, Record<string, unknown>]>([
      ['with the wrong password', { password: 'wrong-secret' }, { code: 'denied', server_code: 'STATUS_LOGON_FAILURE' }],
      ['of somebody who is not known', { username: 'nobody-here' }, { code: 'denied', server_code: 'STATUS_LOGON_FAILURE' }],
      ['to a share that is not there', { share: 'nowhere' }, { code: 'not_found', server_code: 'STATUS_BAD_NETWORK_NAME' }],
      ['to a share that holds no files', { share: 'IPC$' }, { code: 'unsupported' }],
      ['of nobody', { username: undefined, password: undefined }, { code: 'denied' }],
      ['of nobody, encrypted', { username: undefined, password: undefined, encrypt: true }, { code: 'denied' }],
    ])('%s is refused', async (_how, given, context) => {
      expect(await refusal(by(given))).toMatchObject({ context, retryable: false });
    });

    test('where no server is may pass later', async () => {
      expect(await refusal(by({ port: 1 }))).toMatchObject({ context: { code: 'unreachable' }, retryable: true });
    });
  });

  test('a share that is only read refuses every change, and leaves nothing', async () => {
    await using storage = openTestSmb(by({ share: 'readonly' }));
    const denied = { context: { code: 'denied' }, retryable: false };
    await expect(storage.write('x', outgoing('x'), { signal })).rejects.toMatchObject(denied);
    await expect(storage.makeDir?.('y', { signal })).rejects.toMatchObject(denied);
    await expect(storage.startParts?.('z', { signal, bytes: 1 })).rejects.toMatchObject(denied);
    expect(readdirSync(peer.dir.at('share'))).toEqual([]);
  });

  test('what smbclient wrote is read here, and the other way round', async () => {
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 255));
    writeFileSync(peer.dir.at('big'), content);
    const client = (line: string) =>
      execFileSync(
        'smbclient',
        ['-s', peer.dir.at('smb.conf'), '-p', String(peer.port), '-U', `games%${peer.password}`, '//127.0.0.1/share', '-c', line],
        {
          stdio: 'ignore',
        },
      );
    await using storage = openTestSmb(by({}));
    client(`put ${peer.dir.at('big')} theirs`);
    const chunks: Buffer[] = [];
    for await (const chunk of await storage.read('theirs', { signal })) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    await storage.write('ours', outgoing(content), { signal });
    client(`get ours ${peer.dir.at('back')}`);
    expect(readFileSync(peer.dir.at('back')).equals(content)).toBe(true);
    for (const name of ['theirs', 'ours']) await storage.remove(name, { signal });
  });

  test('parts that are given up leave nothing on the disk of the server', async () => {
    await using storage = openTestSmb(by({}));
    const write = await storage.startParts?.('held', { signal, bytes: 4 });
    await write?.put(1, outgoing('held'), { signal });
    await write?.discard({ signal });
    expect(await everything(storage.list('', { signal }))).toEqual([]);
    expect(readdirSync(peer.dir.at('share'))).toEqual([]);
  });

  test('a sweep removes what a killed process left for the target, and nothing else', async () => {
    const at = (name: string) => peer.dir.at(`share/${name}`);
    const living = newStoragePartName('target');
    const killed = newStoragePartName('target').replace(/-[0-9]+-[0-9]+-([0-9a-f]{32})/, '-999999999-1-$1');
    const ofAnother = newStoragePartName('another').replace(/-[0-9]+-[0-9]+-([0-9a-f]{32})/, '-999999999-1-$1');
    for (const name of [living, killed, ofAnother]) writeFileSync(at(name), 'left');
    await using storage = openTestSmb(by({}));
    expect(await everything(storage.list('', { signal }))).toEqual([]);
    await storage.sweep?.('target', { signal });
    expect(readdirSync(peer.dir.at('share')).sort()).toEqual([living, ofAnother].sort());
    for (const name of [living, ofAnother]) rmSync(at(name));
  });

  test('much at once goes over several lines, and all of it arrives', patience(30_000), async () => {
    await using storage = openTestSmb(by({ encrypt: true }));
    const names = Array.from({ length: 60 }, (_, at) => `many/${at}`);
    await Promise.all(names.map((name) => storage.write(name, outgoing(`content of ${name}`), { signal })));
    const contents = await Promise.all(names.map(async (name) => textOf(await storage.read(name, { signal }))));
    expect(contents).toEqual(names.map((name) => `content of ${name}`));
    for (const name of names) await storage.remove(name, { signal });
    await storage.removeDir?.('many', { signal });
  });

  test('a line that breaks at any moment leaves the old file or the new one, and a typed error', patience(60_000), async () => {
    await using proxy = await openFaultProxy(peer.port);
    const seed = seedOf(4711);
    const random = seeded(seed);
    const long = 'new and long '.repeat(20_000);
    for (let round = 0; round < rounds(50, 500, 10); round += 1) {
      await using direct = openTestSmb(by({}));
      await direct.write('target', outgoing('old'), { signal });
      const fault = randomFault(random, { 'to-server': 300_000, 'to-client': 3_000 });
      proxy.arm(fault);
      const broken = openTestSmb(by({ port: proxy.port, connection_timeout: 0.3 }));
      const how = await broken.write('target', outgoing(long), { signal }).then(
        () => 'written',
        (each: unknown) => each,
      );
      const what = `seed ${seed}, round ${round}: ${JSON.stringify(fault)}`;
      const now = await textOf(await direct.read('target', { signal }));
      if (how === 'written') expect(now === long, what).toBe(true);
      else {
        expect(how, what).toBeInstanceOf(SMBException);
        expect(now === 'old' || now === long, what).toBe(true);
      }
      proxy.arm(undefined);
      proxy.resetAll();
      await broken[Symbol.asyncDispose]();
      expect(await everything(direct.list('', { signal })), what).toEqual(['target']);
    }
  });
});

describePeer('samba', 'smb21', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());

  test('a server that cannot encrypt is refused where that is demanded', async () => {
    expect(await refusal(smbSettings(peer, { encrypt: true }))).toMatchObject({
      message: expect.stringMatching(/cannot encrypt/),
      context: { code: 'unsupported' },
    });
    expect(await refusal(smbSettings(peer, { share: 'sealed' }))).toMatchObject({
      context: { code: expect.stringMatching(/denied|unsupported/) },
    });
  });
});
