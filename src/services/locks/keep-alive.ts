import type { Wait } from '../../lib/async/wait.ts';

/** A lease that is renewed until it is stopped. */
export interface KeptAlive {
  /** Aborted with the signal it follows, or when the lease is lost. */
  readonly signal: AbortSignal;
  /** Ends the renewing and waits for one that is under way. */
  stop(): Promise<void>;
}

export interface KeepAliveOptions {
  readonly everyMs: number;
  /** False: the lease is in other hands. */
  renew(): Promise<boolean>;
  readonly signal: AbortSignal;
  readonly wait: Wait;
  lost(): Error;
}

/** Renews a lease again and again. One renewal that fails is no loss yet: there is time for another before the lease ends. */
export const keepAlive = ({ everyMs, renew, signal: outer, wait, lost }: KeepAliveOptions): KeptAlive => {
  const working = new AbortController();
  const renewing = new AbortController();
  const follow = () => working.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });

  const loop = async () => {
    for (let failures = 0; ; ) {
      await wait(everyMs, renewing.signal);
      const isOurs = await renew().then(
        (answer) => {
          failures = 0;
          return answer;
        },
        () => {
          failures += 1;
          return failures < MOST_FAILURES;
        },
      );
      if (isOurs) continue;
      working.abort(lost());
      return;
    }
  };
  const over = loop().catch(() => {}); // stopped while it waited

  return {
    signal: working.signal,
    async stop() {
      outer.removeEventListener('abort', follow);
      renewing.abort();
      await over;
    },
  };
};

/** At a third of the lease each, the second one is the last that comes in time. */
const MOST_FAILURES = 2;
