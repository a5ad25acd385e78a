// The entry of a runner thread: carries out commands of a service until that ends it.
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { houseSweeper } from '../../files/disk/sweep.ts';
import { noteEndedThread, tagThread } from '../../lib/fs/part-name.ts';
import { buildDefaultRegistry } from '../default-registry.ts';
import type { FromRunner, RunnerStart, ToRunner } from './messages.ts';
import { serveOrders } from './thread/serve-orders.ts';

/** How the system calls this thread. */
const findTask = (): string | undefined => {
  try {
    return basename(readlinkSync('/proc/thread-self'));
  } catch {
    return undefined;
  }
};

const { cwd, tag, endedTags }: RunnerStart = workerData;
const send = (message: FromRunner): void => parentPort?.postMessage(message);
tagThread(tag);
for (const ended of endedTags) noteEndedThread(ended);
parentPort?.on(
  'message',
  serveOrders({
    registry: buildDefaultRegistry(),
    cwd,
    send,
    onEndedThread: noteEndedThread,
    end: () => void houseSweeper.settled().finally(() => process.exit()), // of a thread it ends that alone
  }) satisfies (message: ToRunner) => void,
);
send({ kind: 'ready', task: findTask() });
