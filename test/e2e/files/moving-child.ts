// Moves a file with the rights of an ordinary user and prints its error: node moving-child.mjs <directory> <from> <to>
import { createInstance } from '../../../src/app/create.ts';

const [cwd = '.', file_path, target_path] = process.argv.slice(2);
const NOBODY = 65_534;

const factotum = createInstance({ cwd, log: { level: 'silent' } });
await factotum.run([['FA_stat', { path: '.' }]]); // what is loaded later may lie where only root reads
if (process.getuid?.() === 0) process.setuid?.(NOBODY);
const { results } = await factotum.run([['FA_move_file', { file_path, target_path, on_conflict: 'overwrite' }]]);
process.stdout.write(JSON.stringify(results[0]?.error ?? null));
