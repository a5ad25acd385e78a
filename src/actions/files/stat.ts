import { defineAction } from '../../core/action.ts';
import { flag, path } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';

export const stat = defineAction({
  name: 'FA_stat',
  summary: 'Tells kind, size, time and mode of a path, or null when nothing is there.',
  args: {
    path: path('The path to look at.', { role: 'reads', mayBeMissing: true }),
    follow_links: flag('Describe what a link leads to instead of the link.', { default: true }),
  },
  returns: shapes.nullable(
    shapes.object({
      path: shapes.text(),
      kind: shapes.oneOf(['file', 'dir', 'link', 'other']),
      size: shapes.integer(),
      modified_at: shapes.text(),
      mode: shapes.text(),
    }),
  ),
  idempotent: true,
  onlyLooks: true,
  examples: [
    { files: { 'a.txt': 'hello' }, args: { path: 'a.txt' } },
    { about: 'Nothing there.', args: { path: 'nowhere' }, value: null },
  ],
  async run({ files }, { path: wanted, follow_links }) {
    const entry = await files.stat(wanted, { followLinks: follow_links });
    if (entry === undefined) return null;
    const { path: where, kind, size, mtimeMs, mode } = entry;
    return { path: where, kind, size, modified_at: new Date(mtimeMs).toISOString(), mode: mode.toString(8).padStart(4, '0') };
  },
});
