import { readFile, stat } from 'node:fs/promises';
import { type SetTimer, systemTimer } from '../../lib/async/timer.ts';

export interface FileWatchOptions {
  readonly path: string;
  /** What the file held when it was last read; left out, what it holds at the first look. */
  readonly text?: string | undefined;
  /** How often to look. */
  readonly intervalMs: number;
  /** Told when the file holds something else, or is gone; must not throw. */
  onChange(): Promise<unknown>;
  readonly setTimer?: SetTimer;
}

/** Looks at a small file from time to time. */
export interface FileWatch {
  start(): void;
  /** Looks now; true where the change was told. */
  look(): Promise<boolean>;
  /** Looks no more; waits for what is under way. */
  close(): Promise<void>;
}

/** Editors write in steps: what counts is what stands there unchanged for this long. */
const SETTLE_MS = 250;
/** More than a configuration can be; that it is too large is told by whoever reads it. */
const MAX_BYTES = 2 * 1024 * 1024;
const GONE = '\0gone';

/** Makes a watch over one file. It looks instead of waiting for events, which network mounts and containers do not pass on. */
export const createFileWatch = ({ path, text, intervalMs, onChange, setTimer = systemTimer }: FileWatchOptions): FileWatch => {
  let known = text;
  let knownStamp: string | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isStarted = false;
  let isClosed = false;
  let stopTimer = () => {};
  let endPause = () => {};

  const pause = () =>
    new Promise<void>((resolve) => {
      const stop = setTimer(resolve, Math.min(SETTLE_MS, intervalMs));
      endPause = () => {
        stop();
        resolve();
      };
    });

  const lookOnce = async (): Promise<boolean> => {
    let stamp = await stampOf(path);
    if (stamp === knownStamp) return false;
    let found = await textOf(path);
    if (known !== undefined && found !== known) {
      for (let before = ''; before !== stamp && !isClosed; ) {
        await pause();
        before = stamp;
        stamp = await stampOf(path);
      }
      found = await textOf(path);
    }
    if (isClosed) return false;
    const isNews = known !== undefined && found !== known;
    known = found;
    knownStamp = found === GONE ? undefined : stamp; // it may have been unreadable for a moment only
    if (isNews) await onChange();
    return isNews;
  };

  /** One look after the other: what a change sets off may take longer than the time between two looks. */
  const look = (): Promise<boolean> => {
    const turn = last.then(lookOnce);
    last = turn.catch(() => {});
    return turn;
  };

  const lookAndWait = async () => {
    await look();
    if (!isClosed) stopTimer = setTimer(() => void lookAndWait(), intervalMs);
  };

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      void lookAndWait();
    },
    look,
    async close() {
      isClosed = true;
      stopTimer();
      endPause();
      await last;
    },
  };
};

/** Differs when the file was replaced or written to, as far as the file system tells. */
const stampOf = async (path: string): Promise<string> => {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return GONE;
  }
};

const textOf = async (path: string): Promise<string> => {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? `\0${size} bytes` : await readFile(path, 'utf8');
  } catch {
    return GONE;
  }
};
