import { join, sep } from 'node:path';
import { PathTraversalException } from '../../core/errors.ts';
import type { EntryKind, FilePort } from '../../core/files.ts';
import { judgeText } from '../../lib/fs/lexical.ts';

const PLATFORM = sep === '\\' ? 'win32' : 'posix';

/** Refuses names that lead out of a tree: by what they say, or through a link on their way that is not among those that go before. */
export const demandInside = async (
  files: FilePort,
  root: string,
  names: readonly string[],
  gone: readonly string[] = [],
): Promise<void> => {
  const segmentsOf = (name: string): readonly string[] => {
    const verdict = judgeText(name, { platform: PLATFORM, parents: 'refused' });
    if (verdict.kind !== 'relative') throw outside(name, root);
    return verdict.segments;
  };
  const goes = new Set(gone.map((name) => segmentsOf(name).join('/')));
  const plain = new Set<string>();
  for (const name of names) {
    // From the top, so that nothing is looked for behind a link: it may lead anywhere, and to itself.
    for (const parent of parentsOf(segmentsOf(name))) {
      if (goes.has(parent)) break;
      if (plain.has(parent)) continue;
      if ((await files.stat(join(root, parent), { followLinks: false }))?.kind === 'link') throw outside(name, root);
      plain.add(parent);
    }
  }
};

/** What stands at a name of a tree; nothing does behind a link. */
export const kindInside = async (files: FilePort, root: string, name: string): Promise<EntryKind | undefined> => {
  const kindAt = async (at: string) => (await files.stat(join(root, at), { followLinks: false }))?.kind;
  for (const parent of parentsOf(name.split('/'))) if ((await kindAt(parent)) !== 'dir') return undefined;
  return kindAt(name);
};

/** The directories on the way to a name, those above first. */
const parentsOf = (segments: readonly string[]): string[] => segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));

const outside = (name: string, root: string) =>
  new PathTraversalException(`${JSON.stringify(name.slice(0, 300))} leads out of ${root}; give paths below it, not through links.`, {
    context: { path: name.slice(0, 300), root },
  });
