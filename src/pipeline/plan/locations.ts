import type { LocationRole } from '../../core/args.ts';
import { StorageException } from '../../core/errors.ts';
import type { Foresight } from '../../core/planning.ts';
import type { CommandContext } from '../command/context.ts';

/** What would happen at one location, by looking whether something is there. */
export const foreseeLocation = async (
  role: LocationRole,
  written: string,
  { storage: open, signal }: Pick<CommandContext, 'storage' | 'signal'>,
  foresight: Foresight,
): Promise<void> => {
  const { storage, path } = await open(written);
  const item = await storage.stat(path, { signal });
  const target = `${storage.location}/${path}`;
  const seen = item && { size: item.bytes, mtimeMs: item.modifiedMs ?? 0, version: item.version };
  switch (role) {
    case 'readsLocation':
      if (item === undefined) {
        throw new StorageException(`Nothing is at ${target}; check the location.`, { context: { code: 'not_found', location: target } });
      }
      return foresight.record({ kind: 'read', target, bytes: item.bytes }, seen);
    case 'writesLocation':
      return foresight.record({ kind: item === undefined ? 'create' : 'overwrite', target }, seen);
    case 'removesLocation':
      return item && foresight.record({ kind: 'delete', target, bytes: item.bytes }, seen);
  }
};
