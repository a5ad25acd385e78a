// Runs lists one after the other, as many processes of a house do: node list-child.mjs <directory>, the lists as JSON on standard input.
// Says the number of each list that has ended well as soon as it has; ends with an error at the first that has not.
import { text } from 'node:stream/consumers';
import { createInstance } from '../../../src/app/create.ts';

const [cwd = '.'] = process.argv.slice(2);
const lists: unknown = JSON.parse(await text(process.stdin));
const factotum = createInstance({ cwd, log: { level: 'silent' } });
for (const [at, list] of (Array.isArray(lists) ? lists : []).entries()) {
  const { ok, results } = await factotum.run(list);
  if (!ok) throw new Error(JSON.stringify(results.find(({ status }) => status !== 'ok')));
  process.stdout.write(`${at}\n`);
}
await factotum.close();
