import { createHash } from 'node:crypto';
import type { HashName, StoredItem } from '../../core/storage.ts';
import type { Comparison, TransferEnd } from './transfer.ts';

/** Digests that can be made here, the cheapest to believe in last. */
const COMPUTABLE = ['sha256', 'sha1', 'md5'] as const;

export interface ComparedFile {
  readonly end: TransferEnd;
  readonly item: StoredItem;
}

/** Whether the file at the target is the one at the source, by the comparison that is wanted. */
export const isUnchanged = async (from: ComparedFile, to: ComparedFile, by: Comparison, signal: AbortSignal): Promise<boolean> => {
  if (to.item.kind !== 'file' || from.item.bytes !== to.item.bytes) return false;
  switch (by) {
    case 'size':
      return true;
    case 'size_mtime':
      return isSameTime(from, to);
    case 'checksum':
      return isSameContent(from, to, signal);
  }
};

/**
 * Where the target keeps the time that it was given, both must be the same as far as both can tell. Where it sets its own, whatever was
 * written there after the source last changed is taken for the newest.
 */
const isSameTime = (
  { end: { storage: source }, item: from }: ComparedFile,
  { end: { storage: target }, item: to }: ComparedFile,
): boolean => {
  const { modifiedMs: sourceMs } = from;
  const { modifiedMs: targetMs } = to;
  if (sourceMs === undefined || targetMs === undefined) return false;
  if (target.can.timeStepMs === undefined) return targetMs >= sourceMs;
  const stepMs = Math.max(target.can.timeStepMs, source.can.timeStepMs ?? 1);
  return Math.abs(sourceMs - targetMs) < stepMs || Math.trunc(sourceMs / stepMs) === Math.trunc(targetMs / stepMs);
};

/** By a digest that both tell, or one that one tells and the other is read for; else both are read. */
const isSameContent = async (from: ComparedFile, to: ComparedFile, signal: AbortSignal): Promise<boolean> => {
  const told = (item: StoredItem): readonly HashName[] => Object.keys(item.hashes ?? {}) as HashName[]; // the keys of that record are such names
  const both = told(from.item).find((name) => told(to.item).includes(name));
  if (both !== undefined) return from.item.hashes?.[both] === to.item.hashes?.[both];
  const name = COMPUTABLE.find((each) => told(from.item).includes(each) || told(to.item).includes(each)) ?? 'sha256';
  const [one, other] = await Promise.all([from, to].map(({ end, item }) => item.hashes?.[name] ?? digestOf(end, item, name, signal)));
  return one === other;
};

const digestOf = async ({ storage, path }: TransferEnd, { version }: StoredItem, name: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash(name);
  for await (const chunk of await storage.read(path, { signal, version })) hash.update(chunk);
  return hash.digest('hex');
};
