import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../../../access/caller.ts';
import type { Masker } from '../../../../access/mask.ts';
import type { Runs } from '../../../../core/ports/runs.ts';
import type { ProgressRegistry } from '../../../../core/progress.ts';
import { TimeSlice, threadSlices } from '../../../../lib/async/time-slice.ts';
import { createPieces, eventText } from './pieces.ts';

export interface EventsOptions {
  readonly runs: Pick<Runs<Caller>, 'events' | 'head'>;
  readonly progress: Pick<ProgressRegistry, 'seenBy'>;
  readonly masker: Pick<Masker, 'known'>;
  /** How long a follower goes without a sign of life. */
  readonly beatMs?: number;
}

/** What followers of runs are told. */
export interface RunEvents {
  /** Whether anything happened after an event. */
  hasNews(runId: string, after: number): Promise<boolean>;
  /** Tells one follower of a run, until it is over or the follower goes away. */
  follow(response: ServerResponse, run: FollowedRun): Promise<void>;
}

export interface FollowedRun {
  readonly runId: string;
  /** The last event that the follower has seen. */
  readonly after: number;
  /** The name of the caller who follows. */
  readonly caller: string;
}

/** Four looks a second: as often as progress is told. */
const LOOK_MS = 250;
/** After each write it is asked how long the thread was held. */
const STEPS_OF_A_WRITE = 64;
/** For what stands between. */
const BEAT_MS = 15_000;

/**
 * Server-Sent Events: `command` and `done` bear ids by which a follower goes on after a break, `progress` shows the present only.
 * What a follower has not taken is waited for, so that a slow one costs no memory.
 */
export const createEvents = ({ runs, progress, masker, beatMs = BEAT_MS }: EventsOptions): RunEvents => {
  const pieceOf = createPieces({ runs, masker });
  // All followers together: what is made once for a thousand of them is still sent a thousand times.
  const slice = new TimeSlice(threadSlices);

  const follow: RunEvents['follow'] = async (response, { runId, after, caller }) => {
    const own = progress.seenBy(caller);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    let last = after;
    let lastProgress = '';
    let lastWriteAt = performance.now();

    const write = async (text: string | Uint8Array): Promise<void> => {
      if (slice.isOver(STEPS_OF_A_WRITE)) await slice.next();
      lastWriteAt = performance.now();
      if (gone.signal.aborted || response.write(text)) return;
      await once(response, 'drain', { signal: gone.signal }).catch(() => {}); // gone: nothing more is to be told
    };
    const tellNews = async (): Promise<boolean> => {
      while (!gone.signal.aborted) {
        const piece = await pieceOf(runId, last);
        if (piece === undefined) return false;
        ({ last } = piece);
        await write(piece.content);
        if (piece.isEnd) return true;
      }
      return true;
    };
    const tellProgress = async (): Promise<void> => {
      const snapshots = own.list().filter(({ run_id }) => run_id === runId);
      const text = snapshots.length === 0 ? '' : eventText(masker, 'progress', { progress: snapshots });
      if (text !== lastProgress) await write(text);
      lastProgress = text;
    };

    /** A run that was deleted, out of a queue or because of its age, has no end to wait for. */
    const beat = async (): Promise<boolean> => {
      if (performance.now() - lastWriteAt < beatMs) return true;
      if ((await runs.head(runId)) === null) return false;
      await write(': still here\n\n');
      return true;
    };

    response.writeHead(200, EVENT_HEADERS).flushHeaders();
    while (!gone.signal.aborted && !(await tellNews())) {
      await tellProgress();
      if (!(await beat())) break;
      await pause(LOOK_MS, undefined, { signal: gone.signal, ref: false }).catch(() => {}); // gone: the loop ends
    }
    response.end();
  };

  return { follow, hasNews: async (runId, after) => (await pieceOf(runId, after)) !== undefined };
};

const EVENT_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};
