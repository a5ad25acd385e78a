// Digests of whole trees: written down once, compared later. Digests of single files are checksum/.
import { defineFamily } from '../../core/action.ts';
import { verifyTree } from './verify-manifest.ts';
import { writeTreeManifest } from './write-manifest.ts';

export const manifest = defineFamily({
  name: 'manifest',
  group: 'sync',
  summary: 'Digests of whole trees: write and verify.',
  isApart: true,
  actions: [writeTreeManifest, verifyTree],
});
