// One large file and many small ones to a service and back, against rclone: what the benches of S3 and Azure have in common.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DATA_FOLDER } from '../data/ensure.mjs';
import { loadSources } from './load-sources.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './pairs.mjs';

const MEGABYTES = Number(process.env.FACTOTUM_BENCH_MB ?? 1024);
const FILES = Number(process.env.FACTOTUM_BENCH_FILES ?? 10_000);
const AT_ONCE = 16;
const { signal } = new AbortController();

const outgoing = (path, bytes) => ({ bytes, chunks: ({ start }) => createReadStream(path, { start, highWaterMark: 1024 * 1024 }) });

const shortOutgoing = (path) => ({
  bytes: 4096,
  async *chunks() {
    yield await readFile(path);
  },
});

/** Work on many things, some at a time. */
const each = async (items, work) => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

/**
 * `start` makes the place on a server that runs and gives how to open it; `remote` is how rclone writes the place, `own` how the protocol's
 * own program is called.
 * @param {{ name: string, peer: string, port: number, env?: object, entry: string, start: Function }} what
 */
export const runObjectStore = async (report, { name, peer, port, env = {}, entry, start }) => {
  demandProgram('rclone');
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, `${peer}-`));
  const server = join(cwd, 'server');
  const at = (file) => join(cwd, file);
  execFileSync('sh', ['test/peers/up.sh', peer, server, String(port)], { env: { ...process.env, ...env } });
  try {
    const backend = await loadSources(cwd, entry);
    const world = { location: `${name}:/`, network: backend.createNetwork(), rules: { allowPrivate: true }, clock: Date };
    const { open, place, remote, rcloneEnv, own } = await start(backend, world, server);
    const storage = await open();
    const bytes = MEGABYTES * 1024 * 1024;
    execFileSync('sh', ['-c', `head -c ${bytes} /dev/urandom > '${at('big')}'`]);
    mkdirSync(at('small'));
    mkdirSync(at('back'));
    for (let n = 0; n < FILES; n += 1) writeFileSync(join(at('small'), `f${n}`), Buffer.alloc(4096, n));
    Object.assign(process.env, rcloneEnv);
    const rclone = (verb, from, to) =>
      measureProgram(['rclone', '--config', '/dev/null', '--transfers', String(AT_ONCE), verb, '--ignore-times', from, to], '/dev/null');

    const delay = monitorEventLoopDelay({ resolution: 5 });
    let peakMB = 0;
    const watch = setInterval(() => (peakMB = Math.max(peakMB, process.memoryUsage.rss() / 1e6)), 20);
    const watched = (work) => async () => {
      delay.enable();
      await work();
      delay.disable();
    };
    const up = watched(() => storage.write(`${place}/ours`, outgoing(at('big'), bytes), { signal }));
    reportPairs(report, `storage-${name}/up/rclone`, 1, await inPairs(measureHere(up), rclone('copyto', at('big'), `${remote}/theirs`)));
    const down = watched(async () => {
      const file = openSync(at('down'), 'w');
      for await (const chunk of await storage.read(`${place}/ours`, { signal })) writeSync(file, chunk);
      closeSync(file);
    });
    reportPairs(
      report,
      `storage-${name}/down/rclone`,
      1,
      await inPairs(measureHere(down), rclone('copyto', `${remote}/theirs`, at('theirs'))),
    );
    execFileSync('cmp', [at('big'), at('down')]);
    if (own !== undefined) {
      // The protocol's own program, which keeps one file at a time on its way as well.
      const put = measureProgram(own.argv('put', at('big'), `${place}/own`), '/dev/null');
      reportPairs(report, `storage-${name}/up/${own.name}`, 1, await inPairs(measureHere(up), put));
      const get = measureProgram(own.argv('get', `${place}/own`, at('own')), '/dev/null');
      reportPairs(report, `storage-${name}/down/${own.name}`, 1, await inPairs(measureHere(down), get));
    }
    clearInterval(watch);
    report({ name: `storage-${name}/memory`, ours: peakMB, unit: 'MB', bar: 200 });
    report({ name: `storage-${name}/delay-p99`, ours: delay.percentile(99) / 1e6, unit: 'ms', bar: 50 });

    const names = readdirSync(at('small'));
    const upAll = () => each(names, (file) => storage.write(`${place}/many/${file}`, shortOutgoing(join(at('small'), file)), { signal }));
    reportPairs(
      report,
      `storage-${name}/small-up/rclone`,
      0.67,
      await inPairs(measureHere(upAll), rclone('copy', at('small'), `${remote}/rclone`)),
    );
    const downAll = async () => {
      const found = [];
      for await (const { path } of storage.list(`${place}/many`, { signal })) found.push(path);
      await each(found, async (path) => {
        for await (const chunk of await storage.read(path, { signal }))
          await writeFile(join(at('back'), path.slice(path.lastIndexOf('/') + 1)), chunk);
      });
    };
    reportPairs(
      report,
      `storage-${name}/small-down/rclone`,
      0.67,
      await inPairs(measureHere(downAll), rclone('copy', `${remote}/rclone`, at('back-rclone'))),
    );
    execFileSync('diff', ['-r', at('small'), at('back')]);
    await storage[Symbol.asyncDispose]();
  } finally {
    process.kill(-Number(readFileSync(join(server, 'pid'), 'utf8')), 'SIGTERM');
    rmSync(cwd, { recursive: true, force: true });
  }
};
