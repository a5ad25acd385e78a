// The HTTP door under load, beside a bare server of the same framework that answers as many bytes.
import { connect } from 'node:net';
import { load, startBare, startOurs } from './load/servers.mjs';
import { median } from './measure/pairs.mjs';

// The cheapest there is: it touches no disk, so that the door is what is measured.
const LIST = '[["FA_substitute",{"payload":1}]]';
const ROUNDS = 5;
const LOAD = { connections: 64, seconds: 3, body: LIST };
const CROWD = 10_000;

export const run = async (report) => {
  await throughput(report);
  await crowd(report);
};

const throughput = async (report) => {
  const ours = await startOurs();
  const answer = await (await fetch(`${ours.url}/actions`, { method: 'POST', body: LIST })).text();
  const bare = await startBare(answer);
  const pairs = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isOursFirst = round % 2 === 0;
    const measure = { ours: () => load(`${ours.url}/actions`, LOAD), bare: () => load(`${bare.url}/actions`, LOAD) };
    const first = await measure[isOursFirst ? 'ours' : 'bare']();
    const second = await measure[isOursFirst ? 'bare' : 'ours']();
    if (round > 0) pairs.push(isOursFirst ? { ours: first, bare: second } : { ours: second, bare: first });
  }
  const of = (side, what) => median(pairs.map((pair) => pair[side][what]));
  const ratio = (what) => median(pairs.map((pair) => pair.ours[what] / pair.bare[what]));
  const rate = { ours: of('ours', 'perSecond'), peer: of('bare', 'perSecond'), value: ratio('perSecond') };
  report({ name: 'http/post-actions-64-connections', ...rate, unit: '/s', bar: 0.7, better: 'higher' });
  report({ name: 'http/p99', ours: of('ours', 'p99'), peer: of('bare', 'p99'), value: ratio('p99'), unit: 'ms', bar: 3 });
  await ours.stop();
  await bare.stop();
};

const crowd = async (report) => {
  const ours = await startOurs();
  const { hostname, port } = new URL(ours.url);
  const handshake =
    `GET /progress HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const followers = await gather(hostname, port, handshake, true);
  report({ name: 'http/memory-with-10000-followers', ours: ours.memory(), unit: 'MB', bar: 500 });
  report({ name: 'http/healthz-beside-10000-followers', ours: await slowestHealth(ours.url), unit: 'ms', bar: 100 });
  for (const socket of followers) socket.destroy();
  const idle = await gather(hostname, port, '', false);
  const slow = await gather(hostname, port, 'POST /actions HTTP/1.1\r\nHost: ', false, 1_000);
  report({ name: 'http/healthz-beside-10000-idle-and-1000-slow', ours: await slowestHealth(ours.url), unit: 'ms', bar: 100 });
  for (const socket of [...idle, ...slow]) socket.destroy();
  await ours.stop();
};

/** Opens many connections that say one thing and then nothing more. */
const gather = async (host, port, text, answers, count = CROWD) => {
  const sockets = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(200, count - sockets.length) }, () => open(host, port, text, answers));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
};

const open = (host, port, text, answers) =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => {
      socket.write(text);
      if (!answers) resolve(socket);
    });
    socket.once('data', () => resolve(socket));
    socket.on('error', reject);
    socket.resume();
  });

/** The longest of a hundred questions whether the service lives. */
const slowestHealth = async (url) => {
  let slowest = 0;
  for (let at = 0; at < 100; at += 1) {
    const started = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
};
