import { dirname, join, sep } from 'node:path';
import { PathTraversalException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { judgeText } from '../../lib/fs/lexical.ts';

const PLATFORM = sep === '\\' ? 'win32' : 'posix';

/** Refuses names that lead out of a tree: by what they say, or through a link on their way that is not among those that go before. */
export const demandInside = async (
  files: FilePort,
  root: string,
  names: readonly string[],
  gone: readonly string[] = [],
): Promise<void> => {
  const seen = new Set(['.', ...gone]);
  for (const name of names) {
    if (judgeText(name, { platform: PLATFORM, parents: 'refused' }).kind !== 'relative') throw outside(name, root);
    for (let at = dirname(name); !seen.has(at); at = dirname(at)) {
      if ((await files.stat(join(root, at), { followLinks: false }))?.kind === 'link') throw outside(name, root);
      seen.add(at);
    }
  }
};

const outside = (name: string, root: string) =>
  new PathTraversalException(`${JSON.stringify(name.slice(0, 300))} leads out of ${root}; give paths below it, not through links.`, {
    context: { path: name.slice(0, 300), root },
  });
