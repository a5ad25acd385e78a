import { streamTask } from '../../workers/foreign/serve-stream.ts';

/** Decoders that we did not write and that work on a stream. */
const DECODERS = {
  xz: async () => (await import('./xz.ts')).unpackXz,
  zst: async () => (await import('./zst/unpack-zst.ts')).unpackZst,
};

export type StreamDecoder = keyof typeof DECODERS;

/** Unpacks a stream: a task, because the decoder takes what it likes of a core and may never come back. */
export const unpackStream = streamTask<StreamDecoder>(async function* (chunks, name) {
  yield* (await DECODERS[name]())(chunks);
});
