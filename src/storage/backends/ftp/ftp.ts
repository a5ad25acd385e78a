/**
 * FTP and FTPS and nothing more. `control.ts` is the connection for commands, `login.ts` what comes before the first of them, `pool.ts` keeps
 * several; `transfer.ts` moves data, `look.ts` and `listing.ts` read what servers tell of their files, `write.ts` puts files there under a
 * temporary name and renames them.
 */
import { FTPException } from '../../../core/errors.ts';
import type { Storage, StorageAbilities } from '../../../core/storage.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults } from '../../faults.ts';
import { handedOut } from '../../handed-out.ts';
import { isForgottenPart, isPartFor } from '../../part-name.ts';
import { directoryOf, inDirectory, nameOf } from '../../remote-path.ts';
import type { FtpSession } from './login.ts';
import { listTree, readDirectory, refusal, statPath, versionOf, wirePath } from './look.ts';
import { createPool } from './pool.ts';
import type { FtpSettings } from './settings.ts';
import { receiveData } from './transfer.ts';
import { makeDirs, PARTS, rename, resumeParts, startParts, type WriteWorld, writeFile } from './write.ts';

const CAN: StorageAbilities = { range: true, exclusiveWrite: false, directories: 'real', hashes: [], timeStepMs: 1000, parts: PARTS };

/** A server that speaks FTP. It is connected to when something is first asked of it. */
export const openFtpStorage = (settings: FtpSettings, backend: BackendWorld): Storage => {
  const { location, clock } = backend;
  const faults = createFaults(FTPException, location);
  if (settings.passive === false)
    throw faults.because('unsupported', 'Active FTP, where the server connects to this machine, is not supported; remove passive = false.');
  const pool = createPool({ settings, world: backend, faults });
  const world: WriteWorld = { pool, faults, location, host: settings.host, timeoutMs: (settings.timeout ?? 30) * 1000, left: new Set() };

  /** One piece of work on a connection. Whoever cancels it loses the connection: an answer may be on its way. */
  const ask = async <T>(path: string, signal: AbortSignal, work: (session: FtpSession) => Promise<T>): Promise<T> => {
    demandSendable(path);
    return pool.use(signal, async (session) => {
      const stop = () => session.destroy();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await work(session);
      } catch (fault) {
        signal.throwIfAborted();
        throw fault;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    });
  };
  const demandSendable = (path: string): void => {
    if (/[\r\n\0]/.test(path)) throw faults.badName(path, 'a line break cannot be sent over FTP');
  };

  return {
    location,
    can: CAN,
    stat: (path, { signal }) => ask(path, signal, (session) => statPath(world, session, path)),
    async *list(path, options) {
      demandSendable(path);
      const session = await pool.take(options.signal);
      try {
        yield* listTree(world, session, path, options);
      } finally {
        pool.giveBack(session);
      }
    },
    async read(path, { stretch, version, signal }) {
      demandSendable(path);
      const session = await pool.take(signal);
      try {
        const item = await statPath(world, session, path);
        if (item === undefined) throw faults.notFound(path);
        if (item.kind === 'dir') throw faults.isDirectory(path);
        if (version !== undefined && version !== versionOf(item)) throw faults.changed(path);
        const end = Math.min(stretch?.end ?? item.bytes, item.bytes);
        const start = Math.min(stretch?.start ?? 0, end);
        const line = await session.transfer(`RETR ${wirePath(path)}`, start);
        if ('code' in line) throw refusal(world, line, 'Reading', path);
        const chunks = receiveData(line, { ...world, wanted: end - start, what: 'Reading', location: `${location}/${path}`, signal });
        const leave = (): void => {
          // A reader that has gone before the end lets the rest of the transfer be given up first.
          void chunks
            .return(undefined)
            .catch(() => {})
            .finally(() => {
              if (!line.isOver) line.giveUp();
              pool.giveBack(session);
            });
        };
        return handedOut(chunks, { signal, leave, translated: (fault) => fault });
      } catch (fault) {
        pool.giveBack(session);
        throw fault;
      }
    },
    async write(path, content, options) {
      demandSendable(path);
      if (path === '' || path === '/') throw faults.isDirectory(path);
      return writeFile(world, path, content, options);
    },
    remove: (path, { signal }) =>
      ask(path, signal, async (session) => {
        const reply = await session.ask(`DELE ${wirePath(path)}`);
        if (reply.code === 250 || reply.code === 200) return true;
        const there = await statPath(world, session, path);
        if (there === undefined) return false;
        throw there.kind === 'dir' ? faults.isDirectory(path) : refusal(world, reply, 'Removing', path);
      }),
    makeDir: (path, { signal }) =>
      ask(path, signal, async (session) => {
        if (path !== '' && path !== '/') await makeDirs(world, session, path);
      }),
    removeDir: (path, { signal }) =>
      ask(path, signal, async (session) => {
        const reply = await session.ask(`RMD ${wirePath(path)}`);
        if (reply.code === 250 || reply.code === 200) return true;
        const there = await statPath(world, session, path);
        if (there === undefined) return false;
        if (there.kind !== 'dir') throw faults.because('unsupported', `${location}/${path} is a file; remove it as one.`);
        throw (await readDirectory(world, session, path, signal)).length > 0
          ? faults.notEmpty(path)
          : refusal(world, reply, 'Removing', path);
      }),
    move: (from, to, { signal }) =>
      ask(`${from}${to}`, signal, async (session) => {
        const item = await statPath(world, session, from);
        if (item === undefined) throw faults.notFound(from);
        if (item.kind === 'dir') throw faults.isDirectory(from);
        if (directoryOf(to) !== '') await makeDirs(world, session, directoryOf(to));
        if (from !== to) await rename(world, session, from, to);
        return { ...item, path: to };
      }),
    async startParts(path, options) {
      demandSendable(path);
      return startParts(world, path, options);
    },
    resumeParts: (path, ticket, options) => resumeParts(world, path, ticket, options),
    sweep: (path, { signal }) =>
      ask(path, signal, async (session) => {
        const [directory, target] = [directoryOf(path), nameOf(path)];
        for (const { name, modifiedMs } of await readDirectory(world, session, directory, signal)) {
          const part = inDirectory(directory, name);
          const untouchedMs = modifiedMs === undefined ? 0 : clock.now() - modifiedMs;
          if (!isPartFor(name, target) || !(world.left.has(part) || isForgottenPart(name, target, untouchedMs))) continue;
          await session.ask(`DELE ${wirePath(part)}`);
          world.left.delete(part);
        }
      }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
};
