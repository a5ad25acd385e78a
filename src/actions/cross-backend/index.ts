// Files between locations: this machine, services, other machines. How a file gets from one to another is lib/transfer; read
// lib/transfer/copy-file.ts first. What a location is stands in lib/location, who may use it in access/location-rule.ts.
import { defineFamily } from '../../core/action.ts';
import { copyBetween } from './copy-between.ts';
import { syncBetween } from './sync-between.ts';

export const crossBackend = defineFamily({
  name: 'cross-backend',
  group: 'remote',
  summary: 'Files between any two locations: copy them, or make one side like the other.',
  actions: [copyBetween, syncBetween],
});
