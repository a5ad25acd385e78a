import { type FileAutomationException, QuotaExceededException, TimeoutException } from '../../core/errors.ts';
import { createTurns } from '../async/turns.ts';
import { type EndReason, openForeignThreads } from '../workers/foreign/threads.ts';
import { ownBuffers } from '../workers/task.ts';
import type { ThreadLimits } from '../workers/thread.ts';
import { askDocument, type DocumentAnswer, type DocumentKind, type DocumentOrder, documentFormats } from './document-task.ts';

/** Who asks. */
export interface DocumentReader {
  readonly signal: AbortSignal;
  /** Has less memory and time. */
  readonly isLimited: boolean;
  /** Without it, what a document of the largest size needs, or what a caller with limits may take. */
  readonly maxHeapMb?: number;
}

/** Up to this size a document is quickly read; a thread of its own would take longer to start. */
const QUICK_BYTES: Readonly<Record<DocumentKind, number>> = { json: 1024 * 1024, yaml: 32 * 1024 };

const MB = 1024 * 1024;
const MAX_HEAP_MB = { limited: 320, free: 3072 };
const MAX_SILENT_MS = { limited: 60_000, free: 300_000 };

/** One large document at a time for callers with limits and one for others: each needs many times its size in memory. */
const turns = createTurns();

/** Asks a document. A large one is read on a thread that ends with the signal, or when it takes too much memory or time. */
export const useDocument = async (order: DocumentOrder, { signal, isLimited, maxHeapMb }: DocumentReader): Promise<DocumentAnswer> => {
  if (weightOf(order) <= QUICK_BYTES[order.kind]) return (await askDocument(order)).value;
  const who = isLimited ? 'limited' : 'free';
  const heapMb = maxHeapMb ?? MAX_HEAP_MB[who];
  const limits: ThreadLimits = { heap: { maxOldGenerationSizeMb: heapMb }, maxWasmBytes: heapMb * MB };
  const endTurn = await turns.take(who, signal);
  try {
    await using threads = openForeignThreads({ signal, limits, maxSilentMs: MAX_SILENT_MS[who], ended: readerEnded(order, limits) });
    return await threads.run('ask_document', order, { transfer: ownBuffers(order.bytes) });
  } finally {
    endTurn();
  }
};

/** What there is to read and to write, about. */
const weightOf = ({ bytes, use }: DocumentOrder): number =>
  bytes.byteLength + (use.kind === 'set' ? (JSON.stringify(use.value) ?? '').length : 0);

const readerEnded =
  ({ kind, name }: DocumentOrder, { heap }: ThreadLimits) =>
  (why: EndReason, cause?: unknown): FileAutomationException | Error => {
    const context = { path: name, reason: why };
    switch (why) {
      case 'memory':
        return new QuotaExceededException(
          `${name} needs more than ${heap.maxOldGenerationSizeMb} MB of memory to be read; split the file, or ask for less of it.`,
          { context: { ...context, limit: 'memory' }, cause },
        );
      case 'silent':
        return new TimeoutException(`${name} takes too long to be read; split the file.`, { context, cause });
      case 'crashed':
        return documentFormats[kind].makeError(`${name} makes its reader fail; check that it is whole.`, context);
    }
  };
