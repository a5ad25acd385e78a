import { type Call, isLongRead } from './calls.ts';
import type { Link } from './link.ts';

/** Sends calls to the writer, and long reads to a reader that has its own connection. */
export interface Sending {
  send(call: Call): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Long reads go to a link of their own, opened when the first one comes; where there can be none they go to the writer like all others.
 * A read waits for what was sent to the writer before it, so that everybody finds what they have written.
 */
export const sendApart = (writer: Link, connectReader: (() => Promise<Link>) | undefined): Sending => {
  let reader: Promise<Link | undefined> | undefined;
  /** What the writer was sent last; it answers in order, so this is the last to be answered. */
  let sent: Promise<unknown> | undefined;

  const toWriter = (call: Call): Promise<unknown> => {
    const answer = writer.send(call);
    sent = answer;
    return answer;
  };

  const openReader = async (connect: () => Promise<Link>): Promise<Link | undefined> => {
    try {
      return await connect();
    } catch {
      return undefined; // the writer reads as well, only slower; what is wrong with the store it tells itself
    }
  };

  const readApart = async (call: Call, connect: () => Promise<Link>): Promise<unknown> => {
    const before = sent;
    reader ??= openReader(connect);
    const found = await reader;
    await before?.catch(() => {}); // told to whoever asked for it
    if (found === undefined) return toWriter(call);
    if (found.isOpen) return found.send(call);
    reader = undefined;
    return readApart(call, connect);
  };

  return {
    send: (call) => (connectReader === undefined || !isLongRead(call.shelf, call.method) ? toWriter(call) : readApart(call, connectReader)),
    async close() {
      const found = await reader;
      await found?.close();
      await writer.close();
    },
  };
};
