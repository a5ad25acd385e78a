import type { S3Credentials } from '../sign.ts';

/** So long before they end credentials are asked for again, so that no request is signed with ones that end on the way. */
const AHEAD_MS = 5 * 60_000;
/** A service that still gives those that end soon is not asked with every request. */
const AGAIN_MS = 10_000;

export interface RenewedCredentials {
  /** Those of now. */
  get(): Promise<S3Credentials | undefined>;
  /** The server says that they have ended; tells whether others may be had. */
  forget(): boolean;
}

/** Credentials that are found once, by whoever needs them first, and again before they end. */
export const renewed = (find: () => Promise<S3Credentials | undefined>, now: () => number): RenewedCredentials => {
  let held: Promise<S3Credentials | undefined> | undefined;
  let endsMs = Number.POSITIVE_INFINITY;
  let askedMs = 0;
  const ask = (): Promise<S3Credentials | undefined> => {
    endsMs = Number.POSITIVE_INFINITY;
    askedMs = now();
    const asked = find().then(
      (found) => {
        endsMs = found?.expiresMs ?? Number.POSITIVE_INFINITY;
        return found;
      },
      (fault: unknown) => {
        held = undefined; // the next request looks again
        throw fault;
      },
    );
    held = asked;
    return asked;
  };
  return {
    get: () => (held === undefined || (now() > endsMs - AHEAD_MS && now() > askedMs + AGAIN_MS) ? ask() : held),
    forget() {
      const mayRenew = Number.isFinite(endsMs);
      if (mayRenew) held = undefined;
      return mayRenew;
    },
  };
};
