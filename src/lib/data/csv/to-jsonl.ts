import { isUtf8 } from 'node:buffer';
import { type CsvKernel, createCsvKernel } from '../../kernels/csv/csv-kernel.ts';
import { utf8 } from '../../text/encodings/utf8.ts';
import { demandCodec } from '../text-chunks.ts';
import { unfinishedBytes } from '../utf8-tail.ts';
import { jsonlSink } from './jsonl-sink.ts';
import { createCsvParser } from './parser.ts';
import { type CsvFormat, type CsvResume, checkColumns, checkDelimiter, readCsv } from './reader.ts';

/** A file open for reading at any place. */
export interface CsvSource {
  readAt(into: Uint8Array, position: number): Promise<number>;
  stream(range: { readonly start: number }): AsyncIterable<Uint8Array>;
}

/** What a conversion needs beside its source. */
export interface ToJsonlOptions {
  readonly format: CsvFormat;
  write(bytes: Uint8Array): Promise<void>;
  /** Told how many bytes of the source were read since it was last called. */
  onBytes?(bytes: number): void;
  /** For tests: small buffers meet every cut. */
  readonly buffers?: { readonly inputBytes: number; readonly outputBytes: number };
}

const BUFFERS = { inputBytes: 2 * 1024 * 1024, outputBytes: 4 * 1024 * 1024 };
/** Beyond this the table of keys would be larger than what it serves. */
const MAX_HEADER_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Converts CSV to JSON Lines; answers the number of records. What the kernel cannot do or must refuse, the careful reader takes over. */
export const csvToJsonl = async (source: CsvSource, options: ToJsonlOptions): Promise<number> => {
  const { delimiter, encoding } = options.format;
  checkDelimiter(delimiter);
  const isForKernel = (await demandCodec(encoding)) === utf8 && delimiter.charCodeAt(0) <= 0x7f;
  return isForKernel ? convertFast(source, options) : convertCarefully(source, options);
};

/** The careful way alone: the measure of what is right. */
export const convertCarefully = async (
  source: CsvSource,
  { format, write, onBytes }: ToJsonlOptions,
  from?: CsvResume,
): Promise<number> => {
  const sink = jsonlSink(write, from?.columns);
  const { rows } = await readCsv(counted(source.stream({ start: from?.position ?? 0 }), onBytes), format, sink, from);
  await sink.finish();
  return rows;
};

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: ToJsonlOptions['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk.byteLength);
    yield chunk;
  }
}

const convertFast = async (source: CsvSource, options: ToJsonlOptions): Promise<number> => {
  const { format, write, onBytes, buffers = BUFFERS } = options;
  const header = await findHeader(source, format, Math.min(MAX_HEADER_BYTES, buffers.inputBytes));
  if (header === undefined) return convertCarefully(source, options);
  const { columns } = header;
  const kernel = createCsvKernel({ delimiter: format.delimiter, columns, ...buffers });
  if (kernel === undefined) return convertCarefully(source, options);
  const handOver = async (position: number): Promise<number> =>
    kernel.rows() + (await convertCarefully(source, options, { columns, line: header.line + kernel.lines(), position }));

  let position = header.end; // of what the input buffer begins with, in the file
  let filled = 0;
  let checked = 0; // up to here the input is valid UTF-8
  for (;;) {
    const read = await source.readAt(kernel.input.subarray(filled), position + filled);
    onBytes?.(read);
    filled += read;
    const isLast = filled < kernel.input.byteLength;
    const fresh = kernel.input.subarray(checked, filled);
    const unfinished = isLast ? 0 : unfinishedBytes(fresh);
    if (!isUtf8(fresh.subarray(0, fresh.byteLength - unfinished))) return handOver(position);

    const used = await convertInput(kernel, filled, isLast, write);
    if (used.isUnusual) return handOver(position + used.consumed);
    if (isLast) return kernel.rows();
    // An unfinished record that fills the whole buffer can only be read carefully.
    if (used.consumed === 0) return handOver(position);
    kernel.input.copyWithin(0, used.consumed, filled);
    position += used.consumed;
    filled -= used.consumed;
    checked = filled - unfinished;
  }
};

/** Converts what the buffer holds, emptying the output as often as needed. */
const convertInput = async (kernel: CsvKernel, filled: number, isLast: boolean, write: ToJsonlOptions['write']) => {
  for (let from = 0; ; ) {
    const { status, consumed, output } = kernel.convert(from, filled, { isLast });
    if (output.byteLength > 0) await write(output);
    if (status !== 'full') return { consumed, isUnusual: status === 'unusual' };
    from = consumed;
  }
};

/** The header, and where the rows begin; undefined where it is not whole within the first bytes or has to be refused. */
const findHeader = async (source: CsvSource, { name, delimiter }: CsvFormat, maxBytes: number) => {
  const buffer = Buffer.allocUnsafe(maxBytes);
  const bytes = buffer.subarray(0, await source.readAt(buffer, 0));
  const markBytes = bytes.subarray(0, BYTE_ORDER_MARK.byteLength).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.byteLength : 0;
  const whole = bytes.subarray(markBytes, bytes.byteLength - unfinishedBytes(bytes));
  if (!isUtf8(whole)) return undefined;
  const text = whole.toString();
  let columns: readonly string[] | undefined;
  const parser = createCsvParser({ delimiter, name }, (fields, line) => {
    checkColumns(name, line, fields);
    columns = fields;
    return false;
  });
  let used = parser.push(text);
  if (columns === undefined) return undefined;
  // The line feed of a CRLF; where the text ends between the two, nobody knows yet.
  if (text[used - 1] === '\r') {
    if (used === text.length) return undefined;
    if (text[used] === '\n') used += 1;
  }
  return { columns, line: parser.line(), end: markBytes + Buffer.byteLength(text.slice(0, used)) };
};
