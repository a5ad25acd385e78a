import { storageContract } from '../../../test/contract/storage.ts';
import { withLayers } from '../layers/layers.ts';
import { openMemory } from './memory.ts';

storageContract({ name: 'memory', open: openMemory });
storageContract({ name: 'memory with all layers', open: () => withLayers(openMemory(), {}) });
