import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface PortraitOptions {
  /** Left out of it: what undoing does not bring back. */
  readonly without?: 'times of directories';
}

/** Everything about a tree, or about these names in it, that a move should keep; one line for each entry. */
export const portraitOf = (root: string, names: readonly string[] = [''], { without }: PortraitOptions = {}): readonly string[] => {
  const firstNames = new Map<bigint, string>();
  const lines: string[] = [];
  const add = (relative: string): void => {
    const path = join(root, relative);
    const stats = lstatSync(path, { bigint: true });
    const { uid, gid, mode, mtimeNs, ino } = stats;
    const twin = stats.isDirectory() ? '' : (firstNames.get(ino) ?? '');
    if (twin === '') firstNames.set(ino, relative);
    const time = without !== undefined && stats.isDirectory() ? '' : mtimeNs;
    lines.push([relative, mode.toString(8), `${uid}:${gid}`, time, holdsAt(path, stats), twin && `= ${twin}`].join(' | '));
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(path).sort()) add(join(relative, name));
  };
  for (const name of names) add(name);
  return [...lines, ...names.flatMap((name) => attributesBelow(join(root, name), root))];
};

const holdsAt = (path: string, stats: BigIntStats): string => {
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 12) : '';
};

/** Extended attributes and access lists; none where no program tells. */
const attributesBelow = (path: string, root: string): readonly string[] => {
  const { stdout } = spawnSync(
    'getfattr',
    ['-R', '-h', '--absolute-names', '-d', '-e', 'hex', '-m', '^(user|trusted|system|security)[.]', path],
    {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
    },
  );
  return (stdout ?? '')
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => block.trim().replace(root, ''))
    .sort();
};

const runs = (program: string, argv: readonly string[]): boolean => spawnSync(program, argv, { stdio: 'ignore' }).status === 0;

/** Whether attributes and access lists can be set on the file system of a directory. */
export const canSetAttributes = (path: string): boolean =>
  runs('setfattr', ['-n', 'user.probe', '-v', 'x', path]) &&
  runs('setfattr', ['-x', 'user.probe', path]) &&
  runs('setfacl', ['-m', 'u:12345:r', path]) &&
  runs('setfacl', ['-b', path]);
