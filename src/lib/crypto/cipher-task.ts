import { readSync, writeSync } from 'node:fs';
import type { Done } from '../workers/task.ts';
import { chunkCipher } from './chunk-cipher.ts';
import { damaged, shrunk, TAG_BYTES } from './container.ts';
import { chunkAt, type Layout, longestSealed } from './layout.ts';

/** Chunks that several threads take one by one. The files are open in this process; nobody may close them meanwhile. */
export interface CipherShare {
  readonly mode: 'seal' | 'open';
  readonly key: Uint8Array;
  readonly header: { readonly nonce: Uint8Array; readonly bytes: Uint8Array };
  readonly layout: Layout;
  readonly source: { readonly fd: number; readonly path: string };
  readonly target: number;
  /** The chunk to be taken next. */
  readonly next: SharedArrayBuffer;
}

/** How many chunks are done before somebody hears of it: often enough to stop and to show progress. */
const CHUNKS_AT_ONCE = 16;

/** Encrypts or decrypts some chunks and gives how many bytes of plaintext they hold; 0 says that none is left. A task for other threads. */
export const cipherChunks = ({ mode, key, header, layout, source, target, next }: CipherShare): Done<number> => {
  const cipher = chunkCipher(key, header);
  const buffer = Buffer.allocUnsafeSlow(longestSealed(layout));
  const indexes = new Int32Array(next);
  let done = 0;
  for (let turn = 0; turn < CHUNKS_AT_ONCE; turn += 1) {
    const index = Atomics.add(indexes, 0, 1);
    if (index >= layout.count) break;
    const { plainAt, plainBytes, sealedAt, isLast } = chunkAt(layout, index);
    const sealed = buffer.subarray(0, plainBytes + TAG_BYTES);
    if (mode === 'seal') {
      if (!fill(source.fd, sealed.subarray(0, plainBytes), plainAt)) throw shrunk(source.path);
      cipher.seal(sealed, index, isLast);
      writeAll(target, sealed, sealedAt);
    } else {
      if (!fill(source.fd, sealed, sealedAt)) throw damaged();
      writeAll(target, cipher.open(sealed, index, isLast), plainAt);
    }
    done += plainBytes;
  }
  return { value: done };
};

/** False where the file ends before the buffer is full. */
const fill = (fd: number, into: Buffer, position: number): boolean => {
  for (let done = 0; done < into.byteLength; ) {
    const read = readSync(fd, into, done, into.byteLength - done, position + done);
    if (read === 0) return false;
    done += read;
  }
  return true;
};

const writeAll = (fd: number, bytes: Buffer, position: number): void => {
  for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done, bytes.byteLength - done, position + done);
};
