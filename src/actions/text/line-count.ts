import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import type { Reader } from '../../core/files.ts';
import type { Progress } from '../../core/progress.ts';
import * as shapes from '../../core/shapes.ts';
import { createLineCounter } from '../../lib/kernels/lines/line-counter.ts';
import { openEdit } from '../../lib/text/encoding.ts';
import { decodeChunks } from '../../lib/text/stream.ts';
import { counted } from './counted.ts';

const BLOCK_BYTES = 2 * 1024 * 1024;
const BOTH_LINE_ENDS = Buffer.from('\n\r');

/** One block is read while the other is counted. */
const countBytes = async (source: Reader, { advance }: Progress, signal: AbortSignal): Promise<number> => {
  const counter = createLineCounter(BLOCK_BYTES);
  let [block, other] = counter.blocks;
  let reading = source.readAt(block, 0);
  for (let position = 0; ; [block, other] = [other, block]) {
    const bytes = await reading;
    position += bytes;
    advance(bytes);
    signal.throwIfAborted();
    const isLast = bytes < BLOCK_BYTES;
    if (!isLast) reading = source.readAt(other, position);
    counter.count(block, bytes);
    if (isLast) return counter.lines();
  }
};

/** Encodings in which other bytes end a line go through UTF-8. */
const countText = async (texts: AsyncIterable<string>, signal: AbortSignal): Promise<number> => {
  const counter = createLineCounter(BLOCK_BYTES);
  const [block] = counter.blocks;
  for await (const chunk of texts) {
    signal.throwIfAborted();
    const bytes = Buffer.from(chunk);
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) counter.count(block, bytes.copy(block, 0, from, from + BLOCK_BYTES));
  }
  return counter.lines();
};

export const lineCount = defineAction({
  name: 'FA_line_count',
  summary: 'Counts the lines of a text file.',
  args: {
    file_path: path('The file; LF, CRLF and a lone CR each end a line, and a last line without an end counts.', {
      role: 'reads',
      wrong: FileNotExistsException,
    }),
    encoding: text('How its bytes are read, where that matters to line ends.', { default: 'utf-8' }),
  },
  returns: shapes.integer(),
  idempotent: true,
  examples: [{ files: { 'a.txt': 'one\ntwo\r\nthree' }, args: { file_path: 'a.txt' }, value: 3 }],
  async run({ files, progress, signal }, { file_path, encoding }) {
    await using source = await files.open(file_path);
    const shown = progress(`count lines of ${source.entry.name}`, source.entry.size);
    const first = new Uint8Array(4);
    const { decoder, encoder } = await openEdit(encoding, first.subarray(0, await source.readAt(first, 0)));
    if (BOTH_LINE_ENDS.equals(encoder.write('\n\r'))) return await countBytes(source, shown, signal);
    return await countText(decodeChunks(counted(source.stream(), shown), decoder), signal);
  },
});
