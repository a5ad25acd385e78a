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
 * Reads a file, or its first bytes, into a sink. One that fits into the block takes one step and gives how many bytes there were: a
 * short read of a regular file is its end. A larger one gives a generator that pauses behind every block and tells at its end; whoever
 * stops in between must call `return`. Throws the system's faults.
 */
export const readInto = (sink: BlockSink, address: string, maxBytes = Number.POSITIVE_INFINITY): number | Generator<void, number> => {
  const fd = openSync(address, READ_FLAGS);
  let isLarge = false;
  try {
    sink.begin();
    const bytes = readBlock(fd, sink, maxBytes);
    isLarge = bytes === sink.block.byteLength && bytes < maxBytes;
    if (!isLarge) {
      sink.end(bytes);
      return bytes;
    }
  } finally {
    if (!isLarge) closeSync(fd);
  }
  const rest = readRest(fd, sink, maxBytes);
  rest.next(); // from here on it closes the file, however it ends
  return rest;
};

function* readRest(fd: number, sink: BlockSink, maxBytes: number): Generator<void, number> {
  try {
    for (let total = sink.block.byteLength; ; ) {
      sink.addBlock();
      yield;
      const bytes = readBlock(fd, sink, maxBytes - total);
      total += bytes;
      if (bytes === sink.block.byteLength && total < maxBytes) continue;
      sink.end(bytes);
      return total;
    }
  } finally {
    closeSync(fd);
  }
}

const readBlock = (fd: number, { block }: BlockSink, maxBytes: number): number =>
  maxBytes === 0 ? 0 : readSync(fd, block, 0, Math.min(block.byteLength, maxBytes), null);
