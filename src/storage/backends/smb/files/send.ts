import type { Session } from '../session/session.ts';
import { malformed } from '../wire/bytes.ts';
import { type FileId, readWriteAnswer, writeRequest } from '../wire/files.ts';
import type { Share } from './share.ts';

/** Pieces that are under way at once. */
const UNDER_WAY = 8;
const KEPT_BUFFERS = 16;

/** Sends content to an open file from an offset on. */
export interface Sending {
  readonly session: Session;
  readonly share: Share;
  readonly path: string;
  readonly id: FileId;
  readonly offset: number;
  readonly signal: AbortSignal;
}

/**
 * Fills large pieces from chunks as they come and sends them, several at once. Tells how many bytes the server took. Nothing is under way
 * any more when it returns or throws, so that the file can be closed or removed.
 */
export const send = async (chunks: AsyncIterator<Uint8Array>, first: Uint8Array, sending: Sending): Promise<number> => {
  const { session, share, path, id, signal } = sending;
  const underWay = new Set<Promise<void>>();
  let failure: { readonly fault: unknown } | undefined;
  let at = sending.offset;
  let piece = takeBuffer(share, session.maxWrite);
  let filled = 0;

  const dispatch = async (): Promise<void> => {
    while (underWay.size >= UNDER_WAY) await Promise.race(underWay);
    if (failure !== undefined) throw failure.fault;
    const [data, buffer] = [piece.subarray(0, filled), piece];
    const sent = session
      .exchange([writeRequest(id, at, data)], { signal })
      .then(([answer]) => {
        if (readWriteAnswer(share.faults.demandOk(answer, path)) !== data.byteLength) throw malformed('that it wrote only a part');
        giveBuffer(share, buffer); // not where it failed: it may still be on its way out
      })
      .catch((fault: unknown) => {
        failure ??= { fault };
      })
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    at += filled;
    filled = 0;
  };
  const add = async (chunk: Uint8Array): Promise<void> => {
    for (let taken = 0; taken < chunk.byteLength; ) {
      const part = chunk.subarray(taken, taken + session.maxWrite - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      taken += part.byteLength;
      if (filled < session.maxWrite) continue;
      await dispatch();
      piece = takeBuffer(share, session.maxWrite);
    }
  };

  try {
    await add(first);
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      signal.throwIfAborted();
      await add(next.value);
    }
    if (filled > 0) await dispatch();
    else giveBuffer(share, piece);
  } catch (fault) {
    failure ??= { fault };
  }
  await Promise.all(underWay);
  if (failure !== undefined) throw failure.fault;
  return at - sending.offset;
};

const takeBuffer = ({ buffers }: Share, bytes: number): Buffer => {
  const kept = buffers.pop();
  return kept !== undefined && kept.byteLength >= bytes ? kept : Buffer.allocUnsafeSlow(bytes);
};

const giveBuffer = ({ buffers }: Share, buffer: Buffer): void => {
  if (buffers.length < KEPT_BUFFERS) buffers.push(buffer);
};
