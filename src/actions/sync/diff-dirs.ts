import { defineAction } from '../../core/action.ts';
import { list, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { DiffException, FileAccessException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { watched } from '../../lib/fs/watched.ts';
import { compareTrees } from '../../lib/tree/compare/compare-trees.ts';
import { isTree } from '../../lib/tree/is-tree.ts';
import { listBelow } from './decide.ts';
import { sentenceOf } from './report.ts';

interface DiffArgs {
  readonly left: string;
  readonly right: string;
  readonly exclude: readonly string[];
}

/** Everything that can be wrong before a comparison, in a dry run too. */
const findBoth = async ({ files, signal }: Context, { left, right }: DiffArgs) => {
  for (const [argument, path] of Object.entries({ left, right })) {
    const shown = files.absolute(path);
    if ((await files.stat(path))?.kind !== 'dir')
      throw new DiffException(`No directory is at ${shown}; check the path.`, { context: { argument, path: shown } });
    await files.coverTree?.(path, { signal }).catch((fault: unknown) => {
      if (!(fault instanceof FileAccessException)) throw fault;
      throw new DiffException(`Not all could be compared: ${fault.message}`, { context: { argument, path: shown }, cause: fault });
    });
  }
  return { source: await files.grant(left, 'read'), target: await files.grant(right, 'read') };
};

export const diffDirs = defineAction({
  name: 'FA_diff_dirs',
  summary: 'Compares two directory trees by content and names the files that differ.',
  args: {
    left: path('The tree before.', { role: 'readsTree' }),
    right: path('The tree after; what is only here was added.', { role: 'readsTree' }),
    exclude: list('Patterns of what is left out on both sides, directories with everything in them.', shapes.text(), { default: [] }),
  },
  returns: shapes.object({ added: shapes.list(shapes.text()), removed: shapes.list(shapes.text()), changed: shapes.list(shapes.text()) }),
  question: { no: 'the trees differ', isNo: ({ added, removed, changed }) => added.length + removed.length + changed.length > 0 },
  idempotent: true,
  examples: [
    {
      files: { 'l/same': '1', 'r/same': '1', 'l/gone': 'x', 'r/new': 'y', 'l/n/c': '1', 'r/n/c': '2' },
      args: { left: 'l', right: 'r' },
      value: { added: ['new'], removed: ['gone'], changed: ['n/c'] },
    },
  ],
  plan: findBoth,
  async run(ctx, args) {
    const { source, target } = await findBoth(ctx, args);
    const { exclude } = args;
    const how = { by: 'content', isCaseBlind: false, replacesDirectories: true, most: 0 } as const;
    const compared = await watched(ctx, source, `compare ${source.root} with ${target.root}`, (signal) =>
      compareTrees({ source, target, ...how, exclude, signal }),
    );
    const { missing, changed, inTheWay } = compared;
    // A file here and a directory there are two different things, not one that changed.
    const replaced = new Set(inTheWay.map(({ relative }) => relative));
    const extras = [...compared.extras, ...inTheWay].map(({ relative, kind }) => (kind === 'dir' ? `${relative}/` : relative));
    const onlyLeft = await listBelow(source, missing.filter(isTree), exclude, ctx.signal);
    const onlyRight = await listBelow(target, extras.filter(isTree), exclude, ctx.signal);
    const [fault] = [...compared.faults, ...onlyLeft.faults, ...onlyRight.faults];
    if (fault !== undefined)
      throw new DiffException(`Not all could be compared: ${sentenceOf(ctx, fault, { src: args.left, dst: args.right })}`, {
        context: { path: fault.relative },
      });
    const left = [...missing.filter((each) => !isTree(each)), ...changed.filter((each) => replaced.has(each))];
    return {
      added: [...extras.filter((each) => !isTree(each)), ...onlyRight.files, ...onlyRight.links].sort(),
      removed: [...left, ...onlyLeft.files, ...onlyLeft.links].sort(),
      changed: changed.filter((each) => !replaced.has(each)).sort(),
    };
  },
});
