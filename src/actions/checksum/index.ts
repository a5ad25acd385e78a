// Digests of single files. Digests of whole trees are manifests.
import { defineFamily } from '../../core/action.ts';
import { fileChecksum } from './file-checksum.ts';
import { verifyChecksum } from './verify-checksum.ts';

export const checksum = defineFamily({
  name: 'checksum',
  group: 'sync',
  summary: 'Digests of single files: make and verify.',
  isApart: true,
  actions: [fileChecksum, verifyChecksum],
});
