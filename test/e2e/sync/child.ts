// Makes one tree like another and says so: node main.mjs <source> <target>
import { createInstance } from '../../../src/app/create.ts';

const [src = '', dst = ''] = process.argv.slice(2);
const factotum = createInstance({ log: { level: 'silent' } });
process.stdout.write('ready');
const { results } = await factotum.run([['FA_sync_dir', { src, dst, delete: true, max_delete_share: 1 }]]);
process.stdout.write(JSON.stringify(results[0]));
await factotum.close();
