import { dirname } from 'node:path';
import type { Arg, LocationRole, Role } from '../../core/args.ts';
import {
  CancelledException,
  DirNotExistsException,
  FileAutomationException,
  FileNotExistsException,
  PolicyException,
} from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import { type Foresight, NotYetKnown } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Bindings } from '../command/bind.ts';
import type { CommandContext } from '../command/context.ts';

/** The effects of an action whose arguments say by their roles what it does. */
export const foreseeByRoles = async (ready: Ready, context: Looker, args: Bindings, foresight: Foresight): Promise<void> => {
  for (const [at, key] of ready.keys.entries()) {
    const arg = ready.args[at];
    const value = args[key];
    if (arg === undefined || value === null) continue;
    for (const role of arg.roles) {
      for (const each of Array.isArray(value) && role !== 'command' ? value : [value]) await byRole(role, arg, each, context, foresight);
    }
  }
  const { location } = ready.action;
  if (location !== undefined) await atLocation(location.role, location.of(args), context, foresight);
};

/**
 * The effects of an action that only looks: those of the run itself, and what it did not open but was given. Its value is of no use here;
 * where it goes by what is not known yet, only the roles tell.
 */
export const foreseeByLooking = async (ready: Ready, context: CommandContext, args: Bindings, foresight: Foresight): Promise<void> => {
  try {
    await ready.action.run(context, args);
  } catch (fault) {
    if (fault instanceof NotYetKnown) return foreseeByRoles(ready, context, args, foresight);
    throw fault;
  }
  for (const [at, key] of ready.keys.entries()) {
    const path = args[key];
    if (typeof path !== 'string' || !ready.args[at]?.roles.some((role) => role === 'reads' || role === 'readsTree')) continue;
    const entry = await ifAllowed(() => context.files.stat(path));
    if (entry !== undefined) recordRead(entry, foresight);
  }
  const { location } = ready.action;
  if (location !== undefined) await ifAllowed(() => atLocation(location.role, location.of(args), context, foresight));
};

type Looker = Pick<CommandContext, 'files' | 'signal' | 'storage'>;

const byRole = async (role: Role, arg: Arg, value: unknown, context: Looker, foresight: Foresight): Promise<void> => {
  const { files } = context;
  switch (role) {
    case 'reads':
    case 'readsTree': {
      const read = () => foreseeRead(String(value), role === 'readsTree', context, foresight);
      return arg.mayBeMissing === true ? ifAllowed(read) : read();
    }
    case 'writes':
    case 'writesTree':
      return foreseeWrite(String(value), files, foresight);
    case 'removes':
    case 'removesTree':
      return foreseeRemove(String(value), files, foresight);
    case 'url':
    case 'host':
    case 'sink':
      return foresight.record({ kind: 'network', target: String(value) });
    case 'readsLocation':
    case 'writesLocation':
    case 'removesLocation':
      return atLocation(role, String(value), context, foresight);
    case 'command':
      return foresight.record({ kind: 'execute', target: Array.isArray(value) ? value.join(' ') : String(value) });
    case 'steps':
    case 'secret':
      return;
  }
};

const atLocation = async (role: LocationRole, written: string, context: Looker, foresight: Foresight): Promise<void> =>
  (await import('./locations.ts')).foreseeLocation(role, written, context, foresight);

const foreseeRead = async (path: string, wantsDir: boolean, { files, signal }: Looker, foresight: Foresight) => {
  const entry = await files.stat(path);
  if (entry === undefined || (wantsDir && entry.kind !== 'dir')) {
    const shown = files.absolute(path);
    throw wantsDir
      ? new DirNotExistsException(`No directory at ${shown}; check the path.`, { context: { path: shown } })
      : new FileNotExistsException(`No file at ${shown}; check the path.`, { context: { path: shown } });
  }
  if (entry.isPlanned === true) recordRead(entry, foresight);
  else if (wantsDir) await files.coverTree?.(path, { signal });
  else await (await files.open(path))[Symbol.asyncDispose](); // tells of it, and refuses what is no file or closed
};

/** What cannot be had for other reasons than the policy's is passed over: the action may do without. */
const ifAllowed = async <T>(look: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await look();
  } catch (fault) {
    if (fault instanceof FileAutomationException && !(fault instanceof PolicyException) && !(fault instanceof CancelledException))
      return undefined;
    throw fault;
  }
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
