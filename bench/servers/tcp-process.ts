// A process of its own for bench/tcp.mjs: opens our TCP door and a bare echo, tells where they listen and, when asked, its CPU time.
import { type AddressInfo, createServer } from 'node:net';
import { createInstance } from '../../src/app/create.ts';
import { openService } from '../../src/app/serve/serve.ts';
import { defineAction } from '../../src/core/action.ts';
import { integer } from '../../src/core/args.ts';
import * as shapes from '../../src/core/shapes.ts';

const count = defineAction({
  name: 'FA_bench_count',
  summary: 'Gives its number back.',
  args: { count: integer('A number.') },
  returns: shapes.integer(),
  examples: [],
  run: (_, { count }) => count,
});

const factotum = createInstance({ log: { level: 'silent' } });
factotum.registry.register(count.name, count);
await factotum.metrics(); // a service counts what it runs
const service = await openService(factotum, { http: false, tcp: { port: 0 } });
const echo = createServer((socket) => void socket.pipe(socket));
echo.listen(0, '127.0.0.1', () => {
  const { port } = echo.address() as AddressInfo; // it listens on a port, so it has one
  process.send?.({ ours: service.door('tcp').port, echo: port });
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
