import type { Readable, Writable } from 'node:stream';
import { openConnection } from './connection.ts';
import type { McpParts } from './parts.ts';
import { openLineTransport } from './wire/line-transport.ts';
import { LEVELS_ABOVE_LIST } from './wire/message.ts';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal?: AbortSignal | undefined;
}

/** Serves one host over a pair of streams until it leaves or the signal comes; runs under way are then cancelled and awaited. */
export const serveStdio = async (parts: McpParts, { input, output, signal }: StdioOptions): Promise<void> => {
  const { limits, turnstile } = parts;
  using claimed = claim(output);
  const transport = openLineTransport({
    input,
    write: claimed.write,
    maxBytes: limits.bodyBytes,
    maxDepth: limits.jsonDepth + LEVELS_ABOVE_LIST,
  });
  const connection = openConnection(parts, transport);
  const leave = () => void connection.close();
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  await transport.closed;
  signal?.removeEventListener('abort', leave);
  await connection.close();
  await turnstile.drain();
};

/** Takes standard output for the protocol alone: what anything else in the process prints goes to standard error meanwhile. */
const claim = (output: Writable): Disposable & { write(line: string): Promise<void> } => {
  const { write } = output;
  const ignore = () => {}; // a reader that left is told by the write itself
  output.on('error', ignore);
  if (output === process.stdout) output.write = process.stderr.write.bind(process.stderr);
  return {
    write: (line) =>
      new Promise((resolve, reject) => {
        write.call(output, line, 'utf8', (fault) => (fault ? reject(fault) : resolve()));
      }),
    [Symbol.dispose]() {
      if (output === process.stdout) output.write = write;
      output.off('error', ignore);
    },
  };
};
