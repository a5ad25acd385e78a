import { memoryFor, runBounded } from '../workers/foreign/run-bounded.ts';
import { ownBuffers } from '../workers/task.ts';
import { askDocument, type DocumentAnswer, type DocumentKind, type DocumentOrder, documentFormats } from './document-task.ts';

/** Who asks. */
export interface DocumentReader {
  readonly signal: AbortSignal;
  readonly isLimited: boolean;
  /** What a large document may take in memory; without it, what the caller may. */
  readonly maxBytes?: number;
}

/** Up to this size a document is quickly read; a thread of its own would take longer to start. */
const QUICK_BYTES: Readonly<Record<DocumentKind, number>> = { json: 1024 * 1024, yaml: 32 * 1024 };

/** Asks a document. A large one is read on a thread that ends with the signal, or when it takes too much memory or time. */
export const useDocument = async (order: DocumentOrder, { signal, isLimited, maxBytes }: DocumentReader): Promise<DocumentAnswer> => {
  if (weightOf(order) <= QUICK_BYTES[order.kind]) return (await askDocument(order)).value;
  const { name, kind, bytes } = order;
  const { makeError } = documentFormats[kind];
  const bounded = { ...order, maxBytes: maxBytes ?? memoryFor(isLimited) };
  return runBounded('ask_document', bounded, { signal, isLimited, name, makeError, transfer: ownBuffers(bytes) });
};

/** What there is to read and to write, about. */
const weightOf = ({ bytes, use }: DocumentOrder): number =>
  bytes.byteLength + (use.kind === 'set' ? (JSON.stringify(use.value) ?? '').length : 0);
