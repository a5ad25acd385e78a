import { afterAll } from 'vitest';
import { storeContract } from '../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { embeddedStore, storeFileIn } from './embedded-store.ts';

const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());
let stores = 0;

storeContract({
  name: 'the embedded store',
  open(now) {
    stores += 1;
    return embeddedStore({ file: storeFileIn(dir.at(`${stores}`)), now });
  },
});
