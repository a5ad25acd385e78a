import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './system-fault.ts';

/** Who made a temporary file: enough to tell later whether its maker still lives. */
export interface PartOwner {
  /** Machine and process namespace: numbers of processes mean something only inside it. */
  readonly home: string;
  /** Which start of the machine. */
  readonly boot: string;
  readonly pid: number;
  /** When the process started, in ticks of that boot: tells it from a later one with the same number. */
  readonly ticks: number;
  /** The thread, where it had a tag; else random. */
  readonly thread?: string;
}

/** No name of a temporary file is longer. */
export const MAX_PART_NAME_BYTES = 96;

/** How all names of ours begin; most names that begin so are ours. */
export const PREFIX = '.factotum-';
const PATTERN = /^\.factotum-([0-9a-f]{8})-([0-9a-f]{8})-([0-9]{1,10})-([0-9]{1,16})-([0-9a-f]{8})[0-9a-f]{24}\.part$/;

// Facts of this process, read from the system once, and of this thread.
let own: PartOwner | undefined;
let ownPrefix: string | undefined;
let threadTag = '';
/** Threads of this process that were ended in the middle of something. */
const endedThreads = new Set<string>();

/** What the names that a thread makes begin their random part with, so that they can be told from those of others when it is ended. */
export const THREAD_TAG_DIGITS = 8;

/** From now on names made on this thread bear its tag. */
export const tagThread = (tag: string): void => {
  threadTag = tag;
};

/** What bears the tag is left behind, though the process lives. */
export const noteEndedThread = (tag: string): void => void endedThreads.add(tag);

/** A name for a temporary file or tree: its owner, for sweeping, and 96 random bits or more, so that nobody can guess it. */
export const newPartName = (): string => {
  ownPrefix ??= prefixOf(readOwner());
  return `${ownPrefix}-${threadTag}${randomBytes(16 - threadTag.length / 2).toString('hex')}.part`;
};

/** The owner that a name tells of; undefined for every other name. */
export const ownerOfPart = (name: string): PartOwner | undefined => {
  if (!name.startsWith(PREFIX)) return undefined; // nearly every file
  const [, home, boot, pid, ticks, thread] = PATTERN.exec(name) ?? [];
  if (home === undefined || boot === undefined || thread === undefined) return undefined;
  return { home, boot, pid: Number(pid), ticks: Number(ticks), thread };
};

/** The name of a file that is written over several processes, one after the other; `id` is 32 hexadecimal digits. */
export const keptPartName = (id: string): string => `${PREFIX}kept-${id}.part`;

export const isKeptPart = (name: string): boolean => KEPT.test(name);

const KEPT = /^\.factotum-kept-[0-9a-f]{32}\.part$/;

/** This process as an owner. */
export const readOwner = (): PartOwner => {
  own ??= {
    home: shortHash(`${hostname()} ${tryReading(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`),
    boot: shortHash(tryReading(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')) ?? ''),
    pid: process.pid,
    ticks: startTicksOf('self') ?? 0,
  };
  return own;
};

/** Whether the process that made a temporary file still runs, on the machine that it ran on. */
export const isAlive = (owner: PartOwner, self: PartOwner): boolean => {
  if (owner.boot !== self.boot) return false;
  if (owner.pid === self.pid && owner.thread !== undefined && endedThreads.has(owner.thread)) return false;
  if (owner.pid === self.pid && owner.ticks === self.ticks) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (fault) {
    if (codeOf(fault) === 'ESRCH') return false;
  }
  const ticks = startTicksOf(owner.pid);
  return ticks === undefined || ticks === owner.ticks;
};

/** Whether a name is that of a temporary file whose maker ran on this machine and is gone. */
export const isAbandoned = (name: string): boolean => {
  const owner = ownerOfPart(name);
  if (owner === undefined) return false;
  const self = readOwner();
  return owner.home === self.home && !isAlive(owner, self);
};

/** When a process started, in ticks since the machine did; undefined where the system does not tell. */
export const startTicksOf = (pid: number | 'self'): number | undefined => {
  const stat = tryReading(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The program's name stands in brackets and may hold anything; the 22nd field is the 20th after it.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? undefined : Number(ticks);
};

const prefixOf = ({ home, boot, pid, ticks }: PartOwner): string => `${PREFIX}${home}-${boot}-${pid}-${ticks}`;

/** FNV-1a: it only has to tell machines apart, and loading a real digest would be felt in every short command. */
const shortHash = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
};

/** Undefined on systems that have no such file. */
const tryReading = (read: () => string): string | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
