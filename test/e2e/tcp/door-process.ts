// A process with an open TCP door: tells its port, ends with its standard input, and then tells what it took.
import { createInstance } from '../../../src/app/create.ts';
import { openService } from '../../../src/app/serve/serve.ts';

const [cwd = '', sharedSecret] = process.argv.slice(2);
await using factotum = createInstance({ cwd, log: { level: 'error' } });
await using service = await openService(factotum, { http: false, tcp: { port: 0 }, sharedSecret });
process.stdout.write(`${service.door('tcp').port}\n`);
for await (const _ of process.stdin); // until it ends
process.stdout.write(JSON.stringify(process.resourceUsage()));
