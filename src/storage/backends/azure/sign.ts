import { createHmac } from 'node:crypto';

/** A request as it is sent. */
export interface AzureRequestParts {
  readonly method: string;
  /** Encoded, with the account where an emulator has it. */
  readonly path: string;
  /** Not encoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case; `x-ms-date` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly bytes: number;
}

/** The headers that are signed by their place; the date is told by `x-ms-date`. */
const BY_PLACE = ['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type', 'date', 'if-modified-since'];
const BEHIND = ['if-match', 'if-none-match', 'if-unmodified-since', 'range'];

/** The text that an account's key signs (Shared Key, since the version of 2015). */
export const textToSign = ({ method, path, query, headers, bytes }: AzureRequestParts, account: string): string => {
  const at = (name: string): string => (name === 'content-length' ? (bytes === 0 ? '' : String(bytes)) : (headers[name] ?? ''));
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${(headers[name] ?? '').trim()}\n`);
  const asked = Object.entries(query)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `\n${name}:${value}`);
  return `${[method, ...[...BY_PLACE, ...BEHIND].map(at)].join('\n')}\n${own.join('')}/${account}${path}${asked.join('')}`;
};

export const sharedKey = (parts: AzureRequestParts, account: string, key: Buffer): string =>
  `SharedKey ${account}:${createHmac('sha256', key).update(textToSign(parts, account)).digest('base64')}`;
