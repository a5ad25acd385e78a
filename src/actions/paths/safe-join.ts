import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { safeJoin as join } from '../../lib/fs/safe-path.ts';

export const safeJoin = defineAction({
  name: 'FA_safe_join',
  summary: 'Resolves a path below a root and refuses everything that leaves it.',
  args: {
    root: path('The directory that must not be left.', { role: 'readsTree' }),
    user_path: text('The path to resolve. A `..` in it is refused, wherever it leads.'),
  },
  returns: shapes.text(),
  idempotent: true,
  onlyLooks: true,
  examples: [{ dirs: ['box'], args: { root: 'box', user_path: 'a/b.txt' } }],
  run: ({ files }, { root, user_path }) => join(files.absolute(root), user_path),
});
