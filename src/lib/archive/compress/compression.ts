/** What packing a stream needs to know. */
export interface PackOptions {
  readonly signal: AbortSignal;
}

/** What unpacking a stream needs to know. */
export interface UnpackOptions extends PackOptions {
  /** Leave out what follows the end, instead of refusing it; an xz file is refused all the same. */
  readonly lenient?: boolean;
}

/** One way to make a stream of bytes smaller. */
export interface Compression {
  /** Also the ending of its files. */
  readonly name: 'gz' | 'bz2' | 'xz' | 'zst';
  /** The first bytes of every file of it. */
  readonly magic: Uint8Array;
  /** Loads what it needs on first use. What goes in and what comes out is good only until the next chunk is asked for. */
  pack(chunks: AsyncIterable<Uint8Array>, options: PackOptions): AsyncIterable<Uint8Array>;
  /**
   * Gives the content in small pieces, or fails with `ArchiveException` where the stream is damaged, cut or followed by something
   * else than zeros.
   * What goes in must stay as it is; what comes out is good only until the next piece is asked for.
   */
  unpack(chunks: AsyncIterable<Uint8Array>, options: UnpackOptions): AsyncIterable<Uint8Array>;
}
