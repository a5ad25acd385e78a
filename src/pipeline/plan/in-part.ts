import type { Arg, Role } from '../../core/args.ts';
import { CancelledException, FileAutomationException, PolicyException } from '../../core/errors.ts';
import type { Foresight } from '../../core/planning.ts';
import type { Ready } from '../../core/ready.ts';
import type { Effect } from '../../core/result.ts';
import type { Bindings } from '../command/bind.ts';
import type { CommandContext } from '../command/context.ts';
import { recordRead, recordWrite } from './by-roles.ts';

/** What is known when the planning of a command had to stop. */
export interface Known {
  readonly foresight: Foresight;
  /** Arguments whose value only a real run gets. */
  readonly unknown: readonly string[];
  /** What was planned by then. */
  readonly told: readonly Effect[];
}

/** What is sure all the same. */
export interface Part {
  readonly effects: readonly Effect[];
  /** Whether nothing else can change on the disk. */
  readonly isContained: boolean;
}

/**
 * What is sure of a command that could not be planned to its end: what the roles of known arguments say, for targets of which planning
 * has told nothing. What would be written is there for later commands, with a content that nobody knows.
 */
export const foreseeInPart = async (ready: Ready, context: CommandContext, args: Bindings, known: Known): Promise<Part> => {
  const { foresight, unknown, told } = known;
  const open = unknown.flatMap((key) => ready.args[ready.places.get(key) ?? -1]?.roles ?? []);
  const way: Way = { context, foresight, isPlanned: unknown.length === 0, goesElsewhere: open.some(isWriting) };
  let isContained = !open.some(isUncontained) && told.every(({ kind }) => kind !== 'execute');
  const end = foresight.begin();
  try {
    for (const [at, key] of ready.keys.entries()) {
      const arg = ready.args[at];
      const value = args[key];
      if (arg === undefined || value === null || unknown.includes(key)) continue;
      if (arg.roles.includes('command')) isContained = false;
      for (const path of arg.roles.some(isOnDisk) ? textsIn(value) : []) {
        const isTold = told.some(({ target }) => target === context.files.absolute(path));
        if (!isTold && !(await foreseePath(path, arg, way))) isContained = false;
      }
      if (told.length === 0) foreseeForeign(arg, value, foresight);
    }
  } catch (fault) {
    end();
    throw fault;
  }
  return { effects: end(), isContained };
};

interface Way {
  readonly context: CommandContext;
  readonly foresight: Foresight;
  /** Every argument is known. */
  readonly isPlanned: boolean;
  /** A path to write to is not known: what would be removed goes there as a whole. */
  readonly goesElsewhere: boolean;
}

const isWriting = (role: Role): boolean => role === 'writes' || role === 'writesTree';
const isRemoving = (role: Role): boolean => role === 'removes' || role === 'removesTree';
const isOnDisk = (role: Role): boolean => isWriting(role) || isRemoving(role) || role === 'reads' || role === 'readsTree';
/** Roles of an argument that, while it is unknown, lets anything change. */
const isUncontained = (role: Role): boolean => isWriting(role) || isRemoving(role) || role === 'command' || role === 'steps';

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Tells whether nothing else can change there. */
const foreseePath = async (path: string, { roles }: Arg, way: Way): Promise<boolean> => {
  if (roles.some(isWriting)) return foreseeWriting(path, roles.includes('writesTree'), way);
  if (roles.some(isRemoving)) return foreseeRemoving(path, roles.includes('removesTree'), way);
  const entry = await way.context.files.stat(path);
  if (entry !== undefined) recordRead(entry, way.foresight);
  return true;
};

const foreseeWriting = async (path: string, isTree: boolean, { context: { files, signal }, foresight }: Way): Promise<boolean> => {
  const entry = await files.stat(path);
  const record = () => recordWrite(files.absolute(path), entry, foresight);
  if (isTree || entry?.kind === 'dir') {
    record();
    return false;
  }
  await asFarAsAllowed(async () => {
    await using writer = await files.create(path, { signal });
    await writer.commit();
  }, record);
  return true;
};

/** Where only what is below goes, and nobody knows what, the directory is changed. */
const foreseeRemoving = async (path: string, isTree: boolean, way: Way): Promise<boolean> => {
  const { context, foresight, isPlanned, goesElsewhere } = way;
  const { files, signal } = context;
  const entry = await files.stat(path, { followLinks: false });
  if (entry === undefined || (entry.kind === 'dir' && !isTree)) return true;
  if (entry.kind === 'dir' && !goesElsewhere) {
    recordWrite(entry.path, entry, foresight);
    return false;
  }
  if (isPlanned) return true; // with all it needs to know, planning would have told if the file goes
  const remove = () => (entry.kind === 'dir' ? files.removeTree(path, { signal }) : files.remove(path));
  await asFarAsAllowed(remove, () => foresight.record({ kind: 'delete', target: entry.path }));
  return true;
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
    if (role === 'url' || role === 'host' || role === 'sink')
      for (const target of textsIn(value)) foresight.record({ kind: 'network', target });
    else if (role === 'command') foresight.record({ kind: 'execute', target: textsIn(value).join(' ') });
  }
};
