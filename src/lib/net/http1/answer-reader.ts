import { type AnswerHead, MAX_HEAD_BYTES, readHead } from './answer-head.ts';
import { type ChunkReader, createChunkReader } from './chunk-reader.ts';
import { badAnswer, cutOff } from './faults.ts';

/** Reads the answer to one request out of what a connection brings, however it is cut. */
export interface AnswerReader {
  /** Set once the head has come whole. */
  readonly head: AnswerHead | undefined;
  /** The last byte has come. */
  readonly isDone: boolean;
  /** Something came behind the last byte: nobody knows what it belongs to. */
  readonly hasMore: boolean;
  /** Takes what came and gives the content in it: a part of the same memory, whose bytes may have been moved. */
  take(bytes: Buffer): Buffer;
  /** The server has ended the connection; throws where the answer is not whole. */
  end(): void;
}

const END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
/** Answers that only announce another one. */
const MAX_INFORMATIONAL = 16;

export const createAnswerReader = (method: string): AnswerReader => {
  let gathered: Buffer = NOTHING;
  let head: AnswerHead | undefined;
  let left = 0;
  let chunks: ChunkReader | undefined;
  let announced = 0;
  let isDone = false;
  let hasMore = false;

  /** Takes heads until that of the answer itself; gives what stands behind it. */
  const takeHead = (bytes: Buffer): Buffer => {
    // Nearly always the first bytes hold the whole head; then nothing is copied.
    let rest = gathered.byteLength === 0 ? bytes : Buffer.concat([gathered, bytes.subarray(0, MAX_HEAD_BYTES + 4)]);
    const skipped = gathered.byteLength;
    gathered = NOTHING;
    let from = 0;
    for (;;) {
      const end = rest.indexOf(END, from);
      if ((end === -1 ? rest.byteLength : end) - from > MAX_HEAD_BYTES) throw badAnswer(`has a head of more than ${MAX_HEAD_BYTES} bytes`);
      if (end === -1) {
        if (rest.byteLength - from >= 5 && rest.toString('latin1', from, from + 5) !== 'HTTP/')
          throw badAnswer('does not begin as one of HTTP/1.1');
        gathered = Buffer.from(rest.subarray(from)); // a copy: the memory is used again
        return NOTHING;
      }
      const found = readHead(rest.subarray(from, end), method);
      from = end + END.byteLength;
      if (found.status >= 200) {
        begin(found);
        rest = bytes.subarray(from - skipped);
        return rest;
      }
      announced += 1;
      if (found.status === 101 || announced > MAX_INFORMATIONAL) throw badAnswer('changes to another protocol, or only announces itself');
    }
  };

  const begin = (found: AnswerHead): void => {
    head = found;
    if (found.framing === 'chunked') chunks = createChunkReader();
    else left = found.framing === 'close' ? Number.POSITIVE_INFINITY : found.framing;
    isDone = left === 0 && chunks === undefined;
  };

  const takeBody = (bytes: Buffer): Buffer => {
    if (chunks !== undefined) {
      const { content, used } = chunks.take(bytes);
      isDone = chunks.isDone;
      hasMore = used < bytes.byteLength;
      return bytes.subarray(0, content);
    }
    const taken = Math.min(left, bytes.byteLength);
    left -= taken;
    isDone = left === 0;
    hasMore = taken < bytes.byteLength;
    return bytes.subarray(0, taken);
  };

  return {
    get head() {
      return head;
    },
    get isDone() {
      return isDone;
    },
    get hasMore() {
      return hasMore;
    },
    take(bytes) {
      const rest = head === undefined ? takeHead(bytes) : bytes;
      if (rest.byteLength === 0) return rest;
      if (!isDone) return takeBody(rest);
      hasMore = true;
      return NOTHING;
    },
    end() {
      if (isDone) return;
      if (head?.framing !== 'close') throw cutOff();
      isDone = true;
    },
  };
};
