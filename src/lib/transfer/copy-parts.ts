import { createHash } from 'node:crypto';
import { CrossBackendException, type Json } from '../../core/errors.ts';
import type { TransferNote } from '../../core/ports/transfers.ts';
import type { HeldPart, Outgoing, PartedWrite, PartRules, StoredItem } from '../../core/storage.ts';
import { boundedMap } from '../async/bounded-map.ts';
import { partOf } from './content.ts';
import { locationOf, type TransferEnd, type TransferOptions } from './transfer.ts';

/** Smaller files are sent in one piece: they are sent again sooner than they are gone on with. */
export const PARTED_FROM_BYTES = 16 * 1024 * 1024;
const USUAL_PART_BYTES = 16 * 1024 * 1024;

/** A large file on its way. */
export interface PartedCopy {
  readonly from: TransferEnd;
  readonly item: StoredItem;
  readonly to: TransferEnd;
  readonly rules: PartRules;
  readonly content: Outgoing;
}

export interface PartedResult {
  readonly item: StoredItem;
  readonly resumedBytes: number;
}

/** What is written down of a transfer, with everything that must still hold when it goes on. */
interface PartsNote {
  readonly version: 1;
  /** The source as it was: another size, time or version makes another file. */
  readonly source: string;
  readonly partBytes: number;
  readonly ticket: Json;
  readonly held: readonly HeldPart[];
}

/**
 * Sends a large file in parts, several at once where the target allows it. What has arrived is written down, so that the same transfer goes
 * on behind it after a crash or a failure. Whoever cancels it wants it gone: then the target gives up its parts.
 */
export const copyParts = (copy: PartedCopy, options: TransferOptions): Promise<PartedResult> => {
  const { resume, notes, signal } = options;
  if (!resume || notes === undefined) return sendParts(copy, undefined, options);
  return notes.hold(locationOf(copy.to), signal, (note) => sendParts(copy, note, options));
};

const sendParts = async (copy: PartedCopy, note: TransferNote | undefined, options: TransferOptions): Promise<PartedResult> => {
  const { signal, onBytes } = options;
  const { write, partBytes, held } = await beginOrGoOn(copy, note, options);
  const resumedBytes = held.reduce((sum, { bytes }) => sum + bytes, 0);
  onBytes?.(resumedBytes);
  try {
    const parts = await sendMissing(copy, { write, partBytes, held, note }, options);
    const item = await write.commit(parts, { signal });
    await note?.remove();
    return { item, resumedBytes };
  } catch (fault) {
    // Without a note nobody would ever go on with it.
    if (signal.aborted || note === undefined) {
      await write.discard({ signal: AbortSignal.timeout(DISCARD_MS) }).catch(() => {}); // what stays is swept by the next transfer
      await note?.remove();
    } else {
      await write.leave?.();
    }
    throw fault;
  }
};

const DISCARD_MS = 10_000;

interface Begun {
  readonly write: PartedWrite;
  readonly partBytes: number;
  readonly held: readonly HeldPart[];
}

const beginOrGoOn = async (
  copy: PartedCopy,
  note: TransferNote | undefined,
  { preserve, sweepsFirst, signal }: TransferOptions,
): Promise<Begun> => {
  const { item, to, rules } = copy;
  const source = fingerprint(copy);
  const known = noteIn(await note?.read());
  if (known !== undefined) {
    const earlier = await to.storage.resumeParts?.(to.path, known.ticket, { signal, known: known.held });
    if (earlier !== undefined && known.source === source && isSplit(earlier.held, known.partBytes, item.bytes))
      return { write: earlier, partBytes: known.partBytes, held: earlier.held };
    await earlier?.discard({ signal });
  }
  const partBytes = partBytesFor(item.bytes, rules);
  demandPossible(copy, partBytes);
  if (sweepsFirst === true) await to.storage.sweep?.(to.path, { signal }); // not before: what can be gone on with stays
  const modifiedMs = preserve ? item.modifiedMs : undefined;
  const write = await to.storage.startParts?.(to.path, { signal, bytes: item.bytes, modifiedMs });
  if (write === undefined) throw new TypeError('A storage with rules for parts takes none.'); // `can.parts` is set exactly where it does
  await note?.write(toJson({ version: 1, source, partBytes, ticket: write.ticket, held: [] }));
  return { write, partBytes, held: [] };
};

