import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory that undoing must bring back: names, kinds, modes, links, contents, and the times of files. */
export const look = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name);
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) return `${name}/ ${mode}`;
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${mode} ${Math.round(stats.mtimeMs)} ${readFileSync(path, 'base64')}`;
    });
