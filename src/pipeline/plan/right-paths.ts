import type { Arg } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAccessException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import type { Ready } from '../../core/ready.ts';
import type { Bindings } from '../command/bind.ts';

/** Fails as the action would where a path that wants a file has none: its `plan` need not look, and roles cannot know. */
export const demandRightPaths = async (ready: Ready, context: Pick<Context, 'files'>, args: Bindings): Promise<void> => {
  for (const [at, arg] of ready.args.entries()) {
    if (arg.wrong === undefined) continue;
    const key = ready.keys[at] ?? '';
    const value = args[key];
    if (typeof value === 'string') await demandFile(arg, key, value, context.files);
  }
};

const demandFile = async ({ wrong: Wrong, mayBeMissing, roles }: Arg, argument: string, path: string, files: FilePort): Promise<void> => {
  if (Wrong === undefined) return;
  const entry = await files.stat(path).catch((fault: unknown) => {
    if (fault instanceof FileAccessException && roles.includes('writes')) return null; // told by whoever would write there
    throw fault;
  });
  if (entry === null) return;
  if (entry === undefined ? mayBeMissing === true || roles.includes('writes') : entry.kind !== 'dir') return;
  const shown = files.absolute(path);
  const what = entry === undefined ? 'No file is' : 'A directory is where a file is needed,';
  throw new Wrong(`${what} at ${shown}; check the path.`, { context: { argument, path: shown } });
};
