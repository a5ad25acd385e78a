import { FileAutomationException } from '../../core/errors.ts';
import type { Stretch } from '../../core/storage.ts';
import { isTransient } from '../../core/transient.ts';
import { readXml, type XmlElement } from '../../lib/data/xml/read-xml.ts';
import type { SessionAnswer } from '../../lib/net/http-session.ts';
import type { StorageFaults } from '../faults.ts';

/** What went wrong on the way, before or in the middle of an answer. The end of a signal is told as it was given. */
export const wayFault = (
  fault: unknown,
  host: string,
  { faults, signal }: { readonly faults: StorageFaults; readonly signal: AbortSignal },
): unknown => {
  if (signal.aborted) return signal.reason;
  const code = fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  const why = fault instanceof FileAutomationException ? ` (${fault.message})` : code === undefined ? '' : ` (${code})`;
  return faults.because(
    'unreachable',
    `${host} did not answer as a server should${why}; check the address, its certificate and the network.`,
    {
      cause: fault,
      context: { host, ...(code !== undefined && { server_code: code }) },
      retryable: isTransient(fault) || isCut(fault),
    },
  );
};

/** Content that is sent while it is read, and remembers what its source threw: the source's fault is not the server's. */
export const sourced = (chunks: AsyncIterable<Uint8Array>): { readonly chunks: AsyncIterable<Uint8Array>; demandWell(): void } => {
  let fault: unknown;
  let hasFailed = false;
  return {
    chunks: (async function* () {
      try {
        yield* chunks;
      } catch (thrown) {
        [fault, hasFailed] = [thrown, true];
        throw thrown;
      }
    })(),
    demandWell() {
      if (hasFailed) throw fault;
    },
  };
};

/** Answers that end too early are told by the parser, which has codes of its own. */
const isCut = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' && /^(?:UND_ERR_|HPE_)/.test(fault.code);

/** What went wrong needs to know whose errors to make, and what may have ended it. */
export interface Reading {
  readonly host: string;
  readonly faults: StorageFaults;
  readonly signal: AbortSignal;
}

/** The whole body as text; reading it also frees the connection. */
export const bodyText = async (answer: SessionAnswer, maxBytes: number, { host, ...reading }: Reading): Promise<string> => {
  try {
    return (await answer.bytes(maxBytes)).toString();
  } catch (fault) {
    throw wayFault(fault, host, reading);
  }
};

/** The body as a document. */
export const bodyDocument = async (answer: SessionAnswer, maxBytes: number, reading: Reading): Promise<XmlElement> => {
  const { host, faults } = reading;
  const fail = (why: string) =>
    faults.because('broken', `The answer of ${host} ${why}; check the address of the connection.`, { context: { host }, retryable: true });
  return readXml(await bodyText(answer, maxBytes, reading), { fail });
};

export const rangeHeader = ({ start, end }: Stretch = { start: 0 }): Readonly<Record<string, string>> =>
  start === 0 && end === undefined ? {} : { range: `bytes=${start}-${end === undefined ? '' : end - 1}` };

export interface BodyOptions {
  readonly stretch: Stretch | undefined;
  readonly host: string;
  readonly path: string;
  readonly faults: StorageFaults;
  readonly signal: AbortSignal;
}

/** The body of an answer to `rangeHeader`, which must be the stretch that was asked for, and as long as it says. */
export const stretchOf = ({ status, headers, body }: SessionAnswer, options: BodyOptions): AsyncIterable<Uint8Array> => {
  const { stretch, path, faults } = options;
  const isPart = rangeHeader(stretch).range !== undefined;
  const told = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '');
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  if (status !== (isPart ? 206 : 200) || (isPart && Number(told?.[1]) !== stretch?.start))
    throw faults.because('broken', `The server does not give the part of ${path} that was asked for; its storage cannot be read in parts.`);
  if (!Number.isSafeInteger(bytes)) throw faults.because('broken', `The server does not say how long ${path} is.`);
  if (isPart && Number(told?.[2]) - Number(told?.[1]) + 1 !== bytes)
    throw faults.because('broken', `The server gives two lengths of ${path}.`);
  return wholeBody(body, bytes, options);
};

async function* wholeBody(
  body: AsyncIterable<Uint8Array>,
  bytes: number,
  { host, path, faults, signal }: BodyOptions,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  const chunks = body[Symbol.asyncIterator]();
  const next = () => chunks.next().catch((fault: unknown) => Promise.reject(wayFault(fault, host, { faults, signal })));
  try {
    for (let each = await next(); each.done !== true; each = await next()) {
      passed += each.value.byteLength;
      yield each.value;
    }
    if (passed !== bytes)
      throw faults.because('broken', `${passed} bytes of ${path} came instead of ${bytes}; read it again.`, { retryable: true });
  } finally {
    await chunks.return?.();
  }
}

/** Nothing to read, without a request: the stretch is empty. */
export const isEmptyStretch = (stretch: Stretch | undefined): boolean => stretch?.end !== undefined && stretch.end <= stretch.start;

export async function* noBytes(): AsyncGenerator<Uint8Array> {}
