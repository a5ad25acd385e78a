import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { PathExistsException } from '../../core/errors.ts';
import type { Addition, FilePort, Interruptible, Reader } from '../../core/files.ts';
import type { Change } from '../../core/journal.ts';
import { ownFault } from '../../lib/fs/system-fault.ts';
import { entryOf, kindOf } from '../entry.ts';
import type { Spot } from '../place.ts';
import { demandFile, demandWritable } from '../refusals.ts';
import { type Disk, lookAt } from './disk.ts';
import { appendRecord, leadFor } from './file/append-record.ts';
import { holdSpot } from './file/hold-spot.ts';
import { startAside } from './file/landing.ts';
import { type OpenFile, openToAppend } from './file/open-file.ts';
import { arrive } from './parents.ts';
import { readerOf } from './reading.ts';
import { landingAt, writerTo } from './writing.ts';

/** How often it is tried again, because the file came or went meanwhile. */
const MOST_TRIES = 20;

interface AppendAt extends Interruptible {
  readonly disk: Disk;
  readonly spot: Spot;
  readonly shown: string;
}

type Compose = (file: Reader | undefined) => Addition | Promise<Addition>;

/** Records behind what a file holds. */
export const createAppending = (disk: Disk): Pick<FilePort, 'append'> => ({
  append: (path, compose, { signal }) =>
    arrive(disk, path, { followLinks: true, durable: true }, () =>
      disk.at(path, { access: 'write', missing: 'parent' }, async (spot, shown) => {
        const there = lookAt(spot);
        demandWritable(there && kindOf(there), { path: shown, exclusive: false });
        const at = { disk, spot, shown, signal };
        // Brought to the device after the turn: the next one need not wait for that.
        const file = await holdSpot(spot, at, () => appendHeld(at, compose));
        if (file === undefined) return;
        try {
          await file.sync();
        } finally {
          await file.close();
        }
      }),
    ),
});

/** The file with the record in it; undefined where it is new and on the device already. */
const appendHeld = async (at: AppendAt, compose: Compose): Promise<OpenFile | undefined> => {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    at.signal.throwIfAborted();
    const isNew = lookAt(at.spot) === undefined;
    const done = isNew ? await createWith(at, await compose(undefined)) : await appendTo(at, compose);
    if (done !== 'again') return done;
  }
  throw ownFault('EEDITED');
};

/** A new file appears with its first record in it. */
const createWith = async ({ disk, spot, shown, signal }: AppendAt, { record }: Addition): Promise<undefined | 'again'> => {
  const landing = landingAt(disk, spot, { shown, signal, exclusive: true });
  const aside = startAside(disk, landing);
  try {
    const writer = writerTo(aside, landing, { disk, shown, signal });
    await writer.write(record);
    await writer.commit();
    return undefined;
  } catch (fault) {
    if (fault instanceof PathExistsException) return 'again'; // somebody else has made it
    throw fault;
  } finally {
    await aside.discard();
  }
};

const appendTo = async ({ disk, spot, shown, signal }: AppendAt, compose: Compose): Promise<OpenFile | 'again'> => {
  const file = openToAppend(spot.at, shown);
  let isKept = false;
  try {
    const entry = demandFile(entryOf(shown, fstatSync(file.fd)), shown);
    const reader = { ...readerOf({ file, entry, atimeMs: 0 }, shown), [Symbol.asyncDispose]: async () => {} }; // ours to close
    const addition = await compose(reader);
    signal.throwIfAborted();
    disk.spend(addition.record.byteLength);
    await disk.before(() => changeBy(spot.real, file.fd, addition));
    spot.demandInPlace();
    if (lookAt(spot)?.ino !== fstatSync(file.fd).ino) return 'again'; // another file has its name by now
    appendRecord(file.fd, addition, shown);
    isKept = true;
    return file;
  } finally {
    if (!isKept) await file.close();
  }
};

const changeBy = (real: string, fd: number, addition: Addition): Change => ({
  kind: 'append',
  path: real,
  entry: entryOf(real, fstatSync(fd)),
  added: {
    bytes: addition.record.byteLength,
    digest: createHash('sha256').update(addition.record).digest('base64url'),
    lead: Buffer.from(leadFor(fd, addition)).toString('base64url'),
  },
});
