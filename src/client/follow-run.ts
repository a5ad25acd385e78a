import type { Snapshot } from '../core/progress.ts';
import { HTTPActionClientException } from './exceptions.ts';
import type { CommandEntry, RunSummary } from './runs.ts';
import { stopped, unreachable } from './troubles.ts';
import { pause } from './waiting.ts';
import type { Wire } from './wire.ts';

/** What happened in a run. */
export type RunEvent =
  | { readonly event: 'command'; readonly data: CommandEntry }
  | { readonly event: 'progress'; readonly data: { readonly progress: readonly Snapshot[] } }
  | { readonly event: 'done'; readonly data: RunSummary };

/** How often a broken connection is made again before somebody is told, and how long that waits. */
const MOST_BREAKS = 5;
const LONGEST_PAUSE_MS = 4_000;

/** Follows a run to its end; after a break it goes on behind the last event. */
export async function* followRun(
  wire: Wire,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<RunEvent, void> {
  let last = '';
  for (let breaks = 0; ; breaks += 1) {
    try {
      const headers = { Accept: 'text/event-stream', ...(last !== '' && { 'Last-Event-ID': last }) };
      const { body, status } = await wire.open(path, { headers, signal });
      if (status === 204 || body === null) return; // everything was told already
      for await (const message of messagesIn(body)) {
        breaks = 0;
        if (message.id !== undefined) last = message.id;
        yield message.content;
        if (message.content.event === 'done') return;
      }
    } catch (fault) {
      if (signal.aborted) throw stopped(wire.url, signal);
      if (fault instanceof HTTPActionClientException) throw fault;
      if (breaks >= MOST_BREAKS) throw unreachable(wire.url, fault);
    }
    await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** breaks), signal);
    if (signal.aborted) throw stopped(wire.url, signal);
  }
}

interface Message {
  readonly id: string | undefined;
  readonly content: RunEvent;
}

/** The messages of an event stream as this server writes them: fields of one line, an empty line after each message. */
async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = messageIn(block);
        if (message !== undefined) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => {}); // broken already
  }
}

const messageIn = (block: string): Message | undefined => {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const data = fields.get('data');
  if (data === undefined) return undefined; // a sign of life
  return { id: fields.get('id'), content: { event: fields.get('event'), data: JSON.parse(data) } as RunEvent }; // by the contract of the route
};
