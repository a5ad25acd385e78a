/** How long lists may go on at most after a service was told to stop: with closing all else it is gone within five seconds. */
export const DRAIN_MS = 3_000;
