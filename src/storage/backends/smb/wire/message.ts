import { malformed } from './bytes.ts';
import { HEADER_BYTES } from './header.ts';

/** One request, without its header. */
export interface Request {
  readonly command: number;
  readonly body: Buffer;
  /** Goes behind the body as it is; only in the last request of a frame. Left alone until the answer has come. */
  readonly data?: Buffer;
  /** The bytes that it sends or asks for, which the server counts; small where left out. */
  readonly payload?: number;
}

/** One answer, as it came. */
export interface Answer {
  readonly status: number;
  /** With the header: places in answers count from there. */
  readonly message: Buffer;
  /** Gives its buffer back to be used again; nothing of the message may be looked at afterwards. */
  release(): void;
}

/** Where the body of an answer begins; a body of another shape than awaited is refused. */
export const bodyOf = ({ message }: Answer, structureSize: number, what: string): Buffer => {
  const body = message.subarray(HEADER_BYTES);
  const fixed = structureSize - (structureSize % 2); // an odd size counts one byte of what may follow
  if (body.byteLength < fixed || body.readUInt16LE(0) !== structureSize) throw malformed(`${what} of an unknown shape`);
  return body;
};

/** A body of so many bytes that begins with its structure size. */
export const newBody = (structureSize: number, bytes: number): Buffer => {
  const body = Buffer.alloc(bytes);
  body.writeUInt16LE(structureSize, 0);
  return body;
};
