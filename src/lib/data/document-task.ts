import { DataOpsException, JsonEditException } from '../../core/errors.ts';
import { ownBuffers, type Task } from '../workers/task.ts';
import { openJson } from './json/document.ts';
import type { MakeError } from './make-error.ts';
import type { DocumentReading, OpenDocument } from './open-document.ts';
import { openYaml } from './yaml/document.ts';

/** What a document is asked: the value at a key path, or its text with another value there, or without it. */
export type DocumentUse =
  | { readonly kind: 'get'; readonly keyPath: string }
  | { readonly kind: 'set'; readonly keyPath: string; readonly value: unknown }
  | { readonly kind: 'remove'; readonly keyPath: string };

export type DocumentKind = 'json' | 'yaml';

/** A document, and what it is asked. */
export interface DocumentOrder {
  readonly kind: DocumentKind;
  /** The file, for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly use: DocumentUse;
  /** What it may take in memory; a short one is not watched. */
  readonly maxBytes?: number;
}

/** What it answers. */
export interface DocumentAnswer {
  /** Whether the path leads to something; an edit that sets a value always finds its place. */
  readonly found: boolean;
  readonly value?: unknown;
  /** The new text; left out where it is the old one. */
  readonly bytes?: Uint8Array;
}

interface DocumentFormat {
  readonly makeError: MakeError;
  open(bytes: Uint8Array, reading: DocumentReading): OpenDocument | Promise<OpenDocument>;
}

/** How each kind is read, and what its faults are called. */
export const documentFormats: Readonly<Record<DocumentKind, DocumentFormat>> = {
  json: { makeError: (message, context = {}) => new JsonEditException(message, { context }), open: openJson },
  yaml: { makeError: (message, context = {}) => new DataOpsException(message, { context }), open: openYaml },
};

/** Reads a document and does what is asked, on whatever thread runs it. */
export const askDocument: Task<DocumentOrder, DocumentAnswer> = async ({ kind, name, bytes, use, maxBytes }) => {
  const { makeError, open } = documentFormats[kind];
  const document = await open(bytes, { name, makeError, ...(maxBytes !== undefined && { maxBytes }) });
  if (use.kind === 'get') return { value: document.get(use.keyPath) };
  const text = use.kind === 'set' ? document.set(use.keyPath, use.value) : document.remove(use.keyPath);
  if (text === undefined) return { value: { found: false } };
  const after = Buffer.from(text);
  return after.equals(bytes) ? { value: { found: true } } : { value: { found: true, bytes: after }, transfer: ownBuffers(after) };
};
