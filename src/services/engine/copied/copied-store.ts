import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreException } from '../../../core/errors.ts';
import type { Entry } from '../../../core/files.ts';
import type { StoreFile } from '../../../core/store-file.ts';
import { type Call, kindOf } from '../embedded/calls.ts';
import { createStore } from '../embedded/create-store.ts';
import { gather, type Link, type Waiting } from '../embedded/link.ts';
import type { Answer } from '../embedded/session.ts';
import type { Store } from '../port.ts';
import { storeFaultKind } from '../store-fault.ts';
import { answerIn } from './answer-in.ts';
import { makeWorkDirectory, type WorkDirectory } from './work-directory.ts';

export interface CopiedOptions {
  readonly now?: () => number;
  /** How long to wait for a process that has the file open. */
  readonly busyMs?: number;
  /** The file of the service's own store, which no caller with limits may name, under whatever name. */
  ownFile?(): Promise<string | undefined>;
}

type Through = NonNullable<StoreFile['through']>;

/** SQLite reads the whole file for each call, so it may not be long. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How long one call may take turns with others of the same file; giving back a lock must work after a run was stopped. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 50;

/**
 * A store in a file of a caller with limits. SQLite opens a file, and the two beside it, by name, long after the name was judged, and
 * resolves `/proc/self/fd/N` to a name first. So it never sees a name that the caller can make lead elsewhere: for each batch of calls the
 * file is read through the caller's port into a directory that only this process knows, and what came of it takes the place of the file as
 * an edit does, only where that is still what was read.
 */
export const copiedStore = (file: string, through: Through, { now = Date.now, ...options }: CopiedOptions = {}): Store =>
  createStore({ connect: async () => linkCopied(file, through, options), now, place: file });

const linkCopied = (
  file: string,
  through: Through,
  { ownFile = async () => undefined, busyMs = 2_000 }: Omit<CopiedOptions, 'now'>,
): Link => {
  let last: Promise<void> = Promise.resolve();

  const judge = async (entry: Entry): Promise<void> => {
    if (entry.size > MAX_BYTES) throw tooLong(file);
    const own = await ownFile();
    if (own !== undefined && identitiesOf(own).includes(entry.identity)) throw notYours(file);
    for (const beside of ['-wal', '-journal']) if (((await through.stat(`${file}${beside}`))?.size ?? 0) > 0) throw heldElsewhere(file);
  };

  /** False where somebody else made the file meanwhile. */
  const isPut = async (work: WorkDirectory, signal: AbortSignal): Promise<boolean> => {
    try {
      await using target = await through.create(file, { signal, exclusive: true, mode: 0o600 });
      for (const chunk of work.chunks()) await target.write(chunk);
      await target.commit();
      return true;
    } catch (fault) {
      if ((await through.stat(file, { followLinks: false })) === undefined) throw fault;
      return false;
    }
  };

  const answer = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const isChange = calls.some((call) => kindOf(call) !== 'read');
    const entry = await through.stat(file, { followLinks: false });
    using work = makeWorkDirectory();
    if (entry === undefined) {
      const answers = answerIn(work.file, calls, file);
      return !isChange || (await isPut(work, signal)) ? answers : answer(calls);
    }
    if (!isChange) {
      await using source = await through.open(file);
      await judge(source.entry);
      await work.fill(source.stream());
      return answerIn(work.file, calls, file);
    }
    return await through.edit(
      file,
      async (source, target) => {
        await judge(source.entry);
        await work.fill(source.stream()); // anew for each try
        const answers = answerIn(work.file, calls, file);
        for (const chunk of work.chunks()) await target.write(chunk);
        return { value: answers, isChanged: true };
      },
      { signal },
    );
  };

  /** Others have a file open for moments only, unless they wait for something while they do. */
  const patiently = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
      try {
        return await answer(calls);
      } catch (fault) {
        if (waitedMs >= busyMs || storeFaultKind(fault) !== 'busy') throw fault;
        await wait(LOOK_MS);
      }
    }
  };

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await patiently(batch.map(({ call }) => call));
      for (const [at, { resolve, reject }] of batch.entries()) {
        const found = answers[at];
        if (found !== undefined && 'value' in found) resolve(found.value);
        else reject(found?.fault);
      }
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    }
  };

  return {
    send: gather((batch) => {
      last = last.then(() => settle(batch));
    }),
    isOpen: true,
    close: () => last,
  };
};

/** A database and what SQLite keeps beside it. */
const identitiesOf = (own: string): string[] =>
  [own, `${own}-wal`, `${own}-shm`].flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? [] : [`${found.dev}:${found.ino}`];
  });

const tooLong = (file: string) =>
  new StoreException(
    `The store at ${file} is longer than ${MAX_BYTES / 1024 / 1024} MiB, the most for callers with limits; begin another one.`,
    {
      context: { place: file, max_bytes: MAX_BYTES },
    },
  );

const notYours = (file: string) =>
  new StoreException(`The store at ${file} is the service's own, so only its owner may use it; name another file.`, {
    context: { place: file, rule: 'state' },
  });

const heldElsewhere = (file: string) =>
  new StoreException(`Another process has the store at ${file} open, or left it unfinished; try again when that has closed it.`, {
    context: { place: file, fault: 'busy' },
    retryable: true,
  });
