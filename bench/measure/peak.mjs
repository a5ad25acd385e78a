// node peak.mjs LIST: runs a list in a process of its own and prints the megabytes it held at most.
import { createFactotum } from '../../dist/index.js';

const factotum = createFactotum({ log: { level: 'silent' } });
const { ok, results } = await factotum.run(JSON.parse(process.argv[2]));
if (!ok) throw new Error(JSON.stringify(results[0].error));
await factotum.close();
console.log(process.resourceUsage().maxRSS / 1024);
