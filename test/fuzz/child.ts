import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { seeded } from '../support/seeded.ts';
import { mutate } from './mutate.ts';
import { TARGETS } from './targets.ts';

// child.ts NAME FOLDER replay FILE… | child.ts NAME FOLDER fuzz SEED SECONDS
// Whoever started this looks at `current`, the input that is being checked, where no word comes any more.
const [name = '', folder = '', mode = '', ...rest] = process.argv.slice(2);
const target = TARGETS[name];
if (target === undefined) throw new Error(`there is no target ${name}`);

await using checked = await target.open();
let count = 0;
let toldMs = 0;

const tell = () => {
  if (performance.now() - toldMs < 100) return;
  toldMs = performance.now();
  process.stdout.write(`${count}\n`);
};

const check = async (input: Buffer): Promise<void> => {
  writeFileSync(`${folder}/current`, input);
  tell();
  try {
    await checked.check(input);
  } catch (fault) {
    const hash = createHash('sha256').update(input).digest('hex').slice(0, 16);
    process.stderr.write(`${name}/${hash}: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`);
    process.exit(1);
  }
  count += 1;
};

if (mode === 'replay') for (const file of rest) await check(readFileSync(file));
else {
  const [seed = '0', seconds = '1'] = rest;
  const random = seeded(Number(seed));
  const endMs = performance.now() + Number(seconds) * 1000;
  for (const example of target.examples) await check(example);
  while (performance.now() < endMs) await check(mutate(target.examples, target.words, random));
}
process.stdout.write(`${count}\n`);
