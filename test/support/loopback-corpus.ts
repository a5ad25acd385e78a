import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A piece of what is sent: text with placeholders, or bytes made on the spot. */
export type Piece = string | { readonly repeat: readonly [string, number] } | { readonly hex: string } | { readonly gzip_of: Piece };

/** One recorded request with what has to come of it. */
export interface LoopbackCase {
  readonly id: string;
  readonly why: string;
  readonly req?: HttpRequest;
  readonly raw?: readonly Piece[];
  readonly repeat?: { readonly times: number; readonly req: HttpRequest };
  readonly then?: string;
  readonly tcp?: { readonly secret: boolean; readonly send: readonly Piece[]; readonly then?: string; readonly connections?: number };
  readonly expect: {
    readonly status?: number | null | readonly number[];
    readonly statuses?: readonly number[];
    readonly ran: number;
    readonly body_read?: boolean;
    readonly closed?: boolean;
    readonly answers?: number;
    readonly has_header?: readonly string[];
    readonly lacks_header?: readonly string[];
    readonly last_has_header?: readonly string[];
    readonly no_100?: boolean;
    readonly max_open?: number;
    readonly server_alive?: boolean;
  };
}

interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Piece | readonly Piece[];
}

/** Every recorded request to the doors of loopback. */
export const loopbackCases = (): readonly LoopbackCase[] =>
  JSON.parse(readFileSync(new URL('../fixtures/corpus/http-loopback.json', import.meta.url), 'utf8')).cases;

/** What stands for the placeholders. */
export interface Filling {
  readonly port: number;
  readonly token: string;
}

/** The bytes of some pieces. */
export const bytesOf = (pieces: Piece | readonly Piece[], filling: Filling): Buffer =>
  Array.isArray(pieces) ? Buffer.concat(pieces.map((each) => pieceBytes(each, filling))) : pieceBytes(pieces as Piece, filling);

const pieceBytes = (piece: Piece, filling: Filling): Buffer => {
  if (typeof piece === 'string') return Buffer.from(fill(piece, filling));
  if ('hex' in piece) return Buffer.from(piece.hex, 'hex');
  if ('gzip_of' in piece) return gzipSync(pieceBytes(piece.gzip_of, filling));
  const [text, times] = piece.repeat;
  return Buffer.from(text.repeat(times));
};

const fill = (text: string, { port, token }: Filling): string =>
  text.replaceAll('{PORT}', String(port)).replaceAll('{TOKEN_UPPER}', token.toUpperCase()).replaceAll('{TOKEN}', token);

/** The bytes of a request written with its defaults. */
export const requestBytes = (
  { method = 'POST', path = '/actions', headers = {}, body = '[["FA_t_touch"]]' }: HttpRequest,
  filling: Filling,
): Buffer => {
  const content = bytesOf(body, filling);
  const all: Record<string, string | null> = {
    Host: '127.0.0.1:{PORT}',
    Authorization: 'Bearer {TOKEN}',
    'Content-Type': 'application/json',
    'Content-Length': String(content.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${fill(value, filling)}\r\n`]));
  return Buffer.concat([Buffer.from(`${method} ${fill(path, filling)} HTTP/1.1\r\n${lines.join('')}\r\n`), content]);
};

/** What came back on a connection. */
export interface Heard {
  readonly text: string;
  /** The server ended the connection. */
  readonly closed: boolean;
}

/** Sends bytes and listens until the server closes, `enough` is heard or the patience ends. */
export const speak = (
  port: number,
  bytes: Buffer,
  {
    enough = () => false,
    patienceMs = 120_000,
    halfClose = false,
  }: { enough?: (text: string) => boolean; patienceMs?: number; halfClose?: boolean } = {},
): Promise<Heard> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const done = (closed: boolean) => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ text, closed });
    };
    const patience = setTimeout(() => done(false), patienceMs);
    socket.on('connect', () => {
      if (halfClose) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (enough(text)) done(false);
    });
    // A server that turns a large request away may close while we still send.
    socket.on('error', (fault: NodeJS.ErrnoException) =>
      fault.code === 'ECONNRESET' || fault.code === 'EPIPE' ? done(true) : reject(fault),
    );
    socket.on('close', () => done(true));
  });

/** The status lines in what was heard, without `100 Continue`. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)).filter((status) => status !== 100);
