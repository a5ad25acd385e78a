import { addressOf, INHERITED_FD, runOnFiles, SECOND_FD } from './attribute-programs.ts';
import { readAttributes, restoreAttributes } from './attributes.ts';

export interface CarryOptions {
  readonly signal: AbortSignal;
  /** Both are directories, and everything below comes along. */
  readonly isTree: boolean;
}

/** An attribute that did not come along; the path counts from the tree and is empty for what was carried itself. */
export interface MissingAttribute {
  readonly relative: string;
  readonly attribute: string;
}

/** What is known of extended attributes and access lists after they were carried over. */
export interface CarriedOver {
  readonly missing: readonly MissingAttribute[];
  /** Why it is not known whether there are any. */
  readonly unknown?: string | undefined;
}

/**
 * Gives a copy all that `mv` would give it beside its content: owner, mode, times to the nanosecond, extended attributes and access lists.
 * Of a tree, `cp` also makes links, pipes and sockets, and empty files for what came since; nothing in the copy may be a link or a pipe
 * yet. One or two programs do so for a whole tree. Whether owner, mode and time have come along is for the caller to see, and to mend: there may be no such
 * program. Attributes are looked for afterwards and set once more where they are missing. Throws nothing but the reason of the signal.
 */
export const carryOver = async (from: number, to: number, { signal, isTree }: CarryOptions): Promise<CarriedOver> => {
  const asked = { signal, isTree, isMove: true };
  const [dump, isCarried] = await Promise.all([readAttributes(from, asked), carryByCp([from, to], { signal, isTree })]);
  if (!Buffer.isBuffer(dump)) return { missing: [], unknown: isCarried ? undefined : dump.reason };
  if (dump.length === 0) return { missing: [] };
  const look = async () => missingIn(dump, await readAttributes(to, asked));
  const missing = await look();
  if (missing.length === 0) return { missing };
  await restoreAttributes(to, dump, asked);
  return { missing: await look() };
};

/** Copies a link, a pipe or a socket with all that belongs to it: from a name in an open directory to one in another. */
export const copyNode = async (
  from: { readonly directory: number; readonly name: string },
  to: { readonly directory: number; readonly name: string },
  signal: AbortSignal,
): Promise<boolean> => {
  const [source, target] = [`${addressOf(INHERITED_FD)}/${from.name}`, `${addressOf(SECOND_FD)}/${to.name}`];
  const files = [from.directory, to.directory];
  const whole = await runOnFiles('cp', ['-d', '-R', PRESERVE, '-T', '--', source, target], { files, signal });
  if (whole.code === 0) return true;
  // What every cp understands. A refused owner is no reason to do without the rest.
  return (await runOnFiles('cp', ['-f', '-P', '-R', '-p', '--', source, target], { files, signal })).code === 0;
};

const PRESERVE = '--preserve=mode,ownership,timestamps,xattr,links';
const PRESERVE_FOR_ANY_OWNER = '--preserve=mode,timestamps,xattr,links';

/** False where `cp` has complained of anything. */
const carryByCp = async (files: readonly [number, number], { signal, isTree }: CarryOptions): Promise<boolean> => {
  const [source, target] = [addressOf(INHERITED_FD), addressOf(SECOND_FD)];
  const which = isTree ? ['-d', '-R', '-T', '--', `${source}/.`, `${target}/.`] : ['-L', '--', source, target];
  const { code, isMissing } = await runOnFiles('cp', ['--attributes-only', PRESERVE, ...which], { files, signal });
  if (code === 0 || isMissing) return code === 0;
  // A refused owner ends the work on a file before its attributes are set.
  await runOnFiles('cp', ['--attributes-only', PRESERVE_FOR_ANY_OWNER, ...which], { files, signal });
  return false;
};

const missingIn = (wanted: Buffer, there: Awaited<ReturnType<typeof readAttributes>>): MissingAttribute[] => {
  const found = Buffer.isBuffer(there) ? linesIn(there) : new Map<string, ReadonlySet<string>>();
  return [...linesIn(wanted)].flatMap(([file, lines]) =>
    [...lines]
      .filter((line) => found.get(file)?.has(line) !== true)
      .map((line) => ({ relative: relativeOf(file), attribute: line.slice(0, line.indexOf('=')) })),
  );
};

const FILE = '# file: ';

/** The lines of each file in what `getfattr` has written. */
const linesIn = (dump: Buffer): Map<string, Set<string>> => {
  const files = new Map<string, Set<string>>();
  let lines = new Set<string>();
  for (const line of dump.toString('latin1').split('\n')) {
    if (line.startsWith(FILE)) {
      lines = new Set();
      files.set(line.slice(FILE.length), lines);
    } else if (line !== '') lines.add(line);
  }
  return files;
};

/** Names are written with what is not plain as octal numbers. */
const relativeOf = (file: string): string => {
  const below = file.slice(`${addressOf(INHERITED_FD)}/./`.length);
  const bytes = below.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(bytes, 'latin1').toString();
};
