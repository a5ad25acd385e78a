import type { Arg, Role } from '../../core/args.ts';
import { DirNotExistsException, FileNotExistsException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { Foresight } from '../../core/planning.ts';
import { NotYetKnown } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect } from '../../core/result.ts';
import type { Bindings } from './bind.ts';
import type { CommandContext } from './context.ts';
import type { Arguments } from './perform.ts';

/** What a dry run knows of one command. */
export interface Foreseen {
  readonly effects: readonly Effect[];
  readonly complete: boolean;
}

/** Stands where perform stands in a dry run: asks `plan`, or the roles of the arguments, and never calls `run`. */
export const foresee = async (ready: Ready, context: CommandContext, args: Arguments, foresight: Foresight): Promise<Foreseen> => {
  const end = foresight.begin();
  try {
    if (ready.plain !== undefined) {
      foresight.record({ kind: 'execute', target: ready.about.name });
      return { effects: end(), complete: false };
    }
    // Bound arguments: only plain functions have a list.
    if (ready.action.plan !== undefined) await ready.action.plan(context, args as Bindings);
    else await byRoles(ready, context.files, args as Bindings, foresight);
    return { effects: end(), complete: true };
  } catch (fault) {
    const effects = end();
    if (fault instanceof NotYetKnown) return { effects, complete: false };
    throw fault;
  }
};

const byRoles = async (ready: Ready, files: FilePort, args: Bindings, foresight: Foresight) => {
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
  foresight.record({ kind: 'read', target: entry.path, bytes: entry.size }, entry);
};

const foreseeWrite = async (path: string, files: FilePort, foresight: Foresight) => {
  const entry = await files.stat(path);
  foresight.record({ kind: entry === undefined ? 'create' : 'overwrite', target: files.absolute(path) }, entry);
};

const foreseeRemove = async (path: string, files: FilePort, foresight: Foresight) => {
  const entry = await files.stat(path, { followLinks: false });
  if (entry !== undefined) foresight.record({ kind: 'delete', target: entry.path, bytes: entry.size }, entry);
};
