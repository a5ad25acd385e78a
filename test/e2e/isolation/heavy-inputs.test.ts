import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { watchHealth } from '../../support/watch-health.ts';
import { type Served, startServed } from '../service/served.ts';
import { heavyInputs } from './heavy-inputs.ts';

const SECRET = 'a-secret-of-the-guest-123';
/** What a quiet machine shows is 600 MB and a hundredth of the time; this one may be busy with a dozen other tests. */
const MOST_MB = 900;
const MOST_MS = 3_000;

const dir = tempDir({ 'root/.keep': '' });
let served: Served | undefined;
let url = '';

beforeAll(async () => {
  dir.write(
    'factotum.toml',
    `[log]\nlevel = "silent"\n[limits]\nrun_bytes = 33554432\nrunner_memory_mb = 400\n[store]\nhistory = false\n[[tokens]]\nname = "guest"\nsecret = "${SECRET}"\nroots = ["${dir.at('root')}"]\n`,
  );
  served = startServed({ cwd: dir.path });
  url = await served.url;
});

afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});

interface RunAnswer {
  readonly results: readonly { readonly status: string; readonly error?: { readonly type: string } }[];
}

const send = async (list: unknown): Promise<RunAnswer> => {
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/actions`, { method: 'POST', headers, body: JSON.stringify(list) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as RunAnswer; // the form that the door promises
};

/** Paths of a limited caller are below its root. */
const below = (root: string, list: unknown): unknown =>
  JSON.parse(JSON.stringify(list), (key, value) => (PATHS.has(key) ? `${root}/${value}` : value));
const PATHS = new Set([
  'path',
  'src',
  'target',
  'csv_path',
  'parquet_path',
  'left',
  'right',
  'zip_file_path',
  'extract_path',
  'root',
  'file_path',
]);

test.each(Object.entries(heavyInputs))(
  '%s: ends as it should, and others are served',
  { timeout: 120_000 },
  async (name, { files, list, ends }) => {
    const root = `root/${name.replaceAll(/\W+/g, '-')}`;
    for (const [file, content] of Object.entries(files ?? {})) dir.write(`${root}/${file}`, content);
    const sent = send(below(dir.at(root), list));
    const waitMs = await watchHealth(url, sent);
    const { results } = await sent;
    const fault = results.find(({ error }) => error !== undefined)?.error;
    // What fails for its size may meet the bound of the service first.
    const expected = ends === 'ok' ? ['ok'] : [ends, 'QuotaExceededException'];
    expect(expected, JSON.stringify(fault)).toContain(fault?.type ?? 'ok');
    expect(waitMs).toBeLessThan(MOST_MS);
  },
);

test('no more memory than the bound was ever held', () => {
  if (process.platform !== 'linux') return;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${served?.process.pid}/status`, 'utf8')) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThan(MOST_MB);
});

test('the service stops when it is told', async () => {
  const sent = send(below(dir.at('root'), [['FA_yaml_get', { path: 'YAML-of-10-000-keys/a.yaml', key_path: '' }]])).catch(() => {});
  await watchHealth(url, Promise.resolve()); // it is under way by then
  expect(await served?.stop('SIGTERM')).toBe(0);
  await sent;
});
