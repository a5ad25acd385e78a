import { DownloadException } from '../../core/errors.ts';
import type { WebAnswer } from '../../core/ports/web.ts';

type Head = Pick<WebAnswer, 'status' | 'headers' | 'host'>;

const WORDS: ReadonlyMap<number, string> = new Map([
  [401, 'it wants a login; the URL alone does not open it'],
  [403, 'it does not give this to us'],
  [404, 'nothing is there; check the URL'],
  [407, 'it wants a login for a proxy'],
  [410, 'it is gone for good'],
  [429, 'it was asked too often; try again later'],
  [503, 'it is too busy; try again later'],
]);

/** What may be answered differently the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A server that does not answer HEAD, or answers it otherwise than GET: that tells nothing about the file. */
export const isHeadRefused = (status: number): boolean => [400, 403, 405, 501].includes(status);

/** An answer that brings no file. */
export const statusFault = ({ status, headers, host }: Head): DownloadException => {
  const waitS = /^\d{1,5}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : undefined;
  const words = WORDS.get(status) ?? (status >= 500 ? 'it has a fault; try again later' : 'that is no file');
  return new DownloadException(`${host} answered ${status}: ${words}.`, {
    context: { host, status, code: String(status), ...(waitS !== undefined && { retry_after_s: waitS }) },
    retryable: PASSING.has(status),
  });
};

/** A fault of what came, which another attempt may not have. */
export const brokenAnswer = (host: string, what: string): DownloadException =>
  new DownloadException(`${host} ${what}.`, { context: { host }, retryable: true });

/** Refuses a file that is too large, as soon as that is known. 0 is no limit. */
export const demandSize = (bytes: number | undefined, maxBytes: number, host: string): void => {
  if (bytes === undefined || maxBytes === 0 || bytes <= maxBytes) return;
  throw new DownloadException(`The file of ${host} is larger than the ${maxBytes} bytes allowed; raise max_bytes if that is meant.`, {
    context: { host, max_bytes: maxBytes },
  });
};
