import type { Snapshot } from '../core/progress.ts';
import { troubleOf } from './exceptions.ts';
import { stopped } from './troubles.ts';
import type { Wire } from './wire.ts';

/** The part of a WebSocket that is used; those of browsers, of Node and of the package `ws` have it. */
export interface Socket {
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void;
  close(): void;
}

export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly message?: string;
}

/** The second argument is given where there is a secret to send; browsers do not take it and throw. */
export type SocketConstructor = new (url: string, options?: { readonly headers: Readonly<Record<string, string>> }) => Socket;

type BrowserSocketConstructor = new (url: string, protocols: readonly string[]) => Socket;

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly WebSocket?: SocketConstructor | undefined;
}

/**
 * How far all work of the server is: now, and whenever something changes. Whoever takes long over one state gets the newest next.
 * Ends when the server closes, and when the loop over it is left.
 */
export async function* followProgress(wire: Wire, { signal, WebSocket }: FollowOptions): AsyncGenerator<readonly Snapshot[], void> {
  if (signal?.aborted) throw stopped(wire.url, signal);
  const socket = openSocket(wire, WebSocket);
  let newest: readonly Snapshot[] | undefined;
  let end: { readonly fault?: unknown } | undefined;
  let wake = () => {};
  const finish = (fault?: unknown) => {
    end ??= fault === undefined ? {} : { fault };
    wake();
  };
  const abort = () => finish(signal && stopped(wire.url, signal));
  socket.addEventListener('message', ({ data }) => {
    try {
      newest = snapshotsIn(data);
      wake();
    } catch (fault) {
      finish(broken(wire, fault instanceof Error ? fault.message : String(fault)));
    }
  });
  socket.addEventListener('error', ({ message }) => finish(broken(wire, message)));
  socket.addEventListener('close', ({ code }) => finish(code === 1000 || code === 1001 ? undefined : broken(wire)));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      if (end?.fault !== undefined) throw end.fault;
      if (newest !== undefined) {
        const state = newest;
        newest = undefined;
        yield state;
      } else if (end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else return;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.close();
  }
}

const openSocket = ({ url, headers }: Wire, given: SocketConstructor | undefined): Socket => {
  // The global one is typed for browsers, which do not know the second argument.
  const Constructor = given ?? (globalThis as { readonly WebSocket?: SocketConstructor }).WebSocket;
  if (Constructor === undefined) {
    throw troubleOf('This runtime has no WebSocket (Node has one from version 22 on); pass one as the option WebSocket of the client.', {
      trouble: 'misuse',
      remedy: 'new HTTPActionClient(url, { WebSocket }), for instance that of the package ws.',
    });
  }
  const target = new URL('progress', url);
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (Object.keys(headers).length === 0) return new Constructor(target.href);
  try {
    return new Constructor(target.href, { headers });
  } catch {
    const InBrowser = Constructor as unknown as BrowserSocketConstructor; // only browsers refuse headers, and they take protocols instead
    return new InBrowser(target.href, ['factotum', `factotum.token.${base64url(secretIn(headers))}`]);
  }
};

const secretIn = ({ Authorization = '' }: Wire['headers']): string => Authorization.slice('Bearer '.length);

/** Of printable ASCII, as every secret is. */
const base64url = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const snapshotsIn = (data: unknown): readonly Snapshot[] => {
  const { progress } = JSON.parse(String(data)) as { readonly progress: readonly Snapshot[] }; // by the contract of /progress
  return progress;
};

const broken = ({ url }: Wire, words?: string) =>
  troubleOf(
    `The progress of ${url.href} cannot be followed${words ? ` (${words})` : ''}; check that the server runs and that the secret is right.`,
    { trouble: 'unreachable', remedy: 'Check the server and the secret with ping().', retryable: true, context: { url: url.href } },
  );
