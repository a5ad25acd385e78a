import { readFileSync } from 'node:fs';
import type { HeapInfo } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { bytesOfHeap } from './heap-bytes.ts';
import type { FromRunner, RunnerStart, ToRunner } from './messages.ts';

/** One thread that carries out commands. */
export interface RunnerThread {
  readonly tag: string;
  send(message: ToRunner): void;
  /** Processor time that it has had so far; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Bytes that its heap takes, told even in the middle of a computation; undefined where Node cannot ask or the thread is gone. */
  heapBytes(): Promise<number | undefined> | undefined;
  /** Stops it wherever it is; one that waits for a device ends when that answers. */
  end(): Promise<unknown>;
}

/** What becomes of a thread. */
export interface RunnerThreadEvents {
  onMessage(message: FromRunner): void;
  /** It is gone; `fault` says why, where it was not asked for. */
  onExit(fault: Error | undefined): void;
}

export interface RunnerThreadOptions {
  readonly url: URL;
  readonly start: RunnerStart;
  readonly maxHeapMb: number;
}

/** So far away that no step of a thread that keeps to its limit reaches it: beyond it the whole process would end. */
const FAR_HEAP_MB = 4096;
const FAR_TIMES = 2;

/** The system counts the time of threads in hundredths of a second. */
const TICK_MS = 10;

/** Starts a thread. It never keeps the process alive: whoever waits for a command has a connection. */
export const startRunnerThread = (
  { url, start, maxHeapMb }: RunnerThreadOptions,
  { onMessage, onExit }: RunnerThreadEvents,
): RunnerThread => {
  const maxOldGenerationSizeMb = Math.max(FAR_HEAP_MB, maxHeapMb * FAR_TIMES);
  const worker: Worker & { getHeapStatistics?(): Promise<HeapInfo> } = new Worker(url, {
    execArgv: [],
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb },
  });
  let task: string | undefined;
  let fault: Error | undefined;
  worker.on('message', (message: FromRunner) => {
    if (message.kind === 'ready') {
      task = message.task;
      worker.unref();
    }
    onMessage(message);
  });
  worker.on('error', (error) => {
    fault = error;
  });
  worker.once('exit', () => onExit(fault));
  worker.unref();
  return {
    tag: start.tag,
    send: (message) => worker.postMessage(message),
    cpuMs: () => (task === undefined ? undefined : cpuMsOf(task)),
    heapBytes: () => worker.getHeapStatistics?.().then(bytesOfHeap, () => undefined),
    end: () => worker.terminate(),
  };
};

/** User and system time are the 14th and 15th field; the name before them stands in brackets and may hold anything. */
const cpuMsOf = (task: string): number | undefined => {
  try {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
};
