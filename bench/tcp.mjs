// How many pipelined lists a second go through the TCP door, beside a bare echo of the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { median } from './measure/pairs.mjs';

const LIST = Buffer.from('[["FA_bench_count",{"count":1}]]\n');
const LISTS = 100_000;
const ROUNDS = 5;
const CONNECTIONS = 4;
const LINE_FEED = 0x0a;

/** Starts the process with both servers. */
const startServers = async () => {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-bench-'));
  const outfile = join(folder, 'main.mjs');
  await build({
    entryPoints: [new URL('./servers/tcp-process.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const child = fork(outfile);
  const [ports] = await once(child, 'message');
  const cpuMs = async () => {
    child.send('cpu');
    const [{ user, system }] = await once(child, 'message');
    return (user + system) / 1000;
  };
  const close = async () => {
    child.disconnect();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  };
  return { ports, cpuMs, close };
};

const countLines = (chunk) => {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
};

/** Sends lists without waiting for their answers, and counts the answers. */
const pipeline = async (port, lists) => {
  const block = Buffer.alloc(LIST.length * 1_000, LIST);
  const socket = connect(port, '127.0.0.1');
  let answers = 0;
  socket.on('data', (chunk) => {
    answers += countLines(chunk);
  });
  const ended = once(socket, 'end');
  for (let sent = 0; sent < lists; sent += 1_000) if (!socket.write(block)) await once(socket, 'drain');
  socket.end();
  await ended;
  if (answers !== lists) throw new Error(`${answers} answers came to ${lists} lists`);
};

/** Lists a second, by the clock and by the CPU time of the servers' process. */
const rates = async (port, cpuMs) => {
  const cpuBefore = await cpuMs();
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(port, LISTS / CONNECTIONS)));
  const wall = performance.now() - started;
  return { wall: (LISTS * 1000) / wall, cpu: (LISTS * 1000) / ((await cpuMs()) - cpuBefore) };
};

export const run = async (report) => {
  const { ports, cpuMs, close } = await startServers();
  const rounds = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const pair = { ours: await rates(ports.ours, cpuMs), echo: await rates(ports.echo, cpuMs) };
      if (round > 0) rounds.push(pair); // the first one compiles
    }
  } finally {
    await close();
  }
  const of = (side, kind) => median(rounds.map((each) => each[side][kind]));
  report({ name: 'tcp/pipelined-lists', ours: of('ours', 'wall'), unit: '/s', bar: 60_000, better: 'higher' });
  report({ name: 'tcp/pipelined-lists-vs-echo', ours: of('ours', 'wall'), peer: of('echo', 'wall'), unit: '/s' });
  report({ name: 'tcp/pipelined-lists/cpu', ours: of('ours', 'cpu'), peer: of('echo', 'cpu'), unit: '/s' });
};
