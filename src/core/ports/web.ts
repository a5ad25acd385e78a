import type { Interruptible } from '../files.ts';

/** How patient somebody is with servers. */
export interface WebOptions {
  /** For connecting, and for the first line of an answer. */
  readonly timeoutMs: number;
  /** How long a server may be silent after that. */
  readonly stallMs: number;
  readonly maxRedirects: number;
}

export interface WebRequest extends Interruptible {
  readonly method: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer whose content is still to come. */
export interface WebAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The host that answered, after redirects. */
  readonly host: string;
  /** A chunk is good until the next one is asked for. Whoever does not read it calls `drop`. */
  readonly body: AsyncIterable<Uint8Array>;
  drop(): Promise<void>;
}

/**
 * Resources of other machines by their URL, as the caller may have them: every address, and that of every redirect, is judged, and the
 * address that was judged is the one connected to. In a dry run only HEAD is sent, and what would be read is written down; a GET is not
 * known yet.
 */
export interface Web extends AsyncDisposable {
  ask(url: string, request: WebRequest): Promise<WebAnswer>;
}
