import type { Edited, EditOptions, EditTarget, FilePort, Reader, Writer } from '../../core/files.ts';
import type { Spot } from '../place.ts';
import { demandFile, lostMeanwhile } from '../refusals.ts';
import type { Disk } from './disk.ts';
import { appendRecord } from './file/append-record.ts';
import type { Aside } from './file/aside.ts';
import { holdSpot } from './file/hold-spot.ts';
import { createAttributeKeeper } from './file/keep-attributes.ts';
import { type Landing, startAside } from './file/landing.ts';
import { openToAppend } from './file/open-file.ts';
import { type SeenFile, seeFile } from './file/seen-file.ts';
import { entryAt, openToRead, readerOf, type Source } from './reading.ts';
import { landingAt, writerTo } from './writing.ts';

/** How often an edit is made again because somebody else changed the file meanwhile. */
const MOST_TRIES = 20;

// One for the process, because ports come and go with every run.
const attributes = createAttributeKeeper();

interface EditAt extends EditOptions {
  readonly disk: Disk;
  readonly spot: Spot;
  readonly shown: string;
}

/** Files that are changed by what they hold. */
export const createEditing = (disk: Disk): Pick<FilePort, 'edit'> => ({
  edit: (path, change, options) =>
    disk.at(path, { access: 'write' }, (spot, shown) => {
      disk.policy?.rootFor(spot.real, 'read', shown);
      demandFile(entryAt(spot, shown), shown);
      const at = { ...options, disk, spot, shown };
      return holdSpot(spot, at, async () => {
        for (let tries = 1; ; tries += 1) {
          const outcome = await editOnce(at, change, { isLast: tries === MOST_TRIES });
          if (outcome !== 'again') return outcome.value;
        }
      });
    }),
});

type ChangeFile<T> = (source: Reader, target: EditTarget) => Promise<Edited<T>>;

const editOnce = async <T>(
  at: EditAt,
  change: ChangeFile<T>,
  { isLast }: { readonly isLast: boolean },
): Promise<Pick<Edited<T>, 'value'> | 'again'> => {
  at.signal.throwIfAborted();
  const source = openToRead(at.spot, at.shown);
  try {
    const seen = await seeFile(source.file.fd);
    const target = openTarget(at, source, seen);
    try {
      const reader = { ...readerOf(source, at.shown), [Symbol.asyncDispose]: async () => {} }; // ours to close
      const edited = await change(reader, target);
      if (edited.isChanged) await target.commit();
      return edited;
    } catch (fault) {
      // What could not be understood may have been half of what somebody was writing.
      if (isLast || target.isNamed || !seen.isTouched(at.spot.at)) throw fault;
      return 'again';
    } finally {
      await target.discard();
    }
  } finally {
    await source.file.close();
  }
};

interface Target extends EditTarget {
  commit(): Promise<void>;
  discard(): Promise<void>;
  /** It has taken the place of the file. */
  readonly isNamed: boolean;
}

/** What takes the place of a file; begun with the first write, because many edits find nothing to change. */
const openTarget = (at: EditAt, source: Source, seen: SeenFile): Target => {
  const { disk, spot, shown, signal, onLost } = at;
  const landing = landingFor(at, seen);
  let aside: Aside | undefined;
  let isPlain = false;
  let opening: Promise<Writer> | undefined;
  const open = async (): Promise<Writer> => {
    aside = startAside(disk, landing);
    // Before the content: what is written afterwards takes away the rights that belong to the old one.
    isPlain = await attributes.keep(source.file.fd, aside.file.fd, { signal, onLost });
    return writerTo(aside, landing, { disk, shown, signal });
  };
  const writer = (): Promise<Writer> => {
    opening ??= open();
    return opening;
  };
  return {
    write: async (chunk) => (await writer()).write(chunk),
    writeAt: async (chunk, position) => (await writer()).writeAt(chunk, position),
    async commit() {
      await (await writer()).commit();
      await takeOver(at, source, seen);
      if (isPlain) attributes.rememberPlain(spot.at);
    },
    async discard() {
      await aside?.discard();
    },
    // Asked of the file itself: its directory may fail to be synced after the rename, and an edit that is made must not be made again.
    get isNamed() {
      return aside?.isNamed === true;
    },
  };
};

/** The name is taken only where the file that was read still stands there. */
const landingFor = ({ disk, spot, shown, signal }: EditAt, seen: SeenFile): Landing => {
  const landing = landingAt(disk, spot, { shown, signal });
  return {
    ...landing,
    async tell(there, arriving) {
      seen.demandUntouched(spot.at);
      return landing.tell(there, arriving);
    },
    atLast: () => seen.demandSameContent(spot.at),
  };
};

/** What somebody put behind the old file between the last look and the rename follows, as if it had come a moment later. */
const takeOver = async ({ spot, shown }: EditAt, { file, entry }: Source, seen: SeenFile): Promise<void> => {
  const bytes = growth(seen, shown);
  if (bytes === 0) return;
  const added = Buffer.alloc(bytes);
  const count = await file.read(added, entry.size);
  const target = openToAppend(spot.at, shown);
  try {
    appendRecord(target.fd, { record: added.subarray(0, count) }, shown);
    await target.sync();
  } finally {
    await target.close();
  }
};

const growth = (seen: SeenFile, shown: string): number => {
  try {
    return seen.grownBy();
  } catch {
    throw lostMeanwhile(shown);
  }
};
