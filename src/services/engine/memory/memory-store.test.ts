import { storeContract } from '../../../../test/e2e/store/contract/suite.ts';
import { memoryStore } from './memory-store.ts';

storeContract({ name: 'the memory store', open: (now) => memoryStore({ now }) });
