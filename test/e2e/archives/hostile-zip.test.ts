import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../support/archives/build-zip.ts';
import { namesIn } from '../../support/archives/tree.ts';
import { openHouse } from '../../support/house.ts';
import { abortAfter } from '../../support/stop-reasons.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startFactotum } from '../cli/built.ts';

const KITCHEN = { root: '/R', archive: () => Buffer.alloc(0) };
const COUNT = 60_000;
const MANY = buildZip(
  Array.from({ length: COUNT }, (_, at) => ({ type: 'file', name: `d/${at}`, data: '' })),
  KITCHEN,
);
/** A gigabyte out of one megabyte. */
const DEEP = buildZip(
  ['a', 'b', 'c', 'd'].map((name) => ({ type: 'file', name, method: 'deflate' as const, fill: ['x', 256 * 1024 ** 2] as const })),
  KITCHEN,
);
/** With guards raised by whoever trusts it. */
const RAISED = { max_ratio: 1_000_000 };
const SECONDS = 0.5;

/** How often others had their turn until something was done. */
const turnsDuring = async <T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly turns: number }> => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { value: await work(), turns };
  } finally {
    isOver = true;
  }
};

describe('a zip file of many entries', () => {
  test.each([
    ['FA_zip_info', { zip_file_path: 'o.zip' }],
    ['FA_zip_file_info', { zip_file_path: 'o.zip' }],
    ['FA_list_archive', { path: 'o.zip' }],
  ])('lets others have their turn while %s reads it', async (name, args) => {
    await using house = openHouse({ files: { 'o.zip': MANY }, logLevel: 'error' });
    const { value, turns } = await turnsDuring(() => house.run([[name, args]]));
    expect(value.results[0]?.value).toHaveLength(COUNT);
    expect(turns).toBeGreaterThan(COUNT / 2000); // every 1,000 entries, where others want it
  });

  test.each([
    ['FA_zip_info', { zip_file_path: 'o.zip' }],
    ['FA_zip_file_info', { zip_file_path: 'o.zip' }],
    ['FA_list_archive', { path: 'o.zip' }],
    ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x' }],
    ['FA_extract_archive', { source: 'o.zip', target: 'x' }],
  ])('is left where %s is cancelled on the way', async (name, args) => {
    await using house = openHouse({ files: { 'o.zip': MANY }, logLevel: 'error' });
    await house.run([['FA_zip_file_info', { zip_file_path: 'missing.zip' }]]); // the code is loaded
    const { results } = await house.run([[name, args]], { signal: abortAfter(20, undefined) });
    expect(results[0]?.status).toBe('cancelled');
    expect(namesIn(house.dir.path)).toEqual(['o.zip']);
  });
});

describe('a zip file that unpacks to far more than it is', () => {
  const extracting = ['FA_extract_archive', { source: 'o.zip', target: 'x', ...RAISED }];

  test('is refused unless its guards are raised', async () => {
    await using house = openHouse({ files: { 'o.zip': DEEP }, logLevel: 'error' });
    const { results } = await house.run([['FA_extract_archive', { source: 'o.zip', target: 'x' }]]);
    expect(results[0]?.error?.type).toBe('QuotaExceededException');
  });

  test.each([
    ['FA_with_timeout', [['FA_with_timeout', { seconds: SECONDS, actions: [extracting] }]], 'TimeoutException'],
    ['a quota of seconds', { actions: [extracting], quota: { max_seconds: SECONDS } }, 'QuotaExceededException'],
    ['a quota of bytes', { actions: [extracting], quota: { max_bytes: 1_000_000 } }, 'QuotaExceededException'],
  ])('is left at the end of %s, and nothing of it stays', async (_, request, type) => {
    await using house = openHouse({ files: { 'o.zip': DEEP }, logLevel: 'error' });
    const { value, turns } = await turnsDuring(() => house.run(request).catch((fault: unknown) => fault));
    expect(JSON.stringify(value)).toContain(type);
    expect(turns).toBeGreaterThan(5);
    expect(namesIn(house.dir.path)).toEqual(['o.zip']);
  });

  test('is left when its run is cancelled, and nothing of it stays', async () => {
    await using house = openHouse({ files: { 'o.zip': DEEP }, logLevel: 'error' });
    const controller = new AbortController();
    const running = house.run([extracting], { signal: controller.signal });
    await expect.poll(() => namesIn(house.dir.path).some((name) => name.includes('.part'))).toBe(true);
    controller.abort();
    expect((await running).status).toBe('cancelled');
    expect(namesIn(house.dir.path)).toEqual(['o.zip']);
  });

  test('is left at the first SIGTERM, and nothing of it stays', async () => {
    using dir = tempDir({ 'o.zip': DEEP });
    const child = startFactotum(['exec', 'extract_archive', 'o.zip', 'x', '--max-ratio', '1000000'], dir.path);
    const [err, ended] = [text(child.stderr), once(child, 'exit')];
    while (!readdirSync(dir.path).some((name) => name.endsWith('.part'))) await new Promise(setImmediate);
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
    expect(await err).toContain('interrupted');
    expect(namesIn(dir.path)).toEqual(['o.zip']);
  });
});

describe('an encrypted zip file', () => {
  const password = 'pass';
  const packing = ['FA_zip_file', { zip_file_path: 'o.zip', file: 'big', password }];
  const files = { big: Buffer.alloc(8 * 1024 * 1024, 'x') };

  test.each([
    ['FA_read_zip_file', { zip_file_path: 'o.zip', file_name: 'big', password, ...RAISED }],
    ['FA_unzip_all', { zip_file_path: 'o.zip', extract_path: 'x', password, ...RAISED }],
  ])('is left where %s is cancelled on the way, and lets others have their turn', async (name, args) => {
    await using house = openHouse({ files, logLevel: 'error' });
    await house.run([packing, ['FA_remove_file', { file_path: 'big' }]]);
    const whole = await turnsDuring(() => house.run([[name, args]]));
    expect([whole.value.ok, whole.turns > 10]).toEqual([true, true]);
    await house.run([['FA_remove_dir_tree', { dir_path: 'x' }]]);
    const { results } = await house.run([[name, args]], { signal: abortAfter(10, undefined) });
    expect(results[0]?.status).toBe('cancelled');
    expect(namesIn(house.dir.path)).toEqual(['o.zip']);
  });
});
