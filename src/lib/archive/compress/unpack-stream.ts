import { streamTask } from '../../workers/foreign/serve-stream.ts';

/** Decoders that we did not write and that work on a stream. */
const DECODERS = {
  xz: async () => (await import('./xz.ts')).unpackXz,
  zst: async () => (await import('./zst/unpack-zst.ts')).unpackZst,
};

export type StreamDecoder = keyof typeof DECODERS;

/** What to unpack, and how. */
export interface StreamToUnpack {
  readonly decoder: StreamDecoder;
  readonly lenient: boolean;
}

/** Unpacks a stream: a task, because the decoder takes what it likes of a core and may never come back. */
export const unpackStream = streamTask<StreamToUnpack>(async function* (chunks, { decoder, lenient }) {
  yield* (await DECODERS[decoder]())(chunks, { lenient });
});
