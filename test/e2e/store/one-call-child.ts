// Asks the store once and then has nothing left to do; the store stays open.
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';

const [state = '', writer = ''] = process.argv.slice(2);
const store = embeddedStore({ file: storeFileIn(state), isServing: true, writer: new URL(writer) });
await store.submit({ source: 'queue', caller: 'owner', body: [] });
process.stdout.write('done\n');
