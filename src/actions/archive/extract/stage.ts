import { dirname, join } from 'node:path';
import type { Context } from '../../../core/context.ts';
import { FileAccessException } from '../../../core/errors.ts';
import { newPartName } from '../../../lib/fs/part-name.ts';

/** A private directory next to the place where things will appear, on the same file system. */
export interface Stage extends AsyncDisposable {
  readonly path: string;
  /** What a new directory gets here; the stage itself is closed to others until it is put in place. */
  readonly openMode: number;
  /** Keeps the directory when this is disposed: it has become the target. */
  release(): void;
}

/** Makes the directory: inside the target where that exists, else beside the first missing part of its path. */
export const openStage = async ({ files }: Pick<Context, 'files'>, target: string): Promise<Stage> => {
  const path = join(await nearestDirectory(files, files.absolute(target)), newPartName());
  let isOurs = true;
  const make = () => files.makeDir(path, { parents: true });
  await namingTarget(path, files.absolute(target), make); // none is missing: this refuses a file on the way in the words of all others
  // With a signal of its own: the command's may be what ended it.
  const remove = () => files.removeTree(path, { signal: new AbortController().signal, isOwn: true });
  return {
    path,
    openMode: await closeToOthers(files, path).catch(async (fault: unknown) => {
      await remove();
      throw fault;
    }),
    release() {
      isOurs = false;
    },
    async [Symbol.asyncDispose]() {
      if (isOurs) await remove();
    },
  };
};

/** Answers the mode that it had. */
const closeToOthers = async (files: Context['files'], path: string): Promise<number> => {
  const mode = (await files.stat(path))?.mode ?? 0o755;
  await files.setMode(path, 0o700);
  return mode & 0o777;
};

/** Works in a stage; what the system refuses there is told of the place that the caller knows. */
export const namingTarget = async <T>(stage: string, target: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof FileAccessException) || !fault.message.includes(stage)) throw fault;
    const { path } = fault.context;
    throw new FileAccessException(fault.message.replaceAll(stage, target), {
      context: { ...fault.context, ...(typeof path === 'string' && { path: path.replace(stage, target) }) },
      cause: fault,
      retryable: fault.retryable,
    });
  }
};

const nearestDirectory = async (files: Context['files'], path: string): Promise<string> => {
  const above = dirname(path);
  return (await files.stat(path)) !== undefined || above === path ? path : nearestDirectory(files, above);
};
