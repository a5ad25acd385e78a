// Serves a store until it is killed.
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';

const [state = '', writer = ''] = process.argv.slice(2);
const store = embeddedStore({ file: storeFileIn(state), isServing: true, writer: new URL(writer) });
await store.ready();
process.stdout.write('serving\n');
setInterval(() => {}, 60_000);
