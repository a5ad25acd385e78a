import { Refused } from '../../refuse.ts';
import type { HttpRequest } from '../../request.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request; undefined where it has none. */
export const keyOf = ({ fields: { idempotencyKey: key } }: HttpRequest): string | undefined => {
  if (key === undefined || KEY.test(key)) return key;
  throw new Refused(400, 'bad-idempotency-key', 'An Idempotency-Key has 1 to 255 visible ASCII characters.');
};

/** The key is known with another list. */
export const keyReused = () =>
  new Refused(422, 'idempotency-key-reused', 'This Idempotency-Key came with another list before; take a new key for a new list.');

/** The run of the key is still under way. */
export const keyInUse = (runId: string) =>
  new Refused(409, 'idempotency-key-in-use', `Run ${runId} of this Idempotency-Key is under way; ask again, or look at /runs/${runId}.`, {
    'Retry-After': '1',
    'X-Run-Id': runId,
  });
