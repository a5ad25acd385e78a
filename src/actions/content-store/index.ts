// A store of files under the digest of their content: equal content is kept once, damage is noticed when it is read.
// Read blob.ts first: where a blob lies and how it is checked.
import { defineFamily } from '../../core/action.ts';
import { casCopyTo, casDelete, casExists, casList, casPath, casRead, casSize } from './look-up.ts';
import { casPut, casPutBytes } from './put.ts';

export const contentStore = defineFamily({
  name: 'content-store',
  group: 'files',
  summary: 'Files kept under the digest of their content.',
  isApart: true,
  actions: [casPut, casPutBytes, casExists, casPath, casRead, casCopyTo, casDelete, casList, casSize],
});
