// node post-load.mjs URL CONNECTIONS SECONDS BODY: asks over kept connections, each one request at a time; prints requests and latencies.
import { connect } from 'node:net';

const [url, connections, seconds, body] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url);
const request = Buffer.from(
  `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);
const latencies = new Float64Array(5_000_000);
let done = 0;
let isOver = false;

const speak = () =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let missing = -1; // bytes of the answer still to come; -1: its head is
    let head = '';
    const ask = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', ask);
    socket.on('data', (chunk) => {
      if (missing < 0) {
        head += chunk.latin1Slice();
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 200)));
        missing = Number(/content-length: (\d+)/i.exec(head)[1]) - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing > 0) return;
      latencies[done] = performance.now() - sentAt;
      done += 1;
      missing = -1;
      head = '';
      if (isOver) {
        socket.destroy();
        resolve();
      } else ask();
    });
    socket.on('error', reject);
  });

setTimeout(() => {
  isOver = true;
}, Number(seconds) * 1000);
const started = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, speak));
const elapsedS = (performance.now() - started) / 1000;
const sorted = latencies.slice(0, done).sort();
console.log(JSON.stringify({ perSecond: done / elapsedS, p50: sorted[Math.floor(done / 2)], p99: sorted[Math.floor(done * 0.99)] }));
