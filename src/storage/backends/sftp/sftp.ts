/**
 * SFTP and nothing more. `connect.ts` logs in, `session.ts` speaks the protocol and judges answers, `pool.ts` keeps connections, `transfer.ts`
 * keeps many reads and writes under way. Files are written beside their target and renamed (`write.ts`, `parts.ts`).
 *
 * SFTP knows no digests and tells times in seconds: a version is the length and the second of the last change.
 */
import { SFTPException } from '../../../core/errors.ts';
import type { Storage, StorageAbilities } from '../../../core/storage.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults } from '../../faults.ts';
import { handedOut, orAbort } from '../../handed-out.ts';
import { isForgottenPart, isPartFor } from '../../part-name.ts';
import { directoryOf, inDirectory, nameOf } from '../../remote-path.ts';
import { itemOf, versionOf } from './item.ts';
import { listTree } from './list.ts';
import { PARTS, resumeParts, startParts } from './parts.ts';
import { createPool } from './pool.ts';
import type { SftpSession } from './session.ts';
import type { SftpSettings } from './settings.ts';
import { STATUS, statusOf, translate } from './status.ts';
import { receiveChunks } from './transfer.ts';
import { wirePath } from './wire-path.ts';
import { makeDirs, settle, type WriteWorld, writeFile } from './write.ts';

const CAN: StorageAbilities = {
  range: true,
  exclusiveWrite: true,
  directories: 'real',
  hashes: [],
  timeStepMs: 1000,
  parts: PARTS,
};

/** A server that speaks SFTP. It is connected to when something is first asked of it. */
export const openSftp = (settings: SftpSettings, world: BackendWorld): Storage => {
  const { location, clock } = world;
  const faults = createFaults(SFTPException, location);
  const pool = createPool({ settings, world, faults });
  const writing: WriteWorld = { pool, faults, location, left: new Set() };

  /** One piece of work on a connection; answers of the server become faults of the storage. */
  const ask = <T>(what: string, path: string, signal: AbortSignal, work: (session: SftpSession) => Promise<T>): Promise<T> =>
    pool.use(signal, async (session) => {
      try {
        return await orAbort(work(session), signal);
      } catch (fault) {
        throw translate(faults, fault, what, `${location}/${path}`);
      }
    });
  const kindAt = async (session: SftpSession, path: string) => (await session.stat(wirePath(path)))?.kind;

  return {
    location,
    can: CAN,
    stat: (path, { signal }) =>
      ask('Looking at', path, signal, async (session) => {
        const attrs = await session.stat(wirePath(path));
        return attrs === undefined || attrs.kind === 'other' ? undefined : itemOf(path, attrs);
      }),
    async *list(path, options) {
      const session = await pool.take(options.signal);
      try {
        yield* listTree({ session, faults, location }, path, options);
      } catch (fault) {
        throw translate(faults, fault, 'Listing', `${location}/${path}`);
      } finally {
        pool.giveBack(session);
      }
    },
    async read(path, { stretch, version, signal }) {
      const session = await pool.take(signal);
      let handle: Buffer | undefined;
      const leave = (): void => {
        pool.giveBack(session);
        if (handle !== undefined) session.close(handle).catch(() => {}); // nobody waits for that
      };
      try {
        // Asked together: one way to the server and back.
        const [attrs, opened] = await orAbort(
          Promise.all([session.stat(wirePath(path)), session.open(wirePath(path), 'r').catch((fault: unknown) => fault)]),
          signal,
        );
        if (Buffer.isBuffer(opened)) handle = opened;
        if (attrs === undefined) throw faults.notFound(path);
        if (attrs.kind === 'dir') throw faults.isDirectory(path);
        if (handle === undefined) throw opened;
        if (version !== undefined && version !== versionOf(attrs)) throw faults.changed(path);
        const end = Math.min(stretch?.end ?? attrs.bytes, attrs.bytes);
        const chunks = receiveChunks(
          { session, handle },
          { start: Math.min(stretch?.start ?? 0, end), end, signal, tooShort: () => faults.changed(path) },
        );
        return handedOut(chunks, { signal, leave, translated: (fault) => translate(faults, fault, 'Reading', `${location}/${path}`) });
      } catch (fault) {
        leave();
        throw translate(faults, fault, 'Reading', `${location}/${path}`);
      }
    },
    write: (path, content, options) =>
      path === '' ? Promise.reject(faults.isDirectory(path)) : writeFile(writing, path, content, options),
    remove: (path, { signal }) =>
      ask('Removing', path, signal, async (session) => {
        try {
          await session.remove(wirePath(path));
          return true;
        } catch (fault) {
          if (statusOf(fault) === STATUS.NO_SUCH_FILE) return false;
          if (statusOf(fault) !== undefined && (await kindAt(session, path)) === 'dir') throw faults.isDirectory(path);
          throw fault;
        }
      }),
    makeDir: (path, { signal }) =>
      ask('Making', path, signal, async (session) => {
        if (path !== '' && path !== '/') await makeDirs(writing, session, path);
      }),
    removeDir: (path, { signal }) =>
      ask('Removing', path, signal, async (session) => {
        try {
          await session.removeDir(wirePath(path));
          return true;
        } catch (fault) {
          if (statusOf(fault) === undefined) throw fault;
          const kind = await kindAt(session, path);
          if (kind === undefined) return false;
          if (kind !== 'dir') throw faults.because('unsupported', `${location}/${path} is a file; remove it as one.`);
          if (statusOf(fault) === STATUS.FAILURE) throw faults.notEmpty(path);
          throw fault;
        }
      }),
    move: (from, to, { signal }) =>
      ask('Moving', from, signal, async (session) => {
        const attrs = await session.stat(wirePath(from));
        if (attrs === undefined) throw faults.notFound(from);
        if (attrs.kind === 'dir') throw faults.isDirectory(from);
        if (directoryOf(to) !== '') await makeDirs(writing, session, directoryOf(to));
        if (from !== to) await settle(writing, session, { part: from, path: to, exclusive: false });
        return itemOf(to, attrs);
      }),
    startParts: (path, options) => startParts(writing, path, options),
    resumeParts: (path, ticket, options) => resumeParts(writing, path, ticket, options),
    sweep: (path, { signal }) =>
      ask('Clearing up for', path, signal, async (session) => {
        const [directory, target] = [directoryOf(path), nameOf(path)];
        const handle = await session.openDir(wirePath(directory)).catch((fault: unknown) => {
          if (statusOf(fault) === STATUS.NO_SUCH_FILE) return undefined;
          throw fault;
        });
        if (handle === undefined) return;
        for (let page = await session.readDir(handle); page !== undefined; page = await session.readDir(handle)) {
          for (const { name, attrs } of page) {
            const part = inDirectory(directory, name);
            const untouchedMs = clock.now() - (attrs.modifiedMs ?? clock.now());
            if (!isPartFor(name, target) || !(writing.left.has(part) || isForgottenPart(name, target, untouchedMs))) continue;
            await session.remove(wirePath(part));
            writing.left.delete(part);
          }
        }
        await session.close(handle);
      }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
};
