import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory, sorted: directories end with `/`, and each has what is needed to see a change. */
export const treeOf = (root: string): ReadonlyMap<string, string> => {
  const seen = new Map<string, string>();
  const visit = (at: string) => {
    for (const name of readdirSync(join(root, at)).sort()) {
      const path = at === '' ? name : `${at}/${name}`;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) {
        seen.set(`${path}/`, 'directory');
        visit(path);
      } else if (stats.isSymbolicLink()) seen.set(path, `link to ${readlinkSync(join(root, path))}`);
      else
        seen.set(
          path,
          `${stats.size} bytes ${createHash('sha256')
            .update(readFileSync(join(root, path)))
            .digest('hex')}`,
        );
    }
  };
  visit('');
  return seen;
};

/** The names alone. */
export const namesIn = (root: string): string[] => [...treeOf(root).keys()].sort();
