import type { HeldPart, Outgoing, StoredItem } from '../../core/storage.ts';
import type { StorageFaults } from '../faults.ts';
import { inPieces, type Piece, type PieceDigest } from './pieces.ts';

/** A file that arrives in pieces, and shows when it is committed. */
export interface PieceWrite {
  put(piece: Piece, signal: AbortSignal): Promise<HeldPart>;
  commit(parts: readonly HeldPart[], signal: AbortSignal): Promise<StoredItem>;
  /** With a deadline of its own: the signal of the write may be what ended it. */
  discard(): Promise<void>;
}

export interface StoreSteps {
  readonly bytesOf: (number: number) => number;
  readonly digests: readonly PieceDigest[];
  readonly watch?: (chunk: Uint8Array) => void;
  /** Puts content that is a single piece there at once. */
  putWhole(piece: Piece): Promise<StoredItem>;
  start(): Promise<PieceWrite>;
  readonly signal: AbortSignal;
  readonly faults: StorageFaults;
  readonly path: string;
}

/** So many pieces are under way while the next one is filled. */
const UNDER_WAY = 3;

/** Sends content as one piece, or in several of which a few are under way at once; a failure leaves nothing. */
export const storeContent = async (content: Outgoing, steps: StoreSteps): Promise<StoredItem> => {
  const { signal, bytesOf, digests, watch } = steps;
  const free: Buffer[] = [];
  let total = 0;
  let sending: Sending | undefined;
  try {
    for await (const piece of inPieces(content, { signal, bytesOf, digests, free, watch })) {
      total += piece.content.byteLength;
      if (piece.isLast && content.bytes !== undefined && total !== content.bytes) throw otherLength(steps, total, content.bytes);
      if (piece.isLast && sending === undefined) return await steps.putWhole(piece);
      sending ??= startSending(await steps.start(), { signal, free });
      await sending.add(piece);
    }
    if (sending === undefined) throw new Error('Content without a last piece.');
    return await sending.commit();
  } catch (fault) {
    await sending?.giveUp(fault);
    signal.throwIfAborted();
    throw fault;
  }
};

interface Sending {
  /** Begins to send a piece; waits while too many are under way. */
  add(piece: Piece): Promise<void>;
  commit(): Promise<StoredItem>;
  giveUp(fault: unknown): Promise<void>;
}

const startSending = (write: PieceWrite, { signal, free }: { readonly signal: AbortSignal; readonly free: Buffer[] }): Sending => {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const underWay = new Set<Promise<void>>();
  const parts: HeldPart[] = [];
  const send = async (piece: Piece): Promise<void> => {
    parts.push(await write.put(piece, either));
    free.push(piece.content);
  };
  return {
    async add(piece) {
      const sent = send(piece);
      underWay.add(sent);
      // One that failed stays, so that whoever waits next hears of it.
      sent.then(
        () => underWay.delete(sent),
        () => {},
      );
      if (underWay.size >= UNDER_WAY) await Promise.race(underWay);
    },
    async commit() {
      await Promise.all(underWay);
      return write.commit(
        parts.sort((one, other) => one.number - other.number),
        signal,
      );
    },
    async giveUp(fault) {
      stop.abort(fault);
      await Promise.allSettled(underWay);
      await write.discard().catch(() => undefined); // what went wrong first is what is told
    },
  };
};

const otherLength = ({ faults, path }: StoreSteps, found: number, expected: number): Error =>
  faults.because('changed', `The source of ${path} has ${found} bytes instead of ${expected}; start again with what is there now.`);
