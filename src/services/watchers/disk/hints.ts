import { watch } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../lib/fs/system-fault.ts';

/** Told when something may have changed in a directory; null where the system does not say what. */
export interface HintListener {
  hinted(name: string | null): void;
  failed(fault: unknown): void;
}

/** Asks the system for hints about one directory; answers how to stop them. Throws where it gives none. */
export type WatchDirectory = (path: string, listener: HintListener) => () => void;

/** Hints of this machine. They keep no process alive. */
export const watchDirectory: WatchDirectory = (path, listener) => {
  const watcher = watch(path, { persistent: false }, (_, name) => listener.hinted(name));
  watcher.on('error', listener.failed);
  return () => watcher.close();
};

/** The hints of a tree, directory by directory. Directories are relative to its root, which is empty. */
export interface Hints {
  open(directory: string): void;
  /** Stops those of a directory and of all below. */
  close(directory: string): void;
}

export interface HintParts {
  readonly base: string;
  readonly watchDirectory: WatchDirectory;
  hinted(directory: string, name: string | null): void;
  /** The system gives no more hints. */
  refused(fault: unknown): void;
}

/** What the next look at the tree will show by itself. */
const FAULTS_OF_THE_TREE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

export const createHints = ({ base, watchDirectory: listen, hinted, refused }: HintParts): Hints => {
  const open = new Map<string, () => void>();
  const judge = (fault: unknown) => {
    if (!FAULTS_OF_THE_TREE.includes(codeOf(fault) ?? '')) refused(fault);
  };
  const closeOne = (directory: string) => {
    open.get(directory)?.();
    open.delete(directory);
  };
  return {
    open(directory) {
      if (open.has(directory)) return;
      const listener: HintListener = {
        hinted: (name) => hinted(directory, name),
        failed(fault) {
          closeOne(directory);
          hinted(directory, null);
          judge(fault);
        },
      };
      try {
        open.set(directory, listen(join(base, directory), listener));
      } catch (fault) {
        judge(fault);
      }
    },
    close(directory) {
      const inner = directory === '' ? '' : `${directory}/`;
      for (const each of [...open.keys()]) if (each === directory || each.startsWith(inner)) closeOne(each);
    },
  };
};

/** What helps against a refusal of the system. */
export const remedyFor = (fault: unknown): string => {
  const code = codeOf(fault);
  if (code === 'ENOSPC') {
    return 'The system watches no more directories for this user; raise fs.inotify.max_user_watches, for example with sysctl fs.inotify.max_user_watches=524288. Until then the tree is looked at regularly.';
  }
  if (code === 'EMFILE') {
    return 'The system opens no more watches for this user; raise fs.inotify.max_user_instances with sysctl, or the limit of open files. Until then the tree is looked at regularly.';
  }
  return `The system gives no hints about this tree (${code ?? String(fault)}), so it is looked at regularly; set \`poll = true\` if that is meant.`;
};
