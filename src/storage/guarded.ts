import type { Access } from '../core/files.ts';
import type { Budget } from '../core/quota.ts';
import type { Outgoing, PartedWrite, Storage } from '../core/storage.ts';
import { counted } from './layers/counted.ts';

export interface GuardOptions {
  readonly budget: Budget | undefined;
  /** Throws unless the location may be used so; left out where everything may. */
  readonly demand: ((location: string, access: Access) => void) | undefined;
  /** Told of each location that is about to be changed. */
  readonly changing?: ((location: string) => void) | undefined;
}

/**
 * A storage as one caller may use it: every path is judged at the moment it is used, and what is sent or removed counts against the budget
 * of the run. Replacing counts as deleting what was there.
 */
export const guarded = (inner: Storage, { budget, demand, changing }: GuardOptions): Storage => {
  const told = new Set<string>();
  const tellOnce = (path: string): void => {
    if (told.has(path)) return;
    told.add(path);
    changing?.(`${inner.location}/${path}`);
  };
  const judge = (access: Access, ...paths: readonly string[]): void => {
    if (demand !== undefined) for (const path of paths) demand(`${inner.location}/${path}`, access);
    if (changing !== undefined && access !== 'read') for (const path of paths) tellOnce(path);
  };
  const { makeDir, removeDir, copy, move, startParts, resumeParts, sweep } = inner;
  const countReplaced = async (path: string, signal: AbortSignal): Promise<void> => {
    if (budget?.remove === undefined) return;
    if ((await inner.stat(path, { signal }))?.kind === 'file') budget.remove(1);
  };
  const judged: Storage = {
    ...inner,
    async stat(path, options) {
      judge('read', path);
      return inner.stat(path, options);
    },
    list(path, options) {
      judge('read', path);
      return inner.list(path, options);
    },
    async read(path, options) {
      judge('read', path);
      return inner.read(path, options);
    },
    async write(path, content: Outgoing, options) {
      judge('write', path);
      await countReplaced(path, options.signal);
      return inner.write(path, content, options);
    },
    async remove(path, options) {
      judge('remove', path);
      await countReplaced(path, options.signal);
      return inner.remove(path, options);
    },
    ...(makeDir && {
      async makeDir(path, options) {
        judge('write', path);
        return makeDir(path, options);
      },
    }),
    ...(removeDir && {
      async removeDir(path, options) {
        judge('remove', path);
        return removeDir(path, options);
      },
    }),
    ...(copy && {
      async copy(from, to, options) {
        judge('read', from);
        judge('write', to);
        await countReplaced(to, options.signal);
        // No byte comes by here, and yet as many are written.
        if (budget !== undefined && budget.countsBytes !== false) budget.spend((await inner.stat(from, options))?.bytes ?? 0);
        return copy(from, to, options);
      },
    }),
    ...(move && {
      async move(from, to, options) {
        judge('remove', from);
        judge('write', to);
        await countReplaced(to, options.signal);
        return move(from, to, options);
      },
    }),
    ...(startParts && {
      async startParts(path, options): Promise<PartedWrite> {
        judge('write', path);
        await countReplaced(path, options.signal);
        return startParts(path, options);
      },
    }),
    ...(resumeParts && {
      async resumeParts(path, ticket, options) {
        judge('write', path);
        return resumeParts(path, ticket, options);
      },
    }),
    ...(sweep && {
      async sweep(path, options) {
        judge('write', path);
        return sweep(path, options);
      },
    }),
  };
  if (budget === undefined || budget.countsBytes === false) return judged;
  return counted(judged, (direction, bytes) => (direction === 'upload' ? budget.spend(bytes) : undefined));
};
