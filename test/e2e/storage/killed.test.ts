import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer, type Peer } from '../../support/peers.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { binOf, builtPackage } from '../cli/built.ts';

const MIB = 1024 * 1024;
const BYTES = 96 * MIB;
/** Slow enough to be killed on the way, fast enough to be waited for. */
const BYTES_PER_S = 24 * MIB;

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describePeer('sshd', '', (open) => {
  let peer: Peer;
  let remote: string;
  const dir = tempDir();
  const config = dir.at('factotum.toml');
  const env = { ...process.env, XDG_STATE_HOME: dir.at('state'), HOME: dir.path };

  beforeAll(async () => {
    peer = await open();
    remote = peer.dir.at('files');
    mkdirSync(remote);
    dir.write(
      'factotum.toml',
      `[connections.peer]\ntype = "sftp"\nhost = "127.0.0.1"\nport = ${peer.port}\nusername = "root"\nkey_filename = "${peer.dir.at('client_ed25519')}"\nknown_hosts = "${peer.dir.at('known_hosts')}"\n`,
    );
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
    dir[Symbol.dispose]();
  });

  const start = (...words: readonly string[]) =>
    spawn(process.execPath, [binOf(builtPackage), 'copy', '--config', config, ...words], {
      env,
      cwd: dir.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  const finished = async (
    child: ReturnType<typeof start>,
  ): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> => {
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = await once(child, 'close');
    return { code, out, err };
  };

  /** How many bytes were written down as arrived. */
  const notedBytes = (): number => {
    const folder = dir.at('state/factotum/transfers');
    try {
      const notes = readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
      return notes.flatMap(({ held = [] }) => held).reduce((sum: number, { bytes }: { readonly bytes: number }) => sum + bytes, 0);
    } catch {
      return 0; // there is none yet, or it is being replaced
    }
  };

  /** Kills a copy on its way, without a chance to tidy up, when some of it has arrived. */
  const killOnTheWay = async (...words: readonly string[]): Promise<number> => {
    const child = start(...words, '--bandwidth', String(BYTES_PER_S));
    const ended = finished(child);
    let noted = 0;
    for (let waited = 0; noted < 32 * MIB && child.exitCode === null && waited < 1500; waited += 1) {
      await delay(20);
      noted = notedBytes();
    }
    child.kill('SIGKILL');
    const { out, err } = await ended;
    expect([out, err, noted >= 32 * MIB]).toEqual(['', '', true]);
    return noted;
  };

  test.each([
    ['an upload', (): [string, string, string] => [dir.at('up'), `sftp+peer://${remote}/up`, `${remote}/up`]],
    ['a download', (): [string, string, string] => [`sftp+peer://${remote}/source`, dir.at('down'), dir.at('down')]],
  ])('%s that was killed goes on where it stopped, and nothing shows before', { timeout: 120_000 }, async (_, ends) => {
    const [from, to, arrived] = ends();
    const original = from.startsWith('sftp') ? `${remote}/source` : from;
    writeFileSync(original, randomBytes(BYTES));
    const noted = await killOnTheWay(from, to);
    const folder = join(arrived, '..');
    expect(readdirSync(folder).includes(arrived.slice(folder.length + 1))).toBe(false);
    const { code, out, err } = await finished(start(from, to));
    expect([code, err]).toEqual([0, from.startsWith('sftp') ? '' : expect.stringContaining(`${to} cannot be undone`)]);
    const { files, resumed_bytes } = JSON.parse(out);
    expect(files).toMatchObject([{ how: 'resumed', bytes: BYTES }]);
    expect(resumed_bytes).toBeGreaterThanOrEqual(noted);
    expect(digest(arrived)).toBe(digest(original));
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    expect(readdirSync(dir.at('state/factotum/transfers'))).toEqual([]);
  });

  test('a source that has changed meanwhile is sent anew', { timeout: 120_000 }, async () => {
    const [from, to] = [dir.at('again'), `sftp+peer://${remote}/again`];
    writeFileSync(from, randomBytes(BYTES));
    await killOnTheWay(from, to);
    writeFileSync(from, randomBytes(BYTES));
    const { code, out } = await finished(start(from, to));
    expect([code, JSON.parse(out)]).toMatchObject([0, { resumed_bytes: 0, files: [{ how: 'copied' }] }]);
    expect(digest(`${remote}/again`)).toBe(digest(from));
    expect(readdirSync(remote).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
