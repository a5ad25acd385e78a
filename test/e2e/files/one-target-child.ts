// Moves files onto one target as soon as it is told to: node main.mjs <directory> <on_conflict> <names...>
import { createInstance } from '../../../src/app/create.ts';

const [cwd = '.', on_conflict, ...names] = process.argv.slice(2);
const factotum = createInstance({ cwd, log: { level: 'silent' } });
await factotum.run([['FA_stat', { path: '.' }]]);
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const actions = names.map((name) => ['FA_move_file', { file_path: name, target_path: 'x', on_conflict }]);
  const { results } = await factotum.run({ mode: 'parallel', actions });
  process.stdout.write(`${JSON.stringify(results.map(({ status }) => status === 'ok'))}\n`, () => process.exit(0));
});
