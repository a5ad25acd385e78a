// Runs commands of the file families in a loop until it is killed: node busy-child.mjs <directory> <directory elsewhere>
import { join } from 'node:path';
import { createInstance } from '../../../src/app/create.ts';

const [root = '.', elsewhere = '.'] = process.argv.slice(2);
const factotum = createInstance({ cwd: root, log: { level: 'silent' } });

for (let round = 0; ; round += 1) {
  const letter = 'abcdefghij'[round % 10] ?? 'a';
  const { results } = await factotum.run([
    ['FA_create_file', { file_path: 'created', content: letter.repeat(300_000) }],
    ['FA_copy_file', { file_path: round % 2 === 0 ? 'one' : 'two', target_path: 'copied' }],
    ['FA_move_file', { file_path: 'here', target_path: 'there', on_conflict: 'overwrite' }],
    ['FA_move_file', { file_path: 'there', target_path: 'here' }],
    ['FA_move_file', { file_path: 'traveller', target_path: join(elsewhere, 'traveller'), on_conflict: 'overwrite' }],
    ['FA_move_file', { file_path: join(elsewhere, 'traveller'), target_path: 'traveller', on_conflict: 'overwrite' }],
    ['FA_copy_dir', { dir_path: 'tree', target_dir_path: `grown-${process.pid}-${round}` }],
    ['FA_copy_dir', { dir_path: 'tree', target_dir_path: 'merged' }],
  ]);
  const failed = results.find(({ status }) => status !== 'ok');
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
  if (round === 0) process.stdout.write('ready');
}
