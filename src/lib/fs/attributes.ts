import { fchmodSync, fstatSync } from 'node:fs';
import { addressOf, INHERITED_FD, runOnFiles, SECOND_FD } from './attribute-programs.ts';

/** What of a file was not carried over, in words for a note. */
export interface LostAttributes {
  readonly reason: string;
}

export interface AttributesOptions {
  readonly signal: AbortSignal;
  /** Both are directories: everything below comes along, where it has the same name there. */
  readonly isTree?: boolean;
  /** The content stays the same, so that rights which belong to it (capabilities) stay too. */
  readonly isMove?: boolean;
}

/** What came of carrying attributes over. */
export interface CarriedAttributes {
  readonly lost: readonly LostAttributes[];
  /** There was nothing to carry: as long as nobody changes the file, nobody needs to ask again. */
  readonly isPlain: boolean;
}

/**
 * Gives an open file or directory the extended attributes and access lists (ACLs) of another one, which is open too: both are named by
 * their descriptors, so that nothing else can be meant. Owner, mode and times are for the caller: the mode stays as it is, though an access
 * list brings one along, and the list is as it was once the file gets the mode of the first one. Node cannot ask for attributes, but programs can: `getfattr` and `setfattr`, or for
 * a single file `cp` of GNU. Tells what could not be carried over; nothing is thrown but the reason of the signal.
 */
export const carryAttributes = async (
  from: number,
  to: number,
  { signal, isTree = false, isMove = false }: AttributesOptions,
): Promise<CarriedAttributes> => {
  const dump = await readAttributes(from, { signal, isTree, isMove });
  if (Buffer.isBuffer(dump) && dump.length === 0) return { lost: [], isPlain: true };
  if (Buffer.isBuffer(dump)) {
    const lost = await keepingMode(to, () => restoreAttributes(to, dump, { signal, isTree }));
    return { lost, isPlain: false };
  }
  const lost = dump.isMissing && !isTree ? await keepingMode(to, () => copyByCp(from, to, signal)) : [{ reason: dump.reason }];
  return { lost, isPlain: false };
};

/** What is still being written has no owner yet, so nobody else may look into it: not even for as long as that takes. */
const keepingMode = async <T>(file: number, work: () => Promise<T>): Promise<T> => {
  const { mode } = fstatSync(file);
  try {
    return await work();
  } finally {
    putBackMode(file, mode & 0o7777);
  }
};

const putBackMode = (file: number, mode: number): void => {
  try {
    if ((fstatSync(file).mode & 0o7777) !== mode) fchmodSync(file, mode);
  } catch {
    // where modes cannot be set, the caller sees which one it is
  }
};

/** The same for whoever only wants to know what was lost. */
export const copyAttributes = async (from: number, to: number, options: AttributesOptions): Promise<readonly LostAttributes[]> =>
  (await carryAttributes(from, to, options)).lost;

/** Labels and signatures (SELinux, IMA) are given by the system; capabilities belong to the content. */
const OF_THE_FILE = '^(user|trusted|system)[.]';
const OF_THE_CONTENT = '^((user|trusted|system)[.]|security[.]capability$)';

interface Unreadable {
  readonly reason: string;
  readonly isMissing: boolean;
}

/** The attributes as `setfattr --restore` takes them; empty where there are none. */
export const readAttributes = async (file: number, { signal, isTree, isMove }: AttributesOptions): Promise<Buffer | Unreadable> => {
  const pattern = isMove ? OF_THE_CONTENT : OF_THE_FILE;
  // Of links themselves, never of what they lead to.
  const which = isTree ? ['-R', '-h', '--', `${addressOf(INHERITED_FD)}/.`] : ['--', addressOf(INHERITED_FD)];
  const argv = ['--absolute-names', '-d', '-e', 'hex', '-m', pattern, ...which];
  const { code, output, complaint, isMissing } = await runOnFiles('getfattr', argv, { files: [file], signal });
  if (isMissing) return { isMissing, reason: NEEDS_PROGRAMS };
  return code === 0 ? output : { isMissing, reason: complaint };
};

export const restoreAttributes = async (
  to: number,
  dump: Buffer,
  { signal, isTree }: AttributesOptions,
): Promise<readonly LostAttributes[]> => {
  const argv = isTree ? ['-h', '--restore=-'] : ['--restore=-'];
  const { code, complaint, isMissing } = await runOnFiles('setfattr', argv, { files: [to], signal, input: dump });
  if (isMissing) return [{ reason: NEEDS_PROGRAMS }];
  return code === 0 ? [] : [{ reason: complaint }];
};

const copyByCp = async (from: number, to: number, signal: AbortSignal): Promise<readonly LostAttributes[]> => {
  const argv = ['-L', '--attributes-only', '--preserve=mode,xattr', '--', addressOf(INHERITED_FD), addressOf(SECOND_FD)];
  const { code, complaint, isMissing } = await runOnFiles('cp', argv, { files: [from, to], signal });
  if (code === 0) return [];
  return [{ reason: isMissing || complaint.includes('unrecognized option') ? NEEDS_PROGRAMS : complaint }];
};

/** What is missing. */
export const NEEDS_PROGRAMS = 'extended attributes and access lists need the programs getfattr and setfattr (package attr)';
