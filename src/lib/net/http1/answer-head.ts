import { badAnswer } from './faults.ts';

/** The head of an answer, and what it says of the body behind it. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; of repeated fields all values, joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** How the end of the body is known: by its length, by its chunks, or by the end of the connection. */
  readonly framing: number | 'chunked' | 'close';
  /** Another request may follow on the same connection. */
  readonly isKept: boolean;
}

export const MAX_HEAD_BYTES = 16_384;
const MAX_FIELDS = 128;

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;

/** Reads a head without the empty line that ends it. Whatever two readers could understand differently is refused. */
export const readHead = (bytes: Buffer, method: string): AnswerHead => {
  const [first = '', ...lines] = bytes.toString('latin1').split('\r\n');
  const [, minor, written] = STATUS_LINE.exec(first) ?? [];
  if (written === undefined) throw badAnswer('does not begin as one of HTTP/1.1');
  if (lines.length > MAX_FIELDS) throw badAnswer(`has more than ${MAX_FIELDS} fields`);
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) throw badAnswer('has a line that is no field'); // folded lines among them
    const key = name.toLowerCase();
    if (headers[key] !== undefined && SINGLE.has(key)) throw badAnswer(`has two fields ${key}`);
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  const status = Number(written);
  const framing = framingOf(headers, {
    isOld: minor === '0',
    hasBody: method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200,
  });
  const wishes = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  const isKept = framing !== 'close' && (minor === '0' ? wishes.includes('keep-alive') : !wishes.includes('close'));
  return { status, headers, framing, isKept };
};

/** Fields that say where the answer ends. */
const SINGLE: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

const framingOf = (
  headers: Readonly<Record<string, string>>,
  { isOld, hasBody }: { readonly isOld: boolean; readonly hasBody: boolean },
): AnswerHead['framing'] => {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw badAnswer('has a length that is none');
  if (coding !== undefined) {
    if (length !== undefined) throw badAnswer('says in two ways where it ends');
    if (isOld || coding.toLowerCase() !== 'chunked') throw badAnswer('has a transfer coding that is not known');
  }
  if (!hasBody) return 0;
  if (coding !== undefined) return 'chunked';
  return length === undefined ? 'close' : Number(length);
};
