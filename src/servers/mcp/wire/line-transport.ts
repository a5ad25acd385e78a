import type { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { FileAutomationException, MCPServerException } from '../../../core/errors.ts';
import { ValueSizes } from '../../../core/value-size.ts';
import { readJson } from '../../../lib/json/read.ts';
import { jsonInSlices } from './json-in-slices.ts';
import { createLineSplitter } from './line-splitter.ts';
import { readMessage, refusal } from './message.ts';

export interface LineTransportOptions {
  readonly input: Readable;
  /** Resolves once the line is handed on; rejects when nobody reads any more. */
  readonly write: (line: string) => Promise<void>;
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** A connection over lines of JSON. */
export interface LineTransport extends Transport {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
}

/** How long answers may still take after the last request has come: a pipe gets them, a host that leaves is not kept waiting. */
const GRACE_MS = 2_000;
/** More unread answers than this, and no further request is read. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/**
 * Reads requests strictly, as every door does. The transport of the SDK would take JSON that readers disagree on, and would leave a line
 * that is no message without an answer.
 */
export const openLineTransport = ({ input, write, maxBytes, maxDepth }: LineTransportOptions): LineTransport => {
  const unanswered = new Set<unknown>();
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  let grace: NodeJS.Timeout | undefined;
  let unsentBytes = 0;
  let hasEnded = false;
  let isClosed = false;

  const emit = async (value: object) => {
    // Told before it is written: a long one is written in slices, in which further requests could come.
    const unsent = Math.min(new ValueSizes().of(value, MAX_UNSENT_BYTES), MAX_UNSENT_BYTES + 1);
    unsentBytes += unsent;
    if (unsentBytes > MAX_UNSENT_BYTES) input.pause();
    try {
      await write(`${await jsonInSlices(value)}\n`);
    } catch (fault) {
      await transport.close();
      throw fault;
    } finally {
      unsentBytes -= unsent;
      if (unsentBytes <= MAX_UNSENT_BYTES && !isClosed) input.resume();
    }
  };
  const refuse = (id: unknown, fault: FileAutomationException) => void emit(refusal(id, fault)).catch(() => {}); // closed by then

  const take = (line: Buffer) => {
    let value: unknown;
    let message: JSONRPCMessage;
    try {
      value = readJson(line, { maxDepth });
      message = readMessage(value);
    } catch (fault) {
      if (!(fault instanceof FileAutomationException)) throw fault;
      return refuse(idOf(value), fault);
    }
    if ('method' in message && 'id' in message) unanswered.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId);
    transport.onmessage?.(message);
  };
  const lines = createLineSplitter({ maxBytes, take, tooLong: () => refuse(null, tooLong(maxBytes)) });

  const settle = (id: unknown) => {
    unanswered.delete(id);
    if (hasEnded && unanswered.size === 0) void transport.close();
  };
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    lines.end();
    if (unanswered.size === 0) void transport.close();
    else grace = setTimeout(() => void transport.close(), GRACE_MS);
  };
  const fail = (fault: Error) => {
    transport.onerror?.(fault);
    void transport.close();
  };

  const transport: LineTransport = {
    closed,
    async start() {
      input.on('data', lines.push).on('end', end).on('close', end).on('error', fail);
    },
    async send(message) {
      try {
        await emit(message);
      } finally {
        if (!('method' in message)) settle(message.id);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(grace);
      input.off('data', lines.push).off('end', end).off('close', end).off('error', fail);
      input.pause();
      transport.onclose?.();
      tellClosed();
    },
  };
  return transport;
};

const idOf = (value: unknown): unknown => {
  const id: unknown = typeof value === 'object' && value !== null && Object.hasOwn(value, 'id') && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

const tooLong = (maxBytes: number) =>
  new MCPServerException(`A line is longer than ${maxBytes} bytes; send less at once.`, { context: { max_bytes: maxBytes } });
