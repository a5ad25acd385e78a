// Guards for paths that come from elsewhere. The rules live in lib/fs/safe-path.ts.
import { defineFamily } from '../../core/action.ts';
import { isWithin } from './is-within.ts';
import { safeJoin } from './safe-join.ts';

export const paths = defineFamily({
  name: 'paths',
  group: 'files',
  summary: 'Guards that keep a path inside a root.',
  isApart: true,
  actions: [safeJoin, isWithin],
});