/** A server may tell any length; one that the target could never hold is not begun. */
const demandPossible = ({ from, item, to, rules }: PartedCopy, partBytes: number): void => {
  if (Math.ceil(item.bytes / partBytes) <= rules.maxCount) return;
  throw new CrossBackendException(
    `${locationOf(from)} is said to have ${item.bytes} bytes, which is more than ${locationOf(to)} can take.`,
    {
      context: { code: 'unsupported', location: locationOf(from), bytes: item.bytes },
    },
  );
};

/** Two files with the same one are taken for the same. Versions are as long as a server likes. */
const fingerprint = ({ from, item }: PartedCopy): string =>
  createHash('sha256')
    .update(JSON.stringify([locationOf(from), item.bytes, item.modifiedMs ?? null, item.version ?? null]))
    .digest('hex');

const toJson = ({ held, ...note }: PartsNote): Json => ({
  ...note,
  held: held.map(({ number, bytes, receipt }) => ({ number, bytes, receipt })),
});

/** A note as it came from the disk: one that reads otherwise is none. */
const noteIn = (read: Json | undefined): PartsNote | undefined => {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  const { version, source, partBytes, ticket, held } = read as { readonly [key: string]: Json };
  if (version !== 1 || typeof source !== 'string' || typeof partBytes !== 'number' || partBytes <= 0) return undefined;
  if (ticket === undefined || !Array.isArray(held) || !held.every(isHeldPart)) return undefined;
  return { version, source, partBytes, ticket, held };
};

const isHeldPart = (value: unknown): value is HeldPart => {
  if (typeof value !== 'object' || value === null) return false;
  const { number, bytes, receipt } = value as Partial<HeldPart>;
  return Number.isInteger(number) && Number.isInteger(bytes) && typeof receipt === 'string';
};

/** Whether what is held are whole parts of a file of that length. */
const isSplit = (held: readonly HeldPart[], partBytes: number, total: number): boolean =>
  held.every(({ number, bytes }) => bytes === Math.min(partBytes, total - (number - 1) * partBytes));

const partBytesFor = (total: number, { minBytes, maxBytes, maxCount, multipleOf }: PartRules): number => {
  const wanted = Math.min(maxBytes, Math.max(minBytes, USUAL_PART_BYTES, Math.ceil(total / maxCount)));
  const whole = Math.ceil(wanted / multipleOf) * multipleOf;
  return whole > maxBytes ? whole - multipleOf : whole;
};

interface UnderWay extends Begun {
  readonly note: TransferNote | undefined;
}

const sendMissing = async (
  copy: PartedCopy,
  { write, partBytes, held, note }: UnderWay,
  { maxWorkers, signal }: TransferOptions,
): Promise<HeldPart[]> => {
  const { item, rules, content } = copy;
  const there = new Map(held.map((part) => [part.number, part]));
  const count = Math.max(1, Math.ceil(item.bytes / partBytes));
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((number) => !there.has(number));
  let written = Promise.resolve();
  /** One after the other, and each with all that have arrived by then. */
  const writeDown = (): Promise<void> => {
    const now = toJson({ version: 1, source: fingerprint(copy), partBytes, ticket: write.ticket, held: [...there.values()] });
    written = written.then(() => note?.write(now));
    return written;
  };
  await boundedMap(missing, rules.isInOrder ? 1 : maxWorkers, async (number) => {
    signal.throwIfAborted();
    const start = (number - 1) * partBytes;
    there.set(number, await write.put(number, partOf(content, start, Math.min(start + partBytes, item.bytes)), { signal }));
    await writeDown();
  });
  return [...there.values()].sort((one, other) => one.number - other.number);
};
