import { lineFault } from './faults.ts';

export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is no body, `chunked` where nobody knows its length. */
  readonly body: number | 'chunked' | undefined;
}

/** Methods whose requests have a body, be it an empty one. */
const WITH_BODY: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH']);
/** What says where the body ends is ours to say. */
const OURS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'host']);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The head of a request; refuses what would be read as more than one line. */
export const writeHead = ({ method, path, host, headers, body }: RequestLine): Buffer => {
  if (!TOKEN.test(method) || !TARGET.test(path)) throw unsendable('The method or the path of a request');
  const given = Object.entries(headers);
  const named = given.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? host;
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${named}\r\n`;
  for (const [name, value] of given) {
    if (!TOKEN.test(name) || !VALUE.test(value)) throw unsendable(`The header ${JSON.stringify(name.slice(0, 50))}`);
    if (!OURS.has(name.toLowerCase())) text += `${name}: ${value}\r\n`;
  }
  if (body === 'chunked') text += 'transfer-encoding: chunked\r\n';
  else if (body !== undefined || WITH_BODY.has(method)) text += `content-length: ${body ?? 0}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
};

const unsendable = (what: string): Error => lineFault('ERR_INVALID_CHAR', `${what} holds a character that HTTP cannot carry`);
