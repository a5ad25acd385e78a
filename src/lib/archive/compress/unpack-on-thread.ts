import { openForeignThreads } from '../../workers/foreign/threads.ts';
import { throughForeign } from '../../workers/foreign/through.ts';
import { readerEnded } from '../reader-ended.ts';
import type { Compression } from './compression.ts';
import type { StreamDecoder } from './unpack-stream.ts';

/** Unpacks on a thread that can be ended. */
export const unpackOnThread = (decoder: StreamDecoder): Compression['unpack'] =>
  async function* (chunks, { signal, lenient = false }) {
    await using threads = openForeignThreads({ signal, isKept: true, ended: readerEnded(decoder) });
    yield* throughForeign(threads, 'unpack_stream', { decoder, lenient }, chunks);
  };
