import { type JSONRPCMessage, ProtocolErrorCode, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { CancelledException, MCPServerException } from '../../core/errors.ts';
import { openConnection } from './connection.ts';
import type { McpParts } from './parts.ts';
import { readMessage, refusal } from './wire/message.ts';

/** A connection of a program that carries messages itself. */
export interface Mailbox {
  /** The answer to a request; undefined for everything else, and for a request that is cancelled. */
  post(message: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a connection that is handed its messages one by one. What the server asks its host is declined. */
export const openMailbox = (parts: McpParts): Mailbox => {
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const settle = (id: unknown, answer: unknown) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const transport: Transport = {
    async start() {},
    async close() {
      for (const [id, answer] of waiting) answer(refusal(id, new CancelledException('The server is closed.')));
      waiting.clear();
      transport.onclose?.();
    },
    async send(message) {
      if ('method' in message) {
        if ('id' in message) transport.onmessage?.(declined(message.id));
      } else settle(message.id, message);
    },
  };
  const connection = openConnection(parts, transport);

  return {
    async post(value) {
      let message: JSONRPCMessage;
      try {
        message = readMessage(value);
      } catch (fault) {
        if (!(fault instanceof MCPServerException)) throw fault;
        return refusal(null, fault);
      }
      const id = 'method' in message && 'id' in message ? message.id : undefined;
      if (id !== undefined && waiting.has(id)) {
        return refusal(id, new MCPServerException('A request with this id is under way; use each id once.'));
      }
      if (id === undefined) {
        if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId, undefined);
        return void transport.onmessage?.(message);
      }
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        transport.onmessage?.(message);
      });
    },
    close: () => connection.close(),
  };
};

const declined = (id: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: ProtocolErrorCode.MethodNotFound, message: 'This host answers no requests.' },
});
