import type { ReadOptions } from '../../../../core/storage.ts';
import type { Session } from '../session/session.ts';
import {
  ACCESS,
  closeRequest,
  createRequest,
  DISPOSITION,
  type FileId,
  indexRequest,
  OPTION,
  readCreateAnswer,
  readIndexAnswer,
  readReadAnswer,
  readRequest,
  SAME_FILE,
} from '../wire/files.ts';
import type { Answer } from '../wire/message.ts';
import { isMissing, STATUS } from '../wire/status.ts';
import { smbName } from './names.ts';
import { itemOf, type Share } from './share.ts';

/** Comes with the open, so that a small file takes one round trip. */
const FIRST_BYTES = 64 * 1024;
/** Pieces that are asked for ahead of all who read at once, so that memory stays bounded; everybody has one. */
const AHEAD = 8;

/** The content of a file as it was when it was opened; a file that shrinks meanwhile fails the read. */
export const read = async (share: Share, path: string, options: ReadOptions): Promise<AsyncIterable<Uint8Array>> => {
  const { faults } = share;
  const { stretch, version, signal } = options;
  if (path === '') throw faults.isDirectory(path);
  const start = stretch?.start ?? 0;
  const firstBytes = Math.min(FIRST_BYTES, Math.max(1, (stretch?.end ?? Number.POSITIVE_INFINITY) - start));
  const create = createRequest({
    name: smbName(path, faults),
    access: ACCESS.readData | ACCESS.readAttributes | ACCESS.synchronize,
    disposition: DISPOSITION.open,
    options: OPTION.file,
  });
  const session = await share.session(signal);
  const leave = (id: FileId): void => void session.exchange([closeRequest(id)], {}).catch(() => {}); // it ends with the session at the latest
  const ask = [create, readRequest(SAME_FILE, start, firstBytes), ...(version === undefined ? [] : [indexRequest(SAME_FILE)])];
  const [opened, first, index] = await session.exchange(ask, {
    signal,
    onLate: ([late]) => {
      if (late?.status === STATUS.ok) leave(readCreateAnswer(late).id);
    },
  });
  if (opened !== undefined && isMissing(opened.status)) throw faults.notFound(path);
  const { id, ...facts } = readCreateAnswer(faults.demandOk(opened, path));
  try {
    if (version !== undefined && version !== itemOf(path, facts, readIndexAnswer(faults.demandOk(index, path))).version) {
      throw faults.changed(path);
    }
    const end = Math.min(stretch?.end ?? facts.bytes, facts.bytes);
    if (end <= start) {
      leave(id);
      return nothing();
    }
    const head = readReadAnswer(demandContent(share, first, path), firstBytes).subarray(0, end - start);
    if (head.byteLength === end - start) {
      leave(id);
      return only(head);
    }
    return streamed({ session, share, path, id, head, at: start + head.byteLength, end, signal, leave: () => leave(id) });
  } catch (fault) {
    leave(id);
    throw fault;
  }
};

const demandContent = ({ faults }: Share, answer: Answer | undefined, path: string): Answer => {
  if (answer?.status === STATUS.endOfFile) throw faults.changed(path);
  return faults.demandOk(answer, path);
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* only(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

interface Streaming {
  readonly session: Session;
  readonly share: Share;
  readonly path: string;
  readonly id: FileId;
  /** What came with the open. */
  readonly head: Buffer;
  /** Where the rest begins, and ends. */
  readonly at: number;
  readonly end: number;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

interface Asked {
  readonly offset: number;
  readonly bytes: number;
  readonly answer: Promise<Answer | undefined>;
}

async function* streamed({ session, share, path, id, head, at, end, signal, leave }: Streaming): AsyncGenerator<Uint8Array> {
  const ahead: Asked[] = [];
  let next = at;
  const ask = (offset: number, bytes: number): Asked => {
    const answer = session.exchange([readRequest(id, offset, bytes)], { signal }).then(([only]) => only);
    answer.catch(() => {}); // looked at when its turn comes, or never
    return { offset, bytes, answer };
  };
  const askAhead = (): void => {
    while (next < end && ahead.length < Math.max(1, Math.floor(AHEAD / share.readers.size))) {
      const bytes = Math.min(session.maxRead, end - next);
      ahead.push(ask(next, bytes));
      next += bytes;
    }
  };
  share.readers.add(ahead);
  try {
    askAhead();
    yield head;
    for (let asked = ahead.shift(); asked !== undefined; asked = ahead.shift()) {
      const answer = demandContent(share, await asked.answer, path);
      const data = readReadAnswer(answer, asked.bytes);
      if (data.byteLength < asked.bytes) ahead.unshift(ask(asked.offset + data.byteLength, asked.bytes - data.byteLength));
      askAhead();
      yield data;
      answer.release();
    }
  } finally {
    share.readers.delete(ahead);
    leave();
  }
}
