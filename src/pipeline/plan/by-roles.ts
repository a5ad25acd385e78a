import { dirname } from 'node:path';
import type { Arg, Role } from '../../core/args.ts';
import { DirNotExistsException, FileNotExistsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import type { Foresight } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Bindings } from '../command/bind.ts';

/** The effects of an action whose arguments say by their roles what it does. */
export const foreseeByRoles = async (ready: Ready, files: FilePort, args: Bindings, foresight: Foresight): Promise<void> => {
  for (const [at, key] of ready.keys.entries()) {
    const arg = ready.args[at];
    const value = args[key];
    if (arg === undefined || value === null) continue;
    for (const role of arg.roles) {
      for (const each of Array.isArray(value) && role !== 'command' ? value : [value]) await byRole(role, arg, each, files, foresight);
    }
  }
};

const byRole = async (role: Role, arg: Arg, value: unknown, files: FilePort, foresight: Foresight): Promise<void> => {
  switch (role) {
    case 'reads':
    case 'readsTree':
      return foreseeRead(String(value), role === 'readsTree', arg.mayBeMissing === true, files, foresight);
    case 'writes':
    case 'writesTree':
      return foreseeWrite(String(value), files, foresight);
    case 'removes':
    case 'removesTree':
      return foreseeRemove(String(value), files, foresight);
    case 'url':
    case 'host':
    case 'location':
      return foresight.record({ kind: 'network', target: String(value) });
    case 'command':
      return foresight.record({ kind: 'execute', target: Array.isArray(value) ? value.join(' ') : String(value) });
    case 'steps':
    case 'secret':
      return;
  }
};

const foreseeRead = async (path: string, wantsDir: boolean, mayBeMissing: boolean, files: FilePort, foresight: Foresight) => {
  const entry = await files.stat(path);
  if (entry === undefined || (wantsDir && entry.kind !== 'dir')) {
    if (mayBeMissing) return;
    const shown = files.absolute(path);
    throw wantsDir
      ? new DirNotExistsException(`No directory at ${shown}; check the path.`, { context: { path: shown } })
      : new FileNotExistsException(`No file at ${shown}; check the path.`, { context: { path: shown } });
  }
  recordRead(entry, foresight);
};

/** What would be read, with its size where that is known. */
export const recordRead = (entry: Entry, foresight: Foresight): void =>
  entry.isPlanned === true
    ? foresight.record({ kind: 'read', target: entry.path })
    : foresight.record({ kind: 'read', target: entry.path, bytes: entry.size }, entry);

const foreseeWrite = async (path: string, files: FilePort, foresight: Foresight) => {
  const target = files.absolute(path);
  const entry = await files.stat(path);
  if (entry === undefined) await files.makeDir(dirname(target), { parents: true });
  recordWrite(target, entry, foresight);
};

/** What would be written, where something stands or nothing. */
export const recordWrite = (target: string, entry: Entry | undefined, foresight: Foresight): void =>
  foresight.record(
    { kind: entry === undefined ? 'create' : 'overwrite', target },
    entry?.isPlanned === true || entry?.kind === 'dir' ? undefined : entry, // a directory changes with everything that comes into it
  );

const foreseeRemove = async (path: string, files: FilePort, foresight: Foresight) => {
  const entry = await files.stat(path, { followLinks: false });
  if (entry === undefined) return;
  if (entry.isPlanned === true) foresight.record({ kind: 'delete', target: entry.path });
  else foresight.record({ kind: 'delete', target: entry.path, bytes: entry.size }, entry);
};
