import type { Interruptible } from '../../core/files.ts';
import type { Web, WebAnswer } from '../../core/ports/web.ts';
import type { Progress } from '../../core/progress.ts';
import { backoff, DEFAULT_RETRY } from '../../core/retry.ts';
import { isTransient } from '../../core/transient.ts';
import { systemWait } from '../../lib/async/wait.ts';
import { describeResource, isSameContent, parseContentRange } from '../../lib/net/http-resource.ts';
import { brokenAnswer, demandSize, statusFault } from './answers.ts';
import type { Gathering } from './gathering.ts';

export interface FetchOptions extends Interruptible {
  readonly web: Web;
  readonly url: string;
  readonly gathering: Gathering;
  /** 0 is no limit. */
  readonly maxBytes: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Smaller pieces are put together before they are written. */
  readonly chunkBytes: number;
  /** Called once, when the first bytes are about to come. */
  begun(total: number | undefined): Pick<Progress, 'advance'>;
}

/** An attempt that brought so much does not count: a long file may break off often. */
const LEAP_BYTES = 1024 * 1024;
/** A server that wants us to wait longer is not waited for. */
const LONGEST_WAIT_S = 60;

/** Brings the content of a URL into a gathering, in as many attempts as it takes. Each goes on behind the last byte, where the server can. */
export const fetchContent = async (options: FetchOptions): Promise<void> => {
  const { gathering, retries, signal } = options;
  const shown: Shown = { progress: undefined };
  for (let failures = 0; ; ) {
    const before = gathering.bytes;
    try {
      return await attempt(options, shown);
    } catch (fault) {
      if (signal.aborted) throw signal.reason;
      failures = gathering.bytes - before >= LEAP_BYTES ? 1 : failures + 1;
      if (!isTransient(fault) || failures > retries) throw fault;
      const askedS = askedWaitS(fault);
      if (askedS > LONGEST_WAIT_S) throw fault;
      await systemWait(Math.max(askedS, backoff(DEFAULT_RETRY, failures)) * 1000, signal);
    }
  }
};

/** The entry of progress, which all attempts share. */
interface Shown {
  progress: Pick<Progress, 'advance'> | undefined;
}

const attempt = async (options: FetchOptions, shown: Shown): Promise<void> => {
  const { web, url, gathering, maxBytes, signal } = options;
  const { bytes: have, validator } = gathering;
  const going = have > 0 && validator !== undefined ? { range: `bytes=${have}-`, 'if-range': validator } : undefined;
  const answer = await web.ask(url, { method: 'GET', ...(going && { headers: going }), signal });
  const { status, headers, host } = answer;
  const told = describeResource(status, headers);
  try {
    if (status === 200) await gathering.begin(told.validator);
    else if (status === 416 && going !== undefined) {
      if (told.bytes === have) return;
      await gathering.begin(undefined);
      return await attempt(options, shown); // from the beginning, so that it cannot come here again
    } else if (status === 206 && going !== undefined) {
      const isWanted = parseContentRange(headers['content-range'])?.start === have && isSameContent(going['if-range'], headers) !== false;
      if (!isWanted) await gathering.begin(undefined);
      if (!isWanted) throw brokenAnswer(host, 'sent another part of the file than it was asked for');
    } else throw statusFault(answer);
    demandSize(told.bytes, maxBytes, host);
    const isFirst = shown.progress === undefined;
    shown.progress ??= options.begun(told.bytes);
    if (isFirst && gathering.bytes > 0) shown.progress.advance(gathering.bytes);
    await gather(answer, options, shown.progress);
  } finally {
    await answer.drop();
  }
  if (told.bytes !== undefined && gathering.bytes !== told.bytes)
    throw brokenAnswer(host, `ended its answer after ${gathering.bytes} of ${told.bytes} bytes`);
};

/** Puts what arrives into the gathering, small pieces together. */
const gather = async ({ body, host }: WebAnswer, options: FetchOptions, progress: Pick<Progress, 'advance'>): Promise<void> => {
  const { gathering, maxBytes, chunkBytes } = options;
  const held = Buffer.allocUnsafe(Math.min(chunkBytes, LEAP_BYTES));
  let filled = 0;
  const empty = async (): Promise<void> => {
    if (filled > 0) await gathering.add(held.subarray(0, filled));
    filled = 0;
  };
  try {
    for await (const chunk of body) {
      demandSize(gathering.bytes + filled + chunk.byteLength, maxBytes, host);
      progress.advance(chunk.byteLength);
      if (filled + chunk.byteLength > held.byteLength) await empty();
      if (chunk.byteLength >= held.byteLength) await gathering.add(chunk);
      else {
        held.set(chunk, filled);
        filled += chunk.byteLength;
      }
    }
  } finally {
    await empty(); // what came before a fault need not come again
  }
};

const askedWaitS = (fault: unknown): number => {
  const context = fault instanceof Error && 'context' in fault ? fault.context : undefined;
  return typeof context === 'object' && context !== null && 'retry_after_s' in context ? Number(context.retry_after_s) : 0;
};
