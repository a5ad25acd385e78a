import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What is to be told of a tree beside its names, kinds and contents. */
export interface SnapshotOptions {
  /** Modes and times of files and directories. */
  readonly hasLooks?: boolean;
}

/** Everything below a directory as lines that can be compared. */
export const snapshot = (root: string, { hasLooks = true }: SnapshotOptions = {}): string[] => {
  const lines: string[] = [];
  const visit = (relative: string): void => {
    const at = join(root, relative);
    const stats = lstatSync(at);
    const looks = hasLooks ? ` ${(stats.mode & 0o777).toString(8)} ${Math.round(stats.mtimeMs)}` : '';
    if (stats.isSymbolicLink()) lines.push(`${relative} -> ${readlinkSync(at)}`);
    else if (stats.isFile()) lines.push(`${relative} = ${contentOf(at)}${looks}`);
    else if (stats.isDirectory()) {
      lines.push(`${relative}/${looks}`);
      for (const name of readdirSync(at).sort()) visit(join(relative, name));
    }
  };
  visit('');
  return lines;
};

/** Short contents as they are, for messages that can be read. */
const contentOf = (path: string): string => {
  const bytes = readFileSync(path);
  return bytes.byteLength <= 40 ? JSON.stringify(bytes.toString('latin1')) : createHash('sha1').update(bytes).digest('hex');
};
