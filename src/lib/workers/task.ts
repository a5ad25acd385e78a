/** What a task gives back: a value, and those of its buffers that are handed over instead of copied. */
export interface Done<T> {
  readonly value: T;
  readonly transfer?: readonly ArrayBuffer[];
}

/** A function that runs on any thread: its input and value must survive cloning. */
export type Task<I, O> = (input: I) => Done<O> | Promise<Done<O>>;

/** The buffers of these bytes that nobody else uses: small results lie in Node's common pool, which must stay. */
export const ownBuffers = (...parts: readonly Uint8Array[]): ArrayBuffer[] =>
  parts.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer && buffer.byteLength !== POOL_BYTES ? [buffer] : []));

/** Asked of the pool itself: what `Buffer.poolSize` says is only how large the next one will be, and not in every version. */
const POOL_BYTES = Buffer.allocUnsafe(1).buffer.byteLength;
