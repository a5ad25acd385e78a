import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bundleScripts, type Scripts, startChild } from './children.ts';
import { finished, storeContract, submission } from './contract/suite.ts';

let scripts: Scripts;
beforeAll(async () => {
  scripts = await bundleScripts('./serving-child.ts');
});
const dir = tempDir();
afterAll(() => {
  scripts[Symbol.dispose]();
  dir[Symbol.dispose]();
});

let stores = 0;
const newState = (): string => {
  stores += 1;
  return dir.at(`${stores}`);
};

storeContract({
  name: 'the embedded store with its writer in a thread',
  open: (now) => embeddedStore({ file: storeFileIn(newState()), isServing: true, now, writer: scripts.writer }),
});

describe('serving a store', () => {
  test('is for one at a time: a second one is refused and told by whom', async () => {
    const state = newState();
    const child = startChild(scripts.child, state, scripts.writer.href);
    await child.started;
    const refused = { type: 'StoreException', context: { pid: child.process.pid, host: hostname(), since: expect.any(String) } };
    for (const writer of [scripts.writer, undefined]) {
      await using second = embeddedStore({ file: storeFileIn(state), isServing: true, writer });
      await expect(second.ready()).rejects.toMatchObject(refused);
      await expect(second.submit(submission())).rejects.toThrow(new RegExp(`is served by process ${child.process.pid} on .* since `));
    }
    child.process.kill('SIGKILL');
    await child.ended;
    await using next = embeddedStore({ file: storeFileIn(state), isServing: true });
    await next.ready();
  });

  test('leaves room for one-shots beside it', async () => {
    const state = newState();
    await using serving = embeddedStore({ file: storeFileIn(state), isServing: true, writer: scripts.writer });
    await serving.ready();
    await using guest = embeddedStore({ file: storeFileIn(state) });
    const { runId } = await guest.submit(submission());
    spoolRun(state, finished('one-shot'));
    expect(await serving.claim({ worker: 'w', max: 1 })).toMatchObject([{ runId }]);
    expect((await serving.runs()).items.map((run) => run.runId).sort()).toEqual([runId, 'one-shot'].sort());
  });

  test('ends with the store that did, even in the same process', async () => {
    const state = newState();
    const first = embeddedStore({ file: storeFileIn(state), isServing: true, writer: scripts.writer });
    await first.ready();
    await using second = embeddedStore({ file: storeFileIn(state), isServing: true, writer: scripts.writer });
    await expect(second.ready()).rejects.toMatchObject({ context: { pid: process.pid } });
    await first.close();
    await second.ready();
  });
});

describe('the thread of the writer', () => {
  test('that dies fails what waits, and the next call starts another', async () => {
    const dying = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { throw new Error('boom'); });
      parentPort.postMessage({ kind: 'opened' });`;
    await using store = embeddedStore({
      file: storeFileIn(newState()),
      writer: new URL(`data:text/javascript,${encodeURIComponent(dying)}`),
    });
    const lost = { type: 'StoreException', retryable: true, message: expect.stringContaining('has ended; try again') };
    await expect(store.submit(submission())).rejects.toMatchObject(lost);
    await expect(Promise.all([store.submit(submission()), store.runs()])).rejects.toMatchObject(lost);
  });

  test('gives errors of the store with their type and context', async () => {
    await using store = embeddedStore({ file: storeFileIn(newState()), writer: scripts.writer });
    const answers = await Promise.allSettled([store.submit(submission()), store.cancel('none'), store.submit(submission())]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.runs()).items).toHaveLength(2);
  });

  test('is told nothing that cannot travel, and goes on', async () => {
    await using store = embeddedStore({ file: storeFileIn(newState()), writer: scripts.writer });
    const body = [() => {}] as unknown as string[]; // as a caller without types could hand it over
    await expect(store.submit(submission({ body }))).rejects.toMatchObject({ type: 'StoreException', context: { fault: 'unexpected' } });
    await store.submit(submission());
    expect((await store.runs()).items).toHaveLength(1);
  });

  test('does not keep a process alive that has nothing to ask', async () => {
    using once = await bundleScripts('./one-call-child.ts');
    const child = startChild(once.child, newState(), scripts.writer.href);
    await child.ended;
    expect([child.lines, child.process.exitCode]).toEqual([['done'], 0]);
  });
});
