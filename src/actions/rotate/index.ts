// Backups that are thinned out by their age. Versions of single files are versions/.
import { defineFamily } from '../../core/action.ts';
import { rotateBackups } from './rotate-backups.ts';

export const rotate = defineFamily({
  name: 'rotate',
  group: 'sync',
  summary: 'Backups that are thinned out by their age.',
  isApart: true,
  actions: [rotateBackups],
});
