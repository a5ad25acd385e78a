import { createGunzip } from 'node:zlib';
import { broken } from '../broken.ts';
import { gzip } from '../deflate/gzip.ts';
import { through } from '../through.ts';
import type { PackOptions, UnpackOptions } from './compression.ts';
import { unpackMembers } from './gz-members.ts';

const LEVEL = 6;
const CHUNK_BYTES = 64 * 1024;

/** One gzip member, made on all threads. */
export const packGz = (chunks: AsyncIterable<Uint8Array>, { signal }: PackOptions): AsyncIterable<Uint8Array> =>
  gzip(chunks, { level: LEVEL, signal });

/** All members of a gzip file; zeros may follow, as tapes leave them. */
export async function* unpackGz(chunks: AsyncIterable<Uint8Array>, { lenient = false }: UnpackOptions): AsyncGenerator<Uint8Array> {
  try {
    // zlib cannot tell where it stopped when something else follows, and is the faster of both.
    yield* lenient ? unpackMembers(chunks) : through(chunks, createGunzip({ chunkSize: CHUNK_BYTES }));
  } catch (fault) {
    throw isZlibFault(fault) ? broken('is a damaged or cut gzip file', {}, fault) : fault;
  }
}

const isZlibFault = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' && fault.code.startsWith('Z_');
