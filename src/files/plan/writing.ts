import type { FilePort, WriteOptions, Writer } from '../../core/files.ts';
import { newFileMode } from '../../lib/fs/new-file-mode.ts';
import { demandFile, demandGoing, demandWritable } from '../refusals.ts';
import { demandParents, planParents } from './parents.ts';
import { demandChangeable, demandReadable, demandRoom } from './permission.ts';
import type { PlannedFile } from './planned-tree.ts';
import type { Located, Planner, Seen } from './planner.ts';
import { contentOf } from './reading.ts';

/** Contents up to this size are remembered, so that later commands of the dry run can read them. */
export const MAX_KEPT_BYTES = 1024 * 1024;

/** Single files that would be written. */
export const createPlannedWriting = (planner: Planner): Pick<FilePort, 'create' | 'write' | 'copy'> => ({
  create: async (path, options) => {
    await admit(planner, path, options);
    return writerOf(planner, path, options);
  },
  async write(path, content, options) {
    const { shown } = await admit(planner, path, options);
    demandGoing(options.signal, shown);
    planner.budget?.spend(content.byteLength);
    const isKept = content.byteLength <= MAX_KEPT_BYTES;
    await land(planner, path, { ...options, size: content.byteLength, content: isKept ? { bytes: Buffer.from(content) } : undefined });
  },
  async copy(from, to, { keepMetadata, exclusive = false, signal }) {
    const source = planner.locate(from, { access: 'read' });
    const seen = demandFile(await planner.look(source.real), source.shown);
    const { shown } = await admit(planner, to, { exclusive });
    demandGoing(signal, shown);
    demandReadable(seen, source.shown);
    planner.budget?.spend(seen.size ?? 0);
    planner.record('read', source.touched, { bytes: seen.size, seen });
    await land(planner, to, { ...copyOf(seen, { keepMetadata }), exclusive });
  },
});

interface Admission extends Pick<WriteOptions, 'exclusive' | 'needsDirectory'> {
  /** The file that is there is written itself; otherwise another one takes its place. */
  readonly isInPlace?: boolean;
}

interface Landing extends Pick<PlannedFile, 'size' | 'content'>, Admission {
  readonly mode?: number;
  readonly mtimeMs?: number;
}

/** The checks of a real write: what stands there must be a file, or nothing, where directories can be made above it. */
export const admit = async (
  planner: Planner,
  path: string,
  { exclusive = false, needsDirectory = false, isInPlace = false }: Admission,
): Promise<Located & { readonly there: Seen | undefined }> => {
  const located = planner.locate(path, { access: 'write' });
  const there = await planner.look(located.real);
  if (there === undefined) await (needsDirectory ? planner.demandParent(located) : demandParents(planner, located));
  demandWritable(there?.kind, { path: located.shown, exclusive });
  if (there !== undefined && isInPlace) demandChangeable(there, located.shown);
  else demandRoom(planner, located);
  return { ...located, there };
};

/** Puts a file into the planned tree and says so. */
export const land = async (planner: Planner, path: string, { size, content, mode, mtimeMs, ...options }: Landing): Promise<void> => {
  const { touched, real, there } = await admit(planner, path, options);
  if (there === undefined) await planParents(planner, { real });
  if (there !== undefined && options.isInPlace !== true) planner.budget?.remove?.(1);
  planner.record(there === undefined ? 'create' : 'overwrite', touched, { bytes: size, seen: there });
  const looks = { mode: mode ?? (there === undefined ? newFileMode() : there.mode & 0o777), mtimeMs: mtimeMs ?? planner.now() };
  planner.tree.put(real, { kind: 'file', size, content, ...looks });
};

/** A copy of a file, as it would stand in the tree. */
export const copyOf = (seen: Seen, { keepMetadata }: { readonly keepMetadata: boolean }): Omit<Landing, 'exclusive'> => ({
  size: seen.size,
  content: contentOf(seen),
  ...(keepMetadata && { mode: seen.mode & 0o777, mtimeMs: seen.mtimeMs }),
});

/** Counts and, while it is little, remembers what is written. */
export const writerOf = (planner: Planner, path: string, options: WriteOptions): Writer => {
  const kept: { readonly chunk: Uint8Array; readonly position: number }[] = [];
  let end = 0;
  const put = async (chunk: Uint8Array, position: number): Promise<void> => {
    demandGoing(options.signal, path);
    planner.budget?.spend(chunk.byteLength);
    end = Math.max(end, position + chunk.byteLength);
    if (end <= MAX_KEPT_BYTES) kept.push({ chunk: Buffer.from(chunk), position });
  };
  return {
    write: (chunk) => put(chunk, end),
    writeAt: put,
    async commit() {
      demandGoing(options.signal, path);
      // A plan may only tell how much there will be; without even that the size is not known.
      const size = end === 0 ? options.expectedBytes : Math.max(end, options.expectedBytes ?? 0);
      planner.budget?.spend((size ?? 0) - end);
      const isKept = size === 0 || (end === size && end <= MAX_KEPT_BYTES);
      await land(planner, path, { ...options, size, content: isKept ? { bytes: join(kept, end) } : undefined });
    },
    [Symbol.asyncDispose]: async () => {},
  };
};

const join = (kept: readonly { readonly chunk: Uint8Array; readonly position: number }[], size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  for (const { chunk, position } of kept) bytes.set(chunk, position);
  return bytes;
};
