import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { factotum } from '../cli/built.ts';
import { integrityOf } from '../store/integrity.ts';
import { canMount, fillUp, type SmallDisk, smallDisk } from '../store/small-disk.ts';
import { startServed } from './served.ts';

const demandDisk = (): SmallDisk => {
  const disk = smallDisk();
  if (disk === undefined) throw new Error('no disk');
  return disk;
};

const WATCHER = `
[[watchers]]
name = "inbox"
path = "inbox"
settle_s = 0.05
debounce_s = 0.02
actions = [["FA_copy_file", ["\${event.path}", "done"]]]
`;

/** A service at work: its files lie on a good disk, its store on the small one. */
const openPlace = () => tempDir({ 'factotum.toml': WATCHER, 'inbox/old.txt': '', 'done/old.txt': '' });

const LIST = [['FA_list_dir', ['.']]];

interface Answer {
  readonly status: number;
  readonly body: { readonly run_id?: string; readonly ok?: boolean; readonly error?: unknown; readonly reason?: string };
}

const ask = async (url: string, path: string, init: RequestInit = {}): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // what these routes answer
};

const post = (url: string, path: string, key?: string): Promise<Answer> =>
  ask(url, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: JSON.stringify(LIST),
  });

const idsIn = async (url: string): Promise<string[]> => {
  const answer = await fetch(`${url}/runs`);
  const { runs } = (await answer.json()) as { readonly runs: readonly { readonly run_id: string; readonly source: string }[] };
  return runs.filter(({ source }) => source === 'http').map(({ run_id }) => run_id);
};

const FULL = /^No space is left for the store at .*; free some, what is stored can still be read\.$/;

describe.skipIf(!canMount)('a service whose store is on a bad disk (needs the right to mount a tmpfs)', { timeout: 300_000 }, () => {
  test('that runs full takes nothing it cannot keep, says so, and goes on by itself when there is room', async () => {
    using disk = demandDisk();
    using dir = openPlace();
    await using served = startServed({ cwd: dir.path, state: disk.path });
    const url = await served.url;
    const before = await post(url, '/runs');
    expect(before.status).toBe(202);

    fillUp(disk);
    const full = { type: 'StoreException', retryable: true, message: expect.stringMatching(FULL) };
    for (const refused of [await post(url, '/runs'), await post(url, '/actions', 'a-key')]) {
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatchObject(full);
    }
    // Work that nobody wants to be remembered goes on.
    const unrecorded = await post(url, '/actions');
    expect(unrecorded).toMatchObject({ status: 200, body: { ok: true } });
    expect(await ask(url, '/readyz')).toMatchObject({ status: 503, body: { reason: expect.stringContaining('No space is left') } });
    expect((await ask(url, '/healthz')).status).toBe(200);
    expect(await idsIn(url)).toEqual([before.body.run_id]);
    dir.write('inbox/new.txt', 'x');

    disk.free();
    const after = await post(url, '/actions', 'a-key');
    expect(after).toMatchObject({ status: 200, body: { ok: true } });
    await expect.poll(() => ask(url, '/readyz'), { timeout: 30_000 }).toMatchObject({ status: 200 });
    await expect.poll(() => dir.read('done/new.txt'), { timeout: 30_000 }).toBe('x');
    const all = [after, unrecorded, before].map(({ body }) => body.run_id);
    expect((await idsIn(url)).sort()).toEqual(all.sort());
    expect(await served.stop('SIGTERM')).toBe(0);
    expect(served.complaints()).toMatch(/ERROR runs are not recorded: No space is left/);
    expect(served.complaints()).toContain('runs are recorded again');
    expect(integrityOf(storeFileIn(join(disk.path, 'factotum')))).toBe('ok');
  });

  test.each([
    ['full', fillUp, (disk: SmallDisk) => disk.free(), /No space is left for the store at .*; free some/],
    [
      'read-only',
      (disk: SmallDisk) => disk.allowWriting(false),
      (disk: SmallDisk) => disk.allowWriting(true),
      /The store at .* cannot be written; make its disk and directory writable/,
    ],
  ])('that is %s does not start and says why; its history can be read, and nothing is lost', async (_, spoil, mend, reason) => {
    using disk = demandDisk();
    using dir = openPlace();
    const start = () => startServed({ cwd: dir.path, state: disk.path });
    const runId = await (async () => {
      await using served = start();
      const { body } = await post(await served.url, '/actions', 'a-key');
      await served.stop('SIGTERM');
      return body.run_id;
    })();

    spoil(disk);
    await using refused = start();
    await expect(refused.url).rejects.toThrow(reason);
    expect(await refused.stop('SIGTERM')).not.toBe(0);
    const shown = factotum(['runs', '--json'], { cwd: dir.path, env: { XDG_STATE_HOME: disk.path } });
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(runId ?? '') });

    mend(disk);
    await using again = start();
    const url = await again.url;
    expect((await post(url, '/actions', 'a-key')).body.run_id).toBe(runId);
    expect(await idsIn(url)).toEqual([runId]);
  });
});
