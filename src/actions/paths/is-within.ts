import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { isWithin as within } from '../../lib/fs/safe-path.ts';

export const isWithin = defineAction({
  name: 'FA_is_within',
  summary: 'Tells whether a path ends inside a root, links followed.',
  args: {
    root: path('The directory.', { role: 'readsTree', mayBeMissing: true }),
    user_path: text('The path to judge, relative to the root or absolute.'),
  },
  returns: shapes.flag(),
  question: { no: 'the path ends elsewhere', isNo: (is) => !is },
  idempotent: true,
  onlyLooks: true,
  examples: [
    { dirs: ['box'], args: { root: 'box', user_path: 'a' }, value: true },
    { dirs: ['box'], args: { root: 'box', user_path: '../a' }, value: false },
  ],
  run: ({ files }, { root, user_path }) => within(files.absolute(root), user_path),
});
