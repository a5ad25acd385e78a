import { closeSync, constants, openSync, readSync } from 'node:fs';
import { ENTRY_FLAGS } from '../fs/directory-handle.ts';

/** Something that is made of the bytes of one file after the other. */
export interface BlockSink {
  /** Where bytes are put before they are taken. */
  readonly block: Buffer;
  begin(): void;
  /** Takes the whole block. */
  addBlock(): void;
  /** Takes the first bytes of the block, as the last ones. */
  end(bytes: number): void;
}

/** Never wait for a pipe, nor follow a link, that has taken the place of a file. */
const READ_FLAGS = constants.O_RDONLY | ENTRY_FLAGS;

/**
 * Reads a file, or its first bytes, into a sink and gives how many there were. Pauses behind every block of a large file;
 * whoever stops in between must call `return`. A short read of a regular file is its end, so small files take one call.
 * Throws the system's faults.
 */
export function* readInto(sink: BlockSink, address: string, maxBytes = Number.POSITIVE_INFINITY): Generator<void, number> {
  const fd = openSync(address, READ_FLAGS);
  try {
    sink.begin();
    for (let total = 0; ; ) {
      const wanted = Math.min(sink.block.byteLength, maxBytes - total);
      const bytes = wanted === 0 ? 0 : readSync(fd, sink.block, 0, wanted, null);
      total += bytes;
      if (bytes < sink.block.byteLength || total >= maxBytes) {
        sink.end(bytes);
        return total;
      }
      sink.addBlock();
      yield;
    }
  } finally {
    closeSync(fd);
  }
}
