import type { Arg, Role } from '../../core/args.ts';
import { CancelledException, FileAutomationException, PolicyException } from '../../core/errors.ts';
import { type Foresight, LATER } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect } from '../../core/result.ts';
import type { Bindings } from '../command/bind.ts';
import type { CommandContext } from '../command/context.ts';
import { recordRead, recordWrite } from './by-roles.ts';

/**
 * What is sure of a command although some of its arguments are not known yet: what the roles of the others say, for targets of which
 * planning has told nothing so far. What would be written is there for later commands, with a content that nobody knows.
 */
export const foreseeInPart = async (
  ready: Ready,
  context: CommandContext,
  args: Bindings,
  foresight: Foresight,
  told: readonly Effect[],
): Promise<readonly Effect[]> => {
  const goesElsewhere = ready.keys.some((key, at) => args[key] === LATER && ready.args[at]?.roles.some(isWriting) === true);
  const part: Part = { context, foresight, goesElsewhere };
  const end = foresight.begin();
  try {
    for (const [at, key] of ready.keys.entries()) {
      const arg = ready.args[at];
      const value = args[key];
      if (arg === undefined || value === null || value === LATER) continue;
      for (const path of arg.roles.some(isOnDisk) ? textsIn(value) : []) {
        const target = context.files.absolute(path);
        if (!told.some((effect) => effect.target === target)) await foreseePath(path, arg, part);
      }
      if (told.length === 0) foreseeForeign(arg, value, foresight);
    }
  } catch (fault) {
    end();
    throw fault;
  }
  return end();
};

interface Part {
  readonly context: CommandContext;
  readonly foresight: Foresight;
  /** A path to write to is not known: what would be removed goes there as a whole. */
  readonly goesElsewhere: boolean;
}

const isWriting = (role: Role): boolean => role === 'writes' || role === 'writesTree';
const isRemoving = (role: Role): boolean => role === 'removes' || role === 'removesTree';
const isOnDisk = (role: Role): boolean => isWriting(role) || isRemoving(role) || role === 'reads' || role === 'readsTree';

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

const foreseePath = async (path: string, { roles }: Arg, part: Part): Promise<void> => {
  if (roles.some(isWriting)) return foreseeWriting(path, roles.includes('writesTree'), part);
  if (roles.some(isRemoving)) return foreseeRemoving(path, roles.includes('removesTree'), part);
  const entry = await part.context.files.stat(path);
  if (entry !== undefined) recordRead(entry, part.foresight);
};

const foreseeWriting = async (path: string, isTree: boolean, { context: { files, signal }, foresight }: Part): Promise<void> => {
  const entry = await files.stat(path);
  const record = () => recordWrite(files.absolute(path), entry, foresight);
  if (isTree || entry?.kind === 'dir') return record();
  await asFarAsAllowed(async () => {
    await using writer = await files.create(path, { signal });
    await writer.commit();
  }, record);
};

/** Where only what is below goes, and nobody knows what, the directory is changed. */
const foreseeRemoving = async (path: string, isTree: boolean, { context, foresight, goesElsewhere }: Part): Promise<void> => {
  const { files, signal } = context;
  const entry = await files.stat(path, { followLinks: false });
  if (entry === undefined || (entry.kind === 'dir' && !isTree)) return;
  if (entry.kind === 'dir' && !goesElsewhere) return recordWrite(entry.path, entry, foresight);
  const remove = () => (entry.kind === 'dir' ? files.removeTree(path, { signal }) : files.remove(path));
  await asFarAsAllowed(remove, () => foresight.record({ kind: 'delete', target: entry.path }));
};

/** What cannot be planned on its own is told plainly; what is refused stays refused. */
const asFarAsAllowed = async (plan: () => Promise<void>, record: () => void): Promise<void> => {
  try {
    await plan();
  } catch (fault) {
    if (!(fault instanceof FileAutomationException) || fault instanceof PolicyException || fault instanceof CancelledException) throw fault;
    record();
  }
};

/** What is asked of other machines and of programs. */
const foreseeForeign = ({ roles }: Arg, value: unknown, foresight: Foresight): void => {
  for (const role of roles) {
    if (role === 'url' || role === 'host' || role === 'location')
      for (const target of textsIn(value)) foresight.record({ kind: 'network', target });
    else if (role === 'command') foresight.record({ kind: 'execute', target: textsIn(value).join(' ') });
  }
};
