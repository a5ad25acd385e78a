// Sends one notification through a store on disk, to a receiver that never answers: it is killed before it can know.
import { createMasker } from '../../../src/access/mask.ts';
import { openNotifier } from '../../../src/app/state/notify.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { silentLog } from '../../../src/services/log/log.ts';

const [state = '', url = ''] = process.argv.slice(2);
const notifier = await openNotifier({
  store: embeddedStore({ file: storeFileIn(state) }),
  clock: { now: Date.now, monotonic: () => performance.now() },
  log: silentLog,
  masker: createMasker(),
});
await notifier.add({ type: 'webhook', name: 'hook', url, allow_private_hosts: true, timeout: 60 });
await notifier.send({ subject: 'half sent', level: 'error' });
