import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PolicyException } from '../../../core/errors.ts';
import { isAtOrBelow } from '../../../lib/fs/lexical.ts';
import { resolvePath } from '../../../lib/fs/resolve.ts';
import type { McpRights } from './rights.ts';

/** A root as a client announces it. */
export interface ClientRoot {
  readonly uri: string;
}

/** The rights inside what the client announced: a client can take roots away, never add one. One that announces none says nothing. */
export const narrowRights = (rights: McpRights, announced: readonly ClientRoot[]): McpRights => {
  if (announced.length === 0) return rights;
  const wanted = announced.flatMap(realDirectory);
  const roots = overlap(rights.roots, wanted);
  const readOnlyRoots = overlap(rights.readOnlyRoots ?? [], wanted);
  if (roots.length + readOnlyRoots.length === 0) {
    throw new PolicyException('No root of the client lies inside a root of this server; start the server with another --root.', {
      context: { rule: 'roots', announced: announced.slice(0, MAX_SHOWN).map(({ uri }) => uri.slice(0, 200)) },
    });
  }
  return { ...rights, roots, readOnlyRoots };
};

const MAX_SHOWN = 10;

/** What cannot be read as a place on this machine counts as no root. */
const realDirectory = ({ uri }: ClientRoot): string[] => {
  try {
    return [resolvePath(fileURLToPath(uri))];
  } catch {
    return [];
  }
};

/** What lies in one of both: the deeper of two directories of which one holds the other. */
const overlap = (own: readonly string[], wanted: readonly string[]): string[] => [
  ...new Set(
    own
      .map((root) => resolvePath(root))
      .flatMap((root) =>
        wanted.flatMap((other) => (isAtOrBelow(root, other, sep) ? [other] : isAtOrBelow(other, root, sep) ? [root] : [])),
      ),
  ),
];
