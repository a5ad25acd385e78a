import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** One message of either side, as it is on the wire. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  // A test reads what it expects to be there.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly error?: { readonly type: string } } };
}

/** A host that speaks lines of JSON over a pair of streams. */
export interface McpHost {
  /** Everything that came, in order. */
  readonly messages: readonly Message[];
  /** Lines that were no JSON. */
  readonly noise: readonly string[];
  /** Writes a line as it is. */
  write(line: string | Uint8Array): void;
  send(message: object): void;
  /** Sends a request and waits for its answer. */
  request(method: string, params?: object): Promise<Message>;
  /** The first message, now or later, that fits. */
  until(fits: (message: Message) => boolean): Promise<Message>;
}

/** What a client of the stateless revision puts into every request. */
export const STATELESS_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Opens a host: `input` is what the server reads, `output` what it writes. */
export const openHost = (input: Writable, output: Readable): McpHost => {
  const messages: Message[] = [];
  const noise: string[] = [];
  const waiting = new Set<() => void>();
  let lastId = 0;
  createInterface({ input: output }).on('line', (line) => {
    try {
      messages.push(JSON.parse(line));
    } catch {
      noise.push(line);
    }
    for (const look of waiting) look();
  });
  const until: McpHost['until'] = (fits) =>
    new Promise((resolve) => {
      const look = () => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const send = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    messages,
    noise,
    write: (line) => void input.write(line),
    send,
    request(method, params = {}) {
      lastId += 1;
      const id = `r${lastId}`;
      send({ id, method, params });
      return until((message) => message.id === id && message.method === undefined);
    },
    until,
  };
};

/** Introduces a host as those of the older revisions do. */
export const initialize = async (host: McpHost, protocolVersion: string, capabilities: object = {}): Promise<Message> => {
  const answer = await host.request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } });
  host.send({ method: 'notifications/initialized' });
  return answer;
};
