import type { HeapInfo } from 'node:v8';

/** What the heap of a thread takes, with the buffers that it holds. */
export const bytesOfHeap = ({ total_heap_size, external_memory, malloced_memory }: HeapInfo): number =>
  total_heap_size + external_memory + malloced_memory;
