import { join, sep } from 'node:path';
import { FileAccessException, FileAutomationException, QuotaExceededException } from '../../core/errors.ts';
import { plainText } from '../../core/plain-text.ts';
import type { OwnCode } from '../../lib/fs/system-fault.ts';
import type { TargetEntry } from '../../lib/tree/compare/compared.ts';
import { addName, type NameList, noNames } from '../../lib/tree/name-list.ts';
import { type Side, type TreeFault, treeFault } from '../../lib/tree/tree-fault.ts';
import type { Work } from './work.ts';

/** Single changes through the file port, which asks whoever has to be asked. What fails is told, and the work goes on. */
export interface PortChanges {
  readonly copied: NameList;
  readonly vanished: NameList;
  readonly faults: TreeFault[];
  readonly bytes: number;
  makeDirectory(relative: string): Promise<void>;
  copyFile(relative: string): Promise<void>;
  copyLink(relative: string): Promise<void>;
  /** Gives a file or a directory the mode and the time of its source. */
  mark(relative: string): Promise<void>;
  /** Deletes entries of the target, or throws them into the trash. */
  remove(entries: readonly TargetEntry[]): Promise<void>;
}

const MAX_TRIES = 3;
const CHANGED: OwnCode = 'ECHANGED';

export const createPortChanges = ({ ctx, src, dst, max_listed, trash }: Work): PortChanges => {
  const { files, signal, runSteps } = ctx;
  const from = (relative: string) => join(files.absolute(src), relative);
  const to = (relative: string) => join(files.absolute(dst), relative);
  const copied = noNames();
  const vanished = noNames();
  const faults: TreeFault[] = [];
  let bytes = 0;

  /** A copy that fails says where: what the target does not take is no fault of the source. */
  const isAtTarget = ({ context: { path } }: FileAutomationException): boolean =>
    typeof path === 'string' && (path === to('') || path.startsWith(join(to(''), sep)));

  const attempt = async (side: Side, relative: string, change: () => Promise<void>): Promise<void> => {
    signal.throwIfAborted();
    try {
      await change();
    } catch (fault) {
      signal.throwIfAborted();
      if (!(fault instanceof FileAutomationException) || fault instanceof QuotaExceededException) throw fault;
      if (side === 'source' && (await files.stat(from(relative), { followLinks: false })) === undefined)
        addName(vanished, relative, max_listed);
      else faults.push(treeFault(isAtTarget(fault) ? 'target' : side, relative, fault));
    }
  };

  /** A link at the target is replaced, never followed. */
  const clear = async (relative: string, kinds: readonly string[]): Promise<void> => {
    const there = await files.stat(to(relative), { followLinks: false });
    if (there !== undefined && kinds.includes(there.kind)) await files.remove(to(relative));
  };

  /** Copies a file again that is written to meanwhile, until that does not end; tells how many bytes it has. */
  const copySettled = async (relative: string, triesLeft = MAX_TRIES): Promise<number> => {
    let copiedBytes = 0;
    const onBytes = (more: number) => {
      copiedBytes += more;
    };
    try {
      await files.copy(from(relative), to(relative), { keepMetadata: true, isSettled: true, durable: false, signal, onBytes });
      return copiedBytes;
    } catch (fault) {
      const isChanged = fault instanceof FileAccessException && fault.context.code === CHANGED;
      if (!isChanged || triesLeft === 1) throw fault;
      return copySettled(relative, triesLeft - 1);
    }
  };

  const removeOne = ({ relative, kind }: TargetEntry) =>
    attempt('target', relative, () => (kind === 'dir' ? files.removeTree(to(relative), { signal }) : files.remove(to(relative))));

  const throwAway = async (entries: readonly TargetEntry[]): Promise<void> => {
    const { results } = await runSteps(entries.map(({ relative }) => ['FA_send_to_trash', { path: plainText(to(relative)) }]));
    for (const { index, error } of results) {
      const entry = entries[index];
      if (entry !== undefined && error !== undefined)
        faults.push({ side: 'target', relative: entry.relative, fault: { kind: 'typed', record: error } });
    }
  };

  return {
    copied,
    vanished,
    faults,
    get bytes() {
      return bytes;
    },
    makeDirectory: (relative) => attempt('target', relative, async () => void (await files.makeDir(to(relative)))),
    copyFile: (relative) =>
      attempt('source', relative, async () => {
        await clear(relative, ['link']);
        bytes += await copySettled(relative);
        addName(copied, relative, max_listed);
      }),
    copyLink: (relative) =>
      attempt('source', relative, async () => {
        const text = await files.readLink(from(relative));
        await clear(relative, ['link', 'file']);
        await files.makeLink(to(relative), text);
        addName(copied, relative, max_listed);
      }),
    mark: (relative) =>
      attempt('target', relative, async () => {
        const source = await files.stat(from(relative), { followLinks: false });
        if (source === undefined) return;
        await files.setMode(to(relative), source.mode & (source.kind === 'dir' ? 0o7777 : 0o777));
        await files.setTimes(to(relative), { mtimeMs: source.mtimeMs });
      }),
    async remove(entries) {
      if (entries.length === 0) return;
      if (trash) await throwAway(entries);
      else for (const entry of entries) await removeOne(entry);
    },
  };
};
