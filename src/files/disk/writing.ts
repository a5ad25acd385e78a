import type { FilePort, WriteOptions, Writer } from '../../core/files.ts';
import { kindOf } from '../entry.ts';
import type { Spot } from '../place.ts';
import { demandWritable, faultAt } from '../refusals.ts';
import { type Disk, lookFirst } from './disk.ts';
import type { Aside } from './file/aside.ts';
import { changeAt, copyFile, type Landing, land, startAside } from './file/landing.ts';
import { createWriteBack } from './file/write-back.ts';
import { type Arrival, arrive, type MadeParents } from './parents.ts';
import { openToRead } from './reading.ts';

/** Large contents are written in pieces, so that a stop or a spent budget is noticed in between. */
const PIECE_BYTES = 1024 * 1024;

/** Single files: written aside, then given their name. */
export const createWriting = (disk: Disk): Pick<FilePort, 'create' | 'write' | 'copy'> => {
  const open = async (path: string, options: WriteOptions, made: MadeParents): Promise<Writer> => {
    const shown = disk.absolute(path);
    await disk.giveWay();
    let spot: Spot | undefined;
    try {
      spot = disk.place(shown, { access: 'write', followLinks: true });
      const landing = { ...landingAt(disk, spot, { shown, ...options }), look: lookFirst };
      return writerTo(startAside(disk, landing, options.keptAs), landing, { disk, shown, made, ...options });
    } catch (fault) {
      spot?.[Symbol.dispose]();
      throw faultAt(fault, { path: shown, missing: 'parent' });
    }
  };
  const create: FilePort['create'] = (path, options) => arrive(disk, path, arrivalOf(options), (made) => open(path, options, made));

  return {
    create,
    async write(path, content, options) {
      await using writer = await create(path, options);
      await writer.write(content);
      await writer.commit();
    },
    copy: (from, to, options) =>
      disk.at(from, { access: 'read' }, async (leaving, shown) => {
        const source = openToRead(leaving, shown, lookFirst);
        try {
          await arrive(disk, to, arrivalOf(options), () =>
            disk.at(to, { access: 'write', missing: 'parent' }, (spot, target) =>
              copyFile(
                source,
                { ...landingAt(disk, spot, { shown: target, ...options }), look: lookFirst, inTurn: target },
                { disk, ...options },
              ),
            ),
          );
        } finally {
          await source.file.close();
        }
      }),
  };
};

const arrivalOf = ({ durable = true, needsDirectory }: Pick<WriteOptions, 'durable' | 'needsDirectory'>): Arrival => ({
  followLinks: true,
  durable,
  needsDirectory,
});

export interface LandingOptions extends Pick<WriteOptions, 'exclusive' | 'durable' | 'signal'> {
  readonly shown: string;
}

export const landingAt = (disk: Disk, spot: Spot, { shown, exclusive = false, durable = true, signal }: LandingOptions): Landing => ({
  spot,
  exclusive,
  durable,
  signal,
  admit: (there) => demandWritable(there && kindOf(there), { path: shown, exclusive }),
  tell: (there, arriving) => disk.before(() => changeAt(spot, there, arriving)),
  onLost: (what) => disk.onLost?.({ path: shown, what }),
});

interface WriterOptions extends WriteOptions, LandingOptions {
  readonly disk: Disk;
  readonly signal: AbortSignal;
  /** Left out where whoever discards the file sees to its directories. */
  readonly made?: MadeParents;
}

/** Every write may be the one that is over budget or too late. */
export const writerTo = (aside: Aside, landing: Landing, { disk, shown, mode, mtimeMs, signal, made }: WriterOptions): Writer => {
  const writeBack = landing.durable ? createWriteBack(aside.file) : undefined;
  const { keptBytes } = aside;
  let end = keptBytes ?? 0;
  const put = async (chunk: Uint8Array, position: number): Promise<void> => {
    try {
      for (let done = 0; done < chunk.byteLength; done += PIECE_BYTES) {
        const piece = chunk.subarray(done, done + PIECE_BYTES);
        signal.throwIfAborted();
        disk.spend(piece.byteLength);
        await aside.file.write(piece, position + done);
        writeBack?.wrote(piece.byteLength);
      }
    } catch (fault) {
      throw faultAt(fault, { path: shown });
    }
  };
  return {
    write(chunk) {
      const position = end;
      end += chunk.byteLength;
      return put(chunk, position);
    },
    writeAt(chunk, position) {
      end = Math.max(end, position + chunk.byteLength);
      return put(chunk, position);
    },
    share(bytes) {
      signal.throwIfAborted();
      disk.spend(bytes);
      end = Math.max(end, bytes);
      const wrote = (done: number) => {
        signal.throwIfAborted();
        writeBack?.wrote(done);
      };
      return { fd: aside.file.fd, path: shown, wrote };
    },
    async commit() {
      try {
        await writeBack?.settled();
        await land(aside, { mode, times: mtimeMs === undefined ? undefined : { atimeMs: mtimeMs, mtimeMs } }, landing);
      } catch (fault) {
        throw faultAt(fault, { path: shown, missing: 'parent' });
      }
    },
    ...(keptBytes !== undefined && { kept: { bytes: keptBytes, discard: async () => void (await aside.discard()) } }),
    async [Symbol.asyncDispose]() {
      const isLost = keptBytes === undefined ? await aside.discard() : void (await aside.leave());
      landing.spot[Symbol.dispose]();
      if (isLost === true) made?.takeBack();
    },
  };
};
