import { accessSync, constants, lstatSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import type { FilePort, MoveOptions } from '../../core/files.ts';
import { readLinkText } from '../../lib/fs/raw-names.ts';
import { renameIfFree } from '../../lib/fs/rename-if-free.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { entryOf, kindOf } from '../entry.ts';
import { demandNotRoot, heldSpot, type Spot, slotOf } from '../place.ts';
import { atSource, demandApart, demandReplaceable, faultAt, noFile, notEmpty } from '../refusals.ts';
import type { Move } from './across/move-across.ts';
import { type Disk, demandParent, lookAt } from './disk.ts';
import { holdSpot, takeFree, takeName } from './file/hold-spot.ts';
import { judgeLink } from './links.ts';
import { arrive } from './parents.ts';
import { countFiles } from './tree/count-files.ts';
import { renameWhole } from './tree/grow-tree.ts';
import { judgeMovedLinks } from './tree/judge-moved-links.ts';

/** Renames; where a rename is not enough, copies and then removes. */
export const createMoving = (disk: Disk): Pick<FilePort, 'move'> => ({
  move: (source, target, options) =>
    disk.at(source, { access: 'remove', followLinks: false }, (given, from) => {
      const go = () => moveFrom(disk, { given, from, target }, options);
      if (options.isDeletion !== true || lookAt(given) === undefined) return go();
      demandNotRoot(given);
      // What goes into the trash may be what others are about to replace.
      return holdSpot(given, { shown: from, signal: options.signal }, go);
    }),
});

interface Departure {
  readonly given: Spot;
  readonly from: string;
  readonly target: string;
}

const moveFrom = async (
  disk: Disk,
  { given, from, target }: Departure,
  { signal, onLost, exclusive = false, isDeletion = false }: MoveOptions,
): Promise<void> => {
  const moved = lookAt(given);
  if (moved === undefined) throw noFile(from);
  demandNotRoot(given);
  // The path may lead through a link inside the tree, which is gone before the tree is.
  using held = moved.isDirectory() && !given.isGuarded ? heldSpot(given.real) : undefined;
  const leaving = held ?? given;
  if (moved.isDirectory()) disk.policy?.judgeTree(leaving.real, 'remove', from);
  await arrive(disk, target, { followLinks: false, durable: false }, () =>
    disk.at(target, { access: 'write', followLinks: false, missing: 'parent' }, (arriving, to) =>
      takeName(arriving, { there: lookAt(arriving), shown: to, signal, exclusive }, (there) =>
        moveTo(disk, { leaving, arriving, from, to, moved, there, exclusive, isDeletion, signal, onLost }),
      ),
    ),
  );
};

const moveTo = async (disk: Disk, move: Move): Promise<void> => {
  const { leaving, arriving, moved, there, exclusive, signal } = move;
  if (there === undefined) demandParent(arriving, move.to);
  const isSame = !moved.isDirectory() && there !== undefined && atSource(move.from, () => isSameFile(leaving, arriving));
  if (isSame && !exclusive && leaving.real === arriving.real) return;
  judge(disk, move);
  await judgeLinksOf(disk, move);
  signal.throwIfAborted();
  if (move.isDeletion && disk.countsDeletes) disk.countDeletes(await filesIn(disk, move));
  let tellCopy: Move['tellCopy'];
  const withdraw = await disk.before(() => {
    const [from, to] = [leaving.real, arriving.real];
    const whenCopied = (tell: Move['tellCopy']) => {
      tellCopy = tell;
    };
    return { kind: 'move', from, to, whenCopied, ...(there !== undefined && { replaced: entryOf(to, there) }) };
  });
  leaving.demandInPlace();
  arriving.demandInPlace();
  // Between two names of one file a rename does nothing at all: there the old name only has to go.
  if (isSame && moved.nlink > 1) return atSource(move.from, () => unlinkSync(slotOf(leaving)));
  try {
    await takeFree(() => rename(move), withdraw);
  } catch (fault) {
    if (codeOf(fault) !== 'EXDEV') throw isAboutSource(fault, move) ? faultAt(fault, { path: move.from }) : fault;
    const { moveAcross } = await import('./across/move-across.ts'); // seldom needed, and large
    await takeFree(() => moveAcross(disk, { ...move, tellCopy }), withdraw);
  }
};

/** The system does not say which of the two names it refused: the old one, unless the new one's directory takes nothing or keeps what it has. */
const isAboutSource = (fault: unknown, { leaving, arriving, there }: Move): boolean => {
  const code = codeOf(fault);
  if (code === 'ENOENT') return lookAt(leaving) === undefined;
  return DENIALS.has(code) && (!takesChanges(leaving) || (there === undefined && takesChanges(arriving)));
};

const DENIALS: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

const takesChanges = ({ directory }: Spot): boolean => {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // whatever the reason, it is the answer
  }
};

const filesIn = async ({ giveWay }: Disk, { leaving, moved, from, signal }: Move): Promise<number> => {
  if (!moved.isDirectory()) return 1;
  using directory = atSource(from, () => leaving.enter());
  return await countFiles({ directory, shown: from }, { signal, giveWay });
};

const judge = (disk: Disk, { leaving, arriving, from, to, moved, there, exclusive }: Move): void => {
  demandNotRoot(arriving);
  if (moved.isDirectory()) {
    demandApart(leaving.real, arriving.real);
    disk.policy?.judgeTree(arriving.real, 'write', to);
  }
  demandReplaceable(kindOf(moved), there && kindOf(there), { path: to, exclusive });
  if (there?.isDirectory() && readdirSync(arriving.at).length > 0) throw notEmpty(to);
  // Moved elsewhere, a link may lead elsewhere: it is judged like a new one.
  if (disk.policy !== undefined && moved.isSymbolicLink())
    judgeLink(
      disk,
      arriving.parent,
      atSource(from, () => readLinkText(leaving.at)),
    );
};

/** What links inside a tree say counts from where they stand; beside its old name everything is as far away as before. */
const judgeLinksOf = async (disk: Disk, { leaving, arriving, from, moved, signal }: Move): Promise<void> => {
  if (disk.policy === undefined || !moved.isDirectory() || leaving.parent === arriving.parent) return;
  using directory = atSource(from, () => leaving.enter());
  await judgeMovedLinks({ directory, shown: from }, { disk, signal, from: leaving.real, to: arriving.real });
};

const rename = async ({ leaving, arriving, to, moved, there, exclusive }: Move): Promise<void> => {
  if (moved.isDirectory()) return renameWhole(slotOf(leaving), { spot: arriving, shown: to });
  if (exclusive || there === undefined) return renameIfFree(slotOf(leaving), slotOf(arriving));
  renameSync(slotOf(leaving), slotOf(arriving));
};

/** Asked with whole numbers: as fractions, two large ones may look alike, and then a file would be lost. */
const isSameFile = (one: Spot, other: Spot): boolean => {
  const [a, b] = [lstatSync(one.at, { bigint: true }), lstatSync(other.at, { bigint: true })];
  return a.ino === b.ino && a.dev === b.dev;
};
