import { afterEach, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createPolicy } from '../../access/policy.ts';
import { createInstance } from '../create.ts';
import { createRunners } from './runners.ts';

/** A thread that does with every order what its path says. */
const ODD_THREAD = `
import { parentPort } from 'node:worker_threads';
const does = {
  spin() { for (;;); },
  bomb() { const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length)); },
  fill() { const kept = []; const seen = new Set(); for (let at = 0; ; at += 1) { seen.add(at); if (at % 1_000 === 0) kept.push(new Array(10_000).fill(at)); } },
  crash() { setImmediate(() => { throw new Error('boom'); }); },
  leave() { process.exit(1); },
  hold(id) { parentPort.postMessage({ kind: 'tell', id, telling: { what: 'hold', bytes: 1e12 } }); },
  wait() {},
  fine(id) { parentPort.postMessage({ kind: 'done', id, value: { size: 1 } }); },
};
parentPort.on('message', ({ kind, order, id, fault }) => {
  if (kind === 'ping') parentPort.postMessage({ kind: 'pong', heapBytes: 0 });
  if (kind === 'abort') parentPort.postMessage({ kind: 'failed', id, fault });
  if (kind === 'order') does[order.args.path](order.id);
});
parentPort.postMessage({ kind: 'ready', task: undefined });
`;

let dir: TempDir | undefined;
afterEach(() => {
  dir?.[Symbol.dispose]();
  dir = undefined;
});

const openHouse = ({ maxSpinMs = 60_000, maxHeapMb = 64 } = {}) => {
  dir = tempDir();
  const lines: string[] = [];
  const factotum = createInstance({
    cwd: dir.path,
    log: { level: 'error', write: (line) => void lines.push(line) },
    openRunners: ({ cwd, log }) =>
      createRunners({
        width: 2,
        maxHeapMb,
        maxMemoryMb: 128,
        maxSpinMs,
        cwd,
        log,
        stateDirectory: cwd,
        journalOf: () => undefined,
        append() {},
        changing() {},
        url: async () => new URL(`data:text/javascript,${encodeURIComponent(ODD_THREAD)}`),
      }),
  });
  const ann = { name: 'ann', remote: true, policy: createPolicy({ readWrite: [dir.path] }) };
  const doing = (...what: string[]) => what.map((path) => ['FA_stat', { path }]);
  const errorsOf = async (running: ReturnType<typeof factotum.run>) =>
    (await running).results.map(({ status, error }) => error?.type ?? status);
  return { factotum, ann, doing, errorsOf, lines, [Symbol.asyncDispose]: () => factotum.close() };
};

test('a command that takes too much memory fails alone, and the next one runs', async () => {
  await using house = openHouse();
  expect(await house.errorsOf(house.factotum.run(house.doing('bomb', 'fine')))).toEqual(['QuotaExceededException', 'ok']);
});

test('a command of a limited caller that takes what all have fails alone, and the process lives', { timeout: 60_000 }, async () => {
  await using house = openHouse({ maxHeapMb: 2048 });
  const { results } = await house.factotum.run(house.doing('fill', 'fine'), { caller: house.ann });
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['QuotaExceededException', 'ok']);
  expect(results[0]?.error?.context).toMatchObject({ limit: 'runner_memory_mb', runner_memory_mb: 128 });
});

test.each(['crash', 'leave'])('a thread that %ss is an error of ours, and the next command runs', async (what) => {
  await using house = openHouse();
  expect(await house.errorsOf(house.factotum.run(house.doing(what, 'fine')))).toEqual(['InternalException', 'ok']);
});

test('a command that computes and is cancelled is ended, and others run', { timeout: 30_000 }, async () => {
  await using house = openHouse();
  const stop = new AbortController();
  const spinning = house.factotum.run(house.doing('spin'), { signal: stop.signal });
  expect(await house.errorsOf(house.factotum.run(house.doing('fine')))).toEqual(['ok']);
  stop.abort();
  expect(await house.errorsOf(spinning)).toEqual(['CancelledException']);
  expect(await house.errorsOf(house.factotum.run(house.doing('fine')))).toEqual(['ok']);
});

test('a deadline ends a command that computes', { timeout: 30_000 }, async () => {
  await using house = openHouse();
  const graph = { nodes: [{ id: 'a', action: ['FA_stat', { path: 'spin' }], timeout_s: 0.5 }] };
  expect(await house.errorsOf(house.factotum.run(graph))).toEqual(['TimeoutException']);
});

test('closing ends what computes', { timeout: 30_000 }, async () => {
  const house = openHouse();
  const spinning = house.factotum.run(house.doing('spin'));
  expect(await house.errorsOf(house.factotum.run(house.doing('fine')))).toEqual(['ok']);
  await house.factotum.close();
  expect(await house.errorsOf(spinning)).toEqual(['CancelledException']);
});

test('a command that keeps more than its run may is stopped', async () => {
  await using house = openHouse();
  expect(await house.errorsOf(house.factotum.run(house.doing('hold', 'fine')))).toEqual(['QuotaExceededException', 'ok']);
});

test('a command that is cancelled hears of it', async () => {
  await using house = openHouse();
  const stop = new AbortController();
  const waiting = house.factotum.run(house.doing('wait'), { signal: stop.signal, caller: house.ann });
  expect(await house.errorsOf(house.factotum.run(house.doing('fine')))).toEqual(['ok']);
  stop.abort();
  expect(await house.errorsOf(waiting)).toEqual(['CancelledException']);
});
