/** The files that a watcher has dealt with, by path relative to its root, with their fingerprints. */
export interface KnownTree {
  readonly count: number;
  get(path: string): string | undefined;
  set(path: string, fingerprint: string): void;
  delete(path: string): void;
  /** The names of files and directories that are known in a directory. */
  names(directory: string): { readonly files: Iterable<string>; readonly directories: Iterable<string> };
  /** Whether files are known below this path. */
  hasDirectory(path: string): boolean;
  /** The paths of all files below a directory; empty for the whole tree. */
  below(directory: string): Generator<string>;
}

interface Node {
  readonly files: Map<string, string>;
  readonly directories: Map<string, Node>;
}

const newNode = (): Node => ({ files: new Map(), directories: new Map() });

export const createKnownTree = (): KnownTree => {
  const root = newNode();
  let count = 0;

  const find = (directory: string): Node | undefined => {
    if (directory === '') return root;
    let node: Node | undefined = root;
    for (const name of directory.split('/')) node = node?.directories.get(name);
    return node;
  };

  const make = (directory: string): Node => {
    let node = root;
    for (const name of directory === '' ? [] : directory.split('/')) {
      const next = node.directories.get(name) ?? newNode();
      node.directories.set(name, next);
      node = next;
    }
    return node;
  };

  /** Directories in which nothing is known any more are forgotten. */
  const prune = (names: readonly string[]) => {
    for (let depth = names.length; depth > 0; depth -= 1) {
      const node = find(names.slice(0, depth).join('/'));
      if (node === undefined || node.files.size > 0 || node.directories.size > 0) return;
      find(names.slice(0, depth - 1).join('/'))?.directories.delete(names[depth - 1] ?? '');
    }
  };

  return {
    get count() {
      return count;
    },
    get(path) {
      const [directory, name] = divide(path);
      return find(directory)?.files.get(name);
    },
    set(path, fingerprint) {
      const [directory, name] = divide(path);
      const { files } = make(directory);
      if (!files.has(name)) count += 1;
      files.set(name, fingerprint);
    },
    delete(path) {
      const [directory, name] = divide(path);
      const node = find(directory);
      if (node?.files.delete(name) !== true) return;
      count -= 1;
      if (node.files.size === 0 && directory !== '') prune(directory.split('/'));
    },
    names(directory) {
      const node = find(directory);
      return { files: node?.files.keys() ?? [], directories: node?.directories.keys() ?? [] };
    },
    hasDirectory: (path) => find(path) !== undefined,
    *below(directory) {
      const start = find(directory);
      const waiting: [string, Node][] = start === undefined ? [] : [[directory === '' ? '' : `${directory}/`, start]];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [prefix, node] = next;
        for (const name of node.files.keys()) yield prefix + name;
        for (const [name, inner] of node.directories) waiting.push([`${prefix}${name}/`, inner]);
      }
    },
  };
};

const divide = (path: string): [directory: string, name: string] => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
};
