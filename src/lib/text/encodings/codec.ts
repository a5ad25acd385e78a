/** Turns bytes into text, chunk by chunk; a character may be cut anywhere. */
export interface Decoder {
  write(bytes: Uint8Array): string;
  /** What is left once there are no more bytes. */
  end(): string;
}

/** Turns text into bytes, chunk by chunk; every chunk is well-formed text. */
export interface Encoder {
  write(text: string): Uint8Array;
  /** What is left once there is no more text. */
  end(): Uint8Array;
}

/** Asked about bytes that mean nothing, by the offset of the first from the start: gives the text to put there, or throws. */
export type OnBadBytes = (offset: number) => string;

/** Asked about a character that the encoding does not have: gives the text to put there, which it has, or throws. */
export type OnUnfit = (character: string) => string;

/** One encoding. */
export interface Codec {
  decoder(onBad: OnBadBytes): Decoder;
  encoder(onUnfit: OnUnfit): Encoder;
  /** The same encoding with the byte order mark as an ordinary character, chosen by the first bytes of a file; absent where it is that already. */
  unmarked?(first: Uint8Array): Codec;
}

export const NO_BYTES: Uint8Array = new Uint8Array(0);

/** A view of the bytes with the methods of a buffer. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What decodes a stretch that starts at a character: the text, and how many bytes it took. What it leaves is given again with more. */
export type DecodeStretch = (bytes: Buffer, offset: number, isLast: boolean) => { readonly text: string; readonly taken: number };

/** A decoder that keeps the beginning of a cut character until the rest of it comes. */
export const decoderOf = (decode: DecodeStretch): Decoder => {
  let kept: Uint8Array = NO_BYTES;
  let offset = 0;
  const step = (bytes: Uint8Array, isLast: boolean): string => {
    const stretch = kept.length === 0 ? asBuffer(bytes) : Buffer.concat([kept, bytes]);
    const { text, taken } = decode(stretch, offset, isLast);
    offset += taken;
    kept = Buffer.from(stretch.subarray(taken)); // a copy: the caller may use its buffer again
    return text;
  };
  return { write: (bytes) => step(bytes, false), end: () => (kept.length === 0 ? '' : step(NO_BYTES, true)) };
};
