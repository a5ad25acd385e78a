/** The part of libarchive.js that is used, as its build for Node has it: it comes without types. */
declare module 'libarchive.js/dist/libarchive-node.mjs' {
  import type { Worker } from 'node:worker_threads';

  interface ListedEntry {
    readonly path: string;
    readonly size: number;
    /** `FILE`, `DIR`, or the name of something else. */
    readonly type: string | undefined;
  }

  interface ExtractedEntry extends ListedEntry {
    readonly fileData?: Uint8Array;
  }

  interface ArchiveReader {
    /** Its public lists leave out directories and repetitions; the worker behind it tells all. */
    readonly client: {
      listFiles(): Promise<ListedEntry[]>;
      extractFiles(): Promise<ExtractedEntry[]>;
    };
    readonly worker: Worker;
    /** True, false, or null where it cannot be told. */
    hasEncryptedData(): Promise<boolean | null>;
    close(): Promise<void>;
  }

  export const Archive: { open(file: File): Promise<ArchiveReader> };
}
